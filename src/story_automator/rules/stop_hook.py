"""The Stop hook in an agent's settings: ours is found, set right or added; the rest stays."""

import copy
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from pathlib import PurePath

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
PYTHON = re.compile(r"python([0-9]+(\.[0-9]+)?)?")
PROGRAM = "story-automator"
MODULE = ["-m", "story_automator"]


def hook_command(command: str, *, tool: Sequence[str], root: PurePath) -> str:
    """The command as the agent will run it: our absolute path, and told which project it is.

    ValueError when `command` is no command line.
    """
    words = shlex.split(command)
    arguments = _arguments_of_ours(words)
    if arguments is None:
        arguments = words[1:]
    return shlex.join(["env", f"PROJECT_ROOT={root}", *tool, *arguments])


def with_hook(settings: object, hook: Mapping[str, object], *, is_new: bool) -> tuple[object, str]:
    """The settings with exactly this hook in them, and what had to be done for it.

    ValueError holds the contract's word for settings that cannot be understood.
    """
    wanted = copy.deepcopy(settings)
    if not isinstance(wanted, dict):
        raise ValueError("invalid_json_object")
    events = wanted.setdefault("hooks", {})
    if not isinstance(events, dict):
        raise ValueError("invalid_hooks_object")
    groups = events.setdefault("Stop", [])
    if not isinstance(groups, list):
        raise ValueError("invalid_stop_hooks")
    ours = list(_our_hooks(groups))
    if not ours:
        groups.append({"hooks": [dict(hook)]})
        return wanted, "created" if is_new else "added"
    for found in ours:
        found.update(hook)
    return wanted, "already_configured" if wanted == settings else "hook_normalized"


def is_ours(command: object) -> bool:
    """Whether a hook's command is our stop hook, wherever it is installed."""
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    arguments = _arguments_of_ours(words)
    return arguments is not None and arguments[:1] == ["stop-hook"]


def _our_hooks(groups: list[object]) -> Iterator[dict[str, object]]:
    for group in groups:
        hooks = group.get("hooks") if isinstance(group, dict) else None
        for hook in hooks if isinstance(hooks, list) else []:
            if isinstance(hook, dict) and is_ours(hook.get("command")):
                yield hook


def _arguments_of_ours(words: list[str]) -> list[str] | None:
    """What is passed to our program; None when the words start another one."""
    rest = list(dropwhile(ASSIGNMENT.match, words))
    if rest and PurePath(rest[0]).name == "env":
        rest = list(dropwhile(_belongs_to_env, rest[1:]))
    if not rest:
        return None
    name = PurePath(rest[0]).name
    if name == PROGRAM:
        return rest[1:]
    if PYTHON.fullmatch(name) and rest[1:3] == MODULE:
        return rest[3:]
    return None


def _belongs_to_env(word: str) -> bool:
    return word.startswith("-") or bool(ASSIGNMENT.match(word))
