"""orchestrator-helper story-file-status: what a story's own file says."""

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.edges.project import project_root
from story_automator.edges.stories import read_story
from story_automator.errors import StoryAutomatorError
from story_automator.rules.keys import StoryKey, parse
from story_automator.watch.lookup import full_key, story_file

USAGE = "orchestrator-helper story-file-status <story>"


def run(_name: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("story", nargs="?")
    wanted = parser.parse_args(argv).story
    if wanted is None:
        return _failure(error="story input required")
    story = parse(wanted)
    if story is None:
        return _failure(error="could not normalize story key", input=wanted)
    try:
        return _answer(story)
    except StoryAutomatorError as error:
        return _failure(error=error.message, input=wanted)


def _answer(story: StoryKey) -> int:
    root = project_root()
    path = story_file(root, story)
    if path is None:
        return _failure(error="story file not found", prefix=story.prefix)
    found = read_story(path)
    answer = {
        "ok": True,
        "story_key": full_key(root, story),
        "file": str(path),
        "status": found.status or "unknown",
        "title": found.title,
    }
    print(json_line(answer))
    return 0


def _failure(**why: str) -> int:
    print(json_line({"ok": False, **why}))
    return 1
