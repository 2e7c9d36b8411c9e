"""The agent's own word: hook event files, read once each, in the order of their mtime."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from story_automator.agents.hooks import advance
from story_automator.edges.events import ANY
from story_automator.edges.files import read_bounded
from story_automator.model.evidence import Turn

# Only these carry something the turn needs; of the others the name says it all.
WITH_PAYLOAD = frozenset({"SessionStart", "Stop", "StopFailure", "PermissionRequest"})
LARGEST_PAYLOAD = 4_000_000


class Turns:
    """Follows one events folder. It was made for this attempt: all in it is newer than that."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[str] = set()
        self.turn = Turn()
        self.count = 0
        self.since = 0.0
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
            if name.startswith(".") or not name.endswith(".json"):
                continue
            try:
                arrived.append((os.stat(self._folder / name).st_mtime_ns, name))
            except OSError:
                continue
        for _, name in sorted(arrived):
            self._seen.add(name)
            self._take(name)
            self.since = now

    def _take(self, name: str) -> None:
        event = name[: -len(".json")].rpartition("-")[2]
        payload: dict[str, object] = {}
        if event in WITH_PAYLOAD:
            try:
                stored = json.loads(read_bounded(self._folder / name, LARGEST_PAYLOAD))
                payload = stored if isinstance(stored, dict) else {}
            except (OSError, ValueError, RecursionError):
                pass  # An event whose content cannot be read still happened.
        if isinstance(path := payload.get("transcript_path"), str) and os.path.isabs(path):
            self.transcript = path
        self.turn = advance(self.turn, event, payload)
        self.count += 1
