"""The status line: the contract's words for one look."""

import pytest

from story_automator.model.evidence import Evidence, ProcessEnd
from story_automator.model.memory import Memory
from story_automator.model.probe import Probe
from story_automator.model.verdict import FinalState, Verdict
from story_automator.rules.status import Status, status, wait_estimate

QUIET = Memory(looks=1)


def concluded(state: FinalState) -> Verdict:
    return Verdict(state, "reason", "because", verified=False)


@pytest.mark.parametrize(
    ("evidence", "memory", "verdict", "ours", "started", "expected"),
    [
        pytest.param(
            *(Evidence(), QUIET, None, True, False),
            Status("idle", 0, 0, "launching claude", 15, "just_started"),
            id="ours-and-not-yet-running",
        ),
        pytest.param(
            *(Evidence(), QUIET, None, True, True),
            Status("active", 0, 0, "Claude working", 60, "in_progress"),
            id="ours-and-running-in-silence",
        ),
        pytest.param(
            *(Evidence(), Memory(task="Running tests", todos_total=2), None, True, True),
            Status("active", 0, 2, "Running tests", 120, "in_progress"),
            id="ours-and-telling-its-task",
        ),
        pytest.param(
            *(Evidence(), QUIET, None, False, False),
            Status("idle", 0, 0, "", 0, "just_started"),
            id="a-quiet-stranger-gets-time",
        ),
        pytest.param(
            *(Evidence(), Memory(looks=11), None, False, False),
            Status("idle", 0, 0, "", 0, "stuck"),
            id="but-not-for-ever",
        ),
        pytest.param(
            *(Evidence(session=Probe.UNREACHABLE), QUIET, None, True, True),
            Status("error", 0, 0, "tmux_unreachable", 30, "error"),
            id="tmux-does-not-answer",
        ),
        pytest.param(
            *(Evidence(end=ProcessEnd(None, 9, "")), QUIET, concluded(FinalState.CRASHED)),
            *(True, True, Status("crashed", 0, 0, "", 137, "crashed")),
            id="a-signal-is-128-and-more",
        ),
        pytest.param(
            *(Evidence(), QUIET, concluded(FinalState.COMPLETED), True, True),
            Status("idle", 0, 0, "", 0, "completed"),
            id="finished",
        ),
        pytest.param(
            *(Evidence(), QUIET, concluded(FinalState.NOT_FOUND), True, True),
            Status("not_found", 0, 0, "", 0, "not_found"),
            id="gone",
        ),
    ],
)
def test_one_look(
    evidence: Evidence,
    memory: Memory,
    verdict: Verdict | None,
    ours: bool,
    started: bool,
    expected: Status,
) -> None:
    said = status(evidence, memory, verdict, agent="claude", ours=ours, started=started)
    assert said == expected


@pytest.mark.parametrize(
    ("task", "done", "total", "expected"),
    [
        pytest.param("Reading files", 0, 0, 30, id="reading"),
        pytest.param("Choose an option", 0, 0, 15, id="choosing"),
        pytest.param("Compiling", 0, 0, 120, id="building"),
        pytest.param("Fixing it", 0, 0, 60, id="writing"),
        pytest.param("Reading, then fixing", 0, 0, 30, id="the-first-hit-wins"),
        pytest.param("Thinking", 0, 0, 60, id="nothing-known"),
        pytest.param("Thinking", 0, 8, 90, id="hardly-begun"),
        pytest.param("Thinking", 2, 8, 75, id="a-quarter"),
        pytest.param("Thinking", 4, 8, 60, id="half"),
        pytest.param("Thinking", 6, 8, 30, id="three-quarters"),
    ],
)
def test_the_wait_estimate(task: str, done: int, total: int, expected: int) -> None:
    assert wait_estimate(task, done, total) == expected
