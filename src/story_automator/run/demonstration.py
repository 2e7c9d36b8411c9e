"""The demo's stage: a copy of the sample project, a tmux server and an agent, all its own."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from story_automator.edges.config import Settings
from story_automator.edges.files import write_atomic
from story_automator.edges.git import Repository
from story_automator.edges.processes import of_attempts
from story_automator.edges.resources import resource
from story_automator.edges.state import all_session_folders
from story_automator.edges.tmux import Tmux
from story_automator.errors import StoryAutomatorError
from story_automator.model.parser_settings import ParserKind, ParserSettings
from story_automator.model.policy import Policy
from story_automator.rules.environment import FOR_THE_AGENT, allowed
from story_automator.run.kill import find_all, kill
from story_automator.watch.servers import server

THE_USERS_OWN = (
    *("ANTHROPIC_", "CLAUDE_", "CODEX_", "OPENAI_", "GIT_", "XDG_"),
    *("STORY_AUTOMATOR_", "PROJECT_ROOT"),
)
IDENTITY = {"NAME": "story-automator demo", "EMAIL": "demo@story-automator.invalid"}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a demonstration takes place."""

    folder: Path
    project: Path
    settings: Settings
    environ: Mapping[str, str]
    repository: Repository

    @property
    def tmux(self) -> Tmux:
        return server(self.settings.socket, self.environ, self.settings.policy)

    def tests_passed(self) -> tuple[bool, str]:
        """Run the sample project's own tests; their closing words."""
        done = subprocess.run(
            [sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", "."],
            cwd=self.project,
            env={**self.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        words = [line for line in done.stderr.splitlines() if line.startswith("Ran ")]
        return done.returncode == 0, words[0] if words else "the tests could not be run"


@contextlib.contextmanager
def stage(*, tempo: float, keep: bool) -> Iterator[Stage]:
    """Set the stage; afterwards no session, process or file of it is left (unless kept)."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    folder = Path(tempfile.mkdtemp(prefix="story-automator-demo-"))
    # A socket's path may not be long, and a temporary folder's may be.
    socket = Path(tempfile.mkdtemp(prefix="sa-", dir="/tmp"), "tmux")
    try:
        made = _set_up(folder, socket, tempo)
        with _state_directory(made.environ["XDG_STATE_HOME"]):
            try:
                yield made
            finally:
                with contextlib.suppress(StoryAutomatorError):
                    kill(find_all(made.tmux, None), made.tmux, made.settings.policy)
                    made.tmux.call("kill-server")
    finally:
        shutil.rmtree(socket.parent, ignore_errors=True)
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _set_up(folder: Path, socket: Path, tempo: float) -> Stage:
    project = folder / "greetings"
    sample = resource("fixtures", "projects", "sample")
    shutil.copytree(sample, project, ignore=shutil.ignore_patterns("__pycache__"))
    environ = _environment(folder, tempo)
    repository = Repository.create(project, environ)
    # Nobody is asked on the stage: it has no model, and nothing on it leaves the machine.
    settings = Settings(Policy(), str(socket), parser=ParserSettings(ParserKind.RULES))
    return Stage(folder, project, settings, environ, repository)


@contextlib.contextmanager
def _state_directory(path: str) -> Iterator[None]:
    """Our own records go to the stage as well, for as long as it stands."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = path
    try:
        yield
    finally:
        del os.environ["XDG_STATE_HOME"]
        if before is not None:
            os.environ["XDG_STATE_HOME"] = before


def left_behind(made: Stage) -> int:
    """Sessions and processes of the demonstration that still live; none should."""
    records = [record for folder in all_session_folders() if (record := folder.record())]
    attempts = {record.attempt for record in records}
    return len(find_all(made.tmux, None)) + len(of_attempts(attempts))


def _environment(folder: Path, tempo: float) -> dict[str, str]:
    """What everything on the stage sees: the caller's basics, and nothing that is the user's."""
    shim = folder / "bin" / "claude"
    shim.parent.mkdir()
    source = Path(__file__).resolve().parents[2]
    player = f"{shlex.quote(sys.executable)} -m story_automator.rehearse"
    script = f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(source))} exec {player} "$@"\n'
    write_atomic(shim, script, mode=0o700)
    kept = {
        name: value
        for name, value in allowed(os.environ, FOR_THE_AGENT).items()
        if not name.startswith(THE_USERS_OWN)
    }
    identity = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in IDENTITY.items()
    }
    return {
        **kept,
        **identity,
        "PATH": f"{shim.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "XDG_STATE_HOME": str(folder / "state"),
        "STORY_AUTOMATOR_TEMPO": str(tempo),
    }
