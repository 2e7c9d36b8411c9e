"""The clock of the agent's own statusline row, and of no other row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from story_automator.agents.box import find_box
from story_automator.agents.rows import tidy

SEPARATOR = re.compile(r"[|│]")
# One cell; a notice may follow, pushed to the right. Capture: claude/fin_claimdone/01.
CLOCK_CELL = re.compile(
    r"\s*(?P<clock>(?P<hour>[0-9]{1,2}):[0-5][0-9](?::[0-5][0-9])?(?P<half> ?[AaPp][Mm])?)"
    r"(?:\s{2,}.*|\s*)"
)
# Where no box is drawn, a log column looks like any statusline; only this cell tells them apart.
# Capture: claude/screenreader/02, which also needs all three rows.
CONTEXT_CELL = re.compile(r"[|│] *ctx\(\d+%\) *[|│]")
BOTTOM_ROWS = 3


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock as drawn, and the number of its row."""

    row: int
    text: str


def read_clock(rows: Sequence[str]) -> str | None:
    """The clock in the statusline, or None: behind a dialog there is none."""
    found = find_clock(tidy(rows))
    return found.text if found else None


def find_clock(rows: Sequence[str]) -> Clock | None:
    """The lowest clock in the footer of the box; without a box, in a `ctx(N%)` row at the end."""
    for number in _statusline_rows(rows):
        if text := _clock_in(rows[number]):
            return Clock(number, text)
    return None


def _statusline_rows(rows: Sequence[str]) -> list[int]:
    if box := find_box(rows):
        return list(range(box.footer_end - 1, box.bottom, -1))
    drawn = [number for number, row in enumerate(rows) if row]
    return [n for n in reversed(drawn[-BOTTOM_ROWS:]) if CONTEXT_CELL.search(rows[n])]


def _clock_in(row: str) -> str | None:
    cells = SEPARATOR.split(row)
    if len(cells) < 2:
        return None
    for cell in reversed(cells):
        found = CLOCK_CELL.fullmatch(cell)
        if found and _is_hour(int(found["hour"]), twelve=bool(found["half"])):
            return found["clock"]
    return None


def _is_hour(hour: int, *, twelve: bool) -> bool:
    return 1 <= hour <= 12 if twelve else hour <= 23
