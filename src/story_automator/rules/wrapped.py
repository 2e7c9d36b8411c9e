"""Rows become lines again: what the terminal wrapped is one line, and no line grows for ever."""

import re
from collections.abc import Iterable

from story_automator.rules.grid import Row

LONGEST_LINE = 1 << 16
# A long line is cut between words where it can be, so that no secret is cut in two.
LAST_GAP = re.compile(r".*[^\w+/=.-]", re.DOTALL)
NEAR_THE_END = 1 << 12


def pieces(line: str) -> list[str]:
    """`line`, cut where it is longer than any line may be."""
    cut = []
    while len(line) > LONGEST_LINE:
        gap = LAST_GAP.match(line, LONGEST_LINE - NEAR_THE_END, LONGEST_LINE)
        end = gap.end() if gap else LONGEST_LINE
        cut.append(line[:end])
        line = line[end:]
    return [*cut, line]


class Unwrapped:
    """Joins wrapped rows; the start of a line waits here for the rows it goes on in."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def lines(self, rows: Iterable[Row]) -> list[str]:
        """The lines that `rows` complete, without rows that were told already."""
        lines: list[str] = []
        for row in rows:
            if row.told:
                continue
            part = "".join(row)
            if not row.wrapped and not self._parts:
                lines.append(part.rstrip())
                continue
            self._parts.append(part)
            self._size += len(part)
            if row.wrapped and self._size <= LONGEST_LINE:
                continue
            done = pieces("".join(self._parts))
            self._parts = [done.pop()] if row.wrapped else []
            self._size = sum(map(len, self._parts))
            lines += [line.rstrip() for line in done]
        return lines

    def rest(self) -> list[str]:
        """A line whose end never came."""
        lines = ["".join(self._parts).rstrip()] if self._parts else []
        self._parts = []
        self._size = 0
        return lines
