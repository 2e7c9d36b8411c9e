"""What we saw of a session, at one moment, before anybody concludes anything."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from story_automator.model.probe import Probe
from story_automator.model.screen import Need
from story_automator.model.verdict import Verification


class TurnState(StrEnum):
    """What the agent itself says about its turn."""

    UNKNOWN = "unknown"  # it has said nothing
    RUNNING = "running"
    BACKGROUND = "background"  # stopped, but background work will wake it
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Turn:
    """The agent's own word about its turn: state, the finer reason, and who said so."""

    state: TurnState = TurnState.UNKNOWN
    reason: str = ""
    because: str = ""
    need: Need | None = None  # a dialog it reported and that still stands
    message: str = ""  # its last message, as it wrote it
    asks: bool = False  # that message clearly asks a person
    resets_at: datetime | None = None  # when a limit ends, if it said so
    began_at: datetime | None = None  # when the prompt came that it works on
    told_at: datetime | None = None  # when the agent last spoke of it: older signals are answered
    waits_on: tuple[str, ...] = ()  # the calls whose dialogs stand; only their end clears the need


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """The end of the agent's process, from the wrapper's record or from the pane."""

    code: int | None  # None: it ended, nobody knows how
    signal: int | None
    because: str
    session_taken: bool = False  # it ended because its terminal was taken away

    @property
    def failed(self) -> bool:
        return self.signal is not None or self.code != 0

    @property
    def shell_code(self) -> int:
        """128 + n for a signal; 1 when nobody knows."""
        if self.signal is not None:
            return 128 + self.signal
        return 1 if self.code is None else self.code


class ClockGate(StrEnum):
    """What the statusline clock says against "stuck"."""

    ABSENT = "absent"  # never read: stuck may stand
    FIRST = "first"  # first observation: alive
    MOVED = "moved"  # differs from the last one read: alive
    STILL = "still"  # the same after long enough: stuck may stand
    TOO_SOON = "too_soon"  # the same, but read before it could have moved: alive
    HIDDEN = "hidden"  # known, but not on the screen now: stuck may stand


@dataclass(frozen=True, slots=True)
class Evidence:
    """One look, summed up. Durations are measured on the monotonic clock."""

    session: Probe = Probe.PRESENT
    server_lost: bool = False
    killed_by_us: bool = False
    turn: Turn = Turn()
    end: ProcessEnd | None = None
    end_settled: bool = True  # the re-check after an unrecorded end has been made
    speaks: bool = True  # a TUI: it tells when its turn is over; leaving without is a crash
    silent_by_design: bool = False  # print and exec modes: only the deadline ends them
    shape_done_looks: int = 0  # agreeing looks at a finished turn, far enough apart
    shape_done_because: str = ""
    need: Need | None = None  # a dialog seen on the screen
    need_looks: int = 0
    clock: ClockGate = ClockGate.ABSENT
    clock_text: str = ""
    clock_ever: bool = False
    ever_active: bool = False
    quiet: timedelta = timedelta(0)  # since the last progress of any kind
    silent_looks: int = 0  # looks beyond the quiet limit, the grace apart
    elapsed: timedelta = timedelta(0)
    deadline: timedelta | None = None
    polls_left: int | None = None
    verification: Verification | None = None
