"""A transcript of any size, one JSON value per line: its lines in the order of their time."""

import json
import os
import re
import stat
from array import array
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

# One line is held in memory as a whole; images and long outputs stay far below.
LONGEST_LINE = 16 << 20
CHUNK = 1 << 20
# Quotes inside a string are escaped, so this is never found in what somebody said.
TIMESTAMP = re.compile(rb'"timestamp"\s*:\s*"([^"\\]{1,40})"')


class Line(NamedTuple):
    """One line, or only the size of one that is too long to be read."""

    data: bytes
    left_out: int = 0


def lines(path: Path) -> Iterator[Line]:
    """The lines as they stand in the file; none when it is missing or no regular file."""
    file = _opened(path)
    if file is None:
        return
    with file:
        while data := file.readline(LONGEST_LINE):
            rest = 0 if len(data) < LONGEST_LINE or data.endswith(b"\n") else _skip_line(file)
            yield Line(b"", len(data) + rest) if rest else Line(data)


def lines_in_time(path: Path) -> Iterator[Line]:
    """The lines by their timestamps; one without a timestamp stays behind the one before it.

    Only an index is held in memory: the file is read once for it and once for its lines.
    """
    times, ends = array("d"), array("Q", [0])
    for line in lines(path):
        times.append(_time(line.data) or (times[-1] if times else 0.0))
        ends.append(ends[-1] + (line.left_out or len(line.data)))
    file = _opened(path)
    if file is None:
        return
    with file:
        for at in _in_order(times):
            start, length = ends[at], ends[at + 1] - ends[at]
            if length > LONGEST_LINE:
                yield Line(b"", length)
            else:
                file.seek(start)
                yield Line(file.read(length))


def _in_order(times: "array[float]") -> Iterable[int]:
    """Positions by time; equal times keep their order."""
    every = range(len(times))
    if all(times[at - 1] <= times[at] for at in every[1:]):
        return every
    return sorted(every, key=times.__getitem__)


def _time(line: bytes) -> float | None:
    """Seconds since the epoch of the line's own timestamp, not of one inside its content."""
    found = set(TIMESTAMP.findall(line))
    if len(found) > 1:
        try:
            found = {str(json.loads(line).get("timestamp")).encode()}
        except (ValueError, AttributeError, RecursionError):
            return None
    return _seconds(found.pop().decode(errors="replace")) if found else None


def _seconds(text: str) -> float | None:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _skip_line(file: BufferedReader) -> int:
    """Go to the next line; how many bytes were left of this one."""
    skipped = 0
    while data := file.readline(CHUNK):
        skipped += len(data)
        if data.endswith(b"\n"):
            break
    return skipped


def _opened(path: Path) -> BufferedReader | None:
    """Whoever named the file may have named a pipe: it is not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    return None
