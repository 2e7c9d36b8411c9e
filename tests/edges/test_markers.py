"""The marker file as it may be found on a disk, and the process behind it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from story_automator.edges import markers
from story_automator.errors import StoryAutomatorError


def test_no_file_is_nothing_seen(tmp_path: Path) -> None:
    assert markers.look(tmp_path / "marker") is None
    assert markers.look(tmp_path / "no" / "folder") is None


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        pytest.param(b'{"pid": 3}', "", id="an-object-is-read"),
        pytest.param(b'\xef\xbb\xbf{"pid": 3}', "", id="also-behind-a-bom"),
        pytest.param(b"[1]", "it is not a JSON object", id="an-array"),
        pytest.param(b"{", "it is not valid JSON", id="half-an-object"),
        pytest.param(b"", "it is not valid JSON", id="an-empty-file"),
        pytest.param(b"\xff", "it is not UTF-8", id="other-bytes"),
        pytest.param(b"[" * 100_000, "it is not valid JSON", id="a-hundred-thousand-brackets"),
        pytest.param(b"9" * 5000, "it is not valid JSON", id="a-number-python-refuses"),
        pytest.param(b" " * 2_000_000, "it is not valid JSON", id="two-megabytes"),
    ],
)
def test_any_content_is_looked_at_without_fear(
    tmp_path: Path, content: bytes, trouble: str
) -> None:
    path = tmp_path / "marker"
    path.write_bytes(content)
    seen = markers.look(path)
    assert seen is not None
    assert seen.trouble == trouble
    assert dict(seen.document) == ({} if trouble else {"pid": 3})
    assert seen.ours


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "marker")
    seen = markers.look(tmp_path / "marker")
    assert seen is not None
    assert seen.trouble == "it is not a regular file"


def test_a_directory_is_neither_overwritten_nor_removed(tmp_path: Path) -> None:
    folder = tmp_path / "marker"
    folder.mkdir()
    with pytest.raises(StoryAutomatorError, match="is a directory"):
        markers.guarded(folder)
    with pytest.raises(OSError, match="directory"):
        markers.remove(folder)
    assert {path.name for path in tmp_path.iterdir()} == {"home", "marker"}


def test_a_planted_symlink_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim, marker = tmp_path / "victim", tmp_path / "marker"
    victim.write_text("precious")
    marker.symlink_to(victim)
    markers.write(marker, {"pid": 1})
    assert victim.read_text() == "precious"
    assert not marker.is_symlink()
    assert marker.stat().st_mode & 0o777 == 0o600


def test_we_are_alive_and_nobody_has_an_impossible_pid() -> None:
    assert markers.is_alive(os.getpid(), ours=True)
    assert not markers.is_alive(2**22 + 1, ours=True)
    assert not markers.is_alive(10**30, ours=True)


def test_a_zombie_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    # Waits for the end and leaves the zombie unreaped.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    try:
        assert not markers.is_alive(child.pid, ours=True)
    finally:
        child.wait()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may signal everybody")
def test_a_pid_of_another_user_was_given_away() -> None:
    assert not markers.is_alive(1, ours=True)
    assert markers.is_alive(1, ours=False)
