"""The shell command that starts an agent on a prompt; every word of it quoted."""

import re
import shlex
from collections.abc import Mapping
from itertools import takewhile
from pathlib import PurePath

CLAUDE = "claude --dangerously-skip-permissions"
CODEX = "codex exec"
# A Claude started inside another Claude would refuse to run.
OUTSIDE_CLAUDE = "unset CLAUDECODE && "
CODEX_OPTIONS = (
    *("-s", "workspace-write"),
    *("-c", 'approval_policy="never"'),
    *("-c", 'model_reasoning_effort="high"'),
    *("--disable", "plugins"),
    *("--disable", "sqlite"),
    *("--disable", "shell_snapshot"),
)
AGENTS = ("claude", "codex")
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def claude_command(prompt: str) -> str:
    return f"{OUTSIDE_CLAUDE}{CLAUDE} {shlex.quote(prompt)}"


def codex_command(prompt: str, *, home: PurePath, login: PurePath) -> str:
    """Codex in a private home, into which the user's login is linked and never copied."""
    private, source = shlex.quote(str(home)), shlex.quote(str(login))
    link = shlex.quote(str(home / "auth.json"))
    options = shlex.join((*CODEX_OPTIONS, prompt))
    return (
        f"mkdir -p -m 700 {private} && if [ -f {source} ]; then ln -sf {source} {link}; fi && "
        f"CODEX_HOME={private} {CODEX} {options}"
    )


def custom_command(command: str, prompt: str, *, home: str) -> str:
    """A command line of the user's own, read as words: nothing in it is left to the shell.

    ValueError when it is no command line.
    """
    words = _words(command, home)
    if not words:
        raise ValueError("it names no program")
    return f"{OUTSIDE_CLAUDE}{' '.join(words)} {shlex.quote(prompt)}"


def told_agent(environ: Mapping[str, str]) -> str:
    """The agent that AI_AGENT names; empty when it names none that we know."""
    told = environ.get("AI_AGENT", "").strip().lower()
    return told if told in AGENTS else ""


def agent_cli(agent: str) -> str:
    return CODEX if agent == "codex" else CLAUDE


def skill_prefix(agent: str) -> str:
    return "none" if agent == "codex" else "bmad-"


def _words(command: str, home: str) -> list[str]:
    """Each word quoted; variables set before the program stay assignments."""
    words = shlex.split(command)
    variables = list(takewhile(ASSIGNMENT.match, words))
    program = words[len(variables) :]
    if not program:
        return []
    return [
        *(f"{name}={shlex.quote(value)}" for name, _, value in map(_halves, variables)),
        *(shlex.quote(home + word[1:] if word.startswith("~/") else word) for word in program),
    ]


def _halves(variable: str) -> tuple[str, str, str]:
    return variable.partition("=")
