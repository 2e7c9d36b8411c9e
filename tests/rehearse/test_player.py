"""The scripted agent in a real pane: screens, clocks, dialogs and hook events."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rehearse.stage import Stage, wait_until

CLOCK_ROW = re.compile(r"  sample \| ctx\(\d+%\) \| (\d\d:\d\d:\d\d)( +● high · /effort)?")
SPINNER_ROW = re.compile(r"[·✢✳✶✻✽] \w+… \(.*tokens\)")


def clocks_in(log: Path) -> list[str]:
    """Every different clock the statusline showed, in order."""
    shown = re.findall(r"\| (\d\d:\d\d:\d\d)", log.read_text(errors="replace"))
    return list(dict.fromkeys(shown))


class TestATurn:
    def test_works_with_a_spinner_and_ends_with_the_rows_of_a_real_screen(
        self, stage: Stage
    ) -> None:
        stage.play("hello", "Say hello\nto Ada", tempo=1.0)
        stage.until_told("PreToolUse")
        working = stage.until_shown("☐ Answer it")
        assert any(SPINNER_ROW.fullmatch(row) for row in working)
        assert stage.fact("pane_title")[0] in "⠂⠐"
        done = stage.until_done()
        assert done[0].startswith("╭─── Claude Code")
        assert done[13:15] == ["❯ Say hello", "  to Ada"]
        assert re.fullmatch(r"✻ Baked for \d+s", done[-7])
        assert done[-6] == ""
        assert done[-5] == done[-3] == "─" * 200
        assert done[-4] == "❯\u00a0"
        assert CLOCK_ROW.fullmatch(done[-2])
        assert done[-1].startswith("  ⏵⏵ bypass permissions on")
        assert not any(SPINNER_ROW.match(row) for row in done)
        assert stage.fact("pane_title") == "✳ Rehearsal"
        assert stage.fact("cursor_y") == str(len(done) - 4)

    def test_tells_a_natural_set_of_events_in_order(self, stage: Stage) -> None:
        stage.play("hello")
        stop = stage.until_told("Stop")
        assert stage.told() == [
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "Stop",
        ]
        assert stop["last_assistant_message"] == "Hello. The request is answered."
        assert stop["background_tasks"] == stop["session_crons"] == []
        assert stop["cwd"] == str(stage.project)
        assert stop["transcript_path"].endswith(f"/{stop['session_id']}.jsonl")
        files = sorted(stage.events_folder.iterdir())
        assert files == sorted(files, key=lambda path: path.stat().st_mtime_ns)
        assert all(re.fullmatch(r"\d{20}-[A-Za-z]+\.json", path.name) for path in files)

    def test_stays_at_the_prompt_until_exit_is_typed(self, stage: Stage) -> None:
        stage.play("hello")
        stage.until_told("Stop")
        stage.type("/exit")
        stage.until_shown("❯\u00a0/exit")
        assert stage.fact("pane_dead") == "0"
        stage.type("Enter")
        assert stage.until_dead() == ("0", "")
        assert stage.events()[-1]["reason"] == "prompt_input_exit"
        assert b"\x1b[?2004h" in stage.log.read_bytes()
        wait_until(lambda: b"\x1b[?2004l" in stage.log.read_bytes(), "the end of bracketed paste")

    def test_an_old_done_line_stays_visible_while_the_second_turn_works(self, stage: Stage) -> None:
        stage.play("second-turn", tempo=0.05)
        stage.until_told("UserPromptSubmit", 2)
        rows = stage.until_shown("Running…")
        assert "✻ Baked for 3m 20s" in rows
        assert any(SPINNER_ROW.fullmatch(row) for row in rows)
        stage.until_told("Stop", 2)

    def test_quoted_done_lines_stand_above_an_empty_prompt_without_a_stop(
        self, stage: Stage
    ) -> None:
        stage.play("quoted-done", tempo=0.05)
        rows = stage.until_shown("✻ Finished for 2m 11s")
        assert "Stop" not in stage.told()
        assert "  tokens used: 12,345" in rows
        assert rows[-7:-2] == ["  ✻ Finished for 2m 11s", "", "─" * 200, "❯\u00a0", "─" * 200]
        stage.until_told("Stop")

    def test_a_file_drives_it(self, stage: Stage, tmp_path: Path) -> None:
        scenario = tmp_path / "driven.toml"
        scenario.write_text(
            'about = "x."\nacts = [{do="start"}, {do="turn"}, {do="await", path="go"},'
            ' {do="say", text="Went on.", seconds=1.0}, {do="compact"}, {do="done"}]'
        )
        stage.play(str(scenario))
        stage.until_shown("Working…")
        (stage.project / "go").touch()
        assert "● Went on." in stage.until_done()
        assert stage.told()[2:5] == ["PreCompact", "SubagentStop", "SessionStart"]

    def test_escape_interrupts_without_a_stop(self, stage: Stage) -> None:
        stage.play("second-turn", tempo=1.0)
        stage.until_told("PreToolUse")
        stage.type("Escape")
        rows = stage.until_shown("Interrupted")
        assert not any(SPINNER_ROW.match(row) for row in rows)
        assert stage.told().count("Stop") == 1


class TestClocks:
    @pytest.mark.parametrize(
        ("scenario", "before", "after"),
        [
            pytest.param("midnight", "23:59:5", "00:00:0", id="midnight"),
            pytest.param("clock-backwards", "14:00:0", "13:00:0", id="backwards"),
        ],
    )
    def test_jumps(self, stage: Stage, scenario: str, before: str, after: str) -> None:
        stage.play(scenario)
        stage.until_told("Stop")
        wait_until(lambda: any(c.startswith(after) for c in clocks_in(stage.log)), after)
        clocks = [clock[:7] for clock in clocks_in(stage.log)]
        assert clocks.index(before) < clocks.index(after)

    def test_twelve_hours_then_no_seconds_between_box_drawn_separators(self, stage: Stage) -> None:
        stage.play("clock-12h")
        stage.until_shown("  sample │ ctx(42%) │ 1:05:")
        assert " PM" in stage.rows()[-2]
        assert re.match(r"  sample │ ctx\(42%\) │ 13:0\d( |$)", stage.until_done()[-2])

    def test_a_silence_with_a_ticking_clock_writes_clocks_only(self, stage: Stage) -> None:
        stage.play("silent-clock-ticks", tempo=0.001)
        stage.until_told("Stop")
        assert len(clocks_in(stage.log)) > 5
        assert b"Working" in stage.log.read_bytes()

    def test_a_frozen_silence_writes_nothing_at_all(self, stage: Stage) -> None:
        stage.play("silent-clock-frozen", tempo=0.001)
        stage.until_told("Stop")
        before_the_end = stage.log.read_bytes().partition(b"Pondered")[0]
        assert before_the_end.count(b"Working") < 5, "drawn when something changed, not by a tick"

    def test_no_clock_at_all(self, stage: Stage) -> None:
        stage.play("silent-no-clock", tempo=0.001)
        stage.until_told("Stop")
        assert clocks_in(stage.log) == []
        assert "ctx(" not in stage.log.read_text(errors="replace")

    def test_clocks_in_the_transcript_leave_the_frozen_statusline_alone(self, stage: Stage) -> None:
        stage.play("fake-clocks")
        rows = stage.until_shown("  shop | ctx(7%) | 12:00:03")
        assert rows[-2].startswith("  sample | ctx(0%) | 12:00:00")


class TestDialogs:
    def test_a_permission_menu_hides_the_statusline_and_calls_for_a_person(
        self, stage: Stage
    ) -> None:
        stage.play("permission-menu")
        assert stage.until_told("PermissionRequest")["tool_name"] == "Bash"
        rows = stage.until_shown(" ❯ 1. Yes")
        assert not any(CLOCK_ROW.fullmatch(row) for row in rows)
        assert stage.until_told("Notification")["notification_type"] == "permission_prompt"
        stage.type("Enter")
        assert CLOCK_ROW.fullmatch(stage.until_done()[-2])

    def test_a_refused_permission_ends_the_turn_without_a_stop(self, stage: Stage) -> None:
        stage.play("permission-menu")
        stage.until_shown(" ❯ 1. Yes")
        stage.type("2")
        stage.until_shown("Interrupted")
        assert "Stop" not in stage.told()

    def test_a_question_takes_the_chosen_answer(self, stage: Stage) -> None:
        stage.play("question-dialog")
        assert stage.until_told("PermissionRequest")["tool_name"] == "AskUserQuestion"
        rows = stage.until_shown("❯ 1. SQLite")
        assert rows[-1] == "Enter to select · ↑/↓ to navigate · Esc to cancel"
        stage.type("2")
        stage.until_told("Stop")
        stage.until_shown("→ PostgreSQL")

    def test_a_question_in_text_ends_the_turn_and_a_typed_answer_begins_the_next(
        self, stage: Stage
    ) -> None:
        stage.play("question-text")
        assert stage.until_told("Stop")["last_assistant_message"].endswith("on read?")
        stage.type("on write", "Enter")
        assert stage.until_told("UserPromptSubmit", 2)["prompt"] == "on write"
        stage.until_told("Stop", 2)

    def test_the_trust_dialog_comes_before_any_event(self, stage: Stage) -> None:
        stage.play("startup-dialog")
        rows = stage.until_shown(" ❯ 1. Yes, I trust this folder")
        assert stage.told() == []
        assert not any("ctx(" in row for row in rows)
        stage.type("Enter")
        assert not any("trust this folder" in row for row in stage.until_done())

    def test_a_refused_folder_ends_with_one(self, stage: Stage) -> None:
        stage.play("startup-dialog")
        stage.until_shown(" ❯ 1. Yes, I trust this folder")
        stage.type("Escape")
        assert stage.until_dead() == ("1", "")


class TestTidings:
    def test_a_stop_with_a_background_task_is_followed_by_a_final_one(self, stage: Stage) -> None:
        stage.play("stop-with-background-task")
        assert len(stage.until_told("Stop")["background_tasks"]) == 1
        stage.until_shown("Cogitated for 0s · 1 shell still running")
        assert stage.until_told("Stop", 2)["background_tasks"] == []

    def test_a_rate_limit_is_a_failed_turn(self, stage: Stage) -> None:
        stage.play("stop-failure")
        stage.until_shown("API error · Retrying in 2s")
        assert stage.until_told("StopFailure")["error"] == "rate_limit"
        assert "Stop" not in stage.told()

    def test_without_hooks_only_the_screen_tells(self, stage: Stage) -> None:
        stage.play("no-hooks-done")
        stage.until_shown("✻ Crunched for")
        assert stage.told() == []
        assert "Rehearsal" not in stage.fact("pane_title")

    def test_an_unhandled_prompt_text_is_told_whole(self, stage: Stage) -> None:
        stage.play("done-other-verb", "naïve “quotes” 'and' $(dollars)")
        prompt = stage.until_told("UserPromptSubmit")["prompt"]
        assert prompt == "naïve “quotes” 'and' $(dollars)"
        stage.until_shown("✻ Sautéed for 1h 0m 5s")


def without_a_terminal(events: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    variables = {"STORY_AUTOMATOR_EVENTS": str(events), "STORY_AUTOMATOR_TEMPO": "0.01"}
    return subprocess.run(
        [sys.executable, "-m", "story_automator.rehearse", *argv],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=20,
        check=False,
    )


def told_in(events: Path) -> list[str]:
    return [path.stem.partition("-")[2] for path in sorted(events.glob("*.json"))]


def test_print_mode_is_plain_text_and_an_end(tmp_path: Path) -> None:
    done = without_a_terminal(tmp_path, "-p", "SCENARIO:print-mode")
    assert (done.returncode, done.stdout, done.stderr) == (0, "The answer is 42.\n", "")
    assert told_in(tmp_path) == ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]


def test_the_end_of_its_input_ends_an_idle_agent_after_its_turn(tmp_path: Path) -> None:
    assert without_a_terminal(tmp_path, "--scenario", "hello").returncode == 0
    assert told_in(tmp_path)[-2:] == ["Stop", "SessionEnd"]


def test_a_mistake_is_one_sentence_and_a_next_step(tmp_path: Path) -> None:
    done = without_a_terminal(tmp_path, "--scenario", "helo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("scripted agent: there is no scenario helo\n  next: choose")
