"""orchestrator-helper ACTION: find the action, import only that one."""

import sys
from importlib import import_module

ACTIONS = {
    "sprint-status": ("sprint_status", "<get KEY|exists|check-epic EPIC>"),
    "marker": ("marker", "<path|create|remove|check|heartbeat> [args]"),
    "escalate": ("escalate", "<trigger> <context> [--state-file path]"),
    "normalize-key": ("normalize_key", "<input> [--to id|key|prefix|json]"),
    "story-file-status": ("story_file_status", "<story>"),
    "verify-step": (
        "verify",
        "<step> <story_or_epic> [--state-file path] [--output-file path]",
    ),
    "verify-code-review": ("verify", "<story> [--state-file path]"),
    "parse-output": (
        "parse_output",
        "<file> <step> [--state-file path] [--parser kind] [--model name] [--explain]",
    ),
}


def run(name: str, argv: list[str]) -> int:
    if argv and argv[0] in ACTIONS:
        module, _ = ACTIONS[argv[0]]
        return int(import_module(f"story_automator.cli.{module}").run(argv[0], argv[1:]))
    asked_for_help = bool(argv) and argv[0] in ("-h", "--help")
    print(_usage(name), file=sys.stdout if asked_for_help else sys.stderr)
    return 0 if asked_for_help else 1


def _usage(name: str) -> str:
    actions = "\n".join(f"  {action} {form}" for action, (_, form) in ACTIONS.items())
    return f"Usage: {name} <action> [args]\n\nActions:\n{actions}"
