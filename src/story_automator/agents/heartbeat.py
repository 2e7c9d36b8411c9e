"""What Claude Code hands its statusline command: figures of the session, and that it lives."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from story_automator.agents.fields import inner, instant, json_object, number, summed, text


@dataclass(frozen=True, slots=True)
class Allowance:
    """One window of a plan: how much of it is used, and when it starts anew."""

    name: str
    used_pct: float | None
    resets_at: datetime | None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The last figures; None where the client does not tell (yet)."""

    conversation: str = ""
    transcript: str = ""
    version: str = ""
    model: str = ""
    cost_usd: float | None = None
    context_pct: float | None = None
    tokens: int | None = None
    allowances: tuple[Allowance, ...] = ()

    @classmethod
    def parse(cls, written: str) -> Self | None:
        """None when the text is no JSON object; a field of the wrong type is not told."""
        told = json_object(written)
        if told is None:
            return None
        window = inner(told, "context_window")
        return cls(
            conversation=text(told, "session_id"),
            transcript=text(told, "transcript_path"),
            version=text(told, "version"),
            model=text(inner(told, "model"), "id"),
            cost_usd=number(inner(told, "cost"), "total_cost_usd"),
            context_pct=number(window, "used_percentage"),
            tokens=summed(window, "total_input_tokens", "total_output_tokens"),
            allowances=_allowances(inner(told, "rate_limits")),
        )


def _allowances(limits: Mapping[str, object]) -> tuple[Allowance, ...]:
    return tuple(
        Allowance(name, number(limit, "used_percentage"), instant(limit.get("resets_at")))
        for name in limits
        if (limit := inner(limits, name))
    )
