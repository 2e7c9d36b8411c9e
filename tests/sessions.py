"""What tests of real sessions share: a private server, waiting on conditions, and its end."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 30.0


def wait_until(what: Callable[[], Any], limit: float = PATIENCE) -> Any:
    """Wait for a condition that the outside world brings about; fail when it does not."""
    deadline = time.monotonic() + limit
    while not (found := what()):
        assert time.monotonic() < deadline, "the awaited condition did not come"
        time.sleep(0.01)
    return found


def state_folder() -> Path:
    return Path(os.environ["HOME"], ".local", "state", "story-automator")


def session_folder(name: str) -> Path:
    return state_folder() / "sessions" / name


def tmux(*arguments: str) -> str:
    """Ask the private server, as an independent witness."""
    command = ["tmux", "-S", os.environ["STORY_AUTOMATOR_TMUX_SOCKET"], *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return done.stdout


def run(*argv: str, limit: float = 60, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "story_automator", *argv]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, capture_output=True, text=True, timeout=limit, check=False, **options
    )
    return done


def spawn(command: str, *extra: str, step: str = "dev") -> str:
    done = run("tmux-wrapper", "spawn", step, "5", "5.3", "--command", command, *extra)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def started(name: str) -> dict[str, Any]:
    """What the wrapper recorded about the running agent, once it did."""
    path = session_folder(name) / "started.json"
    wait_until(path.exists)
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


class Watch:
    """A monitor-session in the background."""

    def __init__(self, *argv: str, environ: dict[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "story_automator", "monitor-session", "--json", *argv]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ
        )

    def next_verdict(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def verdict(self, limit: float = PATIENCE) -> dict[str, Any]:
        out, err = self.process.communicate(timeout=limit)
        assert self.process.returncode == 0, err
        answer: dict[str, Any] = json.loads(out)
        return answer


def verdict(*argv: str, limit: float = PATIENCE) -> dict[str, Any]:
    return Watch(*argv).verdict(limit)


def policy(**numbers: float) -> None:
    """Set numbers of the policy for the commands of this test."""
    path = Path(os.environ["HOME"], ".config", "story-automator", "config.toml")
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{name} = {value}" for name, value in numbers.items()]
    path.write_text("[policy]\n" + "\n".join(lines) + "\n")


@pytest.fixture
def sessions(project: Path) -> Iterator[Path]:
    """A project with a private tmux server; afterwards nothing of it is left."""
    yield project
    run("tmux-wrapper", "kill-all")
    tmux("kill-server")


def agent(scenario: str, *words: str, tempo: float = 1.0) -> str:
    """The shell command that plays a scenario."""
    source = Path(__file__).resolve().parent.parent / "src"
    python = f"PYTHONPATH={shlex.quote(str(source))} STORY_AUTOMATOR_TEMPO={tempo}"
    python += f" {shlex.quote(sys.executable)} -m story_automator.rehearse"
    return f"{python} --scenario {shlex.quote(scenario)} {shlex.join(words)}"


def scene(folder: Path, text: str) -> str:
    """A scenario of the test's own, as a file."""
    path = folder / "scene.toml"
    path.write_text(text)
    return str(path)


def living_in(home: Path) -> list[str]:
    """Programs whose HOME this is."""
    wanted = f"HOME={home}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "comm").read_text().strip())
        except OSError:
            continue
    return found
