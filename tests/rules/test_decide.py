"""The order of decisions: each row of the house's table, and what may not overrule what."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from story_automator.model.evidence import ClockGate, Evidence, ProcessEnd, Turn, TurnState
from story_automator.model.policy import Policy, policy_from
from story_automator.model.probe import Probe
from story_automator.model.screen import Need
from story_automator.model.verdict import Verification
from story_automator.rules.decide import decide, in_words, over_because

POLICY = Policy()
YES = Verification(True, "verified_complete", "one story file")
ENDED = Verification(True, "normal_completion", "", proven=False)
NO = Verification(False, "workflow_not_complete", "not done yet")
FINISHED = Turn(TurnState.FINISHED, because="Stop hook")
BACKGROUND = Turn(TurnState.BACKGROUND, because="Stop hook, background work")
FAILED = Turn(TurnState.FAILED, "rate_limited", "StopFailure hook")
EXIT_0 = ProcessEnd(0, None, "exited with code 0")
EXIT_3 = ProcessEnd(3, None, "exited with code 3")
KILLED = ProcessEnd(None, 9, "ended by signal 9")
HUNG_UP = ProcessEnd(None, 1, "ended by signal 1", session_taken=True)
LONG = timedelta(hours=2)
SILENT = Evidence(quiet=LONG, silent_looks=2, ever_active=True, clock_ever=True)


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        pytest.param(Evidence(), "", id="nothing-seen-keeps-watching"),
        pytest.param(
            Evidence(turn=FINISHED, verification=YES),
            "completed/verified_complete",
            id="turn-finished-and-verified",
        ),
        pytest.param(
            Evidence(turn=FINISHED, verification=NO),
            "incomplete/workflow_not_complete",
            id="turn-finished-but-not-verified",
        ),
        pytest.param(
            Evidence(turn=FINISHED, verification=YES, end=KILLED, session=Probe.ABSENT),
            "completed/verified_complete",
            id="a-finished-turn-outlives-its-process",
        ),
        pytest.param(
            Evidence(speaks=False, end=EXIT_0, verification=YES),
            "completed/verified_complete",
            id="exec-agent-exited-with-0",
        ),
        pytest.param(
            Evidence(speaks=True, end=EXIT_0), "crashed/exit_code_0", id="tui-left-in-mid-turn"
        ),
        pytest.param(
            Evidence(turn=Turn(TurnState.RUNNING), speaks=False, end=EXIT_0, verification=YES),
            "crashed/exit_code_0",
            id="hooks-say-running-so-exit-0-is-no-finish",
        ),
        pytest.param(
            Evidence(turn=replace(FINISHED, asks=True), verification=ENDED),
            "incomplete/question",
            id="a-question-is-no-completion",
        ),
        pytest.param(
            Evidence(turn=replace(FINISHED, asks=True), verification=NO),
            "incomplete/question",
            id="a-question-says-more-than-not-verified",
        ),
        pytest.param(
            Evidence(turn=replace(FINISHED, asks=True), verification=YES),
            "completed/verified_complete",
            id="facts-outrank-a-question",
        ),
        pytest.param(
            Evidence(turn=BACKGROUND, quiet=timedelta(minutes=19), clock=ClockGate.MOVED),
            "",
            id="background-work-is-waited-for",
        ),
        pytest.param(
            Evidence(turn=BACKGROUND, quiet=timedelta(minutes=20), clock=ClockGate.MOVED),
            "incomplete/background_work",
            id="but-not-for-ever",
        ),
        pytest.param(
            Evidence(turn=FAILED, end=EXIT_0, silent_by_design=True, verification=YES),
            "incomplete/rate_limited",
            id="a-printing-agent-that-failed-and-left-with-0",
        ),
        pytest.param(Evidence(turn=FAILED), "incomplete/rate_limited", id="turn-failed"),
        pytest.param(
            Evidence(turn=FAILED, end=KILLED), "incomplete/rate_limited", id="failed-then-died"
        ),
        pytest.param(Evidence(end=EXIT_3), "crashed/exit_code_3", id="exit-code"),
        pytest.param(Evidence(end=KILLED), "crashed/exit_code_137", id="signal-as-128-plus-n"),
        pytest.param(
            Evidence(end=ProcessEnd(None, None, "gone"), end_settled=False),
            "",
            id="an-unrecorded-end-waits-for-the-re-check",
        ),
        pytest.param(
            Evidence(end=ProcessEnd(None, None, "gone")), "crashed/exit_code_1", id="unknown-end"
        ),
        pytest.param(
            Evidence(end=HUNG_UP), "not_found/session_gone", id="terminal-taken-is-no-crash"
        ),
        pytest.param(
            Evidence(end=replace(HUNG_UP, code=0, signal=None), speaks=False, verification=YES),
            "not_found/session_gone",
            id="a-clean-exit-on-hang-up-is-not-done",
        ),
        pytest.param(
            Evidence(end=HUNG_UP, session=Probe.ABSENT, server_lost=True),
            "not_found/tmux_server_lost",
            id="server-lost-is-its-own-reason",
        ),
        pytest.param(Evidence(session=Probe.ABSENT), "not_found/session_gone", id="session-gone"),
        pytest.param(Evidence(session=Probe.UNREACHABLE), "", id="unreachable-is-not-gone"),
        pytest.param(
            Evidence(end=HUNG_UP, session=Probe.UNREACHABLE), "", id="unreachable-delays-not-found"
        ),
        pytest.param(
            Evidence(killed_by_us=True, end=KILLED), "not_found/session_killed", id="our-own-kill"
        ),
        pytest.param(
            Evidence(turn=Turn(TurnState.RUNNING, need=Need.PERMISSION)),
            "stuck/permission_prompt",
            id="permission-told-by-a-hook",
        ),
        pytest.param(Evidence(need=Need.INPUT, need_looks=1), "", id="dialog-seen-once"),
        pytest.param(
            Evidence(need=Need.INPUT, need_looks=2), "stuck/waiting_for_input", id="dialog-twice"
        ),
        pytest.param(
            Evidence(need=Need.STARTUP, need_looks=2, clock=ClockGate.MOVED),
            "stuck/startup_dialog",
            id="the-clock-cannot-answer-a-dialog",
        ),
        pytest.param(
            replace(SILENT, clock=ClockGate.STILL), "stuck/no_progress", id="silent-and-clock-still"
        ),
        pytest.param(
            replace(SILENT, ever_active=False, clock=ClockGate.ABSENT),
            "stuck/never_active",
            id="never-moved-at-all",
        ),
        pytest.param(replace(SILENT, clock=ClockGate.MOVED), "", id="moving-clock-vetoes"),
        pytest.param(replace(SILENT, clock=ClockGate.FIRST), "", id="first-clock-vetoes"),
        pytest.param(replace(SILENT, clock=ClockGate.TOO_SOON), "", id="too-soon-vetoes"),
        pytest.param(
            replace(SILENT, clock=ClockGate.STILL, silent_looks=1), "", id="one-silent-look"
        ),
        pytest.param(
            replace(SILENT, clock=ClockGate.STILL, session=Probe.UNREACHABLE),
            "",
            id="unreachable-is-not-stuck",
        ),
        pytest.param(
            replace(SILENT, clock=ClockGate.STILL, silent_by_design=True),
            "",
            id="silent-by-design-is-not-stuck",
        ),
        pytest.param(
            replace(SILENT, quiet=timedelta(seconds=89), clock=ClockGate.STILL),
            "",
            id="below-the-limit",
        ),
        pytest.param(
            replace(SILENT, clock_ever=False, quiet=timedelta(seconds=599)),
            "",
            id="clockless-limit-is-longer",
        ),
        pytest.param(
            Evidence(elapsed=LONG, deadline=timedelta(hours=1), clock=ClockGate.MOVED),
            "timeout/exceeded_60m",
            id="the-clock-cannot-outlive-the-deadline",
        ),
        pytest.param(Evidence(polls_left=0), "timeout/max_polls_exceeded", id="poll-budget"),
        pytest.param(
            Evidence(elapsed=LONG, deadline=timedelta(hours=1), turn=FINISHED, verification=YES),
            "completed/verified_complete",
            id="finished-beats-the-deadline",
        ),
        pytest.param(
            Evidence(turn=Turn(TurnState.BACKGROUND)), "", id="background-work-is-not-the-end"
        ),
        pytest.param(
            Evidence(turn=Turn(TurnState.RUNNING), shape_done_looks=5, verification=YES),
            "",
            id="a-hook-outranks-the-shape",
        ),
    ],
)
def test_order_of_decisions(evidence: Evidence, said: str) -> None:
    verdict = decide(evidence, POLICY)
    assert (f"{verdict.state}/{verdict.reason}" if verdict else "") == said


def test_every_verdict_says_why() -> None:
    for evidence in (
        Evidence(end=EXIT_3),
        Evidence(turn=FINISHED, verification=NO),
        replace(SILENT, clock=ClockGate.STILL, clock_text="10:00:00"),
    ):
        verdict = decide(evidence, POLICY)
        assert verdict is not None
        assert len(verdict.because) > 10


def test_alive_by_its_clock_without_progress_is_said_in_the_evidence() -> None:
    evidence = Evidence(
        elapsed=LONG,
        deadline=timedelta(hours=1),
        clock=ClockGate.MOVED,
        clock_text="10:00:00",
        quiet=timedelta(minutes=40),
    )
    verdict = decide(evidence, POLICY)
    assert verdict is not None
    assert "alive by its clock (10:00:00) but without progress for 40m 0s" in verdict.because


def test_the_shape_of_the_screen_needs_two_looks() -> None:
    assert not over_because(Evidence(shape_done_looks=1, shape_done_because="done line"))
    assert over_because(Evidence(shape_done_looks=2, shape_done_because="done line"))


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0s"), (59, "59s"), (61, "1m 1s"), (3600, "1h 0m")]
)
def test_durations_in_words(seconds: int, words: str) -> None:
    assert in_words(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        pytest.param({"tick": 0}, "tick", id="zero"),
        pytest.param({"grace": -1}, "grace", id="negative"),
        pytest.param({"grace": "soon"}, "grace", id="no-number"),
        pytest.param({"tick": True}, "tick", id="a-truth-is-no-number"),
        pytest.param({"patience": 3}, "patience", id="unknown"),
        pytest.param({"quiet_limit": 700}, "quiet_limit", id="cross-check-of-the-limits"),
        pytest.param({"two_looks_apart": 0.5}, "two_looks_apart", id="under-the-clocks-second"),
    ],
)
def test_a_bad_policy_is_refused_by_name(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        policy_from(settings)


def test_a_limit_carries_its_end() -> None:
    ends = datetime(2027, 3, 5, 9, 41, tzinfo=UTC)
    turn = Turn(TurnState.FAILED, "usage_limit", "StopFailure hook", resets_at=ends)
    verdict = decide(Evidence(turn=turn), POLICY)
    assert verdict is not None
    assert (verdict.reason, verdict.resets_at) == ("usage_limit", ends)
