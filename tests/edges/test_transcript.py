"""A transcript's lines: in the order of their time, whatever its size and however it ends."""

import json
import os
import random
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from story_automator.edges import transcript
from story_automator.edges.transcript import Line, lines, lines_in_time

MEGABYTE = 1 << 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "transcript.jsonl"


def at(moment: str, name: object, **more: object) -> str:
    return json.dumps({"name": name, "timestamp": moment, **more})


def names(path: Path) -> list[object]:
    return [json.loads(line.data)["name"] for line in lines_in_time(path)]


class TestOrder:
    def test_lines_come_in_the_order_of_their_time(self, path: Path) -> None:
        told = ["2026-11-18T15:00:02.000Z", "2026-11-18T15:00:01.500Z", "2026-11-18T15:00:01.000Z"]
        path.write_text("".join(at(moment, moment) + "\n" for moment in told))
        assert names(path) == sorted(told)

    def test_equal_times_keep_their_order(self, path: Path) -> None:
        moments = [f"2026-11-18T15:00:0{random.randrange(3)}Z" for _ in range(300)]
        path.write_text("".join(at(m, n) + "\n" for n, m in enumerate(moments)))
        assert names(path) == sorted(range(300), key=lambda n: moments[n])

    def test_one_without_a_time_stays_behind_the_one_before_it(self, path: Path) -> None:
        path.write_text(
            "\n".join(
                [
                    at("2026-11-18T15:00:09Z", "last"),
                    '{"name": "behind last"}',
                    at("2026-11-18T15:00:01Z", "first"),
                    at("soon", "behind first"),
                ]
            )
        )
        assert names(path) == ["first", "behind first", "last", "behind last"]

    def test_only_the_lines_own_time_counts(self, path: Path) -> None:
        inner = [{"timestamp": f"2026-11-18T14:00:{n:02}Z"} for n in range(60)]
        said = 'it said "timestamp":"2026-11-18T13:00:00Z"'
        path.write_text(
            "\n".join(
                [
                    at("2026-11-18T15:00:01Z", 1),
                    at("2026-11-18T15:00:02Z", 2, inner=inner, said=said),
                    at("2026-11-18T15:00:03Z", 3),
                ]
            )
        )
        assert names(path) == [1, 2, 3]

    def test_times_of_other_zones_are_compared_as_instants(self, path: Path) -> None:
        path.write_text(
            at("2026-11-18T15:00:00+02:00", "early") + "\n" + at("2026-11-18T14:00:00Z", "late")
        )
        assert names(path) == ["early", "late"]


class TestEnds:
    def test_a_half_written_last_line_is_handed_over_as_it_is(self, path: Path) -> None:
        path.write_bytes(b'{"name": 1}\n{"na')
        assert [line.data for line in lines_in_time(path)] == [b'{"name": 1}\n', b'{"na']

    @pytest.mark.parametrize("read", [lines, lines_in_time])
    def test_there_is_nothing_in_what_is_no_file(self, path: Path, read: object) -> None:
        assert callable(read)
        assert list(read(path)) == []
        assert list(read(path.parent)) == []
        os.mkfifo(path)
        assert list(read(path)) == []

    def test_a_path_that_cannot_be_one_is_no_file(self) -> None:
        assert list(lines(Path("a\0b"))) == []

    def test_a_line_that_is_too_long_is_told_by_its_size(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(transcript, "LONGEST_LINE", 100)
        monkeypatch.setattr(transcript, "CHUNK", 30)
        edge = b"x" * 99 + b"\n"
        path.write_bytes(b"a\n" + edge + b"y" * 250 + b"\nb\n" + b"z" * 100)
        told = [Line(b"a\n"), Line(edge), Line(b"", 251), Line(b"b\n"), Line(b"z" * 100)]
        assert list(lines(path)) == told
        assert list(lines_in_time(path)) == told

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.binary(max_size=300))
    def test_no_byte_is_lost(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        assert b"".join(line.data for line in lines(path)) == content
        assert sorted(line.data for line in lines_in_time(path)) == sorted(
            line.data for line in lines(path)
        )


def test_a_long_transcript_needs_a_few_megabytes(path: Path) -> None:
    filler = "x" * 2000
    with path.open("w") as file:
        for n in range(20_000):
            file.write(at(f"2026-11-18T15:{n % 60:02}:00Z", n, said=filler) + "\n")
    assert path.stat().st_size > 30 * MEGABYTE
    tracemalloc.start()
    try:
        assert sum(1 for _ in lines_in_time(path)) == 20_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * MEGABYTE
