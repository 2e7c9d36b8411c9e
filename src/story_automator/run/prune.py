"""Old records and logs go, on the way of a spawn, at most once an hour."""

import contextlib
import os
import time

from story_automator.edges.files import write_atomic
from story_automator.edges.processes import Identity, is_alive
from story_automator.edges.state import SessionFolder, all_session_folders, state_root
from story_automator.model.policy import Policy
from story_automator.rules.retention import Kept, expired
from story_automator.run.spawn import remove

EVERY = 3600.0


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
    )
    for name in gone:
        remove(folders[name])


def _weigh(folder: SessionFolder) -> Kept | None:
    try:
        files = [entry.stat() for entry in os.scandir(folder.path)]
    except OSError:
        return None
    newest = max((facts.st_mtime for facts in files), default=0.0)
    return Kept(folder.name, newest, sum(f.st_size for f in files), _lives(folder))


def _lives(folder: SessionFolder) -> bool:
    started = folder.started()
    return started is not None and any(
        is_alive(Identity(pid, start))
        for pid, start in (
            (started.wrapper_pid, started.wrapper_start),
            (started.agent_pid, started.agent_start),
        )
    )
