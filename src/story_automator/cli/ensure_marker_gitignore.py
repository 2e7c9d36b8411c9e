"""`ensure-marker-gitignore`: git must never see the marker."""

from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import UsageError

USAGE = "ensure-marker-gitignore --gitignore FILE --entry ENTRY"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    # A flag without its value counts as missing, which has its own answer in the contract.
    parser.add_argument("--gitignore", nargs="?", default="", const="")
    parser.add_argument("--entry", nargs="?", default="", const="")
    given = parser.parse_args(argv)
    if not given.gitignore or not given.entry.strip():
        print(json_line({"ok": False, "error": "missing_args"}))
        return 1
    if given.entry.lstrip().startswith("#") or len(given.entry.splitlines()) > 1:
        raise UsageError("--entry must be one line and no comment", hint=f"Usage: {USAGE}")
    from story_automator.edges.gitignore import ensure_entry

    try:
        changed = ensure_entry(Path(given.gitignore), given.entry)
    except OSError as error:
        answer = {"ok": False, "error": "write_failed", "path": given.gitignore}
        print(json_line({**answer, "message": error.strerror or str(error)}))
        return 1
    print(json_line({"ok": True, "changed": changed, "path": given.gitignore}))
    return 0
