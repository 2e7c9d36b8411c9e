"""An output of any size, of any bytes, is read in a few MB: its ends whole, its results found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from story_automator.edges.long_text import HEAD, TAIL, read_long_text
from story_automator.errors import StoryAutomatorError
from story_automator.model.long_text import LongText
from story_automator.rules.excerpt import excerpt

MEGABYTE = 1 << 20
WIDE = b"a plain line of the session " * 30


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def texts(text: LongText) -> list[str]:
    return [row.text for row in text.rows]


def filler(size: int, line: bytes = b"a plain line of the session") -> bytes:
    return (line + b"\n") * (size // (len(line) + 1) + 1)


class TestShortFile:
    def test_is_all_tail(self, tmp_path: Path) -> None:
        text = read_long_text(written(tmp_path / "a", b"one\n\ntwo\nthree"))
        assert text.head == text.results == ()
        assert [(row.number, row.text) for row in text.tail] == [
            *((1, "one"), (2, ""), (3, "two"), (4, "three"))
        ]
        assert (text.lines, text.size) == (4, 14)

    @pytest.mark.parametrize(
        ("data", "shown"),
        [
            pytest.param(b"a\r\nb\r\n", ["a", "b"], id="windows-line-ends"),
            pytest.param(b"a\rb\rc\r", ["a", "b", "c"], id="returns-alone-end-lines"),
            pytest.param(b"10%\r20%\r\x1b[K99%\nb", ["99%", "b"], id="a-redrawn-line-as-last-seen"),
            pytest.param(b"\x1b[31;1mred\x1b[0m \x1b]0;title\x07x", ["red x"], id="escapes-go"),
            pytest.param(b"3\x1b[1Cfailed", ["3 failed"], id="a-moved-cursor-is-a-blank"),
            pytest.param(b"a\0b\x08\x07c", ["abc"], id="control-characters-go"),
            pytest.param(b"\xff\xfe3\0 \0f\0", ["\ufffd\ufffd3 f"], id="no-utf-8"),
            pytest.param(b"\xef\xbb\xbfhead", ["head"], id="a-byte-order-mark-goes"),
            pytest.param("2 fa\u200biled\u202e".encode(), ["2 failed"], id="unseen-letters-go"),
            pytest.param("ok\U000e0070\U000e0071".encode(), ["ok"], id="smuggled-tags-go"),
            pytest.param("a\u2028b\xa0c".encode(), ["a b c"], id="odd-blanks-are-blanks"),
            pytest.param(b"ok\tpkg   ", ["ok  pkg"], id="tabs-are-blanks"),
        ],
    )
    def test_rows_are_clean(self, tmp_path: Path, data: bytes, shown: list[str]) -> None:
        assert texts(read_long_text(written(tmp_path / "a", data))) == shown

    def test_the_last_message_is_clean_too(self, tmp_path: Path) -> None:
        text = read_long_text(written(tmp_path / "a", b"x"), "\n\x1b[1mDone.\x1b[0m\r\n\n\tBye\0\n")
        assert text.last_message == "Done.\n\n    Bye"

    def test_a_long_line_keeps_both_ends(self, tmp_path: Path) -> None:
        data = b"begins " + b"word " * 20_000 + b"ends"
        (row,) = read_long_text(written(tmp_path / "a", data)).tail
        assert row.text.startswith("begins word")
        assert row.text.endswith("word ends")
        assert " bytes … " in row.text
        assert len(row.text) < 17_000


class TestLongFile:
    def test_has_a_head_results_and_a_tail(self, tmp_path: Path) -> None:
        middle = b"=== 2 failed, 7 passed in 1.2s ===\n"
        data = b"first\n" + filler(2 * MEGABYTE) + middle + filler(2 * MEGABYTE) + b"last"
        text = read_long_text(written(tmp_path / "a", data))
        lines = data.decode().split("\n")
        assert text.head[0].text == "first"
        assert text.tail[-1] == type(text.tail[-1])(len(lines), "last")
        assert [row.text for row in text.results] == [middle.decode().strip()]
        assert all(lines[row.number - 1] == row.text for row in text.rows)
        assert (text.lines, text.size) == (len(lines), len(data))

    @pytest.mark.parametrize(
        "result",
        [
            "Tests:       1 failed, 5 passed, 6 total",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "Tests run: 9, Failures: 1, Errors: 0, Skipped: 0",
            "12 examples, 1 failure",
            "OK (12 tests, 24 assertions)",
            "Failed!  - Failed:     1, Passed:     8, Skipped:     0",
            "BUILD SUCCESSFUL in 3s",
            "  5 passing (12ms)",
            "--- FAIL: TestOrder (0.00s)",
            "TypeError: x is not a function",
            "java.lang.IllegalStateException: no",
            "Command exited with code 2",
            "● Write(src/order.py)",
            "Status: review",
            "[main 1a2b3c4] commit the story",
            "- [HIGH] the key is not checked",
        ],
    )
    def test_a_result_in_its_middle_is_found(self, tmp_path: Path, result: str) -> None:
        data = filler(2 * MEGABYTE) + result.encode() + b"\n" + filler(MEGABYTE)
        found = read_long_text(written(tmp_path / "a", data)).results
        assert [row.text for row in found] == [result]

    @pytest.mark.parametrize(
        "noise",
        [
            pytest.param("tests/test_{}.py::test_it PASSED", id="verbose-tests"),
            pytest.param("ERROR failed, created, exited: {}", id="errors-everywhere"),
            pytest.param("retry: exit code 1 failed", id="one-line-for-ever"),
        ],
    )
    def test_what_is_everywhere_does_not_hide_a_summary(self, tmp_path: Path, noise: str) -> None:
        around = "".join(f"{noise.format(number)}\n" for number in range(60_000)).encode()
        data = around + b"3 failed, 17 passed\n" + around
        found = read_long_text(written(tmp_path / "a", data)).results
        assert [row.number for row in found if row.text == "3 failed, 17 passed"] == [60_001]
        assert len(found) < 1500

    def test_a_long_line_is_cut_around_its_summary(self, tmp_path: Path) -> None:
        line = b"3 failed " + b"word " * 2000 + b"error\n"
        found = read_long_text(written(tmp_path / "a", filler(HEAD) + line + filler(TAIL))).results
        assert [row.text[:8] for row in found] == ["3 failed"]

    def test_the_newest_results_are_kept(self, tmp_path: Path) -> None:
        counted = "".join(f"{number} failed\n" for number in range(300_000)).encode()
        found = read_long_text(written(tmp_path / "a", counted + filler(TAIL))).results
        assert found[-1].text == "299999 failed"

    def test_the_end_before_lost_blocks_is_the_end(self, tmp_path: Path) -> None:
        data = filler(MEGABYTE) + b"All 3 tests passed.\n" + b"\0" * (2 * TAIL)
        text = read_long_text(written(tmp_path / "a", data))
        assert [row.text for row in text.tail if row.text][-1] == "All 3 tests passed."

    def test_a_single_line_keeps_both_ends(self, tmp_path: Path) -> None:
        data = b"begins " + b"word " * MEGABYTE + b"ends"
        text = read_long_text(written(tmp_path / "a", data))
        assert text.rows[0].text.startswith("begins word")
        assert text.rows[-1].text.endswith("word ends")
        assert {row.number for row in text.rows} == {1}

    def test_a_line_redrawn_for_ever_ends_with_its_last_drawing(self, tmp_path: Path) -> None:
        data = b"".join(b"\r%d of 99999" % number for number in range(100_000))
        text = read_long_text(written(tmp_path / "a", data))
        assert text.tail[-1].text == "99999 of 99999"

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(st.integers(0, 3000), min_size=1, max_size=8),
        st.lists(st.sampled_from([b"1 failed", b"error", b"\xf0\x9f\x98\x80", b""]), min_size=1),
        st.integers(0, 3 * MEGABYTE),
        st.booleans(),
    )
    def test_rows_are_those_of_the_file_in_order(
        self, tmp_path: Path, widths: list[int], words: list[bytes], size: int, ended: bool
    ) -> None:
        made, total = [b"begin"], 0
        while total < size:
            at = len(made)
            line = words[at % len(words)] + b"%d " % at + b"x " * (widths[at % len(widths)] // 2)
            made.append(line.rstrip())
            total += len(line)
        text = read_long_text(written(tmp_path / "a", b"\n".join(made) + b"\n" * ended))
        numbers = [row.number for row in text.rows]
        assert numbers == sorted(set(numbers))
        assert text.lines == len(made) == text.tail[-1].number
        for row in text.rows:
            whole = made[row.number - 1].decode()
            assert row.text in whole
            assert len(whole) > 1000 or row.text == whole
        if sum(map(len, made)) + len(made) <= HEAD + TAIL:
            assert texts(text) == [line.decode() for line in made]


SECRETS = pytest.mark.parametrize(
    ("begin", "secret", "end"),
    [
        ("API_KEY=", "abcdef1234567890abcdef1234567890", ""),
        ("db.password: ", "hunter2hunter2", ""),
        ('password="', "correct horse battery staple", '"'),
        ('{"secret": "', "not told to anybody", '"}'),
        ("Authorization: Bearer ", "eyJhbGciOi.JIUzI1NiJ9-1234567890", ""),
        ("", "AKIA0123456789ABCDEF", ""),
    ],
)


class TestSecretAtACut:
    @SECRETS
    @pytest.mark.parametrize("around", [b"x error ", b"x words "])
    @pytest.mark.parametrize("cut", [4 << 10, -(12 << 10), HEAD, -TAIL])
    def test_of_a_long_line_is_left_out(
        self, tmp_path: Path, begin: str, secret: str, end: str, around: bytes, cut: int
    ) -> None:
        told = f" {begin}{secret}{end} error ".encode()
        for shift in range(0, len(told), 5):
            line = bytearray(around * 41_500)
            at = cut % len(line) - shift
            line[at : at + len(told)] = told
            self._is_left_out(secret, written(tmp_path / "a", bytes(line)))

    @SECRETS
    def test_of_a_result_is_left_out(
        self, tmp_path: Path, begin: str, secret: str, end: str
    ) -> None:
        told = f" {begin}{secret}{end} ".encode()
        for shift in range(-6, len(told), 5):
            before, after = bytearray(b"x words " * 500), bytearray(b"x words " * 500)
            after[1019 - shift : 1019 - shift + len(told)] = told
            before[-1024 - shift : -1024 - shift + len(told)] = told
            line = bytes(before) + b"error" + bytes(after) + b"\n"
            path = written(tmp_path / "a", filler(HEAD, WIDE) + line + filler(TAIL, WIDE))
            assert read_long_text(path).results
            self._is_left_out(secret, path)

    @SECRETS
    def test_of_a_chunk_is_left_out(
        self, tmp_path: Path, begin: str, secret: str, end: str
    ) -> None:
        told = f" error {begin}{secret}{end} error ".encode()
        for shift in range(0, len(told), 7):
            line = bytearray(b"x words " * (3 * MEGABYTE // 16))
            at = len(line) - TAIL - MEGABYTE - shift
            line[at : at + len(told)] = told
            self._is_left_out(secret, written(tmp_path / "a", bytes(line)))

    def _is_left_out(self, secret: str, path: Path) -> None:
        left = excerpt(read_long_text(path), 100_000).text
        assert not [word for word in secret.split() if word[-6:] in left or word[:6] in left]


class TestNothingToRead:
    @pytest.mark.parametrize("data", [b"", b"\n \t\r\n", b"\0" * 99, b"\x1b[0m\x1b[2J"])
    def test_a_blank_file(self, tmp_path: Path, data: bytes) -> None:
        self._is_refused(written(tmp_path / "a", data))

    def test_a_large_blank_file(self, tmp_path: Path) -> None:
        self._is_refused(written(tmp_path / "a", b"\n" * MEGABYTE))

    def test_a_missing_file(self, tmp_path: Path) -> None:
        self._is_refused(tmp_path / "missing")

    def test_a_directory(self, tmp_path: Path) -> None:
        self._is_refused(tmp_path)

    def test_a_pipe_without_a_writer(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        self._is_refused(tmp_path / "pipe")

    def test_a_name_that_no_file_can_have(self) -> None:
        self._is_refused(Path("a\0b"))

    def _is_refused(self, path: Path) -> None:
        with pytest.raises(StoryAutomatorError) as refused:
            read_long_text(path)
        assert refused.value.message == "output file not found or empty"
        assert refused.value.hint


GROWTH = """
import resource, sys
from pathlib import Path
from story_automator.edges.long_text import read_long_text
from story_automator.rules.excerpt import excerpt
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
excerpt(read_long_text(Path(sys.argv[1])), 20_000)
print(peak() - before)
"""


def test_a_large_file_takes_a_few_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(filler(MEGABYTE, b"tests/test_a.py::test_it PASSED, 1 failed, error"))
    ran = subprocess.run(
        [sys.executable, "-c", GROWTH, str(path)], capture_output=True, text=True, check=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(ran.stdout) * unit < 24 * MEGABYTE
