"""The statusline under the prompt, whose clock ticks, freezes, jumps or is not there."""

import math
import time

from story_automator.rehearse import screen

CLOCKS = ("ticking", "frozen", "absent")
STYLES = ("24h", "12h", "HH:MM")
SHORTEST_FRAME = 0.05  # real seconds: however fast the tempo, nobody needs more frames


class Statusline:
    """Shows scenario time from a chosen start; its text changes at ticks only."""

    def __init__(self, folder: str, tempo: float) -> None:
        self.folder = folder
        self.context = 0
        self.clock = "ticking"
        self.style = "24h"
        self.separator = "|"
        self.every = 1.0
        self.due = -math.inf  # the next tick, on the monotonic clock
        self._tempo = tempo
        self._text = ""
        here = time.localtime()
        self.set_clock(here.tm_hour * 3600 + here.tm_min * 60 + here.tm_sec)

    def set_clock(self, second_of_day: float) -> None:
        self._start = second_of_day - time.monotonic() / self._tempo

    def shift(self, seconds: float) -> None:
        self._start += seconds

    def read_clock(self) -> None:
        """One run of the statusline command: the clock is read and the next tick is planned."""
        moment = time.monotonic()
        self._text = screen.clock_text(self._start + moment / self._tempo, self.style)
        tick = max(self.every * self._tempo, SHORTEST_FRAME)
        self.due = moment + tick if self.clock == "ticking" else math.inf

    def row(self) -> str:
        if self.clock == "absent":
            return ""
        return screen.statusline(self.folder, self.context, self._text, self.separator)


def second_of_day(text: str) -> int:
    """`23:59:58` as a number of seconds."""
    hours, minutes, seconds = (int(part) for part in text.split(":"))
    return hours * 3600 + minutes * 60 + seconds
