"""`stop-hook`: an agent wants to stop; say no while a live run has stories left."""

import os
import sys
from pathlib import Path

from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.run.marker_file import marker_file

USAGE = "stop-hook"
PATIENCE = 0.2  # seconds for an agent that left its end of the pipe open


def run(_: str, argv: list[str]) -> int:
    if argv:
        from story_automator.cli.usage import Parser, wants_help

        if wants_help(argv, USAGE):
            return 0
        Parser(USAGE).parse_args(argv)
    _drain_stdin()
    if os.environ.get("STORY_AUTOMATOR_CHILD", "").lower() == "true":
        return 0
    try:
        marker = marker_file(project_root(), os.environ)
        # The usual answer of most projects on most days: nothing more is imported for it.
        if marker.exists() and (reason := _why_not(marker)):
            import json

            print(json.dumps({"decision": "block", "reason": reason}, indent=2))
    except (OSError, StoryAutomatorError) as error:
        print(f"stop-hook: the stop is allowed: {error}", file=sys.stderr)
    return 0


def _why_not(path: Path) -> str:
    """Why the agent may not stop; empty when it may."""
    from datetime import UTC, datetime

    from story_automator.edges.resources import resource
    from story_automator.run.active import observe

    found = observe(path, datetime.now(UTC))
    if found is None or found.stale:
        if found:
            print(f"stop-hook: the marker {path} is ignored: {found.because}", file=sys.stderr)
        return ""
    if found.marker.remaining == 0:
        return ""
    recovery = resource("prompts", "escalation", "stop-hook-recovery.md")
    return (
        f"Story Automator active ({found.marker.remaining} stories remaining). "
        f"Read {recovery} and go on with the run: `story-automator orchestrator-helper marker "
        "check` shows where it stands, and `story-automator orchestrator-helper marker remove` "
        "ends it if nobody runs it any more."
    )


def _drain_stdin() -> None:
    """Take what the agent tells us, so that it never writes into a closed pipe."""
    from select import select

    try:
        descriptor = sys.stdin.fileno()
        while not os.isatty(descriptor) and select([descriptor], [], [], PATIENCE)[0]:
            if not os.read(descriptor, 65536):
                return
    except (OSError, ValueError, AttributeError):
        return  # No stdin at all is fine too.
