"""What a real Codex tells us when it runs as we start it."""

import os
import signal
from pathlib import Path

import pytest

from tests.real.agents import World, at_work_in, needs, outcome
from tests.sessions import run, started, wait_until

pytestmark = needs("codex")
DONE = ("completed", "normal_completion")


def test_a_finished_turn_is_completed_with_its_last_message(agents_world: World) -> None:
    session = agents_world.start("canary:turn", "codex")
    verdict = session.verdict()
    assert outcome(verdict) == DONE
    assert verdict["last_message"] == "The canary sang. Nothing else to report."
    assert verdict["exit_code"] == 0
    assert verdict["last_message"] in Path(verdict["output_file"]).read_text()
    assert verdict["tokens"] > 0
    assert verdict["session_id"]


def test_its_tools_run_in_the_project(agents_world: World) -> None:
    verdict = agents_world.start("canary:write", "codex").verdict()
    assert outcome(verdict) == DONE
    assert verdict["last_message"] == "hello.txt is written."
    assert (agents_world.project / "hello.txt").read_text() == "hello\n"


@pytest.mark.parametrize(
    ("trial", "reason"),
    [
        pytest.param("unauthorized", "auth_error", id="401"),
        pytest.param("rate", "rate_limited", id="429"),
        pytest.param("overloaded", "api_error", id="529"),
        pytest.param("broken", "api_error", id="500"),
        pytest.param("drop", "api_error", id="connection-lost-in-the-reply"),
    ],
)
def test_a_failure_is_told_by_its_class(agents_world: World, trial: str, reason: str) -> None:
    session = agents_world.start(f"canary:{trial}", "codex")
    verdict = session.verdict()
    assert outcome(verdict) == ("incomplete", reason)
    assert verdict["exit_code"] == 1


def test_a_question_in_its_last_words_needs_an_answer(agents_world: World) -> None:
    verdict = agents_world.start("canary:question", "codex").verdict()
    assert outcome(verdict) == ("incomplete", "question")


@pytest.mark.parametrize("trial", ["stall", "hang"])
def test_silence_is_watched_until_the_deadline(agents_world: World, trial: str) -> None:
    session = agents_world.start(f"canary:{trial}", "codex")
    agents_world.asked(trial)
    # Codex gets half as much time again.
    assert outcome(session.verdict(minutes=0.06))[0] == "timeout"


def test_a_kill_is_a_crash(agents_world: World) -> None:
    session = agents_world.start("canary:stall", "codex")
    agents_world.asked("stall")
    os.kill(started(session.name)["agent_pid"], signal.SIGKILL)
    verdict = session.verdict()
    assert verdict["final_state"] == "crashed"


def test_nothing_of_it_is_left_after_a_kill(agents_world: World) -> None:
    session = agents_world.start("canary:bash:60", "codex")
    agents_world.asked("bash:60")
    wait_until(lambda: at_work_in(agents_world.project))
    assert run("tmux-wrapper", "kill", session.name).returncode == 0
    assert at_work_in(agents_world.project) == []


def test_a_missing_key_is_told(agents_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    verdict = agents_world.start("canary:turn", "codex").verdict()
    assert outcome(verdict) == ("incomplete", "auth_error")
    assert verdict["exit_code"] == 1


def test_an_agent_that_is_not_installed_is_a_crash_with_127(
    agents_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = agents_world.command("canary:turn", "codex")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    verdict = agents_world.start_command(command).verdict()
    assert (verdict["final_state"], verdict["exit_code"]) == ("crashed", 127)
