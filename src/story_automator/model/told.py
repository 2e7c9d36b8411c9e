"""What an agent tells about itself, where it does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """One conversation in the agent's own words and figures."""

    session_id: str = ""
    transcript: str = ""
    last_message: str = ""
    tokens: int | None = None  # of all messages, what came from a cache too
    cost_usd: float | None = None
    context_pct: float | None = None
