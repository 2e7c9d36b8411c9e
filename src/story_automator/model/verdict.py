"""What we conclude about a session."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FinalState(StrEnum):
    """The six public words."""

    COMPLETED = "completed"  # turn or process finished, and the workflow's verifier says yes
    INCOMPLETE = "incomplete"  # finished or idle, but not verified
    CRASHED = "crashed"  # ended with a code or a signal, or gone in mid-turn
    STUCK = "stuck"  # no progress and the clock agrees, or a person is needed
    TIMEOUT = "timeout"  # alive past its deadline
    NOT_FOUND = "not_found"  # the session is not there (any more)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A final state with the finer word for it and the evidence, in words."""

    state: FinalState
    reason: str
    because: str
    verified: bool = False
    resets_at: datetime | None = None  # when the limit that ended it ends


@dataclass(frozen=True, slots=True)
class Verification:
    """The workflow's source of truth about a step, asked once its session is over."""

    passed: bool
    reason: str  # the exit reason when it did not pass; how it passed otherwise
    because: str
    proven: bool = True  # by a source of truth, not by the mere end of the session
