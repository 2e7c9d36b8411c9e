"""Every number that decides something, with its default and its cross-checks."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta

LARGEST = 1e12


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers of the watch. Durations; a config file gives them in seconds."""

    tick: timedelta = timedelta(seconds=1)  # looks at what no event reports
    screen_every: timedelta = timedelta(seconds=15)  # a look at the screen without any hint
    two_looks_apart: timedelta = timedelta(seconds=1)  # the least distance of two agreeing looks
    launch_limit: timedelta = timedelta(seconds=30)  # no sign of the wrapper for this long: failed
    quiet_limit: timedelta = timedelta(seconds=90)  # without progress, once a clock was shown
    quiet_limit_clockless: timedelta = timedelta(seconds=600)  # without progress, never a clock
    grace: timedelta = timedelta(seconds=30)  # between the first and the second silent look
    dialog_stands: timedelta = timedelta(seconds=0.5)  # a dialog told by a hook needs a person
    heartbeat_stands: timedelta = timedelta(seconds=15)  # no new heartbeat: the clock stands
    idle_stands: timedelta = timedelta(seconds=3)  # at rest by its own file, and no word of an end
    background_limit: timedelta = timedelta(minutes=20)  # no word from work left in the background
    unrecorded_end: timedelta = timedelta(seconds=2)  # wait for a recorded exit or a late hook
    drain_limit: timedelta = timedelta(seconds=2)  # wait for the last line of a finished log
    kill_grace: timedelta = timedelta(seconds=5)  # between TERM and KILL
    tmux_limit: timedelta = timedelta(seconds=5)  # one tmux call
    record_age: timedelta = timedelta(days=14)  # how long records and logs are kept
    record_bytes: int = 1_000_000_000  # and how much of them
    busy_cpu: float = 0.05  # share of one core from which a process tree counts as working

    def __post_init__(self) -> None:
        for number in fields(self):
            value = getattr(self, number.name)
            if not value > type(value)(0):
                raise ValueError(f"{number.name} must be more than zero")
        if self.two_looks_apart < timedelta(seconds=1):
            raise ValueError("two_looks_apart may not be under the clock's own second")
        if self.quiet_limit > self.quiet_limit_clockless:
            raise ValueError("quiet_limit may not exceed quiet_limit_clockless")


def policy_from(settings: Mapping[str, object]) -> Policy:
    """The default policy with these settings on top; ValueError names the bad one."""
    kinds = {number.name: number.type for number in fields(Policy)}
    chosen: dict[str, timedelta | int | float] = {}
    for name, value in settings.items():
        kind = kinds.get(name)
        if kind is None:
            raise ValueError(f"unknown setting {name}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not value < LARGEST:
            raise ValueError(f"{name} must be a number below {LARGEST:.0e}")
        if kind is timedelta:
            chosen[name] = timedelta(seconds=value)
        else:
            chosen[name] = int(value) if kind is int else float(value)
    return Policy(**chosen)  # type: ignore[arg-type]
