"""What a real Claude tells us, by its best signal and by the one that is left without hooks."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from story_automator.run.agent_home import asks_first
from tests.real.agents import Session, World, in_order, needs, outcome
from tests.sessions import wait_until

pytestmark = needs("claude")
SONG = "The canary sang. Nothing else to report."
DONE = ("completed", "normal_completion")

told_by = pytest.mark.parametrize(
    "prepare",
    [
        pytest.param(lambda _: None, id="by-hooks"),
        pytest.param(World.without_hooks, id="without-hooks"),
    ],
)
Prepare = Callable[[World], None]


class TestTheTurn:
    def test_its_end_is_told_by_the_stop_hook(self, agents_world: World) -> None:
        verdict = agents_world.start("canary:turn").verdict()
        assert outcome(verdict) == DONE
        assert "Stop hook" in verdict["evidence"]

    def test_it_goes_on_while_a_stop_hook_of_the_user_sends_it_back(
        self, agents_world: World, tmp_path: Path
    ) -> None:
        once = tmp_path / "once"
        script = tmp_path / "back-to-work"
        script.write_text(
            f"[ -e {once} ] && exit; touch {once}; sleep 4; echo 'Go on.' >&2; exit 2"
        )
        hook = {"type": "command", "command": f"sh {script}"}
        agents_world.user_settings({"hooks": {"Stop": [{"hooks": [hook]}]}})
        session = agents_world.start("canary:turn")
        assert outcome(session.verdict()) == DONE
        assert session.events.count("Stop") == 2

    def test_its_end_is_told_without_hooks_too(self, agents_world: World) -> None:
        agents_world.without_hooks()
        session = agents_world.start("canary:turn")
        assert outcome(session.verdict()) == DONE
        assert session.events == []

    @told_by
    def test_its_last_message_is_whole(self, agents_world: World, prepare: Prepare) -> None:
        prepare(agents_world)
        verdict = agents_world.start("canary:claim").verdict()
        told = "✅ Done! The story is complete, all tests pass, status: done."
        assert verdict["last_message"] == told
        assert told in Path(verdict["output_file"]).read_text()

    @told_by
    def test_a_long_reply_is_whole_in_the_output(
        self, agents_world: World, prepare: Prepare
    ) -> None:
        prepare(agents_world)
        verdict = agents_world.start("canary:long:400").verdict()
        assert verdict["last_message"].split("\n") == [f"line {n + 1}" for n in range(400)]
        assert verdict["last_message"] in Path(verdict["output_file"]).read_text()

    def test_the_verdict_names_conversation_transcript_and_cost(self, agents_world: World) -> None:
        session = agents_world.start("canary:bash:3")  # long enough for a heartbeat that knows
        verdict = session.verdict()
        assert verdict["session_id"] == session.record["conversation"]
        assert verdict["last_message"] in Path(verdict["transcript"]).read_text()
        assert verdict["tokens"] > 0
        assert verdict["cost_usd"] > 0
        assert 0 <= verdict["context_pct"] <= 100

    @told_by
    def test_a_failure_is_told(self, agents_world: World, prepare: Prepare) -> None:
        prepare(agents_world)
        assert outcome(agents_world.start("canary:credit").verdict()) == (
            "incomplete",
            "auth_error",
        )

    @told_by
    def test_a_question_in_its_last_words_needs_an_answer(
        self, agents_world: World, prepare: Prepare
    ) -> None:
        prepare(agents_world)
        assert outcome(agents_world.start("canary:question").verdict()) == (
            "incomplete",
            "question",
        )

    def test_work_left_in_the_background_keeps_it_open(self, agents_world: World) -> None:
        session = agents_world.start("canary:background:4")
        verdict = session.verdict()
        assert outcome(verdict) == DONE
        assert session.events.count("Stop") == 2
        first = json.loads(session.event_file("Stop").read_text())
        assert first["background_tasks"]

    def test_a_sub_agent_does_not_end_it(self, agents_world: World) -> None:
        session = agents_world.start("canary:agent:1")
        verdict = session.verdict()
        assert outcome(verdict) == DONE
        assert in_order(["SubagentStop", "Stop"], session.events)
        assert verdict["last_message"] == "The agent is back."

    def test_compaction_does_not_end_it(self, agents_world: World) -> None:
        session = agents_world.start("canary:compact")
        verdict = session.verdict()
        assert outcome(verdict) == DONE
        assert in_order(["UserPromptSubmit", "PreCompact", "SessionStart", "Stop"], session.events)
        assert verdict["last_message"] == SONG


class TestMidTurn:
    @told_by
    def test_a_stream_that_stalls_is_not_done(self, agents_world: World, prepare: Prepare) -> None:
        prepare(agents_world)
        session = agents_world.start("canary:stall")
        agents_world.asked("stall")
        wait_until(lambda: "The first verse is sung" in session.screen)
        assert outcome(session.verdict(minutes=0.1))[0] == "timeout"
        assert session.own_file()["status"] == "busy"
        assert session.title[0] in "⠂⠐"

    @told_by
    def test_words_that_arrive_slowly_are_awaited(
        self, agents_world: World, prepare: Prepare
    ) -> None:
        prepare(agents_world)
        began = time.monotonic()
        verdict = agents_world.start("canary:slow:5").verdict()
        assert outcome(verdict) == DONE
        assert time.monotonic() - began > 5
        assert verdict["last_message"].startswith("The canary sings one verse")

    def test_thinking_is_never_stuck(self, agents_world: World) -> None:
        agents_world.configure(quiet_limit=2, quiet_limit_clockless=2, grace=1)
        verdict = agents_world.start("canary:think:12").verdict()
        assert outcome(verdict) == DONE
        assert verdict["last_message"] == "I have thought about it."

    def test_every_step_is_told(self, agents_world: World) -> None:
        session = agents_world.start("canary:steps:3")
        assert outcome(session.verdict()) == DONE
        steps = ["PreToolUse", "PostToolUse"] * 3
        begin = ["SessionStart", "UserPromptSubmit"]
        assert in_order([*begin, *steps, "Stop"], session.events)

    def test_the_heartbeat_beats_while_a_tool_runs(self, agents_world: World) -> None:
        session = agents_world.start("canary:bash:8")
        beat = session.folder / "agent" / "heartbeat.json"
        session.event("PreToolUse")
        before = beat.stat().st_mtime_ns if beat.exists() else 0
        wait_until(lambda: beat.exists() and beat.stat().st_mtime_ns > before)
        assert "PostToolUse" not in session.events
        assert json.loads(beat.read_text())["session_id"] == session.record["conversation"]


def asking(agents_world: World) -> Session:
    """A session whose agent has to ask before it runs its command."""
    asks_first(agents_world.project)
    return agents_world.start("canary:permission")


class TestDialogs:
    def test_a_permission_prompt_is_told_by_its_hook(self, agents_world: World) -> None:
        verdict = asking(agents_world).verdict()
        assert outcome(verdict) == ("stuck", "permission_prompt")
        assert "PermissionRequest hook" in verdict["evidence"]

    def test_a_permission_prompt_is_told_without_hooks_too(self, agents_world: World) -> None:
        agents_world.without_hooks()
        session = asking(agents_world)
        assert outcome(session.verdict()) == ("stuck", "permission_prompt")
        assert session.own_file()["status"] == "waiting"

    @told_by
    def test_a_menu_waits_for_input(self, agents_world: World, prepare: Prepare) -> None:
        prepare(agents_world)
        session = agents_world.start("canary:ask")
        assert outcome(session.verdict()) == ("stuck", "waiting_for_input")

    def test_edits_are_made_without_asking_where_they_are_accepted(
        self, agents_world: World
    ) -> None:
        agents_world.configure(permissions="acceptEdits")
        assert outcome(agents_world.start("canary:write").verdict()) == DONE
        assert (agents_world.project / "hello.txt").read_text() == "hello\n"

    def test_an_answered_dialog_needs_nobody(self, agents_world: World) -> None:
        session = asking(agents_world)
        session.event("PermissionRequest")
        wait_until(lambda: "❯ 1. Yes" in session.screen)
        session.type("Enter")
        assert outcome(session.verdict()) == DONE


def edited(home: Path, **changes: Any) -> None:
    path = home / ".claude.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


class TestStartup:
    @pytest.mark.parametrize(
        "changes",
        [
            pytest.param({"projects": {}}, id="an-untrusted-project"),
            pytest.param(
                {"customApiKeyResponses": {"approved": [], "rejected": []}}, id="an-unapproved-key"
            ),
        ],
    )
    def test_a_dialog_at_the_start_is_told(
        self, agents_world: World, changes: dict[str, Any]
    ) -> None:
        edited(agents_world.home.folder, **changes)
        session = agents_world.start("canary:turn")
        assert outcome(session.verdict()) == ("stuck", "startup_dialog")

    def test_hooks_of_user_and_project_run_beside_ours(self, agents_world: World) -> None:
        def stop_hook(mark: str) -> dict[str, object]:
            command = {"type": "command", "command": f"touch {agents_world.project}/{mark}"}
            return {"hooks": {"Stop": [{"hooks": [command]}]}}

        agents_world.user_settings(stop_hook("user-stop"))
        agents_world.project_settings(stop_hook("project-stop"))
        session = agents_world.start("canary:turn")
        assert outcome(session.verdict()) == DONE
        for mark in ("user-stop", "project-stop"):
            wait_until((agents_world.project / mark).exists)

    def test_a_claude_inside_the_session_does_not_end_the_outer_turn(
        self, agents_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        inner = agents_world.command("canary:turn").replace("claude ", "claude -p ", 1)
        assert " -p " in inner
        tools = tmp_path / "tools"
        tools.mkdir()
        shim = tools / "python3"
        shim.write_text(f"#!/bin/sh\n({inner}) >{tmp_path}/inner.txt 2>&1\nexec /bin/sleep 3\n")
        shim.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}:{agents_world.home.environ['PATH']}")
        session = agents_world.start("canary:bash:1")
        verdict = session.verdict()
        assert outcome(verdict) == DONE
        assert verdict["last_message"] == "The command has run."
        assert SONG in (tmp_path / "inner.txt").read_text()
        assert session.events.count("Stop") == 1
        assert session.events.count("SessionStart") == 1
