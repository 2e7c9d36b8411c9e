"""The output file: whole, private, clean, and made without ever holding the log in memory."""

import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from story_automator.edges.files import PRIVATE_FILE, atomic_writer, write_atomic
from story_automator.edges.output import CHUNK, Cleaner, cleaned, tail, write_texts
from story_automator.rules.readable import Readable

MEGABYTE = 1 << 20
FEW_MEGABYTES = 8 * MEGABYTE


def write_output(log: Path, target: Path, cleaner: Cleaner) -> int:
    return write_texts(target, cleaned(log, cleaner))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "output.log"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "output.txt"


@pytest.fixture(autouse=True)
def folder(target: Path) -> Path:
    target.parent.mkdir()
    return target.parent


class TestWriteOutput:
    def test_the_first_and_the_last_line_of_100_000_are_there(
        self, log: Path, target: Path
    ) -> None:
        log.write_bytes(b"".join(b"line %d\r\n" % n for n in range(100_000)) + b"FINAL VERDICT")
        written = write_output(log, target, Readable())
        lines = target.read_text().splitlines()
        assert lines == [*(f"line {n}" for n in range(100_000)), "FINAL VERDICT"]
        assert written == target.stat().st_size

    def test_a_table_and_the_alternate_screen_are_kept(self, log: Path, target: Path) -> None:
        table = "┌──────┬───┐\n│ fail │ 3 │\n└──────┴───┘\n"
        drawn = table.replace("\n", "\r\n")
        log.write_text(f"{drawn}\x1b[?1049h\x1b[Hin the other screen\x1b[?1049l", newline="")
        write_output(log, target, Readable())
        assert target.read_text() == f"{table}in the other screen\n"

    def test_bytes_that_are_no_text_are_replaced(self, log: Path, target: Path) -> None:
        log.write_bytes("漢字".encode() + b"\xff\xfe ok\r\n" + "é".encode()[:1])
        write_output(log, target, Readable())
        assert target.read_text() == "漢字\ufffd\ufffd ok\n\ufffd\n"

    def test_a_character_on_the_edge_of_two_reads_survives(self, log: Path, target: Path) -> None:
        log.write_bytes(b"x" * (CHUNK - 1) + "漢".encode() + b"\r\n")
        write_output(log, target, Readable())
        assert target.read_text().replace("\n", "") == "x" * (CHUNK - 1) + "漢"

    def test_secrets_are_masked_and_the_file_is_private(self, log: Path, target: Path) -> None:
        log.write_bytes(b"export API_KEY=abcdef\r\n")
        write_output(log, target, Readable())
        assert target.read_text() == "export API_KEY=***\n"
        assert target.stat().st_mode & 0o777 == PRIVATE_FILE

    def test_a_file_that_others_could_read_becomes_private(self, log: Path, target: Path) -> None:
        target.write_text("old")
        target.chmod(0o644)
        log.write_bytes(b"new\r\n")
        write_output(log, target, Readable())
        assert (target.read_text(), target.stat().st_mode & 0o777) == ("new\n", PRIVATE_FILE)

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(None, id="a-missing-log"),
            pytest.param(b"", id="an-empty-log"),
            pytest.param(b"\r\n\x1b[2J\x1b[H\x1b]0;t\x07  \r\n", id="a-log-without-text"),
        ],
    )
    def test_nothing_to_say_writes_no_file(
        self, log: Path, target: Path, folder: Path, content: bytes | None
    ) -> None:
        if content is not None:
            log.write_bytes(content)
        assert write_output(log, target, Readable()) == 0
        assert list(folder.iterdir()) == []

    def test_a_failure_leaves_the_old_file_and_no_other(
        self, log: Path, target: Path, folder: Path
    ) -> None:
        class Failing(Readable):
            def close(self) -> str:
                raise OSError("the disk is gone")

        target.write_text("old")
        log.write_bytes(b"new\r\n" * 1000)
        with pytest.raises(OSError, match="the disk is gone"):
            write_output(log, target, Failing())
        assert [path.read_text() for path in folder.iterdir()] == ["old"]


def plain() -> Iterator[bytes]:
    for n in range(10_000):
        yield b"%d a line of a long build with some words in it\r\n" % n * 100


def redrawn() -> Iterator[bytes]:
    for n in range(12_000):
        yield (
            b"\x1b[2K\x1b[1A" * 4 + b"\x1b[Gsaid %d\r\n" % n + b"\x1b[2m-\x1b[0m%0196d\r\n" % n * 4
        )


def one_line() -> Iterator[bytes]:
    for _ in range(100):
        yield b"x" * 100_000


def unfinished_title() -> Iterator[bytes]:
    yield b"before\r\n\x1b]0;"
    yield from one_line()


@pytest.mark.parametrize("content", [plain, redrawn, one_line, unfinished_title])
def test_a_long_log_needs_a_few_megabytes(
    log: Path, target: Path, content: Callable[[], Iterator[bytes]]
) -> None:
    with log.open("wb") as file:
        file.writelines(content())
    assert log.stat().st_size > FEW_MEGABYTES
    tracemalloc.start()
    try:
        assert write_output(log, target, Readable())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < FEW_MEGABYTES


class TestTail:
    @pytest.mark.parametrize(
        ("content", "limit", "end"),
        [
            pytest.param(b"0123456789", 4, b"6789", id="only-the-end"),
            pytest.param(b"0123", 10, b"0123", id="all-of-a-short-file"),
            pytest.param(b"", 10, b"", id="nothing-of-an-empty-file"),
            pytest.param(b"0123", 0, b"", id="nothing-when-nothing-is-asked"),
        ],
    )
    def test_it_is_the_end(self, log: Path, content: bytes, limit: int, end: bytes) -> None:
        log.write_bytes(content)
        assert tail(log, limit) == end

    def test_a_missing_file_has_no_end(self, log: Path) -> None:
        assert tail(log, 10) == b""

    def test_a_huge_file_is_not_read(self, log: Path) -> None:
        with log.open("wb") as file:
            file.truncate(4 << 30)
        assert tail(log, 3) == bytes(3)


class TestAtomicWriter:
    def test_a_reader_sees_the_old_file_until_all_is_written(self, target: Path) -> None:
        write_atomic(target, "old", mode=0o640)
        with atomic_writer(target, mode=0o640) as file:
            file.write(b"new")
            file.flush()
            assert target.read_text() == "old"
        assert target.read_text() == "new"
        assert target.stat().st_mode & 0o777 == 0o640

    def test_the_unfinished_file_is_private_and_hidden_beside_it(
        self, target: Path, folder: Path
    ) -> None:
        with atomic_writer(target, mode=PRIVATE_FILE):
            (unfinished,) = folder.iterdir()
            assert re.fullmatch(r"\.output\.txt\.\w+\.tmp", unfinished.name)
            assert unfinished.stat().st_mode & 0o777 == PRIVATE_FILE

    def test_an_interruption_leaves_nothing(self, target: Path, folder: Path) -> None:
        def interrupted() -> Iterator[bytes]:
            yield b"half"
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), atomic_writer(target, mode=PRIVATE_FILE) as file:
            file.writelines(interrupted())
        assert list(folder.iterdir()) == []
