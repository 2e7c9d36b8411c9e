"""The cells of one terminal screen: writing, erasing and moving lines as tmux does it."""

from collections.abc import Callable, Sequence

from story_automator.rules.escapes import UNUSUAL, columns

MOST_MARKS_ON_A_LETTER = 32


class Row(list[str]):
    """One string per column; a wide character leaves an empty one behind it."""

    __slots__ = ("told", "wrapped")

    def __init__(self) -> None:
        super().__init__()
        self.wrapped = False  # the text goes on in the row below
        self.told = False  # already handed over and not touched since

    def part_at(self, x: int) -> None:
        """Make `x` the edge of a cell: half a wide character is blank."""
        if 0 < x < len(self) and not self[x]:
            self[x - 1 : x + 1] = "  "

    def put(self, x: int, cells: Sequence[str]) -> None:
        beyond = x - len(self)
        if beyond >= 0:
            self.extend(" " * beyond)
            self.extend(cells)
        else:
            end = x + len(cells)
            self.part_at(x)
            self.part_at(end)
            self[x:end] = cells

    def erase(self, start: int, end: int) -> None:
        self.part_at(start)
        self.part_at(end)
        if end >= len(self) and not self.wrapped:
            del self[start:]
        else:
            self[start:end] = " " * (min(end, len(self)) - start)


class Grid:
    """Rows, a cursor and a scroll region. Rows that leave at the top go to `leaves`."""

    def __init__(self, width: int, height: int, leaves: Callable[[Row], None]) -> None:
        self.width = width
        self.height = height
        self.x = 0  # equal to the width: the next character wraps first
        self.y = 0
        self.saved = (0, 0)
        self.top = 0
        self.bottom = height - 1
        self.wraps = True
        self.inserts = False
        self.rows = [Row() for _ in range(height)]
        self._leaves = leaves

    @property
    def scrolls_whole(self) -> bool:
        return self.bottom - self.top + 1 == self.height

    @property
    def is_plain(self) -> bool:
        return self.scrolls_whole and self.wraps and not self.inserts

    def touched(self) -> Row:
        row = self.rows[self.y]
        row.told = False
        return row

    def write(self, text: str) -> None:
        plain = text.isascii() or UNUSUAL.search(text) is None
        cells: Sequence[str] = text if plain else self._cells(text)
        at, end = 0, len(cells)
        while at < end:
            room = self.width - self.x
            if not room:
                self._next_row()
                room = self.width - self.x
            taken = min(end - at, room)
            if at + taken < end and not cells[at + taken]:
                taken -= 1
                if not taken and self._wide_does_not_fit():
                    at += 2
                if not taken:
                    continue
            row = self.rows[self.y]
            row.told = False
            if self.inserts:
                self.insert_blanks(taken)
            row.put(self.x, cells[at : at + taken])
            self.x += taken
            at += taken

    def _next_row(self) -> None:
        if self.wraps:
            self.rows[self.y].wrapped = True
            self.linefeed()
            self.x = 0
        else:
            self.x = self.width - 1

    def _wide_does_not_fit(self) -> bool:
        """Go to the next row for a wide character; true when it has to be dropped instead."""
        self._next_row()
        return not self.wraps

    def _cells(self, text: str) -> list[str]:
        """A mark of no width joins the letter before it and is never lost."""
        cells: list[str] = []
        for character in text:
            size = columns(character)
            if size == 0 and self._joined(character, cells):
                continue
            cells.append(character)
            if size == 2:
                cells.append("")
        return cells

    def _joined(self, mark: str, cells: list[str]) -> bool:
        owner, end = (cells, len(cells)) if cells else (self.rows[self.y], self.x)
        if not 0 < end <= len(owner):
            return False
        letter = end - 1 if owner[end - 1] else end - 2
        if len(owner[letter]) >= MOST_MARKS_ON_A_LETTER:
            return False
        self.rows[self.y].told = False
        owner[letter] += mark
        return True

    def linefeed(self) -> None:
        if self.y == self.bottom:
            self.scroll_up(1)
        elif self.y < self.height - 1:
            self.y += 1

    def reverse_linefeed(self) -> None:
        if self.y == self.top:
            self.scroll_down(1)
        elif self.y > 0:
            self.y -= 1

    def scroll_up(self, count: int) -> None:
        self._break_line_above(self.top)
        for _ in range(min(count, self.bottom - self.top + 1)):
            row = self.rows.pop(self.top)
            self.rows.insert(self.bottom, Row())
            self._leaves(row)

    def scroll_down(self, count: int) -> None:
        self._shift_down(self.top, self.bottom, count)

    def insert_lines(self, count: int) -> None:
        self._shift_down(self.y, self._edge_below(), count)

    def delete_lines(self, count: int) -> None:
        self._break_line_above(self.y)
        edge = self._edge_below()
        for _ in range(min(count, edge - self.y + 1)):
            self.rows.pop(self.y)
            self.rows.insert(edge, Row())

    def _shift_down(self, y: int, edge: int, count: int) -> None:
        self._break_line_above(y)
        for _ in range(min(count, edge - y + 1)):
            self.rows.pop(edge)
            self.rows.insert(y, Row())
        self.rows[edge].wrapped = False

    def _break_line_above(self, y: int) -> None:
        if y:
            self.rows[y - 1].wrapped = False

    def _edge_below(self) -> int:
        return self.bottom if self.top <= self.y <= self.bottom else self.height - 1

    def insert_blanks(self, count: int) -> None:
        row = self.touched()
        if self.x < len(row):
            row.part_at(self.x)
            row[self.x : self.x] = " " * min(count, self.width - self.x)
            row.part_at(self.width)
            del row[self.width :]

    def delete_cells(self, count: int) -> None:
        row = self.touched()
        row.part_at(self.x)
        row.part_at(self.x + count)
        del row[self.x : self.x + count]
        if row.wrapped:
            row.put(self.width, "")

    def erase_cells(self, count: int) -> None:
        self.touched().erase(self.x, self.x + count)

    def erase_line(self, mode: int) -> None:
        row = self.touched()
        if mode == 1:
            row.erase(0, self.x + 1)
        elif mode == 2 or (mode == 0 and self.x < self.width):
            start = 0 if mode == 2 else self.x
            row.wrapped = False
            row.erase(start, self.width)
            if not start:
                self._break_line_above(self.y)

    def erase_rows(self, start: int, end: int) -> None:
        self._break_line_above(start)
        self.rows[start:end] = [Row() for _ in range(end - start)]

    def up(self, count: int) -> bool:
        """Move towards the top; true when that meant rows above the screen."""
        edge = self.top if self.y >= self.top else 0
        meant = self.y - count
        self.move_to(self.x, max(meant, edge))
        return meant < 0

    def down(self, count: int) -> None:
        edge = self.bottom if self.y <= self.bottom else self.height - 1
        self.move_to(self.x, min(self.y + count, edge))

    def move_to(self, x: int, y: int) -> None:
        self.x = min(max(x, 0), self.width - 1)
        self.y = min(max(y, 0), self.height - 1)

    def set_region(self, top: int, bottom: int) -> None:
        bottom = min(bottom, self.height - 1)
        if top < bottom:
            self.top, self.bottom = top, bottom
            self.move_to(0, 0)
