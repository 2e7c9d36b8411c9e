"""The event source: ends of processes and new files, told by the system."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from story_automator.edges.events import ANY, EventSource, event_source

LONG = 20.0


@pytest.fixture
def source() -> Iterator[EventSource]:
    made = event_source()
    yield made
    made.close()


def test_the_end_of_a_process_wakes_its_key_once(source: EventSource) -> None:
    process = subprocess.Popen(["sleep", "300"])
    source.watch_process("a", process.pid)
    assert source.wait(0) == {}
    process.kill()
    assert source.wait(LONG) == {"a": {ANY}}
    assert source.wait(0) == {}
    process.wait()


def test_an_unreaped_child_counts_as_ended(source: EventSource) -> None:
    process = subprocess.Popen(["true"])
    source.watch_process("a", process.pid)
    assert source.wait(LONG) == {"a": {ANY}}
    process.wait()


def test_a_renamed_file_is_told_by_name_and_a_growing_one_is_not(
    source: EventSource, tmp_path: Path
) -> None:
    source.watch_folder("a", tmp_path)
    (tmp_path / "log").write_text("growing")
    assert source.wait(0.05) == {}
    (tmp_path / "log").rename(tmp_path / "1-Stop.json")
    assert source.wait(LONG) == {"a": {"1-Stop.json"}}


def test_a_forgotten_key_stays_silent(source: EventSource, tmp_path: Path) -> None:
    process = subprocess.Popen(["sleep", "300"])
    source.watch_folder("a", tmp_path)
    source.watch_process("a", process.pid)
    source.forget("a")
    (tmp_path / "x").write_text("")
    (tmp_path / "x").rename(tmp_path / "y")
    process.kill()
    process.wait()
    assert source.wait(0.05) == {}


def test_what_cannot_be_watched_is_left_to_the_tick(source: EventSource, tmp_path: Path) -> None:
    source.watch_folder("a", tmp_path / "nowhere")
    source.watch_process("a", 2**22 + 1)
    assert source.wait(0) == {}
