"""What a watch remembers, stored between looks and between watchers."""

import json
from pathlib import Path

from story_automator.edges.files import private_directory, read_bounded, write_atomic
from story_automator.edges.state import LARGEST_RECORD, state_root
from story_automator.model.memory import Memory


def foreign_memory(socket: str, name: str) -> Path:
    """Where the memory of a session that somebody else started is kept."""
    import hashlib

    key = hashlib.sha256(f"{socket}\0{name}".encode()).hexdigest()[:32]
    return private_directory(state_root() / "foreign") / f"{key}.json"


def load_memory(path: Path) -> Memory | None:
    """The stored memory, or None where there is none or nothing that could be one."""
    try:
        return Memory.from_json(json.loads(read_bounded(path, LARGEST_RECORD)))
    except (OSError, ValueError, RecursionError):
        return None


def store_memory(path: Path, memory: Memory) -> None:
    """Whole or not at all, but not worth a disk flush: a reboot ends the session as well."""
    try:
        write_atomic(path, json.dumps(memory.to_json()), mode=0o600, durable=False)
    except OSError:
        pass  # The records were removed while we watched, or the disk is full: the watch goes on.
