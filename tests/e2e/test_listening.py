"""How soon a watch judges what an agent tells it."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from story_automator.edges.config import settings
from story_automator.edges.events import LinuxEvents
from story_automator.model.verdict import Verdict, Verification
from story_automator.watch.case import Limits
from story_automator.watch.monitor import Monitor
from story_automator.watch.servers import server
from story_automator.watch.subjects import subject
from tests.sessions import policy, session_folder, sessions, spawn, started, tmux

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")


def tell(name: str, event: str, content: str = "{}") -> None:
    folder = session_folder(name) / "events"
    (folder / ".new").write_text(content)
    (folder / ".new").rename(folder / f"{time.time_ns()}-{event}.json")


class Meanwhile(LinuxEvents):
    """Real events; the first wait is when something happens."""

    def __init__(self, happens: Callable[[], None]) -> None:
        super().__init__()
        self._to_come = [happens]

    def wait(self, timeout: float) -> dict[str, set[str]]:
        if self._to_come:
            self._to_come.pop()()
        return super().wait(timeout)


# Looks that no event brings about come after the deadline: what is told before was told by one.
SELDOM = 60
DEADLINE = timedelta(seconds=20)
BEFORE_THE_DEADLINE = 15


def judged(name: str, happens: Callable[[], None]) -> Verdict:
    """The verdict on a session in whose watch something happens."""
    chosen = settings()
    watched = subject(name, agent="", socket=chosen.socket, policy=chosen.policy)
    source = Meanwhile(happens)
    monitor = Monitor(
        [watched],
        Limits(DEADLINE),
        chosen.policy,
        source=source,
        servers={watched.known.socket: server(watched.known.socket, os.environ, chosen.policy)},
        verify=lambda _: Verification(True, "normal_completion", ""),
        finish=lambda done: done.verdict,
    )
    (verdict,) = monitor.run()
    source.close()
    return verdict


def test_a_dialog_is_told_however_calm_the_watch_was() -> None:
    policy(tick=SELDOM)
    name = spawn("exec sleep 300")
    started(name)
    tell(name, "UserPromptSubmit")
    began = time.monotonic()
    verdict = judged(name, lambda: tell(name, "PermissionRequest", '{"tool_name": "Bash"}'))
    assert verdict.reason == "permission_prompt"
    assert time.monotonic() - began < BEFORE_THE_DEADLINE


def test_a_dialog_is_told_although_other_tools_go_on() -> None:
    policy(tick=SELDOM)
    name = spawn("exec sleep 300")
    started(name)
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.1):
            tell(name, "PostToolUse", '{"tool_name": "Read"}')

    def ask() -> None:
        tell(name, "PermissionRequest", '{"tool_name": "Bash"}')
        threading.Thread(target=work, daemon=True).start()

    began = time.monotonic()
    verdict = judged(name, ask)
    over.set()
    assert verdict.reason == "permission_prompt"
    assert time.monotonic() - began < BEFORE_THE_DEADLINE


def test_an_end_that_nobody_recorded_is_told_after_one_more_look() -> None:
    policy(tick=SELDOM)
    name = spawn("exec sleep 300")
    wrapper = started(name)["wrapper_pid"]
    tell(name, "UserPromptSubmit")
    began = time.monotonic()
    assert judged(name, lambda: os.kill(wrapper, signal.SIGKILL)).state == "crashed"
    assert time.monotonic() - began < BEFORE_THE_DEADLINE


class TestStopWhileItsSessionFileSaysBusy:
    """As Claude Code does it: other Stop hooks run beside ours, and one may send it back."""

    @pytest.fixture
    def agent(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        """A program by the name of claude that does nothing."""
        (tmp_path / "claude").write_text("#!/bin/sh\nread line\n")
        (tmp_path / "claude").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        policy(tick=SELDOM)
        name = spawn("claude")
        tell(name, "UserPromptSubmit")
        return name

    def says(self, name: str, status: str, start: str = "") -> None:
        record = started(name)
        path = Path(os.environ["HOME"], ".claude", "sessions", f"{record['agent_pid']}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        told = {"pid": record["agent_pid"], "procStart": start or record["agent_start"]}
        path.write_text(json.dumps({**told, "status": status}))

    def test_is_not_the_end_before_it_rests(self, agent: str) -> None:
        self.says(agent, "busy")
        rests: list[float] = []

        def rest() -> None:
            rests.append(time.monotonic())
            self.says(agent, "idle")

        later = threading.Timer(1.5, rest)

        def stop() -> None:
            tell(agent, "Stop")
            later.start()

        assert judged(agent, stop).state == "completed"
        told = time.monotonic()
        later.join()
        assert 0 <= told - rests[0] < BEFORE_THE_DEADLINE

    def test_is_followed_by_what_it_was_sent_back_for(self, agent: str) -> None:
        self.says(agent, "busy")

        def stop() -> None:
            tell(agent, "Stop")
            threading.Timer(
                0.3, lambda: tell(agent, "StopFailure", '{"error": "rate_limit"}')
            ).start()

        assert judged(agent, stop).reason == "rate_limited"

    def test_stands_when_the_process_ends(self, agent: str) -> None:
        self.says(agent, "busy")

        def stop() -> None:
            tell(agent, "Stop")
            tmux("send-keys", "-t", f"={agent}:", "Enter")

        assert judged(agent, stop).state == "completed"

    def test_is_the_end_when_that_file_is_of_another_process(self, agent: str) -> None:
        self.says(agent, "busy", start="1")
        assert judged(agent, lambda: tell(agent, "Stop")).state == "completed"
