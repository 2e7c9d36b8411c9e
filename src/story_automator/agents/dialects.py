"""Which dialect an agent speaks, and which agent a shell command starts."""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import dropwhile, pairwise
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from story_automator.agents.look import Look

COMMAND = "command"
STAGE = "story_automator.rehearse"
PYTHON = re.compile(r"python[\d.]*")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
SHELLS = frozenset({"sh", "bash", "zsh", "dash"})
KEYWORDS = frozenset({"then", "do", "else", "!", "{"})
# They start the program that is named further on, after options of their own.
PREFIXES = frozenset("env exec command nohup time nice setsid timeout sudo stdbuf".split())
OPERATORS = ";&|()\n"


class Dialect(NamedTuple):
    """An agent that we can read."""

    reader: str  # the module of this room that reads its screen
    print_words: frozenset[str]  # they make it answer once and exit
    has_executable: bool = True


# A new dialect is an entry here, its reader and its captures.
DIALECTS = {
    "claude": Dialect("claude", frozenset({"-p", "--print"})),
    "scripted": Dialect("claude", frozenset({"-p", "--print"}), has_executable=False),
    "codex": Dialect("codex", frozenset({"exec", "e"})),
    "gemini": Dialect("gemini", frozenset({"-p", "--prompt"})),
    "opencode": Dialect("opencode", frozenset({"run"})),
}
ANY_PROGRAM = "plain"
EXECUTABLES = frozenset(name for name, dialect in DIALECTS.items() if dialect.has_executable)


def read_screen(agent: str, rows: Sequence[str], title: str = "") -> "Look":
    """The screen in the agent's dialect; an unknown agent is any program."""
    look: Look = reader_of(agent).read_screen(rows, title)
    return look


def left_in_mid_turn(agent: str, rows: Sequence[str]) -> bool:
    """For a pane whose process is gone: did the agent leave with a turn open?"""
    left: Callable[[Sequence[str]], bool] | None
    left = getattr(reader_of(agent), "left_in_mid_turn", None)
    return left is not None and left(rows)


def reader_of(agent: str) -> ModuleType:
    """Imported when a screen is read: a command that only names an agent needs no reader."""
    dialect = DIALECTS.get(agent.lower())
    return import_module(f"story_automator.agents.{dialect.reader if dialect else ANY_PROGRAM}")


def agent_of(command: str) -> str:
    """The agent that a shell command starts, by the name of an executable in it."""
    return next((agent for agent, _ in _calls(command) if agent != COMMAND), COMMAND)


def mode_of(command: str, agent: str) -> str:
    """`tui`, `print` (answers once and exits) or `command` (no agent)."""
    if agent not in DIALECTS:
        return COMMAND
    calls = list(_calls(command))
    own = [words for found, words in calls if found == agent] or [words for _, words in calls[-1:]]
    return "print" if any(DIALECTS[agent].print_words & set(words) for words in own[:1]) else "tui"


def _calls(command: str) -> Iterator[tuple[str, list[str]]]:
    """Each simple command in a line of shell: the agent it starts, and its arguments."""
    for line in _simple_commands(command):
        words = list(dropwhile(lambda word: ASSIGNMENT.match(word) or word in KEYWORDS, line))
        if words and words[0] in PREFIXES:
            words = list(dropwhile(lambda word: not _is_program(_name(word)), words))
        if not words:
            continue
        name, arguments = _name(words[0]), words[1:]
        if name in SHELLS and (script := _script(arguments)) is not None:
            yield from _calls(script)
        elif PYTHON.fullmatch(name) and _runs_the_stage(arguments):
            yield "scripted", arguments
        else:
            yield name if name in EXECUTABLES else COMMAND, arguments


def _name(word: str) -> str:
    return word.rsplit("/", 1)[-1]


def _is_program(name: str) -> bool:
    return name in EXECUTABLES or name in SHELLS or PYTHON.fullmatch(name) is not None


def _simple_commands(command: str) -> Iterator[list[str]]:
    import shlex

    lexer = shlex.shlex(command, posix=True, punctuation_chars=OPERATORS)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        for word in lexer:
            if word and set(word) <= set(OPERATORS):
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:
        # An open quote: the words before it still name the executable.
        pass
    yield words


def _script(arguments: Sequence[str]) -> str | None:
    """What `sh -c SCRIPT` runs; `-lc` counts too."""
    for flag, script in pairwise(arguments):
        if flag.startswith("-") and not flag.startswith("--") and flag.endswith("c"):
            return script
    return None


def _runs_the_stage(arguments: Sequence[str]) -> bool:
    pairs = pairwise(arguments)
    return any(flag == "-m" and module.startswith(STAGE) for flag, module in pairs)
