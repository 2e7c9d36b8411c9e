"""Start one attempt: a session of its own, recorded before it lives."""

import contextlib
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from story_automator.agents import variables
from story_automator.agents.dialects import agent_of, mode_of
from story_automator.edges import tmux as tmux_edge
from story_automator.edges import wrapper
from story_automator.edges.config import Settings
from story_automator.edges.files import write_atomic
from story_automator.edges.processes import ATTEMPT_VARIABLE
from story_automator.edges.state import SessionFolder, new_session_folder
from story_automator.errors import StoryAutomatorError, UsageError
from story_automator.model.session import SessionRecord
from story_automator.rules import names
from story_automator.rules.environment import FOR_THE_AGENT, allowed
from story_automator.run.claude_session import fresh_conversation, write_settings
from story_automator.run.kill import find, kill
from story_automator.watch.servers import server

SHELLS = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash", "/bin/sh")
NAME_TRIES = 1000


@dataclass(frozen=True, slots=True)
class Attempt:
    """What to start."""

    step: str
    epic: str
    story: str
    command: str
    cycle: str = ""
    agent: str = ""


def session_name(attempt: Attempt, root: Path) -> str:
    """The attempt's name without a counter; UsageError when tmux could not carry it."""
    name = names.session_name(
        names.project_slug(root),
        datetime.now(UTC).astimezone(),
        epic=attempt.epic,
        story=attempt.story,
        step=attempt.step,
        cycle=attempt.cycle,
    )
    if why := names.why_unusable(name):
        raise UsageError(f"{why}: {name[:80]!r}")
    return name


def spawn(attempt: Attempt, root: Path, settings: Settings, environ: Mapping[str, str]) -> str:
    """Start the session and return its name. A failed spawn harms nobody and leaves nothing."""
    if not root.is_dir():
        raise StoryAutomatorError(f"no such project directory: {root}")
    if "\0" in attempt.command:
        raise UsageError("a command cannot hold a NUL byte")
    base = session_name(attempt, root)
    tmux = server(settings.socket, environ, settings.policy)
    for count in range(1, NAME_TRIES):
        folder = new_session_folder(base if count == 1 else f"{base}-{count}")
        if folder is None:
            continue
        try:
            if _start(folder, attempt, root, tmux, environ, settings):
                return folder.name
        except BaseException:
            _take_back(folder, tmux, settings)
            raise
        remove(folder)
    raise StoryAutomatorError(f"no free session name for {base}")


def _take_back(folder: SessionFolder, tmux: tmux_edge.Tmux, settings: Settings) -> None:
    """tmux may have acted before it failed us: end whatever came to life, then forget it."""
    if folder.record() is not None:
        with contextlib.suppress(StoryAutomatorError):
            target = find(folder.name, tmux)
            if target is not None:
                kill([target], tmux, settings.policy)
    remove(folder)


def _start(
    folder: SessionFolder,
    attempt: Attempt,
    root: Path,
    tmux: tmux_edge.Tmux,
    environ: Mapping[str, str],
    settings: Settings,
) -> bool:
    agent = attempt.agent or agent_of(attempt.command)
    record = SessionRecord(
        name=folder.name,
        attempt=os.urandom(8).hex(),
        project=str(root),
        socket=tmux_edge.socket_path(tmux.socket, environ),
        agent=agent,
        mode=mode_of(attempt.command, agent),
        step=attempt.step,
        epic=attempt.epic,
        story=attempt.story,
        cycle=attempt.cycle,
        created=time.time(),
        conversation=fresh_conversation() if agent == "claude" else "",
    )
    folder.store(record)
    if agent == "claude":
        write_settings(folder, settings.agents)
    _write_launch(folder, attempt.command, record, environ, settings.environment)
    write_atomic(folder.log, b"", mode=0o600, durable=False)
    python = [sys.executable, "-I", "-S", wrapper.__file__, str(folder.path)]
    tags = {
        tmux_edge.ATTEMPT_TAG: record.attempt,
        tmux_edge.PROJECT_TAG: tmux_edge.project_tag(record.project),
    }
    return tmux.new_session(
        folder.name, python, directory=str(root), tags=tags, log=str(folder.log)
    )


def _write_launch(
    folder: SessionFolder,
    command: str,
    record: SessionRecord,
    environ: Mapping[str, str],
    also: Sequence[str],
) -> None:
    """What the wrapper starts, and with exactly which environment: in a file, never in argv."""
    environment = allowed(environ, [*FOR_THE_AGENT, *also])
    environment.pop("TERM", None)  # the pane has its own
    environment |= {
        "STORY_AUTOMATOR_CHILD": "true",
        variables.SESSION: record.name,
        variables.EVENTS: str(folder.events),
        # Empty where the agent has none: those of an outer session are not its own.
        variables.SETTINGS: str(folder.agent / "settings.json") if record.conversation else "",
        variables.CONVERSATION: record.conversation,
        variables.LAST_MESSAGE: str(folder.last_message) if record.agent == "codex" else "",
        ATTEMPT_VARIABLE: record.attempt,
        "AI_AGENT": environ.get("AI_AGENT", "claude"),
    }
    if record.agent != "command":
        environment["AI_AGENT"] = record.agent
    if needs_sandbox_word(record.agent):
        environment.setdefault("IS_SANDBOX", "1")
    shell = next(shell for shell in SHELLS if os.path.exists(shell))
    entries = [f"{name}={value}" for name, value in environment.items()]
    parts = [record.project, shell, command, *entries]
    # Read within milliseconds and then deleted: no need to wait for the disk.
    content = b"\0".join(os.fsencode(part) for part in parts)
    write_atomic(folder.launch, content, mode=0o600, durable=False)


def needs_sandbox_word(agent: str) -> bool:
    """Claude refuses to skip permissions as root unless it is told that it is in a sandbox."""
    return agent == "claude" and os.geteuid() == 0


def remove(folder: SessionFolder) -> None:
    """Take back a folder: a claimed name that came to nothing, or a record past its time."""
    import shutil

    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder.path)
