"""The statusline time gate: the final authority against "stuck"."""

from datetime import timedelta

from story_automator.model.evidence import ClockGate

MAY_VETO = frozenset({ClockGate.FIRST, ClockGate.MOVED, ClockGate.TOO_SOON})


def gate(previous: str, current: str, since_previous: timedelta, step: timedelta) -> ClockGate:
    """Compare the clock on the screen with the last one actually read ('' = none).

    `step` is how often the shown text can change at all: a second, or a minute for HH:MM.
    """
    if not current:
        return ClockGate.HIDDEN if previous else ClockGate.ABSENT
    if not previous:
        return ClockGate.FIRST
    # Different, not later: the shown clock wraps at midnight and steps back with DST.
    if current != previous:
        return ClockGate.MOVED
    return ClockGate.STILL if since_previous >= step else ClockGate.TOO_SOON


def clock_vetoes_stuck(clock: ClockGate) -> bool:
    return clock in MAY_VETO


def clock_step(clock: str) -> timedelta:
    """How often a clock of this form can change at all: HH:MM only once a minute."""
    return timedelta(seconds=1 if clock.count(":") > 1 else 60)
