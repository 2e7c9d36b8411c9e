"""Starting sessions in a real tmux: names, guards, environment, records, failures."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import pytest

from story_automator.agents.launch import claude_command, codex_command
from story_automator.model.agents import DEFAULT
from tests.sessions import (
    run,
    session_folder,
    sessions,
    spawn,
    started,
    state_folder,
    tmux,
    wait_until,
)

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")


def log_of(name: str) -> Path:
    return session_folder(name) / "output.log"


def printed(name: str, words: str) -> bool:
    return words in log_of(name).read_text(errors="replace")


def conf(text: str) -> None:
    """The user's own tmux.conf, for a server that is started from here on."""
    Path(os.environ["HOME"], ".tmux.conf").write_text(text)


class TestNames:
    def test_the_same_step_in_the_same_second_gives_distinct_sessions(self) -> None:
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: spawn("sleep 60"), range(4)))
        assert len(set(made)) == 4
        assert sorted(tmux("list-sessions", "-F", "#{session_name}").split()) == sorted(made)
        for name in made:
            started(name)

    def test_a_name_already_on_the_server_is_left_alone(self) -> None:
        made = spawn("sleep 60")
        (session_folder(made)).rename(state_folder() / "elsewhere")
        again = spawn("sleep 60")
        assert again != made

    def test_a_cycle_is_part_of_the_name(self) -> None:
        assert spawn("sleep 60", "--cycle", "2").endswith("-e5-s5-3-dev-r2")

    @pytest.mark.parametrize(
        "story",
        [
            pytest.param("5:3", id="colon"),
            pytest.param("9" * 200, id="two-hundred-digits"),
            pytest.param("../../etc", id="path"),
            pytest.param("$(x)", id="substitution"),
            pytest.param("a b", id="blank"),
        ],
    )
    def test_a_story_id_that_tmux_cannot_carry_is_refused_in_one_line(self, story: str) -> None:
        done = run("tmux-wrapper", "spawn", "dev", "5", story, "--command", "true")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") <= 2
        assert not list(session_folder("").glob("*"))

    def test_a_dotted_epic_becomes_a_name_that_exists(self) -> None:
        done = run("tmux-wrapper", "spawn", "dev", "5.1", "5.3", "--command", "sleep 60")
        name = done.stdout.strip()
        assert run("tmux-wrapper", "exists", name).stdout == "true\n"


class TestGuards:
    @pytest.mark.parametrize(
        "line",
        [
            pytest.param("set -g destroy-unattached on", id="destroy-unattached"),
            pytest.param("set -g default-shell /bin/false", id="default-shell-is-false"),
            pytest.param("set -g default-command 'exit 9'", id="default-command"),
            pytest.param("set -g history-limit 100", id="small-history"),
            pytest.param("set -g remain-on-exit off", id="no-remain-on-exit"),
            pytest.param("set -g base-index 7\nset -g renumber-windows on", id="base-index"),
            pytest.param("this is not tmux\nset -g nonsense yes", id="broken-conf"),
        ],
    )
    def test_the_users_tmux_conf_does_no_harm(self, line: str) -> None:
        conf(line + "\n")
        name = spawn("echo ready; exec sleep 60")
        wait_until(lambda: printed(name, "ready"))
        facts = tmux(
            "list-panes",
            "-s",
            "-t",
            f"={name}",
            "-F",
            "#{history_limit} #{pane_width} #{pane_height} #{remain-on-exit} #{pane_dead}",
        )
        assert facts.split() == ["50000", "200", "50", "on", "0"]

    def test_the_session_is_tagged_with_project_and_attempt(self, sessions: Path) -> None:
        name = spawn("sleep 60")
        shown = "#{@story_automator_project} #{@story_automator_attempt}"
        project, attempt = tmux("display-message", "-p", "-t", f"={name}:", shown).split()
        record = json.loads((session_folder(name) / "record.json").read_text())
        assert (project, attempt) == (str(sessions), record["attempt"])


class TestEnvironment:
    def test_the_agent_gets_the_allowed_variables_and_its_attempt(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in {
            "ANTHROPIC_API_KEY": "fake-key",
            "MY_SECRET_TOKEN": "hunter2",
            "BASH_ENV": "/nonexistent",
            "CLAUDECODE": "1",
        }.items():
            monkeypatch.setenv(name, value)
        name = spawn("env; echo complete; sleep 60")
        wait_until(lambda: printed(name, "complete"))
        lines = log_of(name).read_text().split()
        assert "ANTHROPIC_API_KEY=fake-key" in lines
        assert "STORY_AUTOMATOR_CHILD=true" in lines
        assert not [line for line in lines if line.startswith(("MY_SECRET", "BASH_ENV", "CLAUDEC"))]

    def test_no_secret_stands_in_argv_or_in_the_servers_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "fake-key-7")
        monkeypatch.setenv("MY_SECRET_TOKEN", "hunter2")
        name = spawn("sleep 60")
        pids = [started(name)["wrapper_pid"], int(tmux("display-message", "-p", "#{pid}"))]
        for pid in pids:
            assert b"fake-key-7" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        shown = tmux("show-environment", "-g") + tmux("show-environment", "-t", f"={name}")
        assert "fake-key-7" not in shown
        assert "hunter2" not in shown
        assert "MY_SECRET" not in shown

    def test_the_launch_file_is_gone_once_the_agent_runs(self) -> None:
        name = spawn("sleep 60")
        started(name)
        assert not (session_folder(name) / "launch").exists()

    def test_sigpipe_is_not_ignored_in_the_agent(self) -> None:
        name = spawn("yes | head -1 >/dev/null; echo ${PIPESTATUS[0]}; sleep 60")
        wait_until(lambda: printed(name, "141"))

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root has to say that it is in a sandbox")
    def test_claude_as_root_is_told_that_it_is_in_a_sandbox_aloud(self, tmp_path: Path) -> None:
        fake = tmp_path / "bin" / "claude"
        fake.parent.mkdir()
        fake.write_text('#!/bin/sh\necho "sandbox=$IS_SANDBOX"; exec sleep 60\n')
        fake.chmod(0o755)
        world = {**os.environ, "PATH": f"{fake.parent}:{os.environ['PATH']}"}
        command = ("--command", "unset CLAUDECODE && claude --dangerously-skip-permissions hi")
        done = run("tmux-wrapper", "spawn", "dev", "5", "5.3", *command, env=world)
        assert "IS_SANDBOX=1" in done.stderr
        wait_until(lambda: printed(done.stdout.strip(), "sandbox=1"))

    def test_a_missing_tmpdir_is_no_obstacle(self) -> None:
        world = {**os.environ, "TMPDIR": "/nonexistent"}
        done = run(
            "tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "echo up; sleep 60", env=world
        )
        wait_until(lambda: printed(done.stdout.strip(), "up"))

    def test_records_are_private(self) -> None:
        name = spawn("echo hi; sleep 60")
        wait_until(lambda: printed(name, "hi"))
        assert stat.S_IMODE(state_folder().stat().st_mode) == 0o700
        for path in state_folder().rglob("*"):
            assert not path.stat().st_mode & 0o077, path

    @pytest.mark.parametrize(
        "folder", ["with space", "quote'\"s", "$(touch x)", "#{pid} #(touch y) %H", "日本語"]
    )
    def test_any_project_path_works(self, tmp_path: Path, folder: str) -> None:
        root = tmp_path / folder
        root.mkdir()
        done = run(
            "tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "pwd; sleep 60", cwd=root
        )
        name = done.stdout.strip()
        wait_until(lambda: printed(name, str(root)))
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            {folder, "home", "shop-api"}
        )

    def test_a_locale_without_utf8_is_no_obstacle(self) -> None:
        world = {**os.environ, "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        done = run(
            "tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "echo é; sleep 60", env=world
        )
        assert done.returncode == 0, done.stderr
        wait_until(lambda: printed(done.stdout.strip(), "é"))


class TestAgentFiles:
    @pytest.fixture
    def agents(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Agents that show what they were told of their session."""
        tools = tmp_path / "bin"
        tools.mkdir()
        for name in ("claude", "codex"):
            show = 'printf "[%s]" "$@"; echo; env | grep ^STORY; echo complete; exec sleep 60'
            (tools / name).write_text(f"#!/bin/sh\n{show}\n")
            (tools / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
        for name in ("SETTINGS", "CONVERSATION", "LAST_MESSAGE", "EVENTS", "SESSION"):
            monkeypatch.setenv(f"STORY_AUTOMATOR_{name}", "of-the-outer-session")

    def told(self, name: str) -> list[str]:
        wait_until(lambda: printed(name, "complete"))
        return log_of(name).read_text().splitlines()

    def test_claude_is_started_with_the_settings_of_its_session(self, agents: None) -> None:
        name = spawn(claude_command("do it", DEFAULT))
        folder = session_folder(name) / "agent"
        record = json.loads((folder.parent / "record.json").read_text())
        assert UUID(record["conversation"]).version == 4
        arguments, *variables = self.told(name)
        assert arguments.startswith(
            f"[--dangerously-skip-permissions][--settings][{folder}/settings.json]"
            f"[--session-id][{record['conversation']}][--name][{name}][do it]"
        )
        assert "STORY_AUTOMATOR_LAST_MESSAGE=" in variables
        assert "of-the-outer-session" not in log_of(name).read_text()

    def test_the_settings_are_complete_in_themselves(self, agents: None) -> None:
        config = Path(os.environ["HOME"], ".config", "story-automator", "config.toml")
        config.parent.mkdir(parents=True)
        config.write_text('[agents]\npermissions = "acceptEdits"\nrefresh_interval = 2\n')
        folder = session_folder(spawn("claude hi"))
        settings = json.loads((folder / "agent" / "settings.json").read_text())
        assert settings["statusLine"]["refreshInterval"] == 2
        assert "skipDangerousModePermissionPrompt" not in settings
        stop = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
        subprocess.run(["/bin/sh", "-c", stop], input=b"{}", env={}, check=True)
        line = settings["statusLine"]["command"]
        subprocess.run(["/bin/sh", "-c", line], input=b"{}", env={}, check=True)
        assert list((folder / "events").glob("*-Stop.json"))
        assert (folder / "agent" / "heartbeat.json").read_text() == "{}\n"

    def test_nothing_of_the_users_own_is_touched(self, agents: None) -> None:
        home = Path(os.environ["HOME"])
        (home / ".claude").mkdir()
        (home / ".claude" / "settings.json").write_text("{}")
        spawn(claude_command("do it", DEFAULT))
        assert (home / ".claude" / "settings.json").read_text() == "{}"
        assert sorted(path.name for path in home.iterdir()) == [".claude", ".local"]

    def test_every_conversation_is_another_one(self, agents: None) -> None:
        ids = {
            json.loads((session_folder(spawn("claude hi")) / "record.json").read_text())[
                "conversation"
            ]
            for _ in range(3)
        }
        assert len(ids) == 3

    def test_codex_is_told_where_to_leave_its_last_message(
        self, agents: None, tmp_path: Path
    ) -> None:
        name = spawn(codex_command("do it", home=tmp_path / "codex home", own={}))
        folder = session_folder(name)
        arguments, *variables = self.told(name)
        assert f"[--json][-o][{folder}/agent/last-message.txt][do it]" in arguments
        assert f"STORY_AUTOMATOR_EVENTS={folder}/events" in variables
        assert {"STORY_AUTOMATOR_SETTINGS=", "STORY_AUTOMATOR_CONVERSATION="} <= set(variables)
        assert not list((folder / "agent").glob("settings*"))

    def test_any_other_command_gets_nothing(self, agents: None) -> None:
        name = spawn("env | grep ^STORY; echo complete; sleep 60")
        assert not list((session_folder(name) / "agent").iterdir())
        assert "of-the-outer-session" not in "\n".join(self.told(name))


class TestFailures:
    def test_spawn_without_a_command_is_an_error(self) -> None:
        done = run("tmux-wrapper", "spawn", "dev", "5", "5.3")
        assert (done.returncode, done.stderr) == (1, "--command is required\n")

    def test_without_tmux_one_line_says_what_to_install(self, tmp_path: Path) -> None:
        (tmp_path / "bin").mkdir()
        done = run(
            "tmux-wrapper",
            "spawn",
            "dev",
            "5",
            "5.3",
            "--command",
            "true",
            env={**os.environ, "PATH": str(tmp_path / "bin")},
        )
        assert done.returncode == 1
        assert "tmux is not installed" in done.stderr
        assert "apt-get install tmux" in done.stderr
        assert not list((state_folder() / "sessions").iterdir())

    def test_a_tmux_that_hangs_is_given_up_and_nothing_is_left(self, tmp_path: Path) -> None:
        fake = tmp_path / "bin" / "tmux"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\nexec sleep 60\n")
        fake.chmod(0o755)
        config = Path(os.environ["HOME"], ".config", "story-automator", "config.toml")
        config.parent.mkdir(parents=True)
        config.write_text("[policy]\ntmux_limit = 0.5\n")
        path = f"{fake.parent}:{os.environ['PATH']}"
        done = run(
            "tmux-wrapper",
            "spawn",
            "dev",
            "5",
            "5.3",
            "--command",
            "true",
            env={**os.environ, "PATH": path},
        )
        assert done.returncode == 1
        assert "tmux did not answer within 0.5 s" in done.stderr
        assert not list((state_folder() / "sessions").iterdir())

    def test_a_full_disk_is_one_sentence_and_leaves_no_session(self) -> None:
        script = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
            "from story_automator.cli.app import run; sys.exit(run(sys.argv[1:]))"
        )
        command = ["tmux-wrapper", "spawn", "dev", "5", "5.3", "--command", "true"]
        done = subprocess.run(
            [sys.executable, "-c", script, *command],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 1
        assert "File too large" in done.stderr
        assert "Traceback" not in done.stderr
        assert not tmux("list-sessions")
        assert not list((state_folder() / "sessions").iterdir())

    def test_a_program_that_does_not_exist_ends_with_127(self) -> None:
        name = spawn("/nonexistent/agent")
        wait_until((session_folder(name) / "ended.json").exists)
        assert json.loads((session_folder(name) / "ended.json").read_text())["code"] == 127


def test_old_records_are_pruned_on_the_way() -> None:
    old = session_folder("sa-old")
    old.mkdir(parents=True)
    (old / "output.log").write_text("x")
    for path in (old / "output.log", old):
        os.utime(path, (0, 0))
    living = spawn("sleep 60")
    wait_until(lambda: not old.exists())
    assert session_folder(living).exists()


def test_old_threads_of_codex_are_pruned_on_the_way() -> None:
    day = state_folder() / "codex" / "shop-1" / "sessions" / "2026" / "01" / "02"
    day.mkdir(parents=True)
    old, new = day / "rollout-old.jsonl", day / "rollout-new.jsonl"
    old.touch()
    new.touch()
    os.utime(old, (0, 0))
    spawn("true")
    wait_until(lambda: not old.exists())
    assert new.exists()
