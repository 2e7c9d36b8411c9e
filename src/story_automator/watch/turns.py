"""The agent's own word: hook event files, read once each, in the order of their mtime."""

import json
import os
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from story_automator.agents.hooks import advance, belongs, conversation_after
from story_automator.edges.events import ANY
from story_automator.edges.files import read_bounded
from story_automator.edges.local_time import local_time
from story_automator.model.evidence import Turn

# Of these the name says it all, unless a dialog is open: then it counts whose tool it was.
NAME_ENOUGH = frozenset({"PreToolUse", "PostToolUse", "PostToolBatch", "SubagentStop"})
LARGEST_PAYLOAD = 8_000_000
# A hook that was killed leaves the file it was about to put in place; a living one needs less.
LEFT_BEHIND = 2.0


class Turns:
    """Follows one events folder. It was made for this attempt: all in it is newer than that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.conversation = ""  # the first to speak is the one that was started
        self._seen: set[str] = set()
        self.turn = Turn()
        self.count = 0
        self.since = 0.0  # the last event
        self.need_since = 0.0  # the last event that changed which dialogs stand
        self.transcript = ""

    def hear(self, names: Iterable[str], now: float) -> None:
        """Take in new events; the empty name means that the folder must be listed."""
        names = set(names)
        if ANY in names:
            try:
                names = {entry.name for entry in os.scandir(self._folder)}
            except OSError:
                return
        arrived = []
        for name in names - self._seen:
            if not name.endswith(".json"):
                continue
            try:
                written = os.stat(self._folder / name).st_mtime_ns
            except OSError:
                continue
            if name.startswith(".") and time.time() - written / 1e9 < LEFT_BEHIND:
                continue
            arrived.append((written, name))
        for written, name in sorted(arrived):
            self._seen.add(name)
            before = self.turn.waits_on
            self._take(name, local_time(written / 1e9))
            self.since = now
            if self.turn.waits_on != before:
                self.need_since = now

    def _take(self, name: str, at: datetime) -> None:
        event = name[: -len(".json")].rpartition("-")[2]
        stored = {} if event in NAME_ENOUGH and not self.turn.need else self._content(name)
        if stored is None and name.startswith("."):
            self.count += 1  # Cut off: what it would have ended, other signals must end.
            return
        stored = stored or {}  # An event whose content cannot be read still happened.
        if not belongs(event, stored, self.conversation):
            return  # of another agent, started from within this one
        self.conversation = conversation_after(event, stored, self.conversation)
        if isinstance(path := stored.get("transcript_path"), str) and os.path.isabs(path):
            self.transcript = path
        self.turn = advance(self.turn, event, stored, at)
        self.count += 1

    def _content(self, name: str) -> dict[str, object] | None:
        try:
            stored = json.loads(read_bounded(self._folder / name, LARGEST_PAYLOAD))
        except (OSError, ValueError, RecursionError):
            return None
        return stored if isinstance(stored, dict) else None

    def transcript_size(self) -> int:
        try:
            return os.stat(self.transcript).st_size if self.transcript else 0
        except OSError:
            return 0
