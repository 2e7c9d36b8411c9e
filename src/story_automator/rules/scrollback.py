"""Which lines of a session are told: each once, though programs clear and draw them again.

A line that scrolls out is told. A clear (or leaving the alternate screen) only holds the page it
wipes until the next page is known, and then:
- a wiped line that the next page shows again, in its first lines or when it is wiped itself, is
  left to that page;
- if at least half of the page came back it was a redraw, and a line that came back with other
  digits and signs, or longer, counts as shown again;
- every other wiped line is told, before the next page.
A program that prints its whole history again after a clear is followed line by line through what
was told already, and only its new lines are told.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable

MOST_BLANK_LINES = 2
TOO_MANY_BLANKS = re.compile("\n{4,}")
NOT_A_LETTER = re.compile(r"[\W\d_]+")

# A held page waits at most this long for its next page.
MOST_HELD_LINES = 1000
MOST_HELD_CHARACTERS = 1 << 18
# A redraw begins at once: later, the same words are said anew.
LINES_A_REDRAW_MAY_ADD = 10
# One print per told line is what a replay is recognised by.
PRINT_SIZE = 8
MOST_KNOWN_LINES = 1 << 17
LINES_THAT_PROVE_A_REPLAY = 4
LINES_A_REPLAY_MAY_SKIP = 50


def prints(lines: Iterable[str]) -> bytes:
    return array("q", map(hash, lines)).tobytes()


def letters(line: str) -> str:
    return NOT_A_LETTER.sub("", line)


def not_shown_again(wiped: list[str], page: list[str]) -> list[str]:
    """The lines of `wiped` that `page` does not repeat, by the rules above."""
    shown = set(page)
    texts = [line for line in wiped if line]
    gone = [line for line in texts if line not in shown]
    if len(gone) == len(texts):
        return wiped
    if 2 * len(gone) <= len(texts):
        forms = sorted(map(letters, shown))
        gone = [line for line in gone if not any_starts_with(forms, letters(line))]
    return gone


def any_starts_with(ordered: list[str], start: str) -> bool:
    at = bisect_left(ordered, start)
    return at < len(ordered) and ordered[at].startswith(start)


class Scrollback:
    """Takes lines in the order they become final, gives text without copies."""

    def __init__(self) -> None:
        self._fresh: list[str] = []
        self._text: list[str] = []
        self._blank_lines = 0
        self._has_begun = False
        self._known = bytearray()
        self._held: list[str] | None = None
        self._since: list[str] = []  # new lines since the held page was wiped
        self._since_size = 0
        self._place: int | None = None  # of the known lines, the one a replay comes to next
        self._last_start = 0

    def add(self, line: str) -> None:
        """One line scrolled out."""
        if self._held is None:
            self._fresh.append(line)
            return
        if self._place is not None and self._is_replayed(line):
            return
        self._since.append(line)
        self._since_size += len(line)
        if self._place is None and len(self._since) == LINES_THAT_PROVE_A_REPLAY:
            self._follow_replay(self._since)
        if len(self._since) > MOST_HELD_LINES or self._since_size > MOST_HELD_CHARACTERS:
            self._settle([])

    def extend(self, lines: list[str]) -> None:
        """Many lines scrolled out."""
        for at, line in enumerate(lines):
            if self._held is None:
                self._fresh.extend(lines[at:])
                return
            self.add(line)

    def wipe(self, page: list[str]) -> None:
        """A clear removed `page`, the lines of the screen that were not told."""
        while page and not page[-1]:
            page.pop()
        if page:
            self._settle(page)
            self._held = page

    def expect_replay(self) -> None:
        """The program draws above the top of the screen, over lines that are told already."""
        if not self._held:
            self._settle([])
            self._held = []

    def close(self, page: list[str]) -> None:
        """The session is over and `page` is its last screen."""
        self._settle(page)
        self._fresh.extend(page)

    def take(self) -> str:
        """The text since the last time, in whole lines; blank lines wait for text after them."""
        self._tell()
        text = "".join(self._text)
        self._text.clear()
        return text

    def _tell(self) -> None:
        lines, self._fresh = self._fresh, []
        if not lines:
            return
        self._known += prints(lines)
        if len(self._known) > 2 * MOST_KNOWN_LINES * PRINT_SIZE:
            del self._known[: -MOST_KNOWN_LINES * PRINT_SIZE]
        text = "\n".join(lines)
        body = text.strip("\n")
        if not body:
            self._blank_lines += len(lines)
            return
        if self._has_begun:
            before = self._blank_lines + len(text) - len(text.lstrip("\n"))
            self._text.append("\n" * min(before, MOST_BLANK_LINES))
        if "\n\n\n\n" in body:
            body = TOO_MANY_BLANKS.sub("\n" * (MOST_BLANK_LINES + 1), body)
        self._text += (body, "\n")
        self._blank_lines = len(text) - len(text.rstrip("\n"))
        self._has_begun = True

    def _settle(self, page: list[str]) -> None:
        """Tell what is held, now that `page` is what came after it."""
        if self._held is not None:
            if self._place is None:
                self._follow_replay(self._since + page)
                self._drop_repeated_end()
            begin = self._since[: len(self._held) + LINES_A_REDRAW_MAY_ADD]
            self._fresh += not_shown_again(self._held, begin + page)
            self._fresh += self._since
        self._held = self._place = None
        self._since = []
        self._since_size = 0
        self._tell()

    def _follow_replay(self, lines: list[str]) -> None:
        """Find the first of `lines` among those that are known or held, and drop what is known."""
        start = prints(lines[:LINES_THAT_PROVE_A_REPLAY])
        if not self._since or len(start) < LINES_THAT_PROVE_A_REPLAY * PRINT_SIZE:
            return
        place = self._last_start
        if not self._known.startswith(start, place):
            place = self._known.find(start)
        if place < 0:
            # A short replay begins in the last known lines and goes on in the held ones.
            seam = max(len(self._known) - len(start), 0)
            place = (self._known[seam:] + prints(self._held or [])).find(start)
            place += seam if place >= 0 else 0
        if place >= 0 and place % PRINT_SIZE == 0:
            self._place = self._last_start = place
            self._since = [line for line in self._since if not self._is_replayed(line)]

    def _drop_repeated_end(self) -> None:
        """Without a proof, only the very last known lines count as told again."""
        for count in range(min(len(self._since), LINES_A_REPLAY_MAY_SKIP), 0, -1):
            if self._known.endswith(prints(self._since[:count])):
                del self._since[:count]
                return

    def _is_replayed(self, line: str) -> bool:
        place = self._place or 0
        near = 1 + LINES_A_REPLAY_MAY_SKIP if line else 1
        found = self._known.find(prints([line]), place, place + near * PRINT_SIZE)
        if found < 0:
            return False
        self._place = found + PRINT_SIZE
        return True
