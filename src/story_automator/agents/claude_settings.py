"""The settings Claude Code is started with: it merges them with the user's and the project's."""

import shlex
from collections.abc import Iterable
from pathlib import PurePath

from story_automator.agents.variables import NOT_FOR_A_NESTED_AGENT
from story_automator.model.agents import AgentSettings, Permissions

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


def claude_settings(
    choice: AgentSettings,
    *,
    hook: PurePath,
    events: PurePath,
    statusline: PurePath,
    heartbeat: PurePath,
) -> dict[str, object]:
    """Hooks and statusline of one session; they find their files without any variable."""
    settings: dict[str, object] = {
        "statusLine": {
            "type": "command",
            "command": shlex.join(("/bin/sh", str(statusline), str(heartbeat))),
            "refreshInterval": choice.refresh_interval,
        },
        "hooks": hooks(EVENTS, shlex.join(("/bin/sh", str(hook), str(events)))),
        "env": dict.fromkeys(NOT_FOR_A_NESTED_AGENT, ""),
    }
    if choice.permissions is Permissions.BYPASS:
        settings["skipDangerousModePermissionPrompt"] = True
    return settings


def hooks(events: Iterable[str], script: str) -> dict[str, object]:
    """One hook per event. Without a matcher it hears of every tool, source and notification."""
    return {
        event: [{"hooks": [{"type": "command", "command": f"{script} {event}"}]}]
        for event in events
    }
