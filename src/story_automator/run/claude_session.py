"""What a Claude session is given: settings, copies of the scripts, an id for its conversation."""

import json
import os

from story_automator.agents.claude_settings import claude_settings
from story_automator.edges.files import write_atomic
from story_automator.edges.resources import script
from story_automator.edges.state import SessionFolder
from story_automator.model.agents import AgentSettings


def write_settings(folder: SessionFolder, choice: AgentSettings) -> None:
    """Copies: an upgrade of the package must not change what a running session runs."""
    hook, statusline = folder.agent / "hook", folder.agent / "statusline"
    settings = claude_settings(
        choice,
        hook=hook,
        events=folder.events,
        statusline=statusline,
        heartbeat=folder.heartbeat,
    )
    for path, content in (
        (hook, script("hook")),
        (statusline, script("statusline")),
        (folder.agent / "settings.json", json.dumps(settings).encode()),
    ):
        write_atomic(path, content, mode=0o600, durable=False)


def fresh_conversation() -> str:
    """A random UUID. The module of that name takes a tenth of a spawn to import."""
    number = int.from_bytes(os.urandom(16))
    number = number & ~(0xF << 76) | 4 << 76  # version: random
    number = number & ~(3 << 62) | 2 << 62  # variant: the common one
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
