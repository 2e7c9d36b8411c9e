"""Every write is atomic, a lock dies with its holder, a read says what it could not read."""

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from io import BufferedWriter
from pathlib import Path

from story_automator.errors import StoryAutomatorError

PRIVATE_FILE = 0o600
PRIVATE_DIR = 0o700


def write_atomic(
    path: Path, data: str | bytes, *, mode: int | None = None, durable: bool = True
) -> None:
    """Replace `path` as a whole: a reader sees the old or the new content, never a part.

    Without `mode` an existing file keeps its own and a new one is private.
    What need not survive a power cut (`durable` false) is spared the disk.
    A symlink at `path` is written through only for files of the user (mode None).
    """
    target = path.resolve() if mode is None and path.is_symlink() else path
    if mode is None:
        try:
            mode = target.stat().st_mode & 0o777
        except FileNotFoundError:
            mode = PRIVATE_FILE
    content = data.encode() if isinstance(data, str) else data
    with atomic_writer(target, mode=mode, durable=durable) as handle:
        handle.write(content)


@contextlib.contextmanager
def atomic_writer(path: Path, *, mode: int, durable: bool = True) -> Iterator[BufferedWriter]:
    """A file to write piece by piece; it takes the place of `path` only when all went well."""
    temporary = path.with_name(f".{path.name[:100]}.{os.urandom(6).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with open(descriptor, "wb") as handle:
            os.fchmod(handle.fileno(), mode)
            yield handle
            handle.flush()
            if durable:
                os.fsync(handle.fileno())
        temporary.rename(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if durable:
        sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Make a rename in `directory` survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_bounded(path: Path, limit: int) -> bytes:
    """At most `limit` bytes of a regular file; a pipe or device in its place is an OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with open(descriptor, "rb") as handle:
        return handle.read(limit)


def read_text(path: Path) -> str:
    """The text of a file people or agents wrote: a BOM is dropped, line ends are kept."""
    try:
        data = path.read_bytes()
    except IsADirectoryError:
        raise StoryAutomatorError(f"{path} is a directory, not a file") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise StoryAutomatorError(
            f"{path} is not UTF-8 (byte {error.start})", hint="save the file as UTF-8"
        ) from None


def private_directory(path: Path) -> Path:
    """Make `path` (and its parents) for this user only; refuse one that somebody else owns."""
    path.mkdir(parents=True, exist_ok=True, mode=PRIVATE_DIR)
    facts = path.stat(follow_symlinks=False)
    if facts.st_uid != os.geteuid():
        raise StoryAutomatorError(f"{path} belongs to another user")
    if facts.st_mode & 0o077:
        path.chmod(PRIVATE_DIR)
    return path


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that guards `path`; it dies with the process.

    The folder itself is locked: a lock file would show up in the user's project. So a process
    may hold only one file of a folder at a time.
    """
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
