"""The demo's stage: a copy of the sample project, a tmux server and an agent, all its own."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from story_automator.edges.config import Settings
from story_automator.edges.files import write_atomic
from story_automator.edges.git import Repository
from story_automator.edges.resources import resource
from story_automator.edges.state import all_session_folders
from story_automator.edges.tmux import Tmux
from story_automator.model.policy import Policy
from story_automator.rules.environment import FOR_THE_AGENT, allowed
from story_automator.run.kill import find_all, kill
from story_automator.run.spawn import server

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
        return server(self.settings, self.environ)

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
    folder = Path(tempfile.mkdtemp(prefix="story-automator-demo-"))
    project = folder / "greetings"
    shutil.copytree(resource("fixtures", "projects", "sample"), project)
    environ = _environment(folder, tempo)
    before = {name: os.environ.get(name) for name in ("XDG_STATE_HOME",)}
    os.environ["XDG_STATE_HOME"] = environ["XDG_STATE_HOME"]
    settings = Settings(Policy(), str(folder / "tmux.sock"))
    made = Stage(folder, project, settings, environ, Repository.create(project, environ))
    try:
        yield made
    finally:
        kill(find_all(made.tmux, None), made.tmux, settings.policy)
        made.tmux.call("kill-server")
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def left_behind(made: Stage) -> int:
    """Sessions of the demonstration that still live; none should."""
    return len(find_all(made.tmux, None)) if all_session_folders() else 0


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
        if not name.startswith(("ANTHROPIC_", "CLAUDE_", "CODEX_", "OPENAI_", "GIT_", "XDG_"))
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
