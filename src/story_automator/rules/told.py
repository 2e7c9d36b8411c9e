"""The lines of an output that may be shown: no secrets, nothing twice, its last message as one."""

import re
from collections.abc import Iterator, Sequence

from story_automator.model.long_text import LongText, Row
from story_automator.rules.drawn import Line, told_once
from story_automator.rules.masking import END_OF_KEY, LINE_OF_KEY, MOST_LINES_OF_KEY, Masker

HEADING = "── the last message ──\n"
LONGEST_MESSAGE, LONGEST_SECRET = 1_000_000, 4_000
# A line of a private key. Only after a cut: elsewhere the line that begins the key was seen.
KEY_ROW = re.compile(r"[\s│|>+→:\d-]{0,24}[A-Za-z0-9+/=]{40,100}[\s│|]*")


def told(text: LongText) -> tuple[list[Line], int | None]:
    """The lines, and which of them is the last message; it stands where the file shows it."""
    message = "\n".join(row.text for row in masked(_rows_of(text.last_message)))
    if not message.strip():
        return _lines(text.rows), None
    place = _place(text.last_message, text.tail)
    if place is None:
        lines = _lines(text.rows)
        return [*lines, Line(0, 0, HEADING + message)], len(lines)
    above, said = text.tail[: place.start], text.tail[place.start : place.stop]
    read = text.head + text.results + above
    lines = _lines(read)
    is_after_gap = said[0].number > (read[-1].number if read else 0) + 1
    line = Line(said[0].number, said[-1].number, message, is_after_gap)
    return [*lines, line, *_lines(text.tail[place.stop :], line.last)], len(lines)


def _rows_of(message: str) -> Sequence[Row]:
    """Of a message far beyond any budget only the end, which begins with a whole line."""
    over = len(message) - LONGEST_MESSAGE
    if over > 0:
        message = message[over:].partition("\n")[2] or message[over + LONGEST_SECRET :]
    # The first number tells whether something stood above.
    lines = message.strip("\n").split("\n")
    return [Row(number, line) for number, line in enumerate(lines, 2 if over > 0 else 1)]


def masked(rows: Sequence[Row]) -> Iterator[Row]:
    """Consecutive rows without their secrets; also the rest of a key that began before them."""
    if rows and rows[0].number > 1:
        rows = rows[_rest_of_key(rows) :]
    masker = Masker()
    for row in rows:
        if text := masker.feed(f"{row.text}\n"):
            yield Row(row.number, text.rstrip("\n"))


def _rest_of_key(rows: Sequence[Row]) -> int:
    for at, row in enumerate(rows[:MOST_LINES_OF_KEY]):
        if END_OF_KEY.search(row.text):
            return at
        if not LINE_OF_KEY.fullmatch(row.text):
            break
    return next((at for at, row in enumerate(rows) if not KEY_ROW.fullmatch(row.text)), len(rows))


def _lines(rows: Sequence[Row], above: int = 0) -> list[Line]:
    """The lines of rows that may have gaps between them; `above` is the last row before them."""
    lines: list[Line] = []
    for run in _runs(rows):
        shown = told_once(list(masked(run)))
        if shown:
            shown[0] = shown[0]._replace(after_gap=run[0].number > above + 1)
        lines += shown
        above = run[-1].number
    return lines


def _runs(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    begin = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at].number != rows[at - 1].number + 1:
            yield rows[begin:at]
            begin = at


def _place(message: str, rows: Sequence[Row]) -> range | None:
    """The last rows that show the message and nothing else, however they are wrapped."""
    wanted = _letters(message)
    texts = [_letters(row.text) for row in rows]
    found = "".join(texts).rfind(wanted)
    if found < 0:
        return None
    start, end = -1, 0
    for at, text in enumerate(texts):
        end += len(text)
        if start < 0 and end > found:
            start = at
        if end >= found + len(wanted):
            around = "".join(texts[start : at + 1]).replace(wanted, "", 1)
            return None if any(map(str.isalnum, around)) else range(start, at + 1)
    return None


def _letters(text: str) -> str:
    return "".join(text.split())
