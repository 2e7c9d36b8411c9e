"""How a living TUI's turn is judged: by its hooks, its clock and the shape of its screen."""

import os
import signal
from pathlib import Path

import pytest

from tests.sessions import (
    Watch,
    agent,
    policy,
    run,
    scene,
    session_folder,
    sessions,
    spawn,
    started,
    tmux,
    verdict,
    wait_until,
)

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")

QUICK = {"quiet_limit": 2, "quiet_limit_clockless": 4, "grace": 1, "screen_every": 0.5, "tick": 0.2}


def events(name: str) -> list[str]:
    folder = session_folder(name) / "events"
    return [path.stem.split("-", 1)[1] for path in sorted(folder.glob("*.json"))]


def screen(name: str) -> str:
    return tmux("capture-pane", "-p", "-t", f"={name}:")


class TestHooks:
    def test_stop_ends_the_turn_while_the_process_lives_on(self) -> None:
        name = spawn(agent("hello", "Say hello", tempo=0.2))
        answer = verdict(name)
        assert (answer["final_state"], answer["exit_reason"]) == ("completed", "normal_completion")
        assert "Stop hook" in answer["evidence"]
        assert answer["exit_code"] is None
        assert "Hello. The request is answered." in Path(answer["output_file"]).read_text()
        assert Path(f"/proc/{started(name)['agent_pid']}").exists()

    @pytest.mark.parametrize(
        ("scenario", "state", "reason"),
        [
            pytest.param("stop-failure", "incomplete", "rate_limited", id="stop-failure"),
            pytest.param("crash-mid-turn", "crashed", "", id="crash-in-mid-turn"),
            pytest.param("crash-after-stop", "completed", "", id="crash-after-stop"),
            pytest.param("exit-three", "crashed", "exit_code_3", id="exit-code"),
            pytest.param("killed", "crashed", "exit_code_137", id="kill-9"),
            pytest.param("permission-menu", "stuck", "permission_prompt", id="permission"),
            pytest.param("question-dialog", "stuck", "waiting_for_input", id="question"),
            pytest.param(
                "question-text", "incomplete", "question", id="question-at-the-end-of-a-turn"
            ),
            pytest.param("stop-with-background-task", "completed", "", id="second-stop"),
            pytest.param("print-mode", "completed", "normal_completion", id="print-mode"),
            pytest.param("many-lines", "completed", "", id="many-lines"),
            pytest.param("not-utf8", "completed", "", id="not-utf8"),
        ],
    )
    def test_scenario(self, scenario: str, state: str, reason: str) -> None:
        answer = verdict(spawn(agent(scenario, "Do it", tempo=0.1)), limit=60)
        assert answer["final_state"] == state, answer
        assert reason in answer["exit_reason"]

    def test_a_stop_with_background_work_is_waited_through(self) -> None:
        name = spawn(agent("stop-with-background-task", "Do it", tempo=0.1))
        verdict(name)
        assert events(name).count("Stop") == 2

    def test_leaving_in_mid_turn_with_exit_0_is_a_crash(self, tmp_path: Path) -> None:
        mine = scene(
            tmp_path,
            'about = "leaves"\nacts = [{do="start"}, {do="turn"}, {do="wait", seconds=0.3},'
            ' {do="exit", code=0}]',
        )
        answer = verdict(spawn(agent(mine, "Do it")))
        assert (answer["final_state"], answer["exit_reason"]) == ("crashed", "exit_code_0")

    def test_an_event_with_broken_content_still_happened(self) -> None:
        name = spawn("exec sleep 300")
        watch = Watch(name)
        wait_until((session_folder(name) / "watch" / "memory.json").exists)
        folder = session_folder(name) / "events"
        (folder / ".tmp").write_bytes(b"\xff{")
        (folder / ".tmp").rename(folder / "9-Stop.json")
        assert watch.verdict()["final_state"] == "completed"


class TestVerifier:
    def test_a_finished_session_without_its_story_file_is_incomplete(self) -> None:
        name = spawn("true", step="create")
        answer = verdict(name, "--workflow", "create", "--story-key", "5.3")
        assert answer["final_state"] == "incomplete"
        assert answer["exit_reason"] == "unexpected_story_artifact_count"
        assert answer["output_verified"] is False

    def test_with_exactly_one_story_file_it_is_completed(self) -> None:
        name = spawn("echo x >_bmad-output/implementation-artifacts/5-3-login.md", step="create")
        answer = verdict(name, "--workflow", "create", "--story-key", "5.3")
        assert answer["exit_reason"] == "verified_complete"
        assert answer["output_verified"] is True

    def test_the_project_of_the_session_counts_not_the_watchers_folder(
        self, tmp_path: Path
    ) -> None:
        name = spawn("echo x >_bmad-output/implementation-artifacts/5-3-login.md", step="create")
        done = run(
            "monitor-session", name, "--workflow", "create", "--story-key", "5.3", cwd=tmp_path
        )
        assert done.stdout.startswith("completed,")

    def test_a_key_is_required_where_a_story_is_verified(self) -> None:
        answer = verdict(spawn("true"), "--workflow", "review")
        assert (answer["final_state"], answer["exit_reason"]) == (
            "incomplete",
            "story_key_required",
        )


class TestShapes:
    @pytest.mark.parametrize("scenario", ["no-hooks-done", "done-other-verb", "short-screen"])
    def test_without_hooks_the_shape_of_the_screen_ends_the_turn(self, scenario: str) -> None:
        name = spawn(agent(scenario, "Do it", tempo=0.2))
        answer = verdict(name)
        assert answer["final_state"] == "completed"
        if scenario == "no-hooks-done":
            assert events(name) == []
            assert "looks" in answer["evidence"]

    @pytest.mark.parametrize("scenario", ["quoted-done", "second-turn"])
    def test_words_on_the_screen_finish_nothing(self, scenario: str, tmp_path: Path) -> None:
        text = (Path(__file__).parents[2] / "fixtures/scenarios" / f"{scenario}.toml").read_text()
        mine = scene(tmp_path, text.replace("about =", "hooks = false\nabout =", 1))
        name = spawn(agent(mine, "Do it", tempo=0.2))
        watch = Watch(name)
        answer = watch.verdict(60)
        assert answer["final_state"] == "completed"
        # The words stood there long before; only the last turn's end counts.
        last = [row for row in screen(name).splitlines() if row.strip()]
        assert any(row.startswith("✻") for row in last[-7:]), last

    def test_a_permission_menu_is_seen_without_hooks(self, tmp_path: Path) -> None:
        mine = scene(
            tmp_path,
            'about = "asks"\nhooks = false\nacts = [{do="start"}, {do="turn"},'
            ' {do="permission", command="rm -rf build"}]',
        )
        answer = verdict(spawn(agent(mine, "Do it")))
        assert (answer["final_state"], answer["exit_reason"]) == ("stuck", "permission_prompt")

    def test_a_trust_dialog_at_the_start_is_reported(self) -> None:
        answer = verdict(spawn(agent("startup-dialog", "Do it")))
        assert (answer["final_state"], answer["exit_reason"]) == ("stuck", "startup_dialog")


class TestClock:
    @pytest.mark.parametrize(
        "scenario",
        ["silent-clock-ticks", "midnight", "clock-backwards", "clock-12h"],
    )
    def test_a_moving_clock_is_alive_however_silent_it_is(self, scenario: str) -> None:
        policy(**QUICK)
        name = spawn(agent(scenario, "Do it"))
        answer = verdict(name, "--timeout", "0.15", limit=60)
        assert answer["final_state"] in ("timeout", "completed"), answer

    @pytest.mark.parametrize("scenario", ["silent-clock-frozen", "fake-clocks"])
    def test_a_frozen_clock_is_stuck(self, scenario: str) -> None:
        policy(**QUICK)
        answer = verdict(spawn(agent(scenario, "Do it")), "--timeout", "1", limit=60)
        assert (answer["final_state"], answer["exit_reason"]) == ("stuck", "no_progress")
        assert "the clock stood at" in answer["evidence"]

    def test_no_clock_at_all_is_stuck_after_the_longer_limit(self) -> None:
        policy(**QUICK)
        answer = verdict(spawn(agent("silent-no-clock", "Do it")), "--timeout", "1", limit=60)
        assert answer["final_state"] == "stuck"
        assert "no clock was ever shown" in answer["evidence"]

    def test_a_stopped_agent_is_stuck(self) -> None:
        policy(**QUICK)
        name = spawn(agent("silent-clock-ticks", "Do it"))
        watch = Watch(name, "--timeout", "1")
        wait_until(lambda: "UserPromptSubmit" in events(name))
        wait_until(lambda: "|" in screen(name))
        pid = started(name)["agent_pid"]
        os.kill(pid, signal.SIGSTOP)
        assert watch.verdict(60)["final_state"] == "stuck"

    def test_a_silent_program_that_computes_is_alive(self) -> None:
        policy(**QUICK)
        name = spawn("timeout 9 sh -c 'while :; do :; done'; exit 4")
        assert verdict(name, limit=60)["exit_reason"] == "exit_code_4"

    def test_the_last_clock_survives_the_watcher(self) -> None:
        name = spawn(agent("silent-clock-frozen", "Do it"))
        wait_until(lambda: "|" in screen(name))
        run("tmux-status-check", name)
        memory = (session_folder(name) / "watch" / "memory.json").read_text()
        assert '"clock": ""' not in memory
        assert '"clock": "' in memory


class TestOutput:
    def test_todo_boxes_are_counted(self, tmp_path: Path) -> None:
        mine = scene(
            tmp_path,
            'about = "boxes"\nacts = [{do="start"}, {do="turn"},'
            ' {do="print", text="  ☒ read\\n  ☒ write\\n  ☐ test"}, {do="done"}]',
        )
        answer = verdict(spawn(agent(mine, "Do it")))
        assert (answer["todos_done"], answer["todos_total"]) == (2, 3)

    def test_an_alternate_screen_program_leaves_its_text(self) -> None:
        answer = verdict(spawn(agent("alternate-screen", "Do it", tempo=0.1)))
        text = Path(answer["output_file"]).read_text()
        assert len(text.strip()) > 100

    def test_a_box_drawn_table_is_kept(self) -> None:
        answer = verdict(spawn(agent("cjk-table", "Do it", tempo=0.1)))
        text = Path(answer["output_file"]).read_text()
        assert "│" in text
        assert "┼" in text

    def test_a_key_in_the_pane_is_masked_in_the_file(self) -> None:
        name = spawn("echo sk-ant-api03-abcdefghijklmnopqrstuvwxyz; echo GITHUB_TOKEN=ghp_123")
        text = Path(verdict(name)["output_file"]).read_text()
        assert "abcdefghij" not in text
        assert "ghp_123" not in text
