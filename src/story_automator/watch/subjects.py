"""From a session's name to a watch on it: ours by its record, anybody else's by tmux alone."""

import os
import time

from story_automator.edges.memory import load_memory
from story_automator.edges.state import session_folder
from story_automator.edges.tmux import socket_path
from story_automator.edges.wrapper import boot
from story_automator.model.policy import Policy
from story_automator.rules.looks import fresh, recalled
from story_automator.watch.known import Known
from story_automator.watch.session import Watched

UNKNOWN_AGENT = "claude"  # what the contract assumes when nobody says


def subject(name: str, *, agent: str, socket: str, policy: Policy) -> Watched:
    """A watch on the session of this name, with what an earlier watch remembered."""
    folder = session_folder(name)
    record = folder.record() if folder else None
    if folder is not None and record is not None:
        spoken = agent or record.agent
        known = Known(name, record.socket, _dialect(spoken), record.mode, folder, record)
    else:
        known = Known(name, socket_path(socket, os.environ), _dialect(agent), "tui")
    now, this_boot = time.monotonic(), boot()
    watched = Watched(known, policy, fresh(this_boot, now), now)
    stored = load_memory(watched.known.memory_file)
    if stored is not None:
        watched.memory = recalled(stored, this_boot, now)
    return watched


def _dialect(agent: str) -> str:
    """A program that is no agent by its name may still be a wrapper around one."""
    return UNKNOWN_AGENT if agent in ("", "auto", "command") else agent
