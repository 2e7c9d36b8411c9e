"""Old records and logs go, on the way of a spawn, at most once an hour."""

import contextlib
import os
import time
from itertools import chain

from story_automator.edges.files import write_atomic
from story_automator.edges.processes import is_alive, members
from story_automator.edges.state import SessionFolder, all_session_folders, state_root
from story_automator.model.policy import Policy
from story_automator.rules.retention import Kept, expired
from story_automator.run.spawn import remove

EVERY = 3600.0
# What we remember of foreign sessions, and what Codex keeps of its threads in our private homes.
BESIDE_SESSIONS = ("foreign/*", "codex/*/sessions/*/*/*/*")


def prune(policy: Policy) -> None:
    stamp = state_root() / "pruned"
    with contextlib.suppress(OSError):
        if time.time() - stamp.stat().st_mtime < EVERY:
            return
    write_atomic(stamp, b"", mode=0o600)
    folders = {folder.name: folder for folder in all_session_folders()}
    gone = expired(
        [kept for folder in folders.values() if (kept := _weigh(folder))],
        now=time.time(),
        age=policy.record_age.total_seconds(),
        total=policy.record_bytes,
        young=EVERY,
    )
    for name in gone:
        remove(folders[name])
    for left in chain.from_iterable(map(state_root().glob, BESIDE_SESSIONS)):
        if time.time() - left.stat().st_mtime > policy.record_age.total_seconds():
            left.unlink()


def _weigh(folder: SessionFolder) -> Kept | None:
    try:
        files = [
            entry.stat(follow_symlinks=False)
            for place in (folder.path, folder.agent, folder.events)
            if place.is_dir()
            for entry in os.scandir(place)
        ]
    except OSError:
        return None
    newest = max((facts.st_mtime for facts in files), default=0.0)
    lives = any(is_alive(who) for who in members(folder.started()))
    return Kept(folder.name, newest, sum(f.st_size for f in files), lives)
