"""The canary with the real agents: it sings with the versions we know, and notices what is lost."""

import json
import os
import signal
import socketserver
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from story_automator.run.canary import KNOWN, is_new, last_canary
from story_automator.run.canary_stage import stage
from story_automator.run.trials import CLAUDE, SCRIPTS
from tests.real.agents import FOUND, needs, programs
from tests.sessions import living_in, run, wait_until

pytestmark = needs("claude")


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the canary of this test takes place, on a short path; the agents are on the PATH."""
    short = Path(os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]).parent
    monkeypatch.setenv("TMPDIR", str(short))
    monkeypatch.setenv("PATH", programs())
    return short


@pytest.mark.parametrize("agent", SCRIPTS)
def test_all_signals_arrive(agent: str, place: Path) -> None:
    if FOUND[agent] is None:
        pytest.skip(f"{agent} is not in .real/: bin/fetch-real gets it with npm")
    done = run("canary", agent, "--json", limit=150)
    answer = json.loads(done.stdout)
    wrong = [row for row in answer["trials"] if row["missing"] or not row["ok"]]
    assert (done.returncode, wrong) == (0, [])
    assert (answer["version"], answer["ok"]) == (KNOWN[agent], True)
    last = last_canary(agent)
    assert last is not None
    assert (last.version, last.ok, last.missing) == (KNOWN[agent], True, ())
    assert not is_new(agent, KNOWN[agent])
    assert list(place.iterdir()) == []


def test_an_agent_without_hooks_loses_signals() -> None:
    with stage(os.environ) as made:
        (made.home.claude / "settings.json").write_text('{"disableAllHooks": true}')
        (tried,) = made.run("claude", CLAUDE[:1], timedelta(seconds=30))
    assert (tried.as_expected, tried.ok) == (True, False)
    assert tried.missing == ["SessionStart", "UserPromptSubmit", "Stop", "heartbeat"]


class Proxy(socketserver.ThreadingTCPServer):
    """Keeps the first line of every call, and lets none through."""

    daemon_threads = True

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        super().__init__(("127.0.0.1", 0), Refusal)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Refusal(socketserver.StreamRequestHandler):
    server: Proxy

    def handle(self) -> None:
        self.server.calls.append(self.rfile.readline())


@pytest.mark.parametrize("agent", SCRIPTS)
def test_nobody_but_the_loopback_api_is_called(agent: str) -> None:
    if FOUND[agent] is None:
        pytest.skip(f"{agent} is not in .real/: bin/fetch-real gets it with npm")
    first = SCRIPTS[agent][0][0][:2]
    with Proxy() as proxy, stage(os.environ) as made:
        threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True).start()
        proxied = {"HTTPS_PROXY": proxy.url, "https_proxy": proxy.url, "NO_PROXY": "127.0.0.1"}
        home = replace(made.home, environ={**made.home.environ, **proxied})
        tried = list(replace(made, home=home).run(agent, first, timedelta(seconds=30)))
        proxy.shutdown()
    assert [each.ok for each in tried] == [True, True]
    assert proxy.calls == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_interrupted_canary_leaves_nothing(number: signal.Signals, place: Path) -> None:
    command = [sys.executable, "-m", "story_automator", "canary", "claude"]
    canary = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests may ignore it, and what is ignored is inherited.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    try:
        (agent,) = wait_until(lambda: list(place.glob("*/h/.claude/sessions/*.json"))[:1])
        home = agent.parents[2]
        canary.send_signal(number)
        _, err = canary.communicate(timeout=30)
    finally:
        canary.kill()
        canary.communicate()
    assert canary.returncode == 128 + number, err
    assert "Traceback" not in err
    assert list(place.iterdir()) == []
    assert not living_in(home)
    assert last_canary("claude") is None
