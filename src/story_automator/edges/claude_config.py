"""The file in which Claude Code keeps what a person answered once: found, read, and changed."""

import contextlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from story_automator.edges.files import locked, read_bounded, write_atomic
from story_automator.errors import StoryAutomatorError

Config = dict[str, object]

MOST_BYTES = 256 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
FIRST_KEY = re.compile(r'\s*\{(?P<break>\r?\n)?(?P<indent>[ \t]*)"(?:[^"\\]|\\.)*"\s*:(?P<gap> ?)')
CLAUDES_OWN = {"break": "\n", "indent": "  ", "gap": " "}
# Claude guards its writes by a folder beside the file, and takes one of this age for forgotten.
STALE = 10.0
PATIENCE = 5.0
TICK = 0.02


def config_path(environ: Mapping[str, str]) -> Path:
    """`.claude.json` in CLAUDE_CONFIG_DIR, else in HOME; its old place counts while it is there."""
    home, told = environ.get("HOME", ""), environ.get("CLAUDE_CONFIG_DIR", "")
    if not (home or told):
        raise StoryAutomatorError("HOME is not set", hint="set HOME or CLAUDE_CONFIG_DIR")
    old = folder(environ) / ".config.json"
    return Path(os.path.abspath(old if old.exists() else Path(told or home, ".claude.json")))


def read(path: Path) -> object:
    """What the file holds; an empty object where there is none."""
    data = _bytes(path)
    return {} if data is None else _parsed(data, path)


def update(path: Path, edit: Callable[[object], Config]) -> None:
    """Replace what the file holds; what Claude writes meanwhile is read again, never lost."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(path), _claudes_lock(path):
        while True:
            before = _bytes(path)
            wanted = _like(before, edit({} if before is None else _parsed(before, path)), path)
            # A Claude that finds the lock taken writes all the same.
            if _bytes(path) == before:
                break
        write_atomic(path, wanted)


def has_login(environ: Mapping[str, str]) -> bool:
    """A login is there; what it says is nobody's business."""
    try:
        return (folder(environ) / ".credentials.json").stat().st_size > 0
    except OSError:
        return False


def has_key_helper(environ: Mapping[str, str]) -> bool:
    """Whether the user's settings name a program that hands out a key."""
    try:
        settings = read(folder(environ) / "settings.json")
    except (OSError, StoryAutomatorError):
        return False
    return isinstance(settings, dict) and bool(settings.get("apiKeyHelper"))


def asking_settings(environ: Mapping[str, str], project: Path) -> Path | None:
    """The first settings file with rules that make Claude ask a person before it acts."""
    own = project / ".claude"
    for path in (
        own / "settings.json",
        own / "settings.local.json",
        folder(environ) / "settings.json",
    ):
        try:
            settings = read(path)
        except (OSError, StoryAutomatorError):
            continue
        rules = settings.get("permissions") if isinstance(settings, dict) else None
        if isinstance(rules, dict) and rules.get("ask"):
            return path
    return None


def folder(environ: Mapping[str, str]) -> Path:
    """Where Claude keeps its settings, sessions and transcripts."""
    return Path(environ.get("CLAUDE_CONFIG_DIR") or Path(environ.get("HOME", "/"), ".claude"))


def _bytes(path: Path) -> bytes | None:
    try:
        data = read_bounded(path, MOST_BYTES)
    except FileNotFoundError:
        return None
    if len(data) == MOST_BYTES:
        raise StoryAutomatorError(f"{path} is too large to be Claude's settings")
    return data


def _parsed(data: bytes, path: Path) -> object:
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise StoryAutomatorError(
            f"{path} is not JSON, so it stays as it is", hint="claude   (it repairs its own file)"
        ) from None


def _no_number(word: str) -> object:
    raise ValueError(word)


def _like(before: bytes | None, config: Config, path: Path) -> bytes:
    """The new content in the shape of the old: indentation, line ends, byte order mark."""
    old = (before or b"").decode("utf-8-sig")
    shape = FIRST_KEY.match(old) or CLAUDES_OWN
    indent = shape["indent"] if shape["break"] else None
    separators = (f",{shape['gap']}", f":{shape['gap']}") if indent is None else (",", ": ")
    try:
        text = json.dumps(
            config, indent=indent, separators=separators, ensure_ascii=False, allow_nan=False
        )
    except ValueError:
        raise StoryAutomatorError(
            f"{path} holds a number that cannot be kept, so it stays as it is"
        ) from None
    if shape["break"] == "\r\n":
        text = text.replace("\n", "\r\n")
    mark = BOM if before and before.startswith(BOM) else b""
    end = old[len(old.rstrip("\r\n")) :]
    # Half a character pair can only stand escaped, which is how Claude writes it, too.
    return mark + (text + end).encode("utf-8", "backslashreplace")


@contextlib.contextmanager
def _claudes_lock(path: Path) -> Iterator[None]:
    lock = path.with_name(f"{path.name}.lock")
    patient_until = time.monotonic() + PATIENCE
    while not _taken(lock):
        if time.monotonic() > patient_until:
            raise StoryAutomatorError(
                f"Claude keeps {path} locked", hint="try again when it has settled"
            )
        time.sleep(TICK)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            lock.rmdir()


def _taken(lock: Path) -> bool:
    try:
        lock.mkdir()
    except FileExistsError:
        with contextlib.suppress(OSError):
            if time.time() - lock.stat().st_mtime > STALE:
                lock.rmdir()
        return False
    return True
