"""`list-sessions --slug SLUG`: the names of a project's sessions."""

import os

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import StoryAutomatorError

USAGE = "list-sessions --slug SLUG"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("--slug", nargs="?", default="", const="")
    slug = parser.parse_args(argv).slug
    if not slug:
        print(json_line({"ok": False, "error": "missing_slug"}))
        return 1
    from story_automator.edges.tmux import TmuxMissing
    from story_automator.run.listing import PREFIX, server_of, session_names

    try:
        found = session_names(server_of("", os.environ), prefix=f"{PREFIX}{slug}-")
    except StoryAutomatorError as error:
        word = "tmux_not_found" if isinstance(error, TmuxMissing) else "tmux_unreachable"
        print(json_line({"ok": False, "error": word, "sessions": [], "count": 0}))
        return 0
    print(json_line({"ok": True, "sessions": found, "count": len(found)}))
    return 0
