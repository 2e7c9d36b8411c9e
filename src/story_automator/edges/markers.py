"""The marker file: looked at without fear, written whole, under a lock."""

import json
import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from story_automator.errors import StoryAutomatorError
from story_automator.model.marker import Sighting

LARGEST = 1_000_000  # bytes; nothing that long was written as a marker


def look(path: Path) -> Sighting | None:
    """What lies at `path`; None when nothing does."""
    try:
        facts = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    touched = datetime.fromtimestamp(facts.st_mtime, UTC)
    if stat.S_ISREG(facts.st_mode):
        document, trouble = _read(path)
    else:
        # Opening a pipe would wait for somebody to write to it.
        document, trouble = {}, "it is not a regular file"
    return Sighting(document, trouble, touched, facts.st_uid == os.geteuid())


def _read(path: Path) -> tuple[dict[str, object], str]:
    try:
        with path.open("rb") as handle:
            document = json.loads(handle.read(LARGEST).decode("utf-8-sig"))
    except OSError as error:
        return {}, f"it cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return {}, "it is not UTF-8"
    except (ValueError, RecursionError):
        return {}, "it is not valid JSON"
    return (document, "") if isinstance(document, dict) else ({}, "it is not a JSON object")


def write(path: Path, document: Mapping[str, object]) -> None:
    from story_automator.edges.files import PRIVATE_FILE, write_atomic

    write_atomic(path, json.dumps(document, indent=2) + "\n", mode=PRIVATE_FILE)


def remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def guarded(path: Path) -> AbstractContextManager[None]:
    """One at a time: hold this around every look that leads to a write."""
    from story_automator.edges.files import locked

    if path.is_dir():
        raise StoryAutomatorError(
            f"the marker {path} is a directory", hint="move it away, or name another marker file"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return locked(path)


def is_alive(pid: int, *, ours: bool) -> bool:
    """Whether the process that wrote a marker may still live. `ours`: it was this user's."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        # Somebody else's process: our own run ended and its pid was given away.
        return not ours
    except (OSError, OverflowError):
        return False
    try:
        with open(f"/proc/{pid}/stat", "rb") as handle:
            return handle.read().rsplit(b")", 1)[1].split()[0] not in (b"Z", b"X")
    except OSError:
        return True
