"""What an agent tells about itself, where it does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a conversation has used so far, as the agent counts it."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """One conversation in the agent's own words and figures."""

    session_id: str = ""
    transcript: str = ""
    last_message: str = ""
    tokens: Tokens | None = None
    cost_usd: float | None = None
    context_pct: float | None = None
