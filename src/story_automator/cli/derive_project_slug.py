"""`derive-project-slug`: the short name of a project, from its path alone."""

import os

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.rules.names import project_slug

USAGE = "derive-project-slug [--project-root PATH]"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("--project-root")
    told = parser.parse_args(argv).project_root
    # Never PROJECT_ROOT: this command names the directory it is asked about.
    here = os.getcwd()
    shown = here if told is None else told
    print(json_line({"ok": True, "slug": project_slug(told or here), "projectRoot": shown}))
    return 0
