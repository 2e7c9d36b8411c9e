"""`orchestrator-helper escalate`: does this trouble need a person, or one more try?"""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.edges.policy import own_policy, pinned_policy
from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.rules.escalation import Limits, escalation, limits_from, limits_told

USAGE = "orchestrator-helper escalate <trigger> <context> [--state-file path]"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("trigger", nargs="?", default="")
    parser.add_argument("context", nargs="*")
    # A flag without its value has its own answer in the contract.
    parser.add_argument("--state-file", nargs="?", const="")
    given = parser.parse_intermixed_args(argv)
    try:
        limits = _limits(project_root(), given.state_file, os.environ)
    except (StoryAutomatorError, ValueError) as error:
        # Without its limits a loop could go on for ever: then a person decides.
        print(json_line({"escalate": True, "reason": str(error)}))
        return 0
    print(json_line(escalation(given.trigger, " ".join(given.context), limits)))
    return 0


def _limits(root: Path, state_file: str | None, environ: Mapping[str, str]) -> Limits:
    """A started run keeps its policy; the project and the environment set that of a fresh one."""
    if state_file == "":
        raise StoryAutomatorError("--state-file requires a value")
    if chosen := state_file or environ.get("STORY_AUTOMATOR_STATE_FILE") or _of_marker(root):
        return limits_from(pinned_policy(root, Path(chosen)) or {}, Limits())
    return limits_told(environ, limits_from(own_policy(root), Limits()))


def _of_marker(root: Path) -> str:
    """The state document of the active run; a marker need not name one, nor one that exists."""
    from story_automator.run.active import observe
    from story_automator.run.marker_file import marker_file

    found = observe(marker_file(root, os.environ), datetime.now(UTC))
    named = found.marker.state_file if found and not found.stale else ""
    return named if named and (root / named).is_file() else ""
