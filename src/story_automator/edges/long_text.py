"""Reads an output of any size: its ends whole, and from between the newest rows with results."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from story_automator.errors import StoryAutomatorError
from story_automator.model.long_text import LongText, Row

HEAD = 1 << 16
TAIL = 1 << 18
CHUNK = 1 << 20
# A line of more bytes is cut; what is left is far more than an excerpt has room for.
START_OF_LINE, END_OF_LINE = 4 << 10, 12 << 10
BEFORE_RESULT, AFTER_RESULT = 1 << 10, 1 << 10

# What a row with a result holds, in lower case, below what all of these rows hold. Literals: a
# regular expression reads 100 MB ten times slower. Each sign keeps its own rows, so that what is
# everywhere does not crowd out what is rare.
COUNTED = rb"\d{1,6} (?:pass|fail)[^\n]{0,24}"
SIGNS: dict[bytes, tuple[bytes, ...]] = {
    b" pass": (COUNTED,),
    b"fail": (COUNTED, b"fail", b"failed:", b"failures:", b"build fail", b"conflict"),
    b"exit": (b"exit code", b"exit status", b"exited"),
    **{
        sign: (sign,)
        for sign in (
            *(b"build success", b"assertions", b"error", b"exception", b"status:", b"critical"),
            *(b"[high]", b"finding", b"commit", b"created", b"write("),
        )
    },
}
COUNTS = re.compile(COUNTED)
MOST_ROWS = 64
MOST_LOOKS = 4096  # the same row may stand there a million times

ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_k][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)"
)
MOVES_ON = re.compile(r"\x1b\[\d*C")  # an agent's way to write a blank
# Also what reorders or hides text from a reader, but not from a model.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]+"
)
ODD_BLANKS = re.compile("[\xa0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
# After a cut the first word or quotation may be a secret whose name is cut off, or such a name.
LONGEST_SECRET = 2 << 10
QUOTATION = rb"""\s{0,4}[=:]\s{0,4}\\{0,3}["'`][^"'`]{0,512}["'`]"""
REST_OF_SECRET = re.compile(
    rb"""[^"'`]{0,512}?["'`]?%(given)s|\s{0,4}\\{0,3}["'`][^"'`]{0,512}["'`]|[^"'`]{0,512}["'`]"""
    rb"""|\S{0,2048}\s{0,4}\S{0,2048}"""
    rb"""(?:(?:(?<=[:=])|(?<=bearer)|(?<=basic)|(?<=token))\s{1,4}\S{1,2048}){0,3}"""
    % {b"given": QUOTATION},
    re.IGNORECASE,
)
BLANK = b" \t\r\n\0\x0b\x0c"


def read_long_text(path: Path, last_message: str = "") -> LongText:
    """What is worth a look in the file at `path`."""
    with _opened(path) as (file, size):
        text = _read(file, size)
    if not any(row.text for row in text.rows):
        raise _nothing("the file is blank")
    message = "\n".join(map(clean, last_message.splitlines())).strip("\n")
    return LongText(text.head, text.tail, text.results, text.lines, text.size, message)


def clean(line: str) -> str:
    """A line as a terminal would show it at last."""
    if not line.isprintable():
        line = ESCAPES.sub("", MOVES_ON.sub(" ", line)).expandtabs(4)
        if "\r" in line:
            line = next(filter(str.strip, reversed(line.split("\r"))), "")
        line = ODD_BLANKS.sub(" ", UNSEEN.sub("", line))
    return line.rstrip()


@contextmanager
def _opened(path: Path) -> Iterator[tuple[int, int]]:
    try:
        # A pipe without a writer would hold us for ever.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _nothing(getattr(error, "strerror", None) or str(error)) from None
    try:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            raise _nothing("not a regular file")
        yield file, facts.st_size
    except OSError as error:
        raise _nothing(error.strerror or str(error)) from None
    finally:
        os.close(file)


def _nothing(why: str) -> StoryAutomatorError:
    return StoryAutomatorError("output file not found or empty", hint=why)


def _read(file: int, size: int) -> LongText:
    end = _end_of_text(file, size)
    if end <= HEAD + TAIL:
        tail = _tail(os.pread(file, end, 0), 1)
        return LongText(tail=tail, lines=len(tail), size=size)
    first, last = os.pread(file, HEAD, 0), os.pread(file, TAIL, end - TAIL)
    # The line at either edge belongs to the middle, unless it is longer than all that was read.
    first = first[: first.rfind(b"\n") + 1] or _before_cut(first)
    last = last[last.find(b"\n") + 1 :] or last
    start = len(first)
    if not first.endswith(b"\n"):
        start += _cut_off(os.pread(file, TAIL, start))
    stop = end - len(last)
    if len(last) == TAIL:
        stop -= LONGEST_SECRET
        stop += len(_before_cut(os.pread(file, LONGEST_SECRET, stop)))
        last = _after_cut(last)
    results, between = _results(file, start, stop)
    above = first.count(b"\n") + between
    head = tuple(_row(at, line) for at, line in enumerate(_lines(first), 1))
    tail = _tail(last, above + 1)
    kept = tuple(_row(above - below + 1, line) for below, line in results)
    return LongText(head, tail, kept, above + len(tail), size)


def _end_of_text(file: int, size: int) -> int:
    """A log that lost its last blocks, or whose pane was cleared, ends with nothing."""
    while size > 0:
        piece = os.pread(file, min(size, TAIL), max(size - TAIL, 0))
        if piece.strip(BLANK):
            return size
        size -= TAIL
    return 0


def _tail(data: bytes, number: int) -> tuple[Row, ...]:
    """The last rows; where a line without end was drawn again and again, each of its drawings."""
    lines = _lines(data)
    if len(lines) == 1:
        lines = data.rstrip(b"\r\n").split(b"\r")
    return tuple(_row(at, line) for at, line in enumerate(lines, number))


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _row(number: int, line: bytes) -> Row:
    over = len(line) - START_OF_LINE - END_OF_LINE
    if over > 0:
        start, end = line[:START_OF_LINE], line[-END_OF_LINE:]
        line = _before_cut(start) + f" … {over} bytes … ".encode() + _after_cut(end)
    return Row(number, clean(line.decode(errors="replace")))


def _before_cut(piece: bytes) -> bytes:
    last_word = max(piece.rfind(b" "), piece.rfind(b"\n") + 1)
    return piece[: max(last_word, len(piece) - LONGEST_SECRET)]


def _after_cut(piece: bytes) -> bytes:
    return piece[_cut_off(piece) :]


def _cut_off(piece: bytes) -> int:
    rest = REST_OF_SECRET.match(piece)
    return rest.end() if rest else 0


class Sightings:
    """The rows of one sign, each once, with how many lines follow it."""

    def __init__(self) -> None:
        self.rows: dict[bytes, int] = {}
        self.looks = 0

    @property
    def are_enough(self) -> bool:
        return len(self.rows) >= MOST_ROWS or self.looks >= MOST_LOOKS

    def add(self, data: bytes, hits: Iterator[int], after: int) -> None:
        """The lines at `hits`; `after` lines follow the data."""
        counted_to = len(data)
        for hit in hits:
            line_end = data.find(b"\n", hit)
            line_end = len(data) if line_end < 0 else line_end
            after += data.count(b"\n", line_end, counted_to)
            counted_to = line_end
            self.rows.setdefault(_around(data, hit, line_end), after)
            self.looks += 1
            if self.are_enough:
                return


def _results(file: int, start: int, end: int) -> tuple[list[tuple[int, bytes]], int]:
    """Rows with results between two places, with how many lines follow each; and all the lines.

    Read backwards: the newest rows count, and a sign that has enough of them is done.
    """
    found = {sign: Sightings() for signs in SIGNS.values() for sign in signs}
    after, rest, ends_in_line = 0, b"", False
    while start < end:
        begin = max(start, end - CHUNK)
        data = os.pread(file, end - begin, begin) + rest
        if ends_in_line:
            data = _before_cut(data)
        end, rest, ends_in_line = begin, b"", False
        if start < begin and (whole := data.find(b"\n") + 1):
            data, rest = data[whole:], data[:whole]
        elif start < begin:
            data, ends_in_line = _after_cut(data), True
        _look(data, after, found)
        after += data.count(b"\n")
    # The first sign of a line says where to cut it.
    by_line: dict[int, bytes] = {}
    for seen in found.values():
        for line, below in seen.rows.items():
            by_line.setdefault(below, line)
    return sorted(by_line.items(), reverse=True), after


def _look(data: bytes, after: int, found: dict[bytes, Sightings]) -> None:
    lowered = data.lower()
    wanted = {sign for sign, seen in found.items() if not seen.are_enough}
    for part, signs in SIGNS.items():
        if wanted.isdisjoint(signs) or part not in lowered:
            continue
        for sign in wanted.intersection(signs):
            found[sign].add(data, _hits(lowered, sign), after)
        wanted.difference_update(signs)


def _hits(lowered: bytes, sign: bytes) -> Iterator[int]:
    """Where `sign` stands, once for each line, from the end."""
    if sign == COUNTED:
        # Once for each wording: one retried command may fill a chunk with the same words.
        wordings = islice(reversed(dict.fromkeys(COUNTS.findall(lowered))), MOST_ROWS)
        yield from sorted(map(lowered.rfind, wordings), reverse=True)
        return
    at = lowered.rfind(sign)
    while at >= 0:
        yield at
        at = lowered.rfind(sign, 0, max(lowered.rfind(b"\n", 0, at), 0))


def _around(data: bytes, hit: int, line_end: int) -> bytes:
    start = data.rfind(b"\n", max(hit - BEFORE_RESULT, 0), hit) + 1
    end = min(line_end, hit + AFTER_RESULT)
    if not start and hit > BEFORE_RESULT:
        piece = _after_cut(data[hit - BEFORE_RESULT : end])
    else:
        piece = data[start:end]
    return piece if end == line_end else _before_cut(piece)
