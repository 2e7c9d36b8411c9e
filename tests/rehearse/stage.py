"""A private tmux with the scripted agent in it, watched through its screen, log and hook events."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from story_automator.edges.resources import resource

DEADLINE = 30.0


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Look until it is so; a deadline, not a duration."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.01)


class Stage:
    """One pane that plays one scenario in a copy of the sample project."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "sample"
        shutil.copytree(resource("fixtures", "projects") / "sample", self.project)
        self.events_folder = folder / "events"
        self.events_folder.mkdir()
        self.log = folder / "pane.log"
        self._socket = folder / "t.sock"

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), "-f", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        return done.stdout

    def play(self, scenario: str, prompt: str = "Do it.", *, tempo: float = 0.1) -> None:
        agent = [sys.executable, "-m", "story_automator.rehearse", "--scenario", scenario, prompt]
        self.run(shlex.join(agent), STORY_AUTOMATOR_TEMPO=str(tempo))

    def run(self, command: str, **variables: str) -> None:
        """Start `command` in the pane, its log attached before its first byte."""
        environment = {"STORY_AUTOMATOR_EVENTS": str(self.events_folder), **variables}
        self.tmux(
            *("start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"),
            *("new-session", "-d", "-x", "200", "-y", "50", "-c", str(self.project)),
            *(word for pair in environment.items() for word in ("-e", "=".join(pair))),
            *("sh", "-c", f"exec {command}", ";"),
            *("pipe-pane", f"cat >> {shlex.quote(str(self.log))}"),
        )

    def fact(self, name: str) -> str:
        return self.tmux("display-message", "-p", f"#{{{name}}}").rstrip("\n")

    def rows(self) -> list[str]:
        """The rows of the screen down to the last one that is not empty."""
        return self.tmux("capture-pane", "-p").rstrip("\n").split("\n")

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(path.read_text()) for path in sorted(self.events_folder.glob("*.json"))]

    def told(self) -> list[str]:
        return [event["hook_event_name"] for event in self.events()]

    def until_told(self, event: str, times: int = 1) -> dict[str, Any]:
        wait_until(lambda: self.told().count(event) >= times, f"{times} {event}")
        return [e for e in self.events() if e["hook_event_name"] == event][times - 1]

    def until_shown(self, text: str) -> list[str]:
        """The first screen seen that holds `text`."""
        rows: list[str] = []

        def shown() -> bool:
            rows[:] = self.rows()
            return any(text in row for row in rows)

        wait_until(shown, f"{text} on the screen")
        return rows

    def until_done(self, times: int = 1) -> list[str]:
        """The screen of a finished turn, once tmux has drawn what the Stop tells of."""
        self.until_told("Stop", times)
        wait_until(lambda: any(row.startswith("✻") for row in self.rows()[-7:-5]), "a done line")
        return self.rows()

    def until_dead(self) -> tuple[str, str]:
        """Exit code and signal, as tmux tells them."""
        wait_until(lambda: self.fact("pane_dead") == "1", "the end of the process")
        wait_until(lambda: any(self._end()), "how the process ended")
        return self._end()

    def _end(self) -> tuple[str, str]:
        # tmux 3.3a may sleep through a SIGCHLD when the tty closed first: a job wakes it.
        self.tmux("run-shell", "true")
        return self.fact("pane_dead_status"), self.fact("pane_dead_signal")


def end(pid: int) -> None:
    """End a process of this test for sure and see it go."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    wait_until(lambda: not alive(pid), f"the end of {pid}")


def alive(pid: int) -> bool:
    """Running, not gone and not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"
