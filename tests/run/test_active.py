"""Claiming a project: who may, who may not, and what parallel writers leave behind."""

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from story_automator.errors import StoryAutomatorError
from story_automator.model.marker import Marker
from story_automator.run.active import beat, claim, observe, release

NOW = datetime.now(UTC).replace(microsecond=0)
OLD = "2020-01-01T00:00:00Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "marker"


@pytest.fixture
def other_pid() -> Iterator[int]:
    """A living process that is not us."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid
        process.terminate()


def gone_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def holder(path: Path) -> object:
    return json.loads(path.read_text())["epic"]


def test_the_fresh_marker_of_another_living_process_is_never_overwritten(
    path: Path, other_pid: int
) -> None:
    claim(path, Marker(epic="5", story="5.3", pid=other_pid), NOW)
    for pid in (os.getpid(), 0):
        with pytest.raises(StoryAutomatorError) as refusal:
            claim(path, Marker(epic="6", pid=pid), NOW + timedelta(seconds=40))
        assert refusal.value.message == (
            "another run is active in this project "
            f"(pid {other_pid}, epic 5, story 5.3, last heartbeat 40 s ago)"
        )
    assert holder(path) == "5"


def test_a_run_updates_its_own_marker(path: Path) -> None:
    claim(path, Marker(epic="5", remaining=3, pid=os.getpid()), NOW)
    assert claim(path, Marker(epic="5", remaining=2, pid=os.getpid()), NOW) == ""
    assert json.loads(path.read_text())["storiesRemaining"] == 2


def test_without_pids_the_marker_can_be_written_again(path: Path) -> None:
    claim(path, Marker(epic="5"), NOW)
    assert claim(path, Marker(epic="6"), NOW) == ""
    assert holder(path) == "6"


def test_the_marker_of_a_process_that_is_gone_is_replaced_and_said(path: Path) -> None:
    pid = gone_pid()
    claim(path, Marker(epic="5", pid=pid), NOW)
    assert claim(path, Marker(epic="6", pid=os.getpid()), NOW) == f"its process {pid} is gone"
    assert holder(path) == "6"


def test_an_old_heartbeat_is_replaced_though_the_process_lives(path: Path, other_pid: int) -> None:
    claim(path, Marker(epic="5", pid=other_pid, heartbeat=OLD), NOW)
    assert "heartbeat is" in claim(path, Marker(epic="6", pid=os.getpid()), NOW)
    assert holder(path) == "6"


@pytest.mark.parametrize("content", [b"[1]", b"{", b"\xff", b""])
def test_a_corrupt_marker_is_replaced_and_said(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert claim(path, Marker(epic="6"), NOW).startswith("it is not")
    assert holder(path) == "6"


def test_a_marker_is_private(path: Path) -> None:
    claim(path, Marker(epic="5"), NOW)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_heartbeat_keeps_what_others_wrote(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"epic": "5", "note": "kept", "heartbeat": OLD}))
    stamp = beat(path, NOW)
    assert json.loads(path.read_text()) == {"epic": "5", "note": "kept", "heartbeat": stamp}
    found = observe(path, NOW)
    assert found is not None
    assert not found.stale


def test_a_heartbeat_needs_a_marker_that_can_be_read(path: Path) -> None:
    assert beat(path, NOW) is None
    assert not path.parent.exists(), "asking leaves nothing behind"
    path.parent.mkdir()
    path.write_text("{")
    with pytest.raises(StoryAutomatorError, match="it is not valid JSON"):
        beat(path, NOW)


def test_without_a_heartbeat_the_age_of_the_file_decides(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"storiesRemaining": 3}')
    fresh = observe(path, NOW)
    an_hour_ago = NOW.timestamp() - 3600
    os.utime(path, (an_hour_ago, an_hour_ago))
    stale = observe(path, NOW)
    assert fresh is not None
    assert stale is not None
    assert (fresh.stale, stale.stale) == (False, True)


def test_release_twice_is_harmless(path: Path) -> None:
    claim(path, Marker(), NOW)
    release(path)
    release(path)
    assert observe(path, NOW) is None


def add_note(path: Path, number: int) -> None:
    """What a parallel updater does: look, change one key, write, all under the lock."""
    from story_automator.edges import markers

    for turn in range(10):
        with markers.guarded(path):
            seen = markers.look(path)
            assert seen is not None
            markers.write(path, {**seen.document, f"note-{number}-{turn}": 1})
        beat(path, NOW)


def test_parallel_updates_all_survive(path: Path) -> None:
    claim(path, Marker(epic="5"), NOW)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=add_note, args=(path, number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    document = json.loads(path.read_text())
    assert sum(key.startswith("note-") for key in document) == 40


def claim_for(path: Path, pid: int) -> None:
    try:
        claim(path, Marker(epic=str(pid), pid=pid), NOW)
    except StoryAutomatorError:
        sys.exit(3)


def test_of_many_that_start_at_once_one_gets_the_project(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as one:
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as two:
            claimants = [
                context.Process(target=claim_for, args=(path, pid)) for pid in (one.pid, two.pid)
            ]
            for claimant in claimants:
                claimant.start()
            for claimant in claimants:
                claimant.join()
            assert sorted(claimant.exitcode or 0 for claimant in claimants) == [0, 3]
            two.terminate()
        one.terminate()
