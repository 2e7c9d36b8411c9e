"""The real agents as a user runs them: fetched clients, our loopback API, a home of their own."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from story_automator.canary.api import Api
from story_automator.run.agent_home import ALSO_INHERITED, AgentHome, furnish
from tests.sessions import Watch, is_running, run, session_folder, spawn, tmux, wait_until

CHECKOUT = Path(__file__).resolve().parent.parent.parent
CLIENTS = {
    "claude": "claude-code@2.1.197/node_modules/@anthropic-ai/claude-code-*/claude",
    "codex": "codex@0.169.0/node_modules/.bin/codex",
}
FOUND = {
    agent: next(iter((CHECKOUT / ".real").glob(place)), None) for agent, place in CLIENTS.items()
}
# Looks as seldom as a test can bear, decisions as soon as the policy allows.
QUICK = {"screen_every": 1, "idle_stands": 1}


def needs(agent: str) -> list[pytest.MarkDecorator]:
    """Marks of a module whose tests drive this agent."""
    version = CLIENTS[agent].partition("/")[0]
    reason = f"{version} is not in .real/: bin/fetch-real gets it with npm"
    return [pytest.mark.real, pytest.mark.skipif(FOUND[agent] is None, reason=reason)]


def programs() -> str:
    """The PATH on which the fetched agents are found first."""
    places = [str(found.parent) for found in FOUND.values() if found]
    return os.pathsep.join([*places, os.environ.get("PATH", os.defpath)])


class World:
    """One project, one home and one API; sessions in it are started and watched from outside."""

    def __init__(self, api: Api, home: AgentHome, project: Path) -> None:
        self.api, self.home, self.project = api, home, project
        self.configure()

    def configure(self, permissions: str = "bypass", **policy: float) -> None:
        """The config file, anew: the permission mode and the policy's numbers."""
        numbers = [f"{name} = {value}" for name, value in {**QUICK, **policy}.items()]
        inherited = f"allow = {json.dumps(ALSO_INHERITED)}"
        choice = ["refresh_interval = 1", f'permissions = "{permissions}"']
        lines = ["[environment]", inherited, "[agents]", *choice, "[policy]", *numbers, ""]
        path = self.home.folder / ".config" / "story-automator" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines))

    def command(self, prompt: str, agent: str = "claude") -> str:
        done = run("tmux-wrapper", "build-cmd", "auto", "5.3", "--agent", agent, prompt)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, prompt: str, agent: str = "claude") -> "Session":
        """A session on what build-cmd says."""
        return self.start_command(self.command(prompt, agent))

    def start_command(self, command: str) -> "Session":
        return Session(self, spawn(command, step="auto"))

    def user_settings(self, settings: dict[str, object]) -> None:
        (self.home.claude / "settings.json").write_text(json.dumps(settings))

    def project_settings(self, settings: dict[str, object]) -> None:
        (self.project / ".claude").mkdir(exist_ok=True)
        (self.project / ".claude" / "settings.json").write_text(json.dumps(settings))

    def without_hooks(self) -> None:
        """Neither hooks nor a statusline will run, whoever configured them."""
        self.user_settings({"disableAllHooks": True})

    def asked(self, trial: str) -> None:
        """Wait until an agent has asked the API for this trial."""
        asks = self.api.until(lambda request: request.trial == trial and not request.aside, 30)
        assert asks, f"nobody asked for {trial}: {self.api.requests}"


@dataclass(frozen=True)
class Session:
    """One session, as its files, its pane and its processes show it."""

    world: World
    name: str

    @property
    def folder(self) -> Path:
        return session_folder(self.name)

    @property
    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "record.json").read_text())
        return found

    @property
    def events(self) -> list[str]:
        """The names of the hook events so far, in their order."""
        return [path.stem.rpartition("-")[2] for path in self._event_files()]

    def _event_files(self) -> list[Path]:
        stored = (self.folder / "events").glob("[!.]*.json")
        return sorted(stored, key=lambda path: path.stat().st_mtime_ns)

    def event(self, name: str, limit: float = 30) -> dict[str, Any]:
        """The first event of this name, awaited; its payload."""
        wait_until(lambda: name in self.events, limit)
        payload: dict[str, Any] = json.loads(self.event_file(name).read_text())
        return payload

    def event_file(self, name: str) -> Path:
        return next(path for path in self._event_files() if path.stem.endswith(f"-{name}"))

    @property
    def screen(self) -> str:
        return tmux("capture-pane", "-p", "-t", f"={self.name}:")

    @property
    def title(self) -> str:
        return tmux("display-message", "-p", "-t", f"={self.name}:", "#{pane_title}").strip()

    def type(self, *keys: str) -> None:
        tmux("send-keys", "-t", f"={self.name}:", *keys)

    def own_file(self) -> dict[str, Any]:
        """What Claude's own session file says; empty when there is none."""
        for path in (self.world.home.claude / "sessions").glob("*.json"):
            try:
                told: dict[str, Any] = json.loads(path.read_text())
            except (OSError, ValueError):
                continue
            if told.get("sessionId") == self.record["conversation"]:
                return told
        return {}

    def pid(self) -> int:
        """The agent's own process, which is not the shell it was started by."""
        return int(wait_until(self.own_file)["pid"])

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid(), number)

    def ended(self, limit: float = 30) -> dict[str, Any]:
        """How the wrapper says that it ended, once it did."""
        path = self.folder / "ended.json"
        wait_until(path.exists, limit)
        found: dict[str, Any] = json.loads(path.read_text())
        return found

    def watch(self, *argv: str, minutes: float = 1.0) -> Watch:
        return Watch(self.name, "--workflow", "auto", "--timeout", str(minutes), *argv)

    def verdict(self, *argv: str, minutes: float = 1.0) -> dict[str, Any]:
        return self.watch(*argv, minutes=minutes).verdict(minutes * 60 + 30)


@contextmanager
def world(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world for one test; afterwards nothing of it runs."""
    # Codex works in nothing but repositories.
    subprocess.run(["git", "init", "--quiet", project], check=True)
    with Api() as api:
        scratch = Path(os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]).with_name("t")
        furnished = furnish(home, project, url=api.url, path=programs(), scratch=scratch)
        for name, value in furnished.environ.items():
            monkeypatch.setenv(name, value)
        try:
            yield World(api, furnished, project)
        finally:
            run("tmux-wrapper", "kill-all")
            tmux("kill-server")


def outcome(verdict: dict[str, Any]) -> tuple[str, str]:
    return verdict["final_state"], verdict["exit_reason"]


def instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    assert found.tzinfo is not None
    return found.astimezone(UTC)


def in_order(wanted: Sequence[str], events: Sequence[str]) -> bool:
    """Whether `events` holds the wanted ones in this order, others between them allowed."""
    rest = iter(events)
    return all(name in rest for name in wanted)


def at_work_in(project: Path) -> list[str]:
    """Programs whose working directory is the project, but for us and the tmux server."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid() and is_running(int(entry.name)):
            try:
                name = (entry / "comm").read_text().strip()
                if Path(os.readlink(entry / "cwd")).is_relative_to(project):
                    found.append(f"{entry.name} {name}")
            except OSError:
                continue
    return [program for program in found if "tmux" not in program]


def second_try(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A test of real agents that fails is tried once more, and the summary counts it as `rerun`."""
    if "agents_world" not in getattr(item, "fixturenames", ()):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        for report in reports:
            if report.failed:
                report.outcome = "rerun"  # type: ignore[assignment]
                item.ihook.pytest_runtest_logreport(report=report)
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
