"""How a real Claude ends: by itself, by a person, by a signal, or not at all."""

import json
import os
import signal
from pathlib import Path

import pytest

from story_automator.run.agent_home import asks_first
from tests.real.agents import Session, World, at_work_in, needs, outcome
from tests.sessions import is_running, run, started, wait_until

pytestmark = needs("claude")
DONE = ("completed", "normal_completion")


def at_work(agents_world: World) -> Session:
    """A session in mid-turn, with a tool running."""
    session = agents_world.start("canary:bash:60")
    session.event("PreToolUse")
    return session


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGTERM, 143, id="SIGTERM"),
        pytest.param(signal.SIGHUP, 129, id="SIGHUP"),
    ],
)
def test_a_signal_that_it_catches_is_a_crash_with_its_code(
    agents_world: World, number: signal.Signals, code: int
) -> None:
    session = at_work(agents_world)
    session.kill(number)
    verdict = session.verdict()
    assert verdict["final_state"] == "crashed"
    assert (verdict["exit_code"], verdict["signal"]) == (code, None)
    assert session.event("SessionEnd")["reason"] == "other"
    assert "Stop" not in session.events


def test_an_exit_with_zero_in_mid_turn_is_no_success(agents_world: World) -> None:
    session = at_work(agents_world)
    session.kill(signal.SIGINT)
    assert session.ended()["code"] == 0
    assert outcome(session.verdict()) == ("crashed", "exit_code_0")
    assert "Stop" not in session.events


def test_a_kill_is_a_crash_and_nobody_says_goodbye(agents_world: World) -> None:
    session = at_work(agents_world)
    stale = session.own_file()
    session.kill(signal.SIGKILL)
    verdict = session.verdict()
    assert verdict["final_state"] == "crashed"
    assert (verdict["exit_code"], verdict["signal"]) in [(None, 9), (137, None)]
    assert "SessionEnd" not in session.events
    assert session.own_file()["pid"] == stale["pid"]
    assert not is_running(stale["pid"])


def test_a_kill_of_everything_leaves_no_record_and_is_a_crash_all_the_same(
    agents_world: World,
) -> None:
    session = at_work(agents_world)
    for pid in (started(session.name)["wrapper_pid"], session.pid()):
        os.kill(pid, signal.SIGKILL)
    assert session.verdict()["final_state"] == "crashed"
    assert not (session.folder / "ended.json").exists()


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param([("/exit", "Enter")], id="exit-command"),
        pytest.param([("C-c",), ("C-c",)], id="ctrl-c-twice"),
        pytest.param([("C-d",), ("C-d",)], id="ctrl-d-twice"),
    ],
)
def test_leaving_after_the_turn_does_not_undo_it(
    agents_world: World, keys: list[tuple[str, ...]]
) -> None:
    session = agents_world.start("canary:turn")
    session.event("Stop")
    wait_until(lambda: session.own_file().get("status") == "idle")
    for number, stroke in enumerate(keys):
        session.type(*stroke)
        if number == 0 and len(keys) > 1:
            wait_until(lambda: "again to exit" in session.screen)
    assert session.ended()["code"] == 0
    assert session.event("SessionEnd")["reason"] == "prompt_input_exit"
    verdict = session.verdict()
    assert outcome(verdict) == DONE
    assert verdict["exit_code"] == 0


@pytest.mark.parametrize("hooks", [True, False], ids=["by-hooks", "without-hooks"])
def test_a_turn_that_a_person_stopped_is_interrupted(agents_world: World, *, hooks: bool) -> None:
    if not hooks:
        agents_world.without_hooks()
    session = agents_world.start("canary:slow:60")
    agents_world.asked("slow:60")
    wait_until(lambda: "The canary sings" in session.screen)
    session.type("Escape")
    wait_until(lambda: "Interrupted" in session.screen)
    assert outcome(session.verdict()) == ("incomplete", "interrupted")
    assert "Stop" not in session.events


def test_a_refused_permission_is_an_interruption(agents_world: World) -> None:
    asks_first(agents_world.project)
    session = agents_world.start("canary:permission")
    session.event("PermissionRequest")
    wait_until(lambda: "Esc to cancel" in session.screen)
    session.type("Escape")
    wait_until(lambda: session.own_file().get("status") == "idle")
    assert outcome(session.verdict()) == ("incomplete", "interrupted")


def test_a_project_that_is_not_trusted_ends_it_at_once(agents_world: World) -> None:
    path = agents_world.home.folder / ".claude.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "projects": {}}))
    session = agents_world.start("canary:turn")
    wait_until(lambda: "trust" in session.screen)
    session.type("Escape")
    verdict = session.verdict()
    assert verdict["final_state"] == "crashed"
    assert verdict["exit_code"] == 1
    assert session.events == []


def test_an_agent_that_is_not_installed_is_a_crash_with_127(
    agents_world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = agents_world.command("canary:turn")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    verdict = agents_world.start_command(command).verdict()
    assert verdict["final_state"] == "crashed"
    assert verdict["exit_code"] == 127


def test_a_stopped_agent_is_stuck(agents_world: World) -> None:
    agents_world.configure(quiet_limit=3, quiet_limit_clockless=6, grace=1)
    session = agents_world.start("canary:think:60")
    agents_world.asked("think:60")
    wait_until((session.folder / "agent" / "heartbeat.json").exists)
    session.kill(signal.SIGSTOP)
    try:
        assert session.verdict()["final_state"] == "stuck"
    finally:
        session.kill(signal.SIGCONT)


def test_nothing_of_it_is_left_after_a_kill(agents_world: World) -> None:
    session = agents_world.start("canary:background:60")
    session.event("Stop")
    assert at_work_in(agents_world.project)
    assert run("tmux-wrapper", "kill", session.name).returncode == 0
    assert at_work_in(agents_world.project) == []
