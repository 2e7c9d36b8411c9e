"""How soon a watch judges what an agent tells it."""

import os
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from story_automator.edges.config import settings
from story_automator.edges.events import LinuxEvents
from story_automator.model.verdict import Verdict, Verification
from story_automator.watch.case import Limits
from story_automator.watch.monitor import Monitor
from story_automator.watch.servers import server
from story_automator.watch.subjects import subject
from tests.sessions import policy, session_folder, sessions, spawn, started

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
        self._happens: Callable[[], None] | None = happens

    def wait(self, timeout: float) -> dict[str, set[str]]:
        if self._happens is not None:
            self._happens, happens = None, self._happens
            happens()
        return super().wait(timeout)


def judged(name: str, happens: Callable[[], None]) -> Verdict:
    """The verdict on a session in whose watch something happens."""
    chosen = settings()
    watched = subject(name, agent="", socket=chosen.socket, policy=chosen.policy)
    source = Meanwhile(happens)
    monitor = Monitor(
        [watched],
        Limits(timedelta(seconds=20)),
        chosen.policy,
        source=source,
        servers={watched.known.socket: server(watched.known.socket, os.environ, chosen.policy)},
        verify=lambda _: Verification(True, "normal_completion", ""),
        finish=lambda done: done.verdict,
    )
    (verdict,) = monitor.run()
    source.close()
    return verdict


def test_a_dialog_is_told_within_a_second_however_calm_the_watch_was() -> None:
    policy(tick=2)
    name = spawn("exec sleep 300")
    started(name)
    tell(name, "UserPromptSubmit")
    began = time.monotonic()
    verdict = judged(name, lambda: tell(name, "PermissionRequest", '{"tool_name": "Bash"}'))
    assert verdict.reason == "permission_prompt"
    assert time.monotonic() - began < 1
