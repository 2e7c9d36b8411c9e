"""What `claude -p` prints as JSON: its last result, whichever of the three forms it takes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from story_automator.agents.claude_failures import TOO_MANY, failure
from story_automator.agents.fields import USAGE, inner, number, rows, summed, text, whole
from story_automator.agents.message import asks_person
from story_automator.model.evidence import Turn, TurnState

RESULT = '"result"'


@dataclass(frozen=True, slots=True)
class Printed:
    """The result of one `-p` run."""

    turn: Turn
    conversation: str = ""
    cost_usd: float | None = None
    tokens: int | None = None
    denied: tuple[str, ...] = ()  # the tools it asked for and was not given


def printed(output: str, at: datetime) -> Printed | None:
    """The last result in the output, or None; `at` is when it was printed."""
    for result in _results(output):
        return Printed(
            turn=_turn(result, at),
            conversation=text(result, "session_id"),
            cost_usd=number(result, "total_cost_usd"),
            tokens=summed(inner(result, "usage"), *USAGE),
            denied=_denied(result),
        )
    return None


def _results(output: str) -> Iterator[dict[str, object]]:
    """Newest first: an object per line, one object, or one array of all objects."""
    # Not splitlines: JSON may hold other line ends as they are, inside its strings.
    for line in reversed(output.split("\n")):
        if RESULT not in line:
            continue
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        for row in reversed(told if isinstance(told, list) else [told]):
            if isinstance(row, dict) and row.get("type") == "result":
                yield row


def _turn(result: Mapping[str, object], at: datetime) -> Turn:
    message = text(result, "result")
    if result.get("is_error") is False:
        # `subtype` says success after API errors too, so it is not asked.
        denied = _denied(result)
        because = "claude -p printed its result"
        if denied:
            because += f"; it was not allowed to use {', '.join(denied)}"
        return Turn(TurnState.FINISHED, because=because, message=message, asks=asks_person(message))
    status = whole(result, "api_error_status")
    why = failure("rate_limit" if status == TOO_MANY else "", message, at, status)
    said = message or text(result, "subtype") or "an error"
    return Turn(
        TurnState.FAILED,
        reason=why.reason,
        because=f"claude -p printed that it failed: {said}",
        message=message,
        resets_at=why.resets_at,
    )


def _denied(result: Mapping[str, object]) -> tuple[str, ...]:
    names = (text(row, "tool_name") for row in rows(result, "permission_denials"))
    return tuple(dict.fromkeys(name for name in names if name))
