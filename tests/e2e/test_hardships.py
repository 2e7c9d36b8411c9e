"""Full disks, planted files, lost helpers: the verdict comes all the same, and nothing is left."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from story_automator.edges.config import settings
from story_automator.edges.events import LinuxEvents
from story_automator.model.verdict import Verification
from story_automator.watch.case import Limits
from story_automator.watch.monitor import Monitor
from story_automator.watch.outcome import outcome
from story_automator.watch.servers import server
from story_automator.watch.subjects import subject
from tests.sessions import (
    Watch,
    agent,
    is_running,
    policy,
    run,
    scene,
    session_folder,
    sessions,
    spawn,
    started,
    state_folder,
    tmux,
    verdict,
    wait_until,
)

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")

RULE = "─" * 200
DONE_SCREEN = (
    f"\n● All good.\n\n✻ Baked for 2m 5s\n\n{RULE}\n❯ \n{RULE}\n  p | ctx(1%) | 10:00:00\n"
)


def log_of(name: str) -> str:
    return (session_folder(name) / "output.log").read_text(errors="replace")


def program(folder: Path, name: str, script: str) -> dict[str, str]:
    """A program in front of the PATH."""
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}


def spawn_in(world: dict[str, str], command: str) -> str:
    done = run("tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", command, env=world)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def tell(name: str, event: str, content: str = "{}") -> None:
    folder = session_folder(name) / "events"
    (folder / ".new").write_text(content)
    (folder / ".new").rename(folder / f"{time.time_ns()}-{event}.json")


class TestOutput:
    def test_no_line_is_lost_when_many_end_at_once(self) -> None:
        with ThreadPoolExecutor(8) as many:
            names = list(many.map(lambda _: spawn("seq 1 3000; echo LAST"), range(24)))
            answers = list(many.map(verdict, names))
        ends = [Path(answer["output_file"]).read_text()[-5:] for answer in answers]
        assert ends == ["LAST\n"] * 24

    def test_a_full_disk_costs_the_text_and_not_the_verdict(self) -> None:
        name = spawn("echo hello; exit 3")
        wait_until((session_folder(name) / "ended.json").exists)
        done = subprocess.run(
            [sys.executable, "-m", "story_automator", "monitor-session", name, "--json"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        answer = json.loads(done.stdout)
        assert (answer["exit_reason"], answer["output_file"]) == ("exit_code_3", "")
        assert "the output could not be saved: File too large" in answer["evidence"]

    def test_a_long_log_holds_up_nobody_else(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        big = spawn("head -c 60000000 /dev/zero | tr '\\0' x | fold -w 100")
        small = spawn(f"while [ ! -e {gate} ]; do sleep 0.01; done; exit 9")
        wait_until((session_folder(big) / "ended.json").exists)
        watch = Watch(big, small)
        wait_until((session_folder(small) / "watch" / "memory.json").exists)
        gate.touch()
        assert watch.next_verdict()["session"] == small
        assert watch.verdict(60)["session"] == big


class TestPrintMode:
    """It prints its answer at the very end: nothing before its exit finishes it."""

    def test_a_stop_hook_before_the_answer_does_not_cut_the_answer(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        script = f"while [ ! -e {gate} ]; do sleep 0.05; done; echo THE ANSWER"
        name = spawn_in(program(tmp_path, "claude", script), "claude -p hello")
        watch = Watch(name, "--poll-interval", "0.1", "--verbose")
        assert watch.process.stderr is not None
        assert "running" in watch.process.stderr.readline()
        tell(name, "UserPromptSubmit")
        tell(name, "Stop")
        gate.touch()
        answer = watch.verdict()
        assert answer["final_state"] == "completed"
        assert Path(answer["output_file"]).read_text() == "THE ANSWER\n"

    def test_an_answer_that_quotes_a_finished_screen_finishes_nothing(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        (tmp_path / "screen").write_text(DONE_SCREEN)
        script = f"cat {tmp_path}/screen; while [ ! -e {gate} ]; do sleep 0.05; done; exit 3"
        name = spawn_in(program(tmp_path, "claude", script), "claude -p hello")
        watch = Watch(name, "--poll-interval", "0.4", "--verbose")
        assert watch.process.stderr is not None
        for _ in range(6):
            assert "running" in watch.process.stderr.readline()
        gate.touch()
        assert watch.verdict()["exit_reason"] == "exit_code_3"

    def test_a_clean_exit_finishes_it_whatever_its_last_hook_was(self, tmp_path: Path) -> None:
        gate = tmp_path / "gate"
        script = f"while [ ! -e {gate} ]; do sleep 0.05; done; echo done"
        name = spawn_in(program(tmp_path, "claude", script), "claude -p hello")
        started(name)
        tell(name, "PreToolUse")
        gate.touch()
        assert verdict(name)["final_state"] == "completed"


class TestTui:
    def test_a_done_line_and_then_a_clean_exit_is_no_crash(self, tmp_path: Path) -> None:
        mine = scene(
            tmp_path,
            'about = "leaves"\nhooks = false\nacts = [{do="start"}, {do="turn"},'
            ' {do="say", text="All good."}, {do="done"}, {do="exit", code=0}]',
        )
        assert verdict(spawn(agent(mine, "Do it")))["final_state"] == "completed"

    def test_a_finished_turn_found_after_the_deadline_gets_its_second_look(
        self, tmp_path: Path
    ) -> None:
        name = spawn(agent("no-hooks-done", "Do it", tempo=0.01))
        wait_until(lambda: "for " in log_of(name))
        assert verdict(name, "--timeout", "0")["final_state"] == "completed"

    def test_a_dialog_within_the_initial_wait_is_told_at_its_end(self) -> None:
        name = spawn(agent("startup-dialog", "Do it"))
        answer = verdict(name, "--initial-wait", "3", "--poll-interval", "600")
        assert answer["exit_reason"] == "startup_dialog"
        assert answer["duration_s"] >= 2


class TestKill:
    def test_a_killed_session_is_never_completed(self) -> None:
        name = spawn("trap 'exit 0' TERM; echo armed; while :; do sleep 0.1; done")
        watch = Watch(name)
        wait_until(lambda: "armed" in log_of(name))
        run("tmux-wrapper", "kill", name)
        assert watch.verdict()["final_state"] == "not_found"

    def test_a_hanging_tmux_does_not_save_the_processes(self, tmp_path: Path) -> None:
        policy(tmux_limit=0.3)
        name = spawn("exec sleep 300")
        pid = started(name)["agent_pid"]
        world = program(tmp_path, "tmux", "exec sleep 60")
        done = run("tmux-wrapper", "kill", name, env=world)
        assert done.returncode == 1
        assert "the session may stay" in done.stderr
        assert not is_running(pid)
        done = run("tmux-wrapper", "exists", name, env=world)
        assert (done.returncode, done.stdout) == (1, "")
        assert "did not answer" in done.stderr

    def test_a_process_of_another_boot_is_nobody_of_ours(self) -> None:
        other = subprocess.Popen(["sleep", "300"])
        name = spawn("true")
        wait_until((session_folder(name) / "ended.json").exists)
        start = Path(f"/proc/{other.pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
        record = started(name) | {"agent_pid": other.pid, "agent_start": start, "boot": "other"}
        (session_folder(name) / "started.json").write_text(json.dumps(record))
        assert run("tmux-wrapper", "kill", name).returncode == 0
        assert is_running(other.pid)
        other.kill()
        other.wait()


class TestSpawn:
    def test_a_tmux_that_acts_and_then_hangs_leaves_no_agent(self, tmp_path: Path) -> None:
        policy(tmux_limit=1)
        real = shutil.which("tmux")
        slow = f'{real} "$@"; case "$*" in *new-session*) sleep 30;; esac'
        pids = tmp_path / "pids"
        done = run(
            *("tmux-wrapper", "spawn", "dev", "5", "5.3"),
            *("--command", f"echo $$ >{pids}; exec sleep 300"),
            env=program(tmp_path, "tmux", slow),
        )
        assert done.returncode == 1
        assert tmux("list-sessions") == ""
        assert not list((state_folder() / "sessions").iterdir())
        assert not (pids.exists() and is_running(int(pids.read_text())))

    def test_old_records_that_cannot_be_pruned_do_not_fail_a_spawn(self) -> None:
        state_folder().mkdir(parents=True)
        (state_folder() / "pruned").mkdir()
        os.utime(state_folder() / "pruned", (0, 0))
        assert run(
            "tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "sleep 60"
        ).stdout.startswith("sa-")

    def test_a_wrapper_that_cannot_start_is_a_crash(self) -> None:
        script = (
            "import sys; sys.executable = '/bin/false';"
            "from story_automator.cli.app import run; sys.exit(run(sys.argv[1:]))"
        )
        words = ["tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "true"]
        done = subprocess.run(
            [sys.executable, "-c", script, *words], capture_output=True, text=True, check=True
        )
        name = done.stdout.strip()
        wait_until(lambda: "1" in tmux("list-panes", "-t", f"={name}:", "-F", "#{pane_dead}"))
        answer = verdict(name)
        assert (answer["final_state"], answer["exit_reason"]) == ("crashed", "exit_code_1")
        assert run("tmux-status-check", name).stdout.endswith(",1,crashed\n")

    @pytest.mark.parametrize("folder", ["ends;", "two\nlines", "tab\there"])
    def test_odd_project_paths_are_listed_and_ended(self, tmp_path: Path, folder: str) -> None:
        root = tmp_path / folder
        root.mkdir()
        words = ("tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "sleep 300")
        name = run(*words, cwd=root).stdout.strip()
        pid = started(name)["agent_pid"]
        assert run("tmux-wrapper", "list", "--project-only", cwd=root).stdout == f"{name}\n"
        killed = run("tmux-wrapper", "kill-all", "--project-only", cwd=root)
        assert killed.stdout == "Killed 1 sessions\n"
        assert not is_running(pid)

    def test_the_config_may_let_more_variables_through(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        config = Path(os.environ["HOME"], ".config", "story-automator", "config.toml")
        config.parent.mkdir(parents=True)
        config.write_text('[environment]\nallow = ["MY_TOOL_*"]\n')
        monkeypatch.setenv("MY_TOOL_HOME", "/opt/tool")
        monkeypatch.setenv("OTHER_TOOL_HOME", "/opt/other")
        name = spawn("env; echo complete; sleep 60")
        wait_until(lambda: "complete" in log_of(name))
        assert "MY_TOOL_HOME=/opt/tool" in log_of(name)
        assert "OTHER_TOOL_HOME" not in log_of(name)


class TestEvents:
    def test_a_planted_pipe_is_not_waited_for(self) -> None:
        name = spawn("read line; exit 3")
        started(name)
        os.mkfifo(session_folder(name) / "events" / "1-StopFailure.json")
        watch = Watch(name)
        # The event happened, whatever lies there: it is a failure of unknown kind.
        assert watch.verdict()["exit_reason"] == "turn_failed"

    def test_a_bomb_of_brackets_is_an_event_like_any_other(self) -> None:
        name = spawn("exec sleep 300")
        started(name)
        tell(name, "Stop", "[" * 200_000)
        assert verdict(name)["final_state"] == "completed"

    def test_without_any_file_events_the_tick_finds_everything(self) -> None:
        class Blind(LinuxEvents):
            def watch_folder(self, key: str, folder: Path) -> bool:
                return False

        name = spawn("exec sleep 300")
        started(name)
        tell(name, "UserPromptSubmit")
        chosen = settings()
        watched = subject(name, agent="", socket=chosen.socket, policy=chosen.policy)
        known = server(watched.known.socket, os.environ, chosen.policy)
        source = Blind()
        told: list[str] = []

        def say(words: str) -> None:
            told.append(words)
            if len(told) == 2:
                tell(name, "Stop")

        monitor = Monitor(
            [watched],
            Limits(timedelta(seconds=20), poll_every=timedelta(seconds=0.3)),
            chosen.policy,
            source=source,
            servers={watched.known.socket: known},
            verify=lambda _: Verification(True, "normal_completion", ""),
            finish=lambda done: outcome(done, known),
            say=say,
        )
        (result,) = monitor.run()
        source.close()
        assert result.concluded.verdict.state == "completed"


def test_a_demo_that_is_told_to_stop_leaves_nothing(tmp_path: Path) -> None:
    world = {**os.environ, "TMPDIR": str(tmp_path)}
    demo = subprocess.Popen(
        [sys.executable, "-m", "story_automator", "demo"],
        env=world,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(
        lambda: list(tmp_path.glob("story-automator-demo-*/state/*/sessions/*/started.json"))
    )
    (record,) = tmp_path.glob("story-automator-demo-*/state/*/sessions/*/started.json")
    pids = [json.loads(record.read_text())[key] for key in ("wrapper_pid", "agent_pid")]
    demo.send_signal(signal.SIGTERM)
    demo.communicate(timeout=30)
    assert demo.returncode == 143
    assert [pid for pid in pids if is_running(pid)] == []
    assert not list(tmp_path.glob("story-automator-demo-*"))
