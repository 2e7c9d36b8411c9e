"""The shell command that starts an agent on a prompt; every word of it quoted.

It is the same in a session of ours and pasted into a plain shell: what belongs to the session
comes from variables that only a session has.
"""

import re
import shlex
from collections.abc import Mapping
from itertools import takewhile
from pathlib import PurePath

from story_automator.agents.variables import (
    CONVERSATION,
    EVENTS,
    LAST_MESSAGE,
    SESSION,
    SETTINGS,
)
from story_automator.model.agents import AgentSettings, Permissions

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
CLAUDE_SESSION = (
    f'${{{SETTINGS}:+--settings "${SETTINGS}" --session-id "${CONVERSATION}" --name "${SESSION}"}}'
)
# The hooks of the private home are ours; those of a project that is not trusted stay off.
# What the model's own commands inherit is blank: a Codex among them speaks for itself.
CODEX_SESSION = (
    f"${{{LAST_MESSAGE}:+--dangerously-bypass-hook-trust "
    f"-c shell_environment_policy.set.{EVENTS}= "
    f"-c shell_environment_policy.set.{LAST_MESSAGE}= "
    f'--json -o "${LAST_MESSAGE}"}}'
)
# Whoever says one of these has an own idea of the settings or of the conversation.
OWN_SESSION = frozenset(
    "--settings --session-id --resume -r --continue -c --from-pr --bare --safe-mode".split()
)
AGENTS = ("claude", "codex")
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def claude_command(prompt: str, choice: AgentSettings) -> str:
    return f"{OUTSIDE_CLAUDE}{claude_cli(choice)} {CLAUDE_SESSION} {_operand(prompt)}"


def claude_cli(choice: AgentSettings) -> str:
    """Claude with the flags of the permission mode."""
    flags = {
        Permissions.BYPASS: ("--dangerously-skip-permissions",),
        Permissions.ACCEPT_EDITS: ("--permission-mode", "acceptEdits"),
        # The tools first: their list takes every word up to the next option.
        Permissions.ALLOWLIST: ("--allowedTools", *choice.allow, "--permission-mode", "dontAsk"),
    }
    return shlex.join(("claude", *flags[choice.permissions]))


def codex_command(prompt: str, *, home: PurePath, own: Mapping[str, PurePath]) -> str:
    """Codex in a private home, into which files of the user's own are linked and never copied."""
    private = shlex.quote(str(home))
    links = (
        f"if [ -f {(source := shlex.quote(str(path)))} ]; "
        f"then ln -sf {source} {shlex.quote(str(home / name))}; fi && "
        for name, path in own.items()
    )
    return (
        f"mkdir -p -m 700 {private} && {''.join(links)}"
        f"CODEX_HOME={private} {CODEX} {shlex.join(CODEX_OPTIONS)} {CODEX_SESSION} "
        f"{_operand(prompt)}"
    )


def custom_command(command: str, prompt: str, *, home: str) -> str:
    """A command line of the user's own, read as words: nothing in it is left to the shell.

    A Claude among them is told of its session, too. ValueError when it is no command line.
    """
    words = _words(command, home)
    if not words:
        raise ValueError("it names no program")
    return f"{OUTSIDE_CLAUDE}{' '.join(words)} {shlex.quote(prompt)}"


def told_agent(environ: Mapping[str, str]) -> str:
    """The agent that AI_AGENT names; empty when it names none that we know."""
    told = environ.get("AI_AGENT", "").strip().lower()
    return told if told in AGENTS else ""


def agent_cli(agent: str, choice: AgentSettings) -> str:
    return CODEX if agent == "codex" else claude_cli(choice)


def skill_prefix(agent: str) -> str:
    return "none" if agent == "codex" else "bmad-"


def _operand(prompt: str) -> str:
    """The prompt as one word that is never taken for an option."""
    return shlex.join(("--", prompt) if prompt.startswith("-") else (prompt,))


def _words(command: str, home: str) -> list[str]:
    """Each word quoted; variables set before the program stay assignments."""
    words = shlex.split(command)
    variables = list(takewhile(ASSIGNMENT.match, words))
    program = words[len(variables) :]
    if not program:
        return []
    is_claude = PurePath(program[0]).name == "claude"
    options = {word.partition("=")[0] for word in program}
    return [
        *(f"{name}={shlex.quote(value)}" for name, _, value in map(_halves, variables)),
        *(shlex.quote(home + word[1:] if word.startswith("~/") else word) for word in program),
        *([CLAUDE_SESSION] if is_claude and not options & OWN_SESSION else []),
    ]


def _halves(variable: str) -> tuple[str, str, str]:
    return variable.partition("=")
