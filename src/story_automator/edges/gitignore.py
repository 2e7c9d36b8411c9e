"""A .gitignore file: one more line at its end, nothing else touched."""

import errno
import os
from pathlib import Path

from story_automator.edges.files import locked, write_atomic

READABLE_BY_ALL = 0o644


def ensure_entry(path: Path, entry: str) -> bool:
    """Append `entry` unless a line already says it; returns whether the file changed."""
    # Bytes: names in a .gitignore need not be UTF-8, and its line ends are the user's.
    wanted = os.fsencode(entry)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with locked(path):
        old = path.read_bytes() if path.exists() else None
        text = old or b""
        if any(line.strip() == wanted.strip() for line in text.splitlines()):
            return False
        newline = b"\r\n" if b"\r\n" in text else b"\n"
        gap = newline if text and not text.endswith(b"\n") else b""
        mode = READABLE_BY_ALL if old is None else None
        write_atomic(path, text + gap + wanted + newline, mode=mode)
        return True
