"""How a real session's end is told: codes, signals, kills, lost servers, restarted watchers."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.sessions import (
    Watch,
    policy,
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


def ended(name: str) -> None:
    wait_until((session_folder(name) / "ended.json").exists)


class TestProcessEnd:
    def test_exit_0_is_completed_and_the_whole_output_is_handed_over(self) -> None:
        answer = verdict(spawn("echo first; seq 1 1000; echo FINAL-VERDICT"))
        assert list(answer)[:6] == [
            "final_state",
            "todos_done",
            "todos_total",
            "output_file",
            "exit_reason",
            "output_verified",
        ]
        assert answer["final_state"] == "completed"
        assert answer["exit_reason"] == "normal_completion"
        assert (answer["exit_code"], answer["signal"]) == (0, None)
        assert (answer["todos_done"], answer["todos_total"]) == (1, 1)
        lines = Path(answer["output_file"]).read_text().splitlines()
        assert lines == ["first", *map(str, range(1, 1001)), "FINAL-VERDICT"]
        assert Path(answer["output_file"]).stat().st_mode & 0o777 == 0o600

    def test_a_hundred_thousand_lines_are_all_there(self) -> None:
        answer = verdict(spawn("seq 1 100000; echo all tests passed"))
        lines = Path(answer["output_file"]).read_text().splitlines()
        assert len(lines) == 100_001
        assert lines[-1] == "all tests passed"

    def test_exit_3_is_crashed(self) -> None:
        answer = verdict(spawn("echo oops; exit 3"))
        assert (answer["final_state"], answer["exit_reason"]) == ("crashed", "exit_code_3")
        assert (answer["exit_code"], answer["signal"]) == (3, None)
        assert "oops" in Path(answer["output_file"]).read_text()

    def test_a_signal_and_the_code_that_looks_like_it_are_kept_apart(self) -> None:
        by_code = verdict(spawn("exit 143"))
        name = spawn("exec sleep 300")
        watch = Watch(name)
        os.kill(started(name)["agent_pid"], signal.SIGTERM)
        by_signal = watch.verdict()
        assert by_code["exit_reason"] == by_signal["exit_reason"] == "exit_code_143"
        assert (by_code["exit_code"], by_code["signal"]) == (143, None)
        assert (by_signal["exit_code"], by_signal["signal"]) == (None, 15)

    def test_kill_9_of_the_agent(self) -> None:
        name = spawn("unset CLAUDECODE && sleep 300")
        watch = Watch(name)
        os.kill(started(name)["agent_pid"], signal.SIGKILL)
        answer = watch.verdict()
        assert (answer["final_state"], answer["signal"]) == ("crashed", 9)

    def test_the_wrapper_killed_is_a_crash_and_takes_the_agent_along(self) -> None:
        name = spawn("exec sleep 300")
        record = started(name)
        watch = Watch(name)
        os.kill(record["wrapper_pid"], signal.SIGKILL)
        answer = watch.verdict()
        assert (answer["final_state"], answer["exit_reason"]) == ("crashed", "exit_code_1")
        wait_until(lambda: not Path(f"/proc/{record['agent_pid']}").exists())

    def test_a_stopped_wrapper_changes_nothing(self) -> None:
        name = spawn("read line; exit 6")
        watch = Watch(name)
        os.kill(started(name)["wrapper_pid"], signal.SIGSTOP)
        tmux("send-keys", "-t", f"={name}:", "go", "Enter")
        assert watch.verdict()["exit_reason"] == "exit_code_6"

    def test_control_c_typed_by_a_person(self) -> None:
        name = spawn("echo up; exec sleep 300")
        watch = Watch(name)
        wait_until(lambda: "up" in (session_folder(name) / "output.log").read_text())
        tmux("send-keys", "-t", f"={name}:", "C-c")
        assert watch.verdict()["exit_reason"] == "exit_code_130"

    def test_the_end_is_seen_by_a_watcher_that_comes_later_and_from_elsewhere(
        self, tmp_path: Path
    ) -> None:
        name = spawn("exit 3")
        ended(name)
        done = run("monitor-session", name, "--json", cwd=tmp_path)
        assert json.loads(done.stdout)["exit_reason"] == "exit_code_3"

    def test_the_project_may_be_gone_by_then(self, sessions: Path) -> None:
        name = spawn("rmdir -p _bmad-output/implementation-artifacts; cd /; rmdir $OLDPWD; true")
        ended(name)
        assert not sessions.exists()
        sessions.mkdir()
        assert verdict(name)["final_state"] == "completed"


class TestSessionGone:
    def test_a_session_killed_from_outside_is_not_found_not_crashed(self) -> None:
        name = spawn("echo kept; exec sleep 300")
        watch = Watch(name)
        wait_until(lambda: "kept" in (session_folder(name) / "output.log").read_text())
        tmux("kill-session", "-t", f"={name}")
        answer = watch.verdict()
        assert (answer["final_state"], answer["exit_reason"]) == ("not_found", "session_gone")
        assert "kept" in Path(answer["output_file"]).read_text()

    def test_an_agent_that_exits_0_on_hang_up_is_not_completed(self) -> None:
        name = spawn("trap 'exit 0' HUP; echo armed; while :; do sleep 0.1; done")
        watch = Watch(name)
        wait_until(lambda: "armed" in (session_folder(name) / "output.log").read_text())
        tmux("kill-session", "-t", f"={name}")
        assert watch.verdict()["final_state"] == "not_found"

    def test_the_server_killed_is_its_own_reason_and_the_output_is_kept(self) -> None:
        spawn("exec sleep 300")
        name = spawn("echo kept; exec sleep 300")
        watch = Watch("--verbose", name)
        wait_until(lambda: "kept" in (session_folder(name) / "output.log").read_text())
        wait_until((session_folder(name) / "watch" / "memory.json").exists)
        os.kill(int(tmux("display-message", "-p", "#{pid}")), signal.SIGKILL)
        answer = watch.verdict()
        assert (answer["final_state"], answer["exit_reason"]) == ("not_found", "tmux_server_lost")
        assert "kept" in Path(answer["output_file"]).read_text()

    def test_our_own_kill_is_told_from_a_crash(self) -> None:
        name = spawn("exec sleep 300")
        watch = Watch(name)
        started(name)
        run("tmux-wrapper", "kill", name)
        answer = watch.verdict()
        assert (answer["final_state"], answer["exit_reason"]) == ("not_found", "session_killed")

    def test_an_end_before_the_kill_stays_what_it_was(self) -> None:
        name = spawn("exit 3")
        ended(name)
        run("tmux-wrapper", "kill", name)
        assert verdict(name)["exit_reason"] == "exit_code_3"

    def test_an_unknown_session(self) -> None:
        answer = verdict("sa-nobody")
        assert (answer["final_state"], answer["output_file"]) == ("not_found", "")

    def test_a_spawn_that_died_before_tmux_is_not_just_started_for_ever(self) -> None:
        policy(launch_limit=0.2, unrecorded_end=0.2)
        name = spawn("true")
        ended(name)
        run("tmux-wrapper", "kill", name)
        folder = session_folder(name)
        for left in ("started.json", "ended.json", "killed"):
            (folder / left).unlink()
        assert verdict(name)["final_state"] == "not_found"
        assert run("tmux-status-check", name).stdout == "not_found,0,0,,0,not_found\n"


class TestTmuxTrouble:
    def test_without_tmux_the_answer_is_an_error_never_not_found(self, tmp_path: Path) -> None:
        name = spawn("exec sleep 300")
        (tmp_path / "bin").mkdir()
        done = run(
            "monitor-session", name, env={**os.environ, "PATH": str(tmp_path / "bin")}, limit=20
        )
        assert done.returncode == 1
        assert "tmux is not installed" in done.stderr
        assert "not_found" not in done.stdout

    def test_a_hanging_tmux_condemns_nobody(self, tmp_path: Path) -> None:
        policy(tmux_limit=0.3)
        name = spawn("read line; exit 3")
        fake = tmp_path / "bin" / "tmux"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\nexec sleep 60\n")
        fake.chmod(0o755)
        path = f"{fake.parent}:{os.environ['PATH']}"
        watch = Watch(name, "--timeout", "5", environ={**os.environ, "PATH": path})
        wait_until((session_folder(name) / "started.json").exists)
        tmux("send-keys", "-t", f"={name}:", "go", "Enter")
        assert watch.verdict()["exit_reason"] == "exit_code_3"

    @pytest.mark.parametrize(
        "disturbance",
        [
            pytest.param(("rename-session", "-t", "={name}", "other"), id="renamed"),
            pytest.param(("resize-window", "-t", "={name}:", "-x", "20", "-y", "5"), id="resized"),
            pytest.param(("copy-mode", "-t", "={name}:"), id="copy-mode"),
            pytest.param(("new-window", "-t", "={name}:", "sleep", "300"), id="second-window"),
            pytest.param(("split-window", "-t", "={name}:", "sleep", "300"), id="second-pane"),
            pytest.param(("move-window", "-s", "={name}:", "-t", "=person:"), id="window-moved"),
        ],
    )
    def test_what_a_person_does_to_the_session_changes_no_verdict(
        self, disturbance: tuple[str, ...], tmp_path: Path
    ) -> None:
        gate = tmp_path / "gate"
        name = spawn(f"echo up; while [ ! -e {gate} ]; do sleep 0.05; done; echo last words")
        tmux("-f", "/dev/null", "new-session", "-d", "-s", "person", "sleep", "300")
        watch = Watch(name)
        wait_until(lambda: "up" in (session_folder(name) / "output.log").read_text())
        tmux(*(word.format(name=name) for word in disturbance))
        run("tmux-status-check", name)
        gate.touch()
        answer = watch.verdict()
        assert answer["final_state"] == "completed"
        assert Path(answer["output_file"]).read_text().endswith("last words\n")

    def test_a_lost_socket_is_no_lost_session(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        name = spawn(f"echo up; while [ ! -e {gate} ]; do sleep 0.05; done; exit 4")
        wait_until(lambda: "up" in (session_folder(name) / "output.log").read_text())
        server = int(tmux("display-message", "-p", "#{pid}"))
        Path(os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]).unlink()
        watch = Watch(name, "--poll-interval", "0.1", "--verbose")
        assert watch.process.stderr is not None
        for _ in range(3):
            assert "running" in watch.process.stderr.readline()
        gate.touch()
        assert watch.verdict()["exit_reason"] == "exit_code_4"
        os.kill(server, signal.SIGTERM)


class TestWatchers:
    def test_two_watchers_agree(self) -> None:
        name = spawn("read line; exit 5")
        watches = [Watch(name), Watch(name)]
        started(name)
        tmux("send-keys", "-t", f"={name}:", "go", "Enter")
        first, second = (watch.verdict() for watch in watches)
        assert first == second

    def test_a_watcher_killed_and_started_again_says_the_same(self) -> None:
        name = spawn("read line; exit 5")
        watch = Watch(name)
        wait_until((session_folder(name) / "watch" / "memory.json").exists)
        watch.process.kill()
        watch.process.communicate()
        tmux("send-keys", "-t", f"={name}:", "go", "Enter")
        assert verdict(name)["exit_reason"] == "exit_code_5"

    def test_one_process_watches_several_and_prints_each_as_it_comes(self) -> None:
        slow, quick = spawn("read line; exit 0"), spawn("exit 7")
        watch = Watch(slow, quick)
        first = watch.next_verdict()
        assert (first["session"], first["exit_reason"]) == (quick, "exit_code_7")
        tmux("send-keys", "-t", f"={slow}:", "go", "Enter")
        second = watch.verdict()
        assert (second["session"], second["final_state"]) == (slow, "completed")

    def test_asleep_past_the_deadline_while_the_agent_finished_is_completed(
        self, tmp_path: Path
    ) -> None:
        gate = tmp_path / "gate"
        name = spawn(f"while [ ! -e {gate} ]; do sleep 0.05; done; echo bye")
        began = time.monotonic()
        watch = Watch(name, "--timeout", "0.05")
        wait_until((session_folder(name) / "watch" / "memory.json").exists)
        watch.process.send_signal(signal.SIGSTOP)
        gate.touch()
        ended(name)
        wait_until(lambda: time.monotonic() > began + 5)
        watch.process.send_signal(signal.SIGCONT)
        assert watch.verdict()["final_state"] == "completed"

    def test_the_deadline(self) -> None:
        answer = verdict(spawn("echo busy; exec sleep 300"), "--timeout", "0")
        assert (answer["final_state"], answer["exit_reason"]) == ("timeout", "exceeded_0m")
        assert "busy" in Path(answer["output_file"]).read_text()

    def test_a_poll_budget_ends_the_watch_only_when_asked_for(self) -> None:
        name = spawn("exec sleep 300")
        answer = verdict(name, "--max-polls", "2", "--poll-interval", "0.2")
        assert answer["exit_reason"] == "max_polls_exceeded"

    def test_a_dozen_polls_do_not_end_a_healthy_session(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        name = spawn(f"while [ ! -e {gate} ]; do sleep 0.05; done")
        watch = Watch(name, "--poll-interval", "0.1", "--verbose")
        assert watch.process.stderr is not None
        for _ in range(5):
            assert name in watch.process.stderr.readline()
        gate.touch()
        assert watch.verdict()["final_state"] == "completed"


class TestBrokenRecords:
    @pytest.mark.parametrize(
        "content",
        [
            pytest.param('{"version": 1, "name"', id="cut-in-half"),
            pytest.param('{"version": 1, "name": 7}', id="wrong-types"),
            pytest.param("[]", id="an-array"),
            pytest.param('{"version": 99}', id="from-the-future"),
        ],
    )
    def test_a_broken_record_is_made_up_for_by_tmux(self, content: str) -> None:
        name = spawn("exit 3")
        ended(name)
        wait_until(lambda: "1" in tmux("list-panes", "-t", f"={name}:", "-F", "#{pane_dead}"))
        (session_folder(name) / "record.json").write_text(content)
        assert verdict(name)["exit_reason"] == "exit_code_3"

    def test_a_pid_that_belongs_to_somebody_else_now_is_dead(self) -> None:
        policy(unrecorded_end=0.2)
        name = spawn("exec sleep 300")
        record = started(name)
        os.kill(record["agent_pid"], signal.SIGKILL)
        ended(name)
        (session_folder(name) / "ended.json").unlink()
        record |= {"wrapper_pid": os.getpid()}
        (session_folder(name) / "started.json").write_text(json.dumps(record))
        assert verdict(name)["final_state"] == "crashed"

    def test_a_zombie_is_dead(self) -> None:
        policy(unrecorded_end=0.2)
        name = spawn("exec sleep 300")
        record = started(name)
        os.kill(record["agent_pid"], signal.SIGKILL)
        ended(name)
        (session_folder(name) / "ended.json").unlink()
        zombie = subprocess.Popen(["true"])
        stat = Path(f"/proc/{zombie.pid}/stat")
        wait_until(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")
        start = stat.read_text().rsplit(")", 1)[1].split()[19]
        record |= {"wrapper_pid": zombie.pid, "wrapper_start": start}
        (session_folder(name) / "started.json").write_text(json.dumps(record))
        assert verdict(name)["final_state"] == "crashed"
        zombie.wait()


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(("x", "--max-polls", "abc"), id="polls"),
        pytest.param(("x", "--timeout", "soon"), id="timeout"),
        pytest.param(("x", "--unknown"), id="unknown-flag"),
        pytest.param(("a/b",), id="slash"),
        pytest.param(("x", "--state-file"), id="flag-without-value"),
    ],
)
def test_bad_arguments_are_one_line_and_exit_1(argv: tuple[str, ...]) -> None:
    done = run("monitor-session", *argv)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
