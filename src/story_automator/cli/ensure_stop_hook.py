"""`ensure-stop-hook`: make the agent ask us before it stops, and keep all its other settings."""

import os
from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help, whole_number
from story_automator.edges.project import project_root
from story_automator.edges.skills import runtime_provider
from story_automator.edges.tool import own_command
from story_automator.errors import UsageError
from story_automator.rules.stop_hook import hook_command
from story_automator.run.hook_settings import CannotEdit, configure_claude, configure_codex

USAGE = "ensure-stop-hook --settings FILE --command COMMAND [--timeout SECONDS]"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    # A flag without its value counts as missing, which has its own answer in the contract.
    parser.add_argument("--settings", nargs="?", default="", const="")
    parser.add_argument("--command", nargs="?", default="", const="")
    parser.add_argument("--timeout", type=whole_number, default=10)
    given = parser.parse_args(_with_whole_command(argv))
    root = project_root()
    provider = runtime_provider(root, os.environ)
    if not given.command.strip() or (provider == "claude" and not given.settings):
        print(json_line({"ok": False, "error": "missing_required_args"}))
        return 1
    try:
        command = hook_command(given.command, tool=own_command(), root=root)
    except ValueError as error:
        raise UsageError(f"--command is no command line: {error}") from None
    hook: dict[str, object] = {"type": "command", "command": command, "timeout": given.timeout}
    try:
        if provider == "codex":
            answer = configure_codex(root, hook, os.environ)
        else:
            answer = configure_claude(Path(os.path.abspath(given.settings)), hook)
    except CannotEdit as error:
        failure = {"ok": False, "error": error.word, "path": str(error.path)}
        print(json_line({**failure, "provider": provider, "message": error.why}))
        return 1
    print(json_line(answer))
    return 0


def _with_whole_command(argv: list[str]) -> list[str]:
    """`--command` takes every word up to the next option, as one."""
    import shlex

    if "--command" not in argv:
        return argv
    start = argv.index("--command") + 1
    after = range(start, len(argv))
    end = next((place for place in after if argv[place].startswith("--")), len(argv))
    words = argv[start:end]
    if not words:
        return argv
    command = words[0] if len(words) == 1 else shlex.join(words)
    return [*argv[: start - 1], f"--command={command}", *argv[end:]]
