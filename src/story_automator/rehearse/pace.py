"""Acts of passing time: silence, waiting for a file, the clock in the statusline."""

import math
from dataclasses import dataclass

from story_automator.rehearse.show import Show
from story_automator.rehearse.statusline import CLOCKS, STYLES, second_of_day

SPINNERS = ("moving", "still", "none")
FILE_CHECK = 0.02  # seconds between two looks for an awaited file


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(filter(None, choices))}")


@dataclass(frozen=True, slots=True)
class Wait:
    """Silence: the spinner moves, stands still or is not shown; nothing else happens."""

    seconds: float
    spinner: str = "moving"
    label: str = ""  # instead of verb and counters, e.g. a retry line

    def __post_init__(self) -> None:
        one_of("spinner", self.spinner, SPINNERS)

    def play(self, show: Show) -> None:
        show.label = self.label
        show.spinning = show.busy and self.spinner == "moving"
        show.spinner_shown = show.busy and self.spinner != "none"
        show.hold(self.seconds)
        show.label = ""
        show.spinning = show.spinner_shown = show.busy


@dataclass(frozen=True, slots=True)
class Await:
    """Go on working until a file appears."""

    path: str

    def play(self, show: Show) -> None:
        awaited = show.project / self.path
        show.hold(math.inf, awaited.exists, poll=FILE_CHECK)


@dataclass(frozen=True, slots=True)
class Statusline:
    """Change the statusline from here on; what is not named stays as it is."""

    clock: str = ""
    style: str = ""
    separator: str = ""
    every: float = 0.0
    at: str = ""  # the time it shows now, HH:MM:SS
    shift: float = 0.0  # seconds it jumps, either way
    context: int = -1

    def __post_init__(self) -> None:
        one_of("clock", self.clock, ("", *CLOCKS))
        one_of("style", self.style, ("", *STYLES))
        if self.at:
            second_of_day(self.at)

    def play(self, show: Show) -> None:
        line = show.statusline
        line.clock = self.clock or line.clock
        line.style = self.style or line.style
        line.separator = self.separator or line.separator
        line.every = self.every or line.every
        line.context = self.context if self.context >= 0 else line.context
        if self.at:
            line.set_clock(second_of_day(self.at))
        line.shift(self.shift)
        line.read_clock()
        show.draw()
