"""The private state directory: one folder per session, for this user only, never in /tmp."""

import json
import os
from pathlib import Path
from typing import TypeVar

from story_automator.edges.files import PRIVATE_DIR, private_directory, read_bounded, write_atomic
from story_automator.errors import StoryAutomatorError
from story_automator.model.session import Ended, SessionRecord, Started

LARGEST_RECORD = 1_000_000
T = TypeVar("T", SessionRecord, Started, Ended)


def state_root() -> Path:
    """`$XDG_STATE_HOME/story-automator`, else `~/.local/state/story-automator`; made private."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        home = os.environ.get("HOME", "")
        if not os.path.isabs(home):
            raise StoryAutomatorError("HOME is not set", hint="set HOME or XDG_STATE_HOME")
        base = os.path.join(home, ".local", "state")
    return private_directory(Path(base, "story-automator"))


class SessionFolder:
    """The files of one session."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def launch(self) -> Path:
        return self.path / "launch"

    @property
    def events(self) -> Path:
        return self.path / "events"

    @property
    def agent(self) -> Path:
        """What the agent is started with and what it tells all the time; nobody is woken by it."""
        return self.path / "agent"

    @property
    def heartbeat(self) -> Path:
        return self.agent / "heartbeat.json"

    @property
    def last_message(self) -> Path:
        return self.agent / "last-message.txt"

    @property
    def log(self) -> Path:
        return self.path / "output.log"

    @property
    def output(self) -> Path:
        return self.path / "output.txt"

    @property
    def memory(self) -> Path:
        # Below a folder of its own: the session folder is watched for what the wrapper writes.
        return self.path / "watch" / "memory.json"

    def record(self) -> SessionRecord | None:
        return _read(self.path / "record.json", SessionRecord)

    def started(self) -> Started | None:
        return _read(self.path / "started.json", Started)

    def ended(self) -> Ended | None:
        return _read(self.path / "ended.json", Ended)

    def killed_at(self) -> float | None:
        """When `kill` was asked to end the session, in seconds since the epoch."""
        try:
            return (self.path / "killed").stat().st_mtime
        except OSError:
            return None

    def store(self, record: SessionRecord) -> None:
        write_atomic(self.path / "record.json", json.dumps(record.to_json()), mode=0o600)

    def mark_killed(self) -> None:
        """The first kill counts; a second one finds nothing to end."""
        if self.killed_at() is None:
            write_atomic(self.path / "killed", b"", mode=0o600)


def _read(path: Path, kind: type[T]) -> T | None:
    """A record, or None where there is none or nothing that could be one."""
    try:
        return kind.from_json(json.loads(read_bounded(path, LARGEST_RECORD)))
    except (OSError, ValueError, RecursionError):
        return None


def sessions_root() -> Path:
    return private_directory(state_root() / "sessions")


def session_folder(name: str) -> SessionFolder | None:
    """The folder of a session we started, if we know it."""
    path = sessions_root() / name
    return SessionFolder(path) if "/" not in name and name and path.is_dir() else None


def new_session_folder(name: str) -> SessionFolder | None:
    """Claim a session name: making its folder is what makes the name ours. None: taken."""
    path = sessions_root() / name
    try:
        path.mkdir(mode=PRIVATE_DIR)
    except FileExistsError:
        return None
    try:
        for part in ("agent", "events", "watch"):
            (path / part).mkdir(mode=PRIVATE_DIR)
    except OSError:
        path.rmdir()
        raise
    return SessionFolder(path)


def all_session_folders() -> list[SessionFolder]:
    return [SessionFolder(path) for path in sorted(sessions_root().iterdir()) if path.is_dir()]
