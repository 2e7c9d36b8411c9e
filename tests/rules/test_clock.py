"""The statusline time gate: the seed's matrix and what surrounds it."""

from datetime import timedelta

import pytest

from story_automator.model.evidence import ClockGate
from story_automator.rules.clock import clock_step, clock_vetoes_stuck, gate

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("previous", "current", "stuck_may_stand"),
    [
        pytest.param("10:00:00", "10:01:00", False, id="advanced-is-alive"),
        pytest.param("10:00:00", "10:00:00", True, id="unchanged-may-be-stuck"),
        pytest.param("", "10:00:00", False, id="first-observation-is-alive"),
        pytest.param("", "", True, id="no-clock-ever-may-be-stuck"),
        pytest.param("10:00:00", "", True, id="hidden-clock-is-no-proof-of-life"),
        pytest.param("23:59:59", "00:00:01", False, id="midnight-is-movement"),
        pytest.param("02:59:59", "02:00:00", False, id="a-step-back-is-movement"),
        pytest.param("1:05:09 PM", "1:05:10 PM", False, id="twelve-hours"),
        pytest.param("11:59:59 AM", "11:59:59 PM", False, id="same-digits-other-half-of-the-day"),
    ],
)
def test_the_seeds_decision_matrix(previous: str, current: str, stuck_may_stand: bool) -> None:
    answer = gate(previous, current, MINUTE, SECOND)
    assert clock_vetoes_stuck(answer) is not stuck_may_stand


@pytest.mark.parametrize(
    ("clock", "since", "answer"),
    [
        pytest.param("10:00:00", timedelta(seconds=0.9), ClockGate.TOO_SOON, id="within-a-second"),
        pytest.param("10:00:00", timedelta(seconds=1), ClockGate.STILL, id="after-a-second"),
        pytest.param("10:00", timedelta(seconds=59), ClockGate.TOO_SOON, id="within-a-minute"),
        pytest.param("10:00", timedelta(seconds=60), ClockGate.STILL, id="after-a-minute"),
        pytest.param("1:05 PM", timedelta(seconds=59), ClockGate.TOO_SOON, id="minutes-with-pm"),
    ],
)
def test_unchanged_means_nothing_before_the_clock_could_move(
    clock: str, since: timedelta, answer: ClockGate
) -> None:
    assert gate(clock, clock, since, clock_step(clock)) is answer
