"""`canary` without a real agent: what it says, what it remembers, what it leaves."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from story_automator.run.canary import (
    KNOWN,
    PACKAGES,
    Canary,
    in_words,
    is_new,
    last_canary,
    remember,
)
from story_automator.run.canary_stage import Tried
from story_automator.run.trials import FALLBACKS, PRIMARY, SCRIPTS
from tests.sessions import living_in, wait_until

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
HANGS = '#!/bin/sh\n[ "$1" = --version ] && echo "9.9.8 (Claude Code)" && exit\nexec sleep 600\n'
DEAD = '#!/bin/sh\n[ "$1" = --version ] && echo "9.9.9 (Claude Code)" && exit\nexit 3\n'


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the canaries of this test take place, on a short path."""
    short = Path(os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]).parent
    monkeypatch.setenv("TMPDIR", str(short))
    return short


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of a PATH on which no agent is."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def install(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(script)
    path.chmod(0o755)


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(
    ("argv", "words"),
    [
        pytest.param(["claude"], "claude is not installed", id="the-wanted-one"),
        pytest.param(["codex", "--json"], "codex is not installed", id="the-other"),
        pytest.param([], "no agent is installed", id="any"),
    ],
)
def test_a_missing_agent_is_told_with_what_to_do(cli: Cli, argv: list[str], words: str) -> None:
    done = cli("canary", *argv)
    assert done.returncode == 1
    assert words in done.stderr
    assert "next: npm install --global @" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("argv", [["gemini"], ["--jsn"], ["claude", "codex"]])
def test_a_mistake_is_one_line(cli: Cli, argv: list[str]) -> None:
    done = cli("canary", *argv)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Usage: story-automator canary [claude|codex] [--json]" in done.stderr


def test_help_is_one_line(cli: Cli) -> None:
    done = cli("canary", "--help")
    assert (done.returncode, done.stdout) == (
        0,
        "Usage: story-automator canary [claude|codex] [--json]\n",
    )


def test_an_agent_that_tells_no_version_is_not_tried(cli: Cli, programs: Path) -> None:
    install(programs, "claude", "#!/bin/sh\necho who are you\n")
    done = cli("canary", "claude")
    assert done.returncode == 1
    assert "claude --version does not tell a version" in done.stderr


def test_an_agent_that_is_broken_fails_every_trial_and_leaves_nothing(
    cli: Cli, programs: Path, place: Path
) -> None:
    install(programs, "claude", DEAD)
    done = cli("canary", "claude", "--json")
    assert done.returncode == 1, done.stderr
    answer = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert (answer["agent"], answer["version"], answer["ok"]) == ("claude", "9.9.9", False)
    names = [trial.name for trials, _ in SCRIPTS["claude"] for trial in trials]
    assert sorted(row["trial"] for row in answer["trials"]) == sorted(names)
    assert {row["final_state"] for row in answer["trials"]} == {"crashed"}
    assert set(answer) == {"agent", "version", "ok", "missing", "trials"}
    assert set(answer["trials"][0]) == {
        *("trial", "ok", "expected", "final_state", "exit_reason", "signals", "missing", "seconds")
    }
    assert list(place.iterdir()) == []
    last = last_canary("claude")
    assert last is not None
    assert (last.version, last.ok, "Stop" in last.missing) == ("9.9.9", False, True)


def test_the_next_canary_clears_away_what_a_killed_one_left(
    cli: Cli, programs: Path, place: Path
) -> None:
    install(programs, "claude", HANGS)
    killed = subprocess.Popen([sys.executable, "-m", "story_automator", "canary", "claude"])
    try:
        (session, *_) = wait_until(lambda: list(place.glob("*/h/.local/state/*/sessions/*")))
        home = session.parents[4]
        wait_until(lambda: "sleep" in living_in(home))
    finally:
        killed.kill()
        killed.wait()
    install(programs, "claude", DEAD)
    assert cli("canary", "claude").returncode == 1
    assert living_in(home) == []
    assert list(place.iterdir()) == []


def test_two_canaries_at_once_do_not_meet(programs: Path, place: Path) -> None:
    install(programs, "claude", DEAD)
    command = [sys.executable, "-m", "story_automator", "canary", "claude", "--json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for out, _ in [each.communicate(timeout=60) for each in both]:
        assert {row["final_state"] for row in json.loads(out)["trials"]} == {"crashed"}
    assert list(place.iterdir()) == []


def test_the_table_fits_a_terminal(cli: Cli, programs: Path) -> None:
    install(programs, "claude", DEAD)
    done = cli("canary")
    assert done.returncode == 1
    assert done.stderr == "codex is not installed, so it is not tried\n"
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "  WRONG turn       crashed/" in done.stdout
    assert "is not to be trusted with a night:" in done.stdout


def test_without_a_name_the_answer_is_still_one_line(cli: Cli, programs: Path) -> None:
    install(programs, "claude", DEAD)
    install(programs, "codex", DEAD)
    done = cli("canary", "--json")
    answer = json.loads(done.stdout)
    assert (done.stdout.count("\n"), answer["ok"], done.returncode) == (1, False, 1)
    assert [each["agent"] for each in answer["agents"]] == ["claude", "codex"]


def test_where_nothing_can_be_remembered_nothing_is_tried(
    cli: Cli, programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(programs, "claude", DEAD)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    done = cli("canary", "claude", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Not a directory" in done.stderr
    assert "\n  next: move away what stands where a folder should be" in done.stderr


def tried(*, as_expected: bool = True, missing: str = "") -> Tried:
    signals = {"Stop": True} | dict.fromkeys(missing.split(), False)
    state = "completed" if as_expected else "crashed"
    return Tried("turn", as_expected, "completed/normal_completion", state, "x", signals, 1.0)


@pytest.mark.parametrize(
    ("trial", "ok", "words"),
    [
        pytest.param(tried(), True, ["all signals arrive with Claude Code 2.1.0"], id="all-well"),
        pytest.param(
            tried(missing="heartbeat"),
            True,
            [
                "Claude Code 2.1.0 will do: every trial ended as it should, but",
                "heartbeat is lost, which leaves the clock on the screen",
            ],
            id="what-has-something-in-its-place-is-a-warning",
        ),
        pytest.param(
            tried(missing="StopFailure title"),
            False,
            [
                "Claude Code 2.1.0 is not to be trusted with a night:",
                "StopFailure is lost, which leaves the transcript",
                "next: npm install --global @anthropic-ai/claude-code@2.1.197",
            ],
            id="what-a-verdict-rests-on-is-not",
        ),
        pytest.param(
            tried(as_expected=False),
            False,
            [
                "Claude Code 2.1.0 is not to be trusted with a night:",
                "turn ended as crashed/x instead of completed/normal_completion",
                "next: npm install --global @anthropic-ai/claude-code@2.1.197",
            ],
            id="nor-is-another-verdict",
        ),
    ],
)
def test_the_last_words_say_what_is_lost(trial: Tried, ok: bool, words: list[str]) -> None:
    result = Canary("claude", "2.1.0", [trial])
    assert (result.ok, in_words(result)) == (ok, words)


def test_each_primary_signal_is_asked_for() -> None:
    asked = {name for trials, _ in SCRIPTS["claude"] for trial in trials for name in trial.signals}
    assert asked >= PRIMARY


@pytest.mark.parametrize("agent", SCRIPTS)
def test_every_signal_of_the_script_has_a_fall_back(agent: str) -> None:
    named = {name for trials, _ in SCRIPTS[agent] for trial in trials for name in trial.signals}
    assert named <= FALLBACKS.keys()


@pytest.mark.parametrize("agent", SCRIPTS)
def test_the_version_that_is_advised_is_the_one_that_is_tested(agent: str) -> None:
    fetched = (Path(__file__).parents[2] / "bin" / "fetch-real").read_text()
    assert f" {PACKAGES[agent]}@{KNOWN[agent]} " in fetched


class TestMemory:
    def test_a_version_is_new_until_it_was_tried(self) -> None:
        assert last_canary("claude") is None
        assert is_new("claude", "2.1.0")
        before = datetime.now(UTC).replace(microsecond=0)
        remember(Canary("claude", "2.1.0", [tried(missing="title Stop")]))
        last = last_canary("claude")
        assert last is not None
        assert (last.agent, last.version, last.ok) == ("claude", "2.1.0", False)
        assert last.missing == ("Stop", "title")
        assert before <= last.when <= datetime.now(UTC)
        assert not is_new("claude", "2.1.0")
        assert is_new("claude", "2.1.1")
        assert is_new("codex", "2.1.0")

    @pytest.mark.parametrize(
        "content", ["", "junk", "[]", "null", '{"version": 2}', '{"version": 1, "ok": true}']
    )
    def test_what_cannot_be_read_is_no_canary(self, content: str) -> None:
        remember(Canary("claude", "2.1.0", [tried()]))
        (stored,) = Path(os.environ["HOME"]).rglob("canary/claude.json")
        assert stored.stat().st_mode & 0o777 == 0o600
        stored.write_text(content)
        assert last_canary("claude") is None
