"""The column of changed files that newer Claude Code draws to the right of the conversation."""

import re
import unicodedata
from collections.abc import Sequence

BORDER = "│"
# First row of the screen, its end: the border, and the button that closes the column.
# Capture: held-out claude/e_changed/01.
CLOSE = re.compile(r"(?P<left>.*)│ +✕")


def panel_at(rows: Sequence[str]) -> int | None:
    """How many cells are left of the panel's border; None without a panel."""
    found = CLOSE.fullmatch(rows[0]) if rows else None
    return None if found is None else sum(map(_cells, found["left"]))


def without_panel(rows: Sequence[str], border: int) -> list[str]:
    """The rows up to the border; those it does not reach, such as the input box, as they are."""
    return [_up_to(row, border) for row in rows]


def _up_to(row: str, border: int) -> str:
    cell = 0
    for position, letter in enumerate(row):
        if cell >= border:
            return row[:position].rstrip() if letter == BORDER else row
        cell += _cells(letter)
    return row


def _cells(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
