"""The output file of a session: texts written as one, the cleaned log, the ends of long files."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from story_automator.edges.files import PRIVATE_FILE, atomic_writer

CHUNK = 1 << 17


class Cleaner(Protocol):
    """Turns a stream of raw text into text that may be kept, and knows when it is complete."""

    def feed(self, text: str) -> str: ...

    def close(self) -> str: ...


def write_texts(target: Path, texts: Iterable[str]) -> int:
    """Write `texts` as one private file; how many bytes, and no file when there are none."""
    kept = filter(None, texts)
    first = next(kept, "")
    if not first:
        return 0
    with atomic_writer(target, mode=PRIVATE_FILE) as file:
        # Half a surrogate pair is legal in JSON and cannot be encoded.
        written = file.write(first.encode(errors="replace"))
        for text in kept:
            written += file.write(text.encode(errors="replace"))
    return written


def cleaned(log: Path, cleaner: Cleaner) -> Iterator[str]:
    """What `cleaner` makes of `log`, piece by piece; nothing of a missing one."""
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    try:
        with log.open("rb") as raw:
            while data := raw.read(CHUNK):
                yield cleaner.feed(decoder.decode(data))
    except FileNotFoundError:
        return
    yield cleaner.feed(decoder.decode(b"", final=True))
    yield cleaner.close()


def tail(path: Path, limit: int) -> bytes:
    """The last `limit` bytes of a file, or all of a shorter one; nothing of a missing one."""
    try:
        with path.open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - limit, 0))
            return file.read(limit)
    except FileNotFoundError:
        return b""
