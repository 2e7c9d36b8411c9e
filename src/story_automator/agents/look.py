"""What one screen suggests in the words of the capture corpus, besides the shared reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from story_automator.agents.statusline import find_clock
from story_automator.model.screen import ScreenReading, Shape

TASK_LENGTH = 80
# The newest list counts: an agent draws its list again each time it ticks a box.
# Captures: held-out claude/a_todo/01 (`◼` is begun, `◻` is open).
TODO = re.compile(r"\s*(?:⎿\s*)?([☐☒✔◼◻])\s+\S")
OPEN_TODOS = frozenset("☐◼◻")


class State(StrEnum):
    """The corpus's own words for one frame."""

    STARTING = "starting"  # nothing of the agent is drawn yet
    WORKING = "working"  # in mid-turn
    IDLE_DONE = "idle_done"  # the turn is over
    IDLE_NOPROMPT = "idle_noprompt"  # at its prompt, no turn was begun
    WAITING_INPUT = "waiting_input"  # a question, a menu or an interrupted turn
    PERMISSION_PROMPT = "permission_prompt"  # asks whether a tool may run
    TRUST_PROMPT = "trust_prompt"  # asks whether a folder or a hook is trusted
    STARTUP_DIALOG = "startup_dialog"  # any other dialog before the first turn
    API_ERROR = "api_error"  # the model's service failed, for good or while retrying
    AUTH_ERROR = "auth_error"  # a login or a key is missing or refused
    RATE_LIMITED = "rate_limited"  # a usage limit or a 429
    EXITED_OK = "exited_ok"  # the process ended with 0
    EXITED_ERROR = "exited_error"  # the process ended with another code
    CRASHED = "crashed"  # ended by a signal, or gone in mid-turn
    UNKNOWN = "unknown"  # this frame does not tell


@dataclass(frozen=True, slots=True)
class Look(ScreenReading):
    """A screen reading with the state that this one look suggests."""

    state: State = State.UNKNOWN


def state_of_trouble(trouble: str) -> State:
    """The corpus has no word of its own for a full context."""
    return State.API_ERROR if trouble == "context_limit" else State(trouble)


def failed(trouble: str, because: str) -> Look:
    """The turn ended with an error that the agent shows."""
    return Look(Shape.ERROR, because, trouble=trouble, state=state_of_trouble(trouble))


def working(because: str, task: str = "", trouble: str = "") -> Look:
    """In mid-turn; `trouble` says why it retries."""
    state = state_of_trouble(trouble) if trouble else State.WORKING
    return Look(Shape.WORKING, because, trouble=trouble, task=task[:TASK_LENGTH], state=state)


def surrounded(look: Look, rows: Sequence[str]) -> Look:
    """The same look with what every dialect reads alike: clock, body and todos."""
    clock = find_clock(rows)
    kept = rows if clock is None else [*rows[: clock.row], *rows[clock.row + 1 :]]
    done, total = (0, 0) if look.shape is Shape.DIALOG else newest_todos(rows)
    return replace(
        look,
        clock=clock.text if clock else None,
        body="\n".join(kept),
        todos_done=done,
        todos_total=total,
    )


def newest_todos(rows: Sequence[str]) -> tuple[int, int]:
    """Done and total of the last list of boxes in a screen or an output."""
    boxes: list[str] = []
    for row in reversed(rows):
        if found := TODO.match(row):
            boxes.append(found[1])
        elif boxes:
            break
    return sum(box not in OPEN_TODOS for box in boxes), len(boxes)
