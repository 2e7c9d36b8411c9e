"""`orchestrator-helper marker`: say that a run is active here, keep saying so, take it back."""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, usage_failure, wants_help, whole_number
from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.run.marker_file import marker_file

USAGE = "orchestrator-helper marker <path|create|remove|check|heartbeat> [args]"
CREATE = (
    "orchestrator-helper marker create --epic E --story S --remaining N [--state-file F] "
    "[--project-slug S] [--pid N] [--heartbeat TIME]"
)


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    action = ACTIONS.get(argv[0]) if argv else None
    if action is None:
        return usage_failure(USAGE)
    if wants_help(argv[1:], CREATE if action is create else USAGE):
        return 0
    root = project_root()
    return action(argv[1:], root, marker_file(root, os.environ))


def show_path(argv: list[str], root: Path, file: Path) -> int:
    Parser("orchestrator-helper marker path").parse_args(argv)
    entry = file.relative_to(root) if file.is_relative_to(root) else file
    print(json_line({"file": str(file), "entry": str(entry)}))
    return 0


def create(argv: list[str], root: Path, file: Path) -> int:
    parser = Parser(CREATE)
    parser.add_argument("--epic", default="")
    parser.add_argument("--story", default="")
    parser.add_argument("--remaining", type=whole_number, default=0)
    parser.add_argument("--state-file", default="")
    parser.add_argument("--project-slug", default="")
    parser.add_argument("--pid", type=whole_number, default=0)
    parser.add_argument("--heartbeat", default="")
    given = parser.parse_args(argv)
    if not root.is_dir():
        raise StoryAutomatorError(f"no such project directory: {root}", hint="check PROJECT_ROOT")
    from story_automator.model.marker import Marker
    from story_automator.run.active import claim

    marker = Marker(
        epic=given.epic,
        story=given.story,
        remaining=given.remaining,
        state_file=given.state_file,
        heartbeat=given.heartbeat,
        pid=given.pid,
        slug=given.project_slug,
    )
    if replaced := claim(file, marker, datetime.now(UTC)):
        print(f"replaced a stale marker: {replaced}", file=sys.stderr)
    print(f"Marker created: {file}")
    return 0


def remove(argv: list[str], _: Path, file: Path) -> int:
    Parser("orchestrator-helper marker remove").parse_args(argv)
    from story_automator.run.active import release

    release(file)
    print("Marker removed")
    return 0


def check(argv: list[str], _: Path, file: Path) -> int:
    Parser("orchestrator-helper marker check").parse_args(argv)
    from story_automator.run.active import observe

    found = observe(file, datetime.now(UTC))
    if found is None:
        print(json_line({"exists": False}))
        return 0
    ours = {"exists": True, "file": str(file)}
    worth = {"stale": found.stale, "because": found.because}
    print(json_line({**ours, **found.sighting.document, **ours, **worth}))
    return 0


def heartbeat(argv: list[str], _: Path, file: Path) -> int:
    Parser("orchestrator-helper marker heartbeat").parse_args(argv)
    from story_automator.run.active import beat

    stamp = beat(file, datetime.now(UTC))
    if stamp is None:
        print("No marker file to update")
        return 1
    print(f"Heartbeat updated: {stamp}")
    return 0


ACTIONS: dict[str, Callable[[list[str], Path, Path], int]] = {
    "path": show_path,
    "create": create,
    "remove": remove,
    "check": check,
    "heartbeat": heartbeat,
}
