"""The hooks.json of the private home in which Codex runs."""

import shlex
from pathlib import PurePath

from story_automator.agents import variables
from story_automator.agents.claude_settings import EVENTS, hooks

# Codex has no event for a failed turn.
KNOWN_TO_CODEX = tuple(event for event in EVENTS if event not in ("StopFailure", "Notification"))


def codex_hooks(hook: PurePath) -> dict[str, object]:
    """Many sessions share the home: the environment says whose event it is, if anybody's."""
    script = f'/bin/sh {shlex.quote(str(hook))} "${variables.EVENTS}"'
    return {"hooks": hooks(KNOWN_TO_CODEX, script)}
