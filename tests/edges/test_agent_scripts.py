"""The scripts that agents run: any shell, any content, any trouble, and never a word too much."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from story_automator.edges.resources import SCRIPTS
from tests.sessions import wait_until

SHELLS = [("dash",), ("bash", "--posix"), ("busybox", "sh")]
ODD = 'o\'neil "b" $(touch x) é'
LINE = re.compile(r"(?P<folder>.*) \| ctx\((?P<percent>\d+)%\) \| \d\d:\d\d:\d\d\n")


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request: pytest.FixtureRequest) -> Sequence[str]:
    chosen: Sequence[str] = request.param
    if shutil.which(chosen[0]) is None:
        pytest.skip(f"{chosen[0]} is not installed")
    return chosen


def no_room() -> None:
    """Every write to a file fails, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def hook(
    shell: Sequence[str], folder: Path | str, stdin: bytes = b"{}", *, full: bool = False
) -> None:
    """A hook never prints and never fails."""
    done = subprocess.run(
        [*shell, str(SCRIPTS / "hook.sh"), str(folder), "Stop"],
        input=stdin,
        capture_output=True,
        timeout=30,
        check=False,
        preexec_fn=no_room if full else None,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def statusline(
    shell: Sequence[str], heartbeat: Path, stdin: str, *, cwd: Path, full: bool = False
) -> re.Match[str]:
    done = subprocess.run(
        [*shell, str(SCRIPTS / "statusline.sh"), str(heartbeat)],
        input=stdin,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
        preexec_fn=no_room if full else None,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = LINE.fullmatch(done.stdout)
    assert shown, done.stdout
    return shown


class TestHook:
    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(b'{"a": "\\n\xc3\xa9 %s \\\\ \\u0000"}\n', id="json"),
            pytest.param(b"", id="nothing"),
            pytest.param(b"x" * 5_000_000, id="five-megabytes"),
            pytest.param(b"\0\xff\n\n", id="bytes-that-are-no-text"),
        ],
    )
    def test_an_event_is_stored_as_it_was_told(
        self, shell: Sequence[str], tmp_path: Path, content: bytes
    ) -> None:
        folder = tmp_path / ODD
        folder.mkdir()
        hook(shell, folder, content)
        (stored,) = folder.iterdir()
        assert re.fullmatch(r"\d{10,}-\d+-Stop\.json", stored.name)
        assert stored.read_bytes() == content
        assert stored.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("folder", ["", "/nonexistent/events"])
    def test_without_a_folder_nothing_is_stored_and_all_is_read(
        self, shell: Sequence[str], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        before = sorted(tmp_path.rglob("*"))
        hook(shell, folder, b"x" * 5_000_000)
        assert sorted(tmp_path.rglob("*")) == before

    def test_an_event_that_finds_no_room_happened_all_the_same(
        self, shell: Sequence[str], tmp_path: Path
    ) -> None:
        events = tmp_path / "events"
        events.mkdir()
        hook(shell, events, b"x" * 5_000_000, full=True)
        (stored,) = events.iterdir()
        assert stored.name.endswith("-Stop.json")

    def test_what_ends_the_agent_does_not_end_its_last_word(
        self, shell: Sequence[str], tmp_path: Path
    ) -> None:
        events = tmp_path / "events"
        events.mkdir()
        with subprocess.Popen(
            [*shell, str(SCRIPTS / "hook.sh"), str(events), "SessionEnd"],
            stdin=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            wait_until(lambda: list(events.iterdir()))
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
                os.killpg(process.pid, number)
            process.communicate(b"the end", timeout=30)
        (stored,) = events.iterdir()
        assert (stored.name[0] != ".", stored.read_bytes()) == (True, b"the end")

    def test_a_hook_that_is_killed_leaves_what_it_had(
        self, shell: Sequence[str], tmp_path: Path
    ) -> None:
        events = tmp_path / "events"
        events.mkdir()
        with subprocess.Popen(
            [*shell, str(SCRIPTS / "hook.sh"), str(events), "Stop"],
            stdin=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            assert process.stdin is not None
            process.stdin.write(b'{"half":')
            process.stdin.flush()
            wait_until(lambda: [path for path in events.iterdir() if path.stat().st_size])
            os.killpg(process.pid, signal.SIGKILL)
        (left,) = events.iterdir()
        assert re.fullmatch(r"\.\d+-\d+-Stop\.json", left.name)
        assert left.read_bytes() == b'{"half":'


WINDOW = {"current_usage": {"input_tokens": 1}, "used_percentage": 42, "remaining_percentage": 58}
LIMITS = {"five_hour": {"used_percentage": 97}}


class TestStatusline:
    @pytest.mark.parametrize(
        ("told", "percent"),
        [
            pytest.param({"context_window": WINDOW}, 42, id="as-told"),
            pytest.param({"context_window": WINDOW, "rate_limits": LIMITS}, 42, id="limits-after"),
            pytest.param({"rate_limits": LIMITS, "context_window": WINDOW}, 42, id="limits-before"),
            pytest.param(
                {"context_window": {"current_usage": {"a": {}}}, "rate_limits": LIMITS},
                0,
                id="limits-instead",
            ),
            pytest.param({"context_window": None, "rate_limits": LIMITS}, 0, id="no-window"),
            pytest.param({"context_window": {"used_percentage": None}}, 0, id="nothing-used-yet"),
            pytest.param({"context_window": {"used_percentage": 8.5}}, 8, id="a-fraction"),
            pytest.param({"cwd": '"context_window":{"used_percentage":9}'}, 0, id="only-quoted"),
            pytest.param({}, 0, id="an-empty-object"),
        ],
    )
    def test_the_context_is_that_of_the_window(
        self, shell: Sequence[str], tmp_path: Path, told: object, percent: int
    ) -> None:
        for text in (json.dumps(told), json.dumps(told, separators=(",", ":"))):
            shown = statusline(shell, tmp_path / "beat", text, cwd=tmp_path)
            assert int(shown["percent"]) == percent

    @pytest.mark.parametrize("text", ["", "{", '{"context_window":{"a":{"used_percentage":3', "}}"])
    def test_what_is_no_json_ends_as_well(
        self, shell: Sequence[str], tmp_path: Path, text: str
    ) -> None:
        statusline(shell, tmp_path / "beat", text, cwd=tmp_path)

    def test_the_json_is_kept_as_the_heartbeat(self, shell: Sequence[str], tmp_path: Path) -> None:
        folder = tmp_path / ODD
        folder.mkdir()
        beat = folder / "heartbeat.json"
        told = {"cwd": "a\\b\n%s -n", "context_window": WINDOW}
        for _ in range(2):
            shown = statusline(shell, beat, json.dumps(told), cwd=folder)
        assert shown["folder"] == ODD
        assert json.loads(beat.read_text()) == told
        assert beat.stat().st_mode & 0o777 == 0o600
        assert list(folder.iterdir()) == [beat]

    def test_without_room_the_old_heartbeat_still_beats(
        self, shell: Sequence[str], tmp_path: Path
    ) -> None:
        beat = tmp_path / "beat"
        beat.write_text("{}")
        os.utime(beat, (0, 0))
        statusline(shell, beat, '{"new": 1}', cwd=tmp_path, full=True)
        assert beat.read_text() == "{}"
        assert beat.stat().st_mtime > 0
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["beat"]

    def test_a_folder_that_is_gone_costs_only_the_heartbeat(
        self, shell: Sequence[str], tmp_path: Path
    ) -> None:
        shown = statusline(shell, tmp_path / "gone" / "beat", "{}", cwd=tmp_path)
        assert shown["folder"] == tmp_path.name
        assert not (tmp_path / "gone").exists()
