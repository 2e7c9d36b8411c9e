"""orchestrator-helper normalize-key: one story in its three spellings."""

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.rules.keys import parse
from story_automator.watch.lookup import full_key

USAGE = "orchestrator-helper normalize-key <input> [--to id|key|prefix|json]"


def run(_name: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("input", nargs="?")
    parser.add_argument("--to", choices=("id", "key", "prefix", "json"), default="json")
    options = parser.parse_args(argv)
    if options.input is None:
        return _failure(error="input required")
    story = parse(options.input)
    if story is None:
        return _failure(error="unrecognized format", input=options.input)
    if options.to in ("id", "prefix"):
        print(story.id if options.to == "id" else story.prefix)
        return 0
    try:
        key = full_key(project_root(), story)
    except StoryAutomatorError as error:
        return _failure(error=error.message, input=options.input)
    if options.to == "key":
        print(key)
    else:
        print(json_line({"ok": True, "id": story.id, "prefix": story.prefix, "key": key}))
    return 0


def _failure(**why: str) -> int:
    print(json_line({"ok": False, **why}))
    return 1
