"""Hook events as the real agents tell them: one file per event, stored by temp + rename."""

import contextlib
import json
import os
import time
import uuid
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "STORY_AUTOMATOR_EVENTS"
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "PermissionRequest",
    "Notification",
    "PreCompact",
    "SessionEnd",
)

_last_written = 0


def write_event(directory: Path, event: str, content: Mapping[str, object]) -> None:
    """Store one event as `<nanoseconds>-<event>.json`; names and mtimes sort alike."""
    global _last_written  # noqa: PLW0603
    moment = _last_written = max(time.time_ns(), _last_written + 1)
    name = f"{moment:020d}-{event}.json"
    temporary = directory / f".{name}.{os.getpid()}"
    # A hook that cannot store its event fails alone: the agent goes on.
    with contextlib.suppress(OSError):
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as handle:
            json.dump(content, handle, ensure_ascii=False)
        os.utime(temporary, ns=(moment, moment))
        temporary.rename(directory / name)


class Hooks:
    """What every event of one session shares, and where the events go (nowhere: None)."""

    def __init__(self, directory: Path | None, session_id: str = "") -> None:
        self.directory = directory
        self.session_id = session_id or str(uuid.uuid4())
        self.prompt_id = ""
        where = Path.cwd()
        key = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(where))
        folder = Path.home() / ".claude" / "projects" / key
        self._common = {
            "session_id": self.session_id,
            "transcript_path": str(folder / f"{self.session_id}.jsonl"),
            "cwd": str(where),
            "permission_mode": "bypassPermissions",
        }

    def emit(self, event: str, fields: Mapping[str, object]) -> None:
        if event == "UserPromptSubmit":
            self.prompt_id = str(uuid.uuid4())
        if self.directory is not None:
            prompt = {"prompt_id": self.prompt_id} if self.prompt_id else {}
            content = {**self._common, **prompt, "hook_event_name": event, **fields}
            write_event(self.directory, event, content)
