"""Ending sessions: the whole tree, detached children included, and nobody else's session."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.sessions import (
    is_running,
    policy,
    run,
    session_folder,
    sessions,
    spawn,
    started,
    tmux,
    wait_until,
)

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")


def names() -> list[str]:
    return tmux("list-sessions", "-F", "#{session_name}").split()


def pids_in(path: Path, count: int) -> list[int]:
    wait_until(lambda: path.exists() and len(path.read_text().split()) >= count)
    return [int(word) for word in path.read_text().split()]


def foreign(name: str) -> None:
    tmux("-f", "/dev/null", "new-session", "-d", "-s", name, "sleep", "300")


def test_kill_ends_the_session_and_its_agent_and_keeps_its_output() -> None:
    name = spawn("echo precious; exec sleep 300")
    agent = started(name)["agent_pid"]
    wait_until(lambda: "precious" in (session_folder(name) / "output.log").read_text())
    done = run("tmux-wrapper", "kill", name)
    assert (done.returncode, done.stdout) == (0, "")
    assert not is_running(agent)
    assert names() == []
    assert "precious" in (session_folder(name) / "output.log").read_text()


def test_detached_children_are_ended_too(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    child = f"setsid sh -c 'echo $$ >>{pids}; exec sleep 300' </dev/null >/dev/null 2>&1 &"
    name = spawn(f"for i in 1 2 3; do {child} done; wait; exec sleep 300")
    children = pids_in(pids, 3)
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert [pid for pid in children if is_running(pid)] == []


def test_two_hundred_detached_children_are_ended(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    child = f"setsid sh -c 'echo $$ >>{pids}; exec sleep 300' </dev/null >/dev/null 2>&1 &"
    name = spawn(f"for i in $(seq 200); do {child} done; exec sleep 300")
    children = pids_in(pids, 200)
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert [pid for pid in children if is_running(pid)] == []


def test_children_left_behind_by_an_agent_that_exited_are_ended(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    child = f"setsid sh -c 'echo $$ >>{pids}; exec sleep 300' </dev/null >/dev/null 2>&1 &"
    name = spawn(child)
    (left,) = pids_in(pids, 1)
    wait_until((session_folder(name) / "ended.json").exists)
    assert is_running(left)
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert not is_running(left)


@pytest.mark.parametrize(
    "traps", [pytest.param("TERM HUP INT", id="ignores-term"), pytest.param("HUP", id="hup")]
)
def test_an_agent_that_ignores_signals_gets_kill_after_the_grace(traps: str) -> None:
    policy(kill_grace=0.3)
    name = spawn(f"trap '' {traps}; echo trapped; while :; do sleep 1; done")
    agent = started(name)["agent_pid"]
    wait_until(lambda: "trapped" in (session_folder(name) / "output.log").read_text())
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert not is_running(agent)


def test_a_stopped_agent_is_woken_to_end() -> None:
    name = spawn("exec sleep 300")
    agent = started(name)["agent_pid"]
    os.kill(agent, signal.SIGSTOP)
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert not is_running(agent)


def test_a_dead_name_that_is_a_prefix_of_a_living_one_kills_nobody() -> None:
    living = spawn("sleep 300", "--cycle", "2", step="review")
    done = run("tmux-wrapper", "kill", living.removesuffix("-r2"))
    assert done.returncode == 0
    assert "already gone" in done.stderr
    assert names() == [living]
    assert run("tmux-wrapper", "exists", living.removesuffix("-r2")).stdout == "false\n"


def test_a_session_of_the_users_is_refused() -> None:
    foreign("mine")
    done = run("tmux-wrapper", "kill", "mine")
    assert done.returncode == 1
    assert "was not started by story-automator" in done.stderr
    assert names() == ["mine"]


def test_kill_all_leaves_the_users_sessions_alone_even_when_named_like_ours() -> None:
    foreign("sa-shopapi-mine")
    spawn("sleep 300")
    spawn("sleep 300")
    done = run("tmux-wrapper", "kill-all")
    assert done.stdout == "Killed 2 sessions\n"
    assert names() == ["sa-shopapi-mine"]


def test_project_only_compares_the_whole_path_not_the_slug(tmp_path: Path) -> None:
    here, there = tmp_path / "customer-api", tmp_path / "customer-apx"
    for root in (here, there):
        root.mkdir()
    command = ("tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "sleep 300")
    mine = run(*command, cwd=here).stdout.strip()
    other = run(*command, cwd=there).stdout.strip()
    assert run("tmux-wrapper", "list", "--project-only", cwd=here).stdout == f"{mine}\n"
    done = run("tmux-wrapper", "kill-all", "--project-only", cwd=here)
    assert done.stdout == "Killed 1 sessions\n"
    assert names() == [other]


def test_a_renamed_session_is_still_found_and_ended() -> None:
    name = spawn("exec sleep 300")
    agent = started(name)["agent_pid"]
    tmux("rename-session", "-t", f"={name}", "something-else")
    assert run("tmux-wrapper", "exists", name).stdout == "true\n"
    assert run("tmux-wrapper", "kill", name).returncode == 0
    assert not is_running(agent)
    assert names() == []


def test_a_reused_pid_is_never_touched() -> None:
    name = spawn("true")
    folder = session_folder(name)
    wait_until((folder / "ended.json").exists)
    record = started(name)
    record |= {"wrapper_pid": os.getpid(), "agent_pid": os.getpid()}
    (folder / "started.json").write_text(json.dumps(record))
    assert run("tmux-wrapper", "kill", name).returncode == 0  # and this test is still here


def test_kill_works_without_a_record_by_the_tag_alone() -> None:
    name = spawn("exec sleep 300")
    agent = started(name)["agent_pid"]
    (session_folder(name) / "record.json").write_text('{"version": 1, "name": 7}')
    assert run("tmux-wrapper", "kill", name).returncode == 0
    wait_until(lambda: not is_running(agent))
    assert names() == []


def test_list_prints_an_empty_line_when_there_is_nothing() -> None:
    assert run("tmux-wrapper", "list").stdout == "\n"
    assert json.loads(run("list-sessions", "--slug", "shopapi").stdout) == {
        "ok": True,
        "sessions": [],
        "count": 0,
    }


def test_list_sessions_by_slug() -> None:
    name = spawn("sleep 300")
    foreign("other")
    answer = json.loads(run("list-sessions", "--slug", "shopapi").stdout)
    assert answer == {"ok": True, "sessions": [name], "count": 1}
    done = run("list-sessions")
    assert (done.returncode, done.stdout) == (1, '{"ok":false,"error":"missing_slug"}\n')
