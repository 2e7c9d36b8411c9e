"""The text of a session, from the bytes its terminal was sent."""

import re

from story_automator.rules.escapes import CSI, DESIGNATION, LINE_DRAWING, EscapeReader
from story_automator.rules.grid import Grid, Row
from story_automator.rules.scrollback import Scrollback
from story_automator.rules.sequences import EFFECTS, SIMPLE_EFFECTS, numbers
from story_automator.rules.wrapped import LONGEST_LINE, Unwrapped, pieces

WIDTH = 200
HEIGHT = 50
TAB = 8

CONTROLS = re.compile("(\r\n|[\x07-\x0f])")
BEYOND_LINES = re.compile("[\x07\x08\x0b\x0c\x0e\x0f]")
ALTERNATE_SCREENS = {"47", "1047", "1049"}


class Transcript:
    """A terminal that keeps every line once: what scrolled out, and at the end the last screen."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self._reader = EscapeReader()
        self._grid = Grid(width, height, self._leaves)
        self._scrollback = Scrollback()
        self._unwrapped = Unwrapped()
        self._main: tuple[list[Row], int, int] | None = None  # while the alternate screen shows
        self._charsets = ["B", "B"]
        self._shift = 0
        self._draws_lines = False
        # Text that never met a terminal ends its lines with a bare line feed.
        self._only_text = True

    def feed(self, text: str) -> str:
        """The text of the lines that became final, each with its line end."""
        first, *sequences = self._reader.feed(text)
        if first:
            self._show(first)
        for part in sequences:
            rest = self._obey(part)
            if rest:
                self._show(rest)
        return self._scrollback.take()

    def close(self) -> str:
        """The rest of the text; the session is over."""
        self._leave_alternate()
        self._scrollback.close(self._page())
        return self._scrollback.take()

    # -- text ---------------------------------------------------------------------------------

    def _show(self, text: str) -> None:
        if text.count("\n") > 4 * self._grid.height and self._show_lines(text):
            return
        if text.isprintable():
            self._write(text)
            return
        write, control = self._write, self._control
        for at, part in enumerate(CONTROLS.split(text)):
            if part:
                control(part) if at & 1 else write(part)

    def _write(self, text: str) -> None:
        self._grid.write(text.translate(LINE_DRAWING) if self._draws_lines else text)

    def _control(self, control: str) -> None:
        grid = self._grid
        if control == "\r\n":
            self._only_text = False
            grid.x = 0
            grid.linefeed()
        elif control == "\r":
            self._only_text = False
            grid.x = 0
        elif control in "\n\x0b\x0c":
            if self._only_text:
                grid.x = 0
            grid.linefeed()
        elif control == "\b":
            if grid.x == 0 and grid.y > 0 and grid.rows[grid.y - 1].wrapped:
                grid.move_to(grid.width, grid.y - 1)
            elif grid.x > 0:
                grid.x -= 1
        elif control == "\t":
            if grid.x < grid.width - 1:
                grid.x = min((grid.x // TAB + 1) * TAB, grid.width - 1)
        elif control in "\x0e\x0f":
            self._shift = int(control == "\x0e")
            self._draws_lines = self._charsets[self._shift] == "0"

    def _show_lines(self, text: str) -> bool:
        """Many plain lines at once, past the grid; false when they are not that plain."""
        grid = self._grid
        end = "\n" if self._only_text else "\r\n"
        returns = 0 if self._only_text else text.count("\n")
        if (
            self._main
            or not grid.is_plain
            or self._draws_lines
            or text.count("\r") != returns
            or text.count("\r\n") != returns
            or BEYOND_LINES.search(text)
        ):
            return False
        lines = text.split(end)
        scrolled = lines[grid.height : -grid.height]
        if "\t" in text:
            scrolled = [line.expandtabs(TAB) for line in scrolled]
            if not text.isascii() or max(map(len, scrolled)) > grid.width:
                return False
        if max(map(len, scrolled)) > LONGEST_LINE:
            scrolled = [piece for line in scrolled for piece in pieces(line)]
        # After a screenful of line ends the cursor stands on a blank row with nothing below it.
        self._show(end.join([*lines[: grid.height], ""]))
        for row in grid.rows[: grid.y]:
            self._leaves(row)
        grid.erase_rows(0, grid.height)
        grid.y = 0
        self._scrollback.extend([line.rstrip() for line in scrolled])
        self._show(end.join(lines[-grid.height :]))
        return True

    # -- lines that are final -----------------------------------------------------------------

    def _leaves(self, row: Row) -> None:
        if not self._main or self._grid.scrolls_whole:
            self._scrollback.extend(self._unwrapped.lines([row]))

    def _page(self) -> list[str]:
        return self._unwrapped.lines(self._grid.rows) + self._unwrapped.rest()

    # -- sequences ----------------------------------------------------------------------------

    def _obey(self, part: str) -> str:
        """Do what the sequence at the start of `part` says; answers the text after it."""
        if part.startswith("["):
            return self._obey_csi(part)
        if designation := DESIGNATION.match(part):
            if designation[1] in ("(", ")"):
                self._charsets["()".index(designation[1])] = designation[2]
                self._draws_lines = self._charsets[self._shift] == "0"
            return part[designation.end() :]
        if effect := SIMPLE_EFFECTS.get(part[:1]):
            effect(self._grid)
        elif part.startswith("c"):
            self._reset()
        return part[1:]

    def _obey_csi(self, part: str) -> str:
        found = CSI.match(part)
        if found is None:
            return part
        self._only_text = False
        parameters, between, final = found.groups()
        if final in ("h", "l"):
            self._set_modes(parameters, on=final == "h")
        elif not between and parameters[:1] not in ("?", ">", "<", "="):
            first, second = numbers(parameters)
            if final == "J":
                self._erase_display(first)
            elif effect := EFFECTS.get(final):
                above_the_top = effect(self._grid, first, second)
                if above_the_top and not self._main:
                    self._scrollback.expect_replay()
        return part[found.end() :]

    def _erase_display(self, mode: int) -> None:
        grid = self._grid
        if mode == 2 or (mode == 0 and grid.x == grid.y == 0):
            self._clear()
        elif mode == 0:
            grid.erase_line(0)
            grid.erase_rows(grid.y + 1, grid.height)
        elif mode == 1:
            grid.erase_rows(0, grid.y)
            grid.erase_line(1)

    def _clear(self) -> None:
        self._scrollback.wipe(self._page())
        self._grid.erase_rows(0, self._grid.height)

    def _reset(self) -> None:
        self._leave_alternate()
        self._clear()
        self._grid = Grid(self._grid.width, self._grid.height, self._leaves)
        self._charsets = ["B", "B"]
        self._draws_lines = False

    def _set_modes(self, parameters: str, *, on: bool) -> None:
        for mode in parameters.split(";"):
            private = mode.removeprefix("?")
            if mode == "4":
                self._grid.inserts = on
            elif mode == "?7":
                self._grid.wraps = on
            elif private in ALTERNATE_SCREENS and parameters.startswith("?"):
                if on:
                    self._enter_alternate()
                else:
                    self._leave_alternate(restore_cursor=private == "1049")

    def _enter_alternate(self) -> None:
        """Tell what stands above the cursor first, so that the text keeps its order."""
        if self._main:
            return
        grid = self._grid
        above = grid.y
        while above and grid.rows[above - 1].wrapped:
            above -= 1
        told = grid.rows[:above]
        self._scrollback.extend(self._unwrapped.lines(told) + self._unwrapped.rest())
        for row in told:
            row.told = True
        self._main = (grid.rows, grid.x, grid.y)
        grid.rows = [Row() for _ in range(grid.height)]

    def _leave_alternate(self, *, restore_cursor: bool = False) -> None:
        if self._main:
            self._scrollback.wipe(self._page())
            self._grid.rows, x, y = self._main
            self._main = None
            if restore_cursor:
                self._grid.x, self._grid.y = x, y
