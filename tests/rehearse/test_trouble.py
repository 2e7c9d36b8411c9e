"""The scripted agent going wrong in a real pane, and really working on a project."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rehearse.stage import Stage, alive, end, wait_until

ARTIFACTS = "_bmad-output/implementation-artifacts"


class TestEnds:
    @pytest.mark.parametrize(
        ("scenario", "code", "number", "told"),
        [
            pytest.param("exit-zero", "0", "", "SessionEnd", id="clean-end"),
            pytest.param("exit-three", "3", "", "UserPromptSubmit", id="code-three"),
            pytest.param("killed", "", "9", "UserPromptSubmit", id="really-killed"),
            pytest.param("crash-mid-turn", "1", "", "PreToolUse", id="crash-in-mid-turn"),
            pytest.param("crash-after-stop", "", "9", "Stop", id="crash-after-the-turn"),
        ],
    )
    def test_process_ends(
        self, stage: Stage, scenario: str, code: str, number: str, told: str
    ) -> None:
        stage.play(scenario)
        assert stage.until_dead() == (code, number)
        assert stage.told()[-1] == told

    @pytest.mark.parametrize(
        ("number", "code"),
        [(signal.SIGTERM, "143"), (signal.SIGHUP, "129"), (signal.SIGINT, "0")],
        ids=["term", "hup", "int"],
    )
    def test_a_signal_makes_it_leave_with_a_word(
        self, stage: Stage, number: int, code: str
    ) -> None:
        stage.play("silent-clock-ticks", tempo=1.0)
        stage.until_shown("Working…")
        os.kill(int(stage.fact("pane_pid")), number)
        assert stage.until_dead() == (code, "")
        assert stage.events()[-1]["reason"] == "other"
        assert any("claude --resume" in row for row in stage.rows())

    def test_one_that_ignores_term_and_hup_outlives_its_terminal(self, stage: Stage) -> None:
        stage.play("ignores-term", tempo=1.0)
        stage.until_shown("I will not be hurried.")
        pid = int(stage.fact("pane_pid"))
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGHUP)
        stage.tmux("kill-server")
        wait_until(lambda: lost(pid), "the loss of its terminal")
        assert alive(pid)
        end(pid)

    def test_detached_children_are_found_by_their_environment_only(self, stage: Stage) -> None:
        stage.play("detached-children", tempo=1.0)
        stage.until_told("Stop")
        agent = int(stage.fact("pane_pid"))
        children = [pid for pid in carrying(str(stage.events_folder)) if pid != agent]
        try:
            wait_until(lambda: all(comm(pid) == "sleep" for pid in children), "only sleepers")
            assert len(children) == 20
            assert {os.getsid(pid) for pid in children}.isdisjoint({agent, os.getsid(agent)})
            assert all(parent(pid) != agent for pid in children)
        finally:
            for pid in children:
                end(pid)


def stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def parent(pid: int) -> int:
    return int(stat(pid)[1])


def lost(pid: int) -> bool:
    """The controlling terminal is gone."""
    return stat(pid)[4] == "0"


def comm(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def carrying(value: str) -> list[int]:
    """Processes whose environment names this test's own events folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if f"STORY_AUTOMATOR_EVENTS={value}\0".encode() in environment:
                found.append(int(entry.name))
    return found


class TestHardOutput:
    def test_every_one_of_a_hundred_thousand_lines_is_said(self, stage: Stage) -> None:
        stage.play("many-lines")
        assert stage.until_dead() == ("0", "")
        wait_until(lambda: b"VERDICT" in stage.log.read_bytes(), "the last line in the log")
        numbers = re.findall(rb"line (\d{6}) of a very long reply\r\n", stage.log.read_bytes())
        assert numbers == [b"%06d" % n for n in range(1, 100_001)]

    def test_bytes_that_are_no_utf8_are_written_as_they_are(self, stage: Stage) -> None:
        stage.play("not-utf8")
        stage.until_told("Stop")
        wait_until(lambda: b"caf\xe9 \xc3( \xf0\x9f\x92" in stage.log.read_bytes(), "raw bytes")

    def test_a_table_of_wide_characters_is_drawn_straight(self, stage: Stage) -> None:
        stage.play("cjk-table")
        rows = stage.until_done()
        assert "  │ 単体テスト │ 41     │ 0      │" in rows
        assert "  │ end-to-end │ 7      │ 3      │" in rows

    def test_the_alternate_screen_leaves_no_trace_on_the_normal_one(self, stage: Stage) -> None:
        stage.play("alternate-screen", tempo=2.0)
        stage.until_shown("RESULT: 12 passed")
        assert stage.fact("alternate_on") == "1"
        assert stage.until_dead() == ("0", "")
        assert not any("RESULT" in row for row in stage.rows())

    def test_a_short_screen_has_its_prompt_far_above_the_bottom(self, stage: Stage) -> None:
        stage.play("short-screen")
        assert len(stage.until_done()) < 15


class TestAStoryOfTheSampleProject:
    def test_is_really_worked_on_by_an_agent_called_claude(self, stage: Stage) -> None:
        shim = stage.project.parent / "bin" / "claude"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m story_automator.rehearse "$@"\n')
        shim.chmod(0o755)
        sprint = stage.project / ARTIFACTS / "sprint-status.yaml"
        comments = re.findall(r"#.*", sprint.read_text())
        story = stage.project / ARTIFACTS / "1-1-good-morning.md"

        def step(skill: str, about: str = "story 1.1") -> list[str]:
            prompt = f"READ this skill first: .claude/skills/{skill}/SKILL.md\nWork on {about}."
            before = stage.told().count("Stop")
            path = shlex.quote(f"{shim.parent}:{os.environ['PATH']}")
            stage.run(
                f"env PATH={path} claude --dangerously-skip-permissions {shlex.quote(prompt)}",
                STORY_AUTOMATOR_TEMPO="0.05",
            )
            stage.until_told("Stop", before + 1)
            return [
                row.strip()
                for row in sprint.read_text().splitlines()
                if re.match(r"  (epic-1|1-1)", row)
            ]

        assert step("bmad-create-story")[:2] == [
            "epic-1: in-progress",
            "1-1-good-morning: ready-for-dev",
        ]
        assert "\nStatus: ready-for-dev\n" in story.read_text()
        assert step("bmad-dev-story")[1] == "1-1-good-morning: review"
        assert "\nStatus: review\n" in story.read_text()
        assert unit_tests(stage.project) == 2
        step("bmad-qa-generate-e2e-tests")
        assert unit_tests(stage.project) == 3
        assert step("bmad-story-automator-review")[1] == "1-1-good-morning: done"
        assert "\nStatus: done\n" in story.read_text()
        assert step("bmad-retrospective", "epic 1")[0] == "epic-1: done"
        assert re.findall(r"#.*", sprint.read_text()) == comments

    def test_an_edit_through_a_symlink_out_of_the_project_is_refused(self, stage: Stage) -> None:
        outside = stage.project.parent / "outside.txt"
        outside.write_text("mine")
        (stage.project / "link.txt").symlink_to(outside)
        scenario = stage.project.parent / "escape.toml"
        scenario.write_text(
            'about = "x."\nacts = [{do="start"}, {do="write", path="link.txt", text="theirs"}]'
        )
        stage.play(str(scenario))
        assert stage.until_dead() == ("2", "")
        assert "act 2 (write): link.txt leads out of the project" in " ".join(stage.rows())
        assert outside.read_text() == "mine"


def unit_tests(project: Path) -> int:
    """How many of the project's own tests ran, all of them passing."""
    done = subprocess.run(
        [sys.executable, "-m", "unittest"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    ran = re.search(r"Ran (\d+) tests?", done.stderr)
    assert ran
    return int(ran[1])
