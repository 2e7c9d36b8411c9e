"""What one look at a pane shows, in words every dialect shares."""

from dataclasses import dataclass
from enum import StrEnum


class Shape(StrEnum):
    """The form of a screen. A form claims less than a verdict: it is one look, not a story."""

    WORKING = "working"  # a spinner, a retry line or a busy title
    DONE = "done"  # a done line is the last block above an empty prompt, no spinner
    PROMPT = "prompt"  # an empty prompt, but nothing says that a turn ended
    DIALOG = "dialog"  # a menu or question waits for a key
    ERROR = "error"  # the turn ended with an error the agent shows
    STARTING = "starting"  # nothing of the agent is drawn yet
    SHELL = "shell"  # a shell prompt: no agent in the foreground
    UNCLEAR = "unclear"  # none of these


class Need(StrEnum):
    """Why a session cannot go on without a person; the values are exit reasons."""

    INPUT = "waiting_for_input"
    PERMISSION = "permission_prompt"
    STARTUP = "startup_dialog"


@dataclass(frozen=True, slots=True)
class ScreenReading:
    """One screen, read by a dialect."""

    shape: Shape
    because: str
    clock: str | None = (
        None  # as drawn in the statusline row, e.g. "07:46:56"; never from elsewhere
    )
    need: Need | None = None
    trouble: str = ""  # why it failed or retries: api_error, auth_error, rate_limited, …
    todos_done: int = 0
    todos_total: int = 0
    task: str = ""  # what the agent says it is doing, at most 80 characters
    body: str = ""  # the screen without the statusline row: equal bodies mean nothing moved
