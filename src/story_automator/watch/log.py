"""The raw log of a session while it grows: its size, hints in its newest bytes, its end."""

import os
import re
from pathlib import Path

from story_automator.edges.wrapper import END_MARK

ESCAPES = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])")
# What a screen would show when it is worth a look: a done line, or a dialog's help line. The words
# are only a reason to look; the shape of the screen decides.
WORTH_A_LOOK = re.compile(
    rb"for\s*\d+\s*[hms]|Esc\s*to\s*cancel|Enter\s*to|want\s*to\s*proceed|esc\s*to|Error"
)
NEWEST = 8192
TUI_MODE = b"\033[?2004h"
HEAD = 65_536


class Log:
    """One log file."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._before = 0
        self.size = 0
        self.grew = False

    def look(self) -> None:
        try:
            size = os.stat(self._path).st_size
        except OSError:
            size = self.size
        self.grew, self._before = size != self.size, self.size
        self.size = size

    def hints(self) -> bool:
        """Whether what was added since the last look is worth a look at the screen."""
        added = self._read(max(self._before, self.size - NEWEST), NEWEST)
        return bool(WORTH_A_LOOK.search(ESCAPES.sub(b"", added)))

    def shows_a_tui(self) -> bool:
        """Whether the program set the terminal up as full-screen agents do."""
        return TUI_MODE in self._read(0, HEAD)

    def is_whole(self) -> bool:
        """Whether everything up to the agent's end has arrived (children may have added more)."""
        return END_MARK in self._read(max(self.size - NEWEST, 0), NEWEST)

    def _read(self, start: int, length: int) -> bytes:
        try:
            with open(self._path, "rb", opener=_without_waiting) as handle:
                handle.seek(start)
                return handle.read(length)
        except OSError:
            return b""


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
