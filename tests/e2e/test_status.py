"""One look at a session: status line, heartbeat, and sessions somebody else started."""

import csv
import os
import signal
import time
from pathlib import Path

import pytest

from tests.sessions import (
    Watch,
    agent,
    run,
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

# Draws a statusline with whatever clock is typed; nothing else on the screen ever changes.
CLOCK = r"""
stty -echo
printf 'quiet\n'
while read -r clock; do printf '\033[H\033[Jquiet\n\nproj | ctx(1%%) | %s\n' "$clock"; done
"""


def check(name: str, *flags: str) -> list[str]:
    done = run("tmux-status-check", name, *flags)
    assert done.returncode == 0, done.stderr
    (row,) = csv.reader([done.stdout.strip()])
    assert len(row) == 6
    return row


def foreign(name: str, script: str) -> str:
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50", "-s", name, "sh")
    tmux("set-option", "-w", "-t", f"={name}:", "remain-on-exit", "on")
    tmux("respawn-pane", "-k", "-t", f"={name}:", "sh", "-c", script)
    return name


def shows(name: str, words: str) -> bool:
    return words in tmux("capture-pane", "-p", "-t", f"={name}:")


def set_clock(name: str, clock: str) -> None:
    tmux("send-keys", "-t", f"={name}:", clock, "Enter")
    wait_until(lambda: shows(name, f"| {clock}"))


class TestOurs:
    def test_a_working_agent(self) -> None:
        name = spawn(agent("silent-clock-ticks", "Do it"))
        wait_until(lambda: shows(name, "✻") or shows(name, "·"))
        status, _, _, task, wait, state = check(name)
        assert (status, state) == ("active", "in_progress")
        assert task
        assert wait.isdigit()

    def test_a_finished_command_with_its_output_file(self) -> None:
        name = spawn("echo hi")
        wait_until((session_folder(name) / "ended.json").exists)
        assert check(name) == ["idle", "1", "1", "", "0", "completed"]
        full = check(name, "--full")
        assert Path(full[3]).read_text() == "hi\n"

    def test_a_crash_shows_its_code_in_column_five(self) -> None:
        name = spawn("exec sleep 300")
        os.kill(started(name)["agent_pid"], signal.SIGTERM)
        wait_until((session_folder(name) / "ended.json").exists)
        assert check(name) == ["crashed", "0", "0", "", "143", "crashed"]

    def test_a_process_that_runs_is_in_progress_however_quiet(self) -> None:
        name = spawn("exec sleep 300")
        started(name)
        assert check(name) == ["active", "0", "0", "Claude working", "60", "in_progress"]

    def test_a_dialog_is_stuck(self) -> None:
        name = spawn(agent("permission-menu", "Do it", tempo=0.1))
        wait_until(lambda: list((session_folder(name) / "events").glob("*-PermissionRequest.json")))
        wait_until(lambda: check(name)[5] == "stuck")

    def test_a_task_with_commas_keeps_six_columns(self, tmp_path: Path) -> None:
        drawn = "\n● x\n\n✻ Thinking, really, hard… (3s · ↓ 25 tokens)\n\n"
        rule = "─" * 200
        (tmp_path / "screen").write_text(f"{drawn}{rule}\n❯ \n{rule}\n  p | ctx(1%) | 10:00:00\n")
        name = foreign("commas", f"cat {tmp_path}/screen; sleep 300")
        wait_until(lambda: shows(name, "10:00:00"))
        row = check(name)
        assert row[0] == "active"
        assert "Thinking, really, hard" in row[3]


class TestTheGateOnForeignSessions:
    """The seed's decision matrix, through the command and a real pane."""

    @pytest.fixture
    def quiet(self) -> str:
        """A session that every other check calls stuck: never active, looked at ten times."""
        name = foreign("sa-foreign", CLOCK)
        wait_until(lambda: shows(name, "quiet"))
        for _ in range(10):
            assert check(name)[5] == "just_started"
        return name

    def test_no_statusline_at_all_is_stuck(self, quiet: str) -> None:
        assert check(quiet) == ["idle", "0", "0", "", "0", "stuck"]

    def test_first_observation_then_movement_is_alive_and_standing_still_is_stuck(
        self, quiet: str
    ) -> None:
        set_clock(quiet, "10:00:00")
        assert check(quiet)[5] == "just_started"
        set_clock(quiet, "10:01:00")
        assert check(quiet)[5] == "just_started"
        since = time.monotonic()
        wait_until(lambda: check(quiet)[5] == "stuck")
        assert time.monotonic() - since > 0.5, "equal means nothing within the clock's own second"
        set_clock(quiet, "00:00:01")
        assert check(quiet)[5] == "just_started"

    def test_a_look_without_the_statusline_does_not_erase_the_memory(self, quiet: str) -> None:
        set_clock(quiet, "10:00:00")
        check(quiet)
        set_clock(quiet, "hidden")
        check(quiet)
        set_clock(quiet, "10:00:00")
        wait_until(lambda: check(quiet)[5] == "stuck")


class TestForeign:
    def test_a_dead_pane_is_a_crash_with_its_code(self) -> None:
        name = foreign("theirs", "exit 3")
        wait_until(lambda: "1" in tmux("list-panes", "-t", f"={name}:", "-F", "#{pane_dead}"))
        assert check(name) == ["crashed", "0", "0", "", "3", "crashed"]

    def test_it_is_watched_by_pane_facts(self) -> None:
        name = foreign("theirs", "echo hello; read line; exit 4")
        wait_until(lambda: shows(name, "hello"))
        watch = Watch(name)
        tmux("send-keys", "-t", f"={name}:", "go", "Enter")
        answer = watch.verdict()
        assert (answer["final_state"], answer["exit_reason"]) == ("crashed", "exit_code_4")
        assert "hello" in Path(answer["output_file"]).read_text()

    def test_a_finished_turn_is_seen_by_its_shape(self) -> None:
        script = agent("no-hooks-done", "Do it", tempo=0.1)
        name = foreign("theirs", script)
        assert verdict(name)["final_state"] == "completed"

    def test_an_unknown_session_is_not_found(self) -> None:
        assert check("nobody") == ["not_found", "0", "0", "", "0", "not_found"]


class TestHeartbeat:
    def test_columns(self) -> None:
        name = spawn("exec sleep 300")
        pid = str(started(name)["agent_pid"])
        status, cpu, shown, prompt = run("heartbeat-check", name).stdout.strip().split(",")
        assert (status, shown, prompt) == ("idle", pid, "false")
        assert float(cpu) < 50
        os.kill(int(pid), signal.SIGKILL)
        wait_until((session_folder(name) / "ended.json").exists)
        assert run("heartbeat-check", name).stdout == "dead,0.0,,false\n"

    def test_a_busy_agent_is_alive(self) -> None:
        name = spawn("while :; do :; done")
        started(name)
        wait_until(lambda: run("heartbeat-check", name).stdout.startswith("alive,"))

    def test_a_clean_end_is_completed(self) -> None:
        name = spawn("true")
        wait_until((session_folder(name) / "ended.json").exists)
        assert run("heartbeat-check", name).stdout.startswith("completed,0.0,,")

    def test_unknown_and_missing(self) -> None:
        assert run("heartbeat-check", "nobody").stdout == "error,0.0,,session_not_found\n"
        done = run("heartbeat-check")
        assert (done.returncode, done.stdout) == (0, "error,0.0,,no_session\n")


@pytest.mark.parametrize(("command", "code"), [("tmux-status-check", 1), ("codex-status-check", 0)])
def test_without_a_session_name(command: str, code: int) -> None:
    done = run(command)
    assert (done.returncode, done.stdout) == (code, "error,0,0,no_session,30,error\n")


@pytest.mark.parametrize("name", ["a/b", "a\nb"])
def test_a_name_that_cannot_be_one_is_one_line(name: str) -> None:
    done = run("tmux-status-check", name)
    assert done.returncode == 1
    assert "not a session name" in done.stderr
    assert "Traceback" not in done.stderr
