"""One look in the words of the contract's status line."""

from collections.abc import Sequence
from dataclasses import dataclass

from story_automator.model.evidence import Evidence
from story_automator.model.memory import Memory
from story_automator.model.probe import Probe
from story_automator.model.screen import Shape
from story_automator.model.verdict import FinalState, Verdict
from story_automator.rules.clock import clock_vetoes_stuck

FIRST_LOOKS = 10  # a session that somebody else started gets this many before it may be stuck
LAUNCH_WAIT = 15
# Words in the active task and how long such a task usually takes; the first hit wins.
WAITS: Sequence[tuple[tuple[str, ...], int]] = (
    (("loading", "reading", "searching", "parsing", "launching", "starting"), 30),
    (("presenting", "waiting", "menu", "select", "choose"), 15),
    (("running tests", "testing", "building", "compiling", "installing"), 120),
    (("writing", "editing", "updating", "creating", "fixing"), 60),
)


@dataclass(frozen=True, slots=True)
class Status:
    """The six columns, before the output file is known."""

    status: str
    todos_done: int
    todos_total: int
    task: str
    number: int  # a wait estimate, or the exit code of a crash
    state: str

    @property
    def is_over(self) -> bool:
        return self.state in ("completed", "crashed", "stuck")


NOT_FOUND = Status("not_found", 0, 0, "", 0, "not_found")


def status(
    e: Evidence, m: Memory, verdict: Verdict | None, *, agent: str, ours: bool, started: bool
) -> Status:
    """What one look says. `verdict` is what the one mind concluded from the same evidence.

    `started` tells of a session of ours that its process was seen to run.
    """
    done, total = m.todos_done, m.todos_total
    if verdict is not None:
        if verdict.state is FinalState.NOT_FOUND:
            return NOT_FOUND
        if verdict.state is FinalState.CRASHED:
            code = e.end.shell_code if e.end else 1
            return Status("crashed", done, total, "", code, "crashed")
        if verdict.state is FinalState.STUCK:
            return Status("idle", done, total, "", 0, "stuck")
        return Status("idle", done, total, "", 0, "completed")
    if e.session is Probe.UNREACHABLE:
        return Status("error", done, total, "tmux_unreachable", 30, "error")
    if not ours and m.shape != Shape.WORKING and not m.ever_active:
        return _quiet_stranger(e, m)
    if ours and not started:
        return Status("idle", done, total, f"launching {agent}", LAUNCH_WAIT, "just_started")
    task = m.task or f"{agent.capitalize()} working"
    return Status("active", done, total, task, wait_estimate(task, done, total), "in_progress")


def _quiet_stranger(e: Evidence, m: Memory) -> Status:
    """The statusline time gate for a session of which nothing but the screen is known."""
    alive = m.looks <= FIRST_LOOKS or clock_vetoes_stuck(e.clock)
    return Status("idle", m.todos_done, m.todos_total, "", 0, "just_started" if alive else "stuck")


def wait_estimate(task: str, done: int, total: int) -> int:
    """Seconds until another look is worth it."""
    words = task.lower()
    for hits, seconds in WAITS:
        if any(hit in words for hit in hits):
            return seconds
    if not total:
        return 60
    share = done / total
    return 90 if share < 0.25 else 75 if share < 0.5 else 60 if share < 0.75 else 30
