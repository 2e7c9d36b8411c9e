"""The text of a session, read from what its terminal was sent."""

import itertools
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from story_automator.rules.escapes import LONGEST_STRING, UNUSUAL, columns
from story_automator.rules.terminal import Transcript
from story_automator.rules.wrapped import LONGEST_LINE

ERASED_TO_THE_END = "\x1b[K\r\n"
UP_AND_ERASE = "\x1b[2K\x1b[1A"
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
CLEARS = [CLEAR, "\x1b[H\x1b[2J", "\x1b[H\x1b[J", "\x1bc"]
TABLE = "┌──────┬────────┐\r\n│ unit │ 3 fail │\r\n└──────┴────────┘\r\n"
SHOWN_TABLE = "┌──────┬────────┐\n│ unit │ 3 fail │\n└──────┴────────┘\n"


def text_of(*feeds: str, width: int = 200, height: int = 50) -> str:
    transcript = Transcript(width, height)
    return "".join([*map(transcript.feed, feeds), transcript.close()])


def numbered(count: int, end: str = "\r\n", start: int = 0) -> str:
    return "".join(f"line {n}{end}" for n in range(start, count))


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        pytest.param("", "", id="nothing-is-nothing"),
        pytest.param("\r\n\r\n  \r\n", "", id="blank-lines-alone-are-nothing"),
        pytest.param("a\r\nb\r\n", "a\nb\n", id="lines-as-a-terminal-gets-them"),
        pytest.param("a\nb\n", "a\nb\n", id="lines-as-a-file-holds-them"),
        pytest.param("a\r\nbc\nd", "a\nbc\n  d\n", id="a-bare-line-feed-keeps-the-column"),
        pytest.param("last line", "last line\n", id="the-last-line-needs-no-end"),
        pytest.param("\r\n\r\na \r\n\r\n\r\n\r\n\r\nb\r\n\r\n", "a\n\n\nb\n", id="blanks-are-few"),
        pytest.param("50%\r100%\r\n", "100%\n", id="a-progress-bar-is-its-last-state"),
        pytest.param("|\b/\b-\b\\\b done", " done\n", id="a-spinner-of-backspaces-leaves-nothing"),
        pytest.param("a\tb\r\n", "a       b\n", id="a-tab-goes-to-the-next-stop"),
        pytest.param("x" * 450 + "\r\ny", "x" * 450 + "\ny\n", id="wrapped-rows-are-one-line"),
        pytest.param("x" * 200 + "\r\ny", "x" * 200 + "\ny\n", id="a-full-row-is-not-wrapped"),
        pytest.param("漢" * 100 + "字ok", "漢" * 100 + "字ok\n", id="wide-characters-wrap-whole"),
        pytest.param("x" * 199 + "漢ok", "x" * 199 + "漢ok\n", id="no-blank-before-a-wide-one"),
        pytest.param("漢字\rab", "ab字\n", id="two-letters-cover-a-wide-character"),
        pytest.param("漢字\ra", "a 字\n", id="half-a-wide-character-is-blank"),
        pytest.param("cafe\u0301\r\n", "cafe\u0301\n", id="an-accent-joins-its-letter"),
        pytest.param("\x1b[1;31mred\x1b[0m\x1b[38:2::1:2:3m!\x1b[m", "red!\n", id="no-colours"),
        pytest.param("a\x00\x05\x07\x7f\x9bb", "ab\n", id="other-control-bytes-are-dropped"),
        pytest.param("ab\x1b[5Dcd\x1b[3Ce", "cd   e\n", id="the-cursor-goes-left-and-right"),
        pytest.param("a\r\nb\x1b[Ac\x1b[2Bd", "ac\nb\n  d\n", id="the-cursor-goes-up-and-down"),
        pytest.param("\x1b[3;5Hx\x1b[1;1fy\x1b[3Gz\x1b[2dw", "y z\n   w\n    x\n", id="by-address"),
        pytest.param("a\x1b[2Eb\x1b[1Fc", "a\nc\nb\n", id="by-whole-lines"),
        pytest.param("ab\x1b7cd\x1b8ef\x1b[sg\x1b[uh", "abefh\n", id="the-cursor-is-restored"),
        pytest.param("abcdef\x1b[3D\x1b[K", "abc\n", id="erased-to-the-end-of-the-line"),
        pytest.param("abcdef\x1b[3D\x1b[1K", "    ef\n", id="erased-from-the-start-of-the-line"),
        pytest.param("abcdef\x1b[4D\x1b[2X", "ab  ef\n", id="erased-in-the-middle"),
        pytest.param("abcdef\x1b[4D\x1b[2P", "abef\n", id="characters-are-deleted"),
        pytest.param("abef\x1b[2D\x1b[2@cd", "abcdef\n", id="characters-are-inserted"),
        pytest.param("x" * 198 + "漢\r\x1b[@", " " + "x" * 198 + "\n", id="pushed-over-the-edge"),
        pytest.param("abef\x1b[2D\x1b[4hcd\x1b[4l", "abcdef\n", id="in-insert-mode-too"),
        pytest.param("a\r\nb\r\n\x1b[2A\x1b[Lx", "x\na\nb\n", id="lines-are-inserted"),
        pytest.param("a\r\nb\r\nc\x1b[2;1H\x1b[M", "a\nc\n", id="lines-are-deleted"),
        pytest.param("a\r\nb\r\nc\x1b[2A\x1b[J", "a\n", id="erased-to-the-end-of-the-screen"),
        pytest.param("a\r\nb\x1b[2;1H\x1b[1Jc", "c\n", id="erased-from-the-start-of-the-screen"),
        pytest.param("-\x1b[4b|", "-----|\n", id="a-character-is-repeated"),
        pytest.param("a\r\nb\x1bMc", "ac\nb\n", id="a-reverse-line-feed-goes-up"),
        pytest.param("\x1b[?7l" + "x" * 250 + "y", "x" * 199 + "y\n", id="without-wrap-it-is-cut"),
        pytest.param("\x1b(0lqk\x1b(B ok", "┌─┐ ok\n", id="the-old-line-drawing-set"),
        pytest.param("\x1b)0\x0elqk\x0f ok", "┌─┐ ok\n", id="the-old-line-drawing-set-by-shift"),
        pytest.param(TABLE, SHOWN_TABLE, id="a-table-is-kept"),
        pytest.param("\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", "ab\n", id="no-titles-or-links"),
        pytest.param(
            "a\x1bP1;2q#0~~\x1b\\b\x1b_Gf=1;AA\x1b\\c\x1b^x\x1b\\d", "abcd\n", id="no-dcs"
        ),
        pytest.param("a\x1b]7717;end 0\x07\r\n", "a\n", id="the-end-mark-of-the-session-vanishes"),
        pytest.param("a\x1b]0;no end\r\nb", "a\nb\n", id="an-endless-title-ends-with-its-line"),
        pytest.param("\x1b]" + "x" * LONGEST_STRING + "yz", "yz\n", id="or-when-it-is-too-long"),
        pytest.param("a\x1b[12", "a\n", id="a-sequence-cut-off-at-the-end-is-dropped"),
        pytest.param("a\x1b[12\x1b[mb\x1b[3\r\nc", "ab\nc\n", id="a-broken-sequence-is-dropped"),
        pytest.param("a\x1b[?2004h\x1b[>4;2m\x1b[<u\x1b[2 q\x1b=b", "ab\n", id="unknown-ones-too"),
        pytest.param("a\x1b[" + "9" * 200 + "@b", "ab\n", id="a-huge-number-is-harmless"),
    ],
)
def test_what_a_reader_sees(sent: str, read: str) -> None:
    assert text_of(sent) == read


class TestRedraws:
    def test_a_spinner_above_an_input_box_leaves_only_the_last_screen(self) -> None:
        def frame(n: int) -> str:
            return f"✻ Working… ({n}s)\r\n╭────╮\r\n│ >  │\r\n╰────╯\r\nshop | 12:00:{n:02}\r\n"

        frames = (UP_AND_ERASE * 5).join(["", *map(frame, range(60))])
        assert text_of("start\r\n\r\n", frames[len(UP_AND_ERASE) * 5 :]) == (
            "start\n\n✻ Working… (59s)\n╭────╮\n│ >  │\n╰────╯\nshop | 12:00:59\n"
        )

    def test_lines_printed_above_a_box_are_each_told_once(self) -> None:
        said = "".join(
            f"{UP_AND_ERASE * 2}\x1b[2K\x1b[Gsaid {n}\r\n(tick {n})\r\n> \r\n" for n in range(200)
        )
        lines = text_of("(tick)\r\n> \r\n" + said).splitlines()
        assert lines == [*(f"said {n}" for n in range(200)), "(tick 199)", ">"]

    def test_a_growing_frame_taller_than_the_screen_leaves_no_copies(self) -> None:
        sent, height = "", 0
        for count in range(1, 40):
            sent += UP_AND_ERASE * height + "\x1b[G" + numbered(count) + f"(tick {count})\r\n"
            height = count + 1
        assert text_of(sent, height=10) == numbered(39, "\n") + "(tick 39)\n"

    def test_frames_from_the_top_left_leave_no_copies(self) -> None:
        frames = "".join(
            f"\x1b[H{numbered(14, ERASED_TO_THE_END)}(tick {n})\x1b[K" for n in range(20)
        )
        assert text_of(frames, height=10) == numbered(14, "\n") + "(tick 19)\n"

    def test_clears_that_draw_the_same_page_leave_no_copies(self) -> None:
        frames = "".join(f"{CLEAR}{TABLE}frame {n} of 99\r\n" for n in range(100))
        assert text_of(frames) == SHOWN_TABLE + "frame 99 of 99\n"

    @pytest.mark.parametrize("clear", CLEARS)
    def test_clears_that_print_the_whole_history_again_leave_no_copies(self, clear: str) -> None:
        shell = "".join(f"$ command {n}\r\n" for n in range(100))
        frames = "".join(
            f"{clear}{numbered(count)}✻ Working ({count}s)\r\n> \r\n" for count in range(1, 90)
        )
        told = shell.replace("\r", "") + numbered(89, "\n") + "✻ Working (89s)\n>\n"
        assert text_of(shell + frames, height=10) == told

    def test_a_line_changed_in_a_history_printed_again_is_told(self) -> None:
        sent = numbered(40) + CLEAR + numbered(5) + "changed\r\n" + numbered(60, start=6)
        lines = text_of(sent, height=10).splitlines()
        assert lines.count("changed") == 1
        assert [line for line in lines if line != "changed"] == numbered(60, "\n").splitlines()


class TestClears:
    @pytest.mark.parametrize(
        ("before", "after", "read"),
        [
            pytest.param("one\r\n", "two\r\n", "one\ntwo\n", id="another-page-keeps-the-first"),
            pytest.param("one\r\n", "one\r\n", "one\n", id="the-same-page-is-told-once"),
            pytest.param("3 failed\r\n", "", "3 failed\n", id="a-last-clear-loses-nothing"),
            pytest.param("a\r\nb\r\n", "a\r\nc\r\n", "b\na\nc\n", id="what-is-gone-is-told"),
            pytest.param(
                "test 1 ok\r\ntest 2 ok", "test 3 ok", "test 1 ok\ntest 2 ok\ntest 3 ok\n",
                id="other-numbers-alone-are-another-page",
            ),
            pytest.param(
                "head\r\ntest 1\r\ntest 2", "head\r\ntest 3", "test 1\ntest 2\nhead\ntest 3\n",
                id="also-below-the-same-head",
            ),
            pytest.param(
                "head\r\nbody\r\n7 of 9", "head\r\nbody\r\n8 of 9", "head\nbody\n8 of 9\n",
                id="other-numbers-in-a-redraw-are-not",
            ),
            pytest.param(
                "head\r\nThe quick br", "head\r\nThe quick brown", "head\nThe quick brown\n",
                id="text-that-grows-in-a-redraw-is-told-once",
            ),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("clear", CLEARS)
    def test_wiped_lines_are_told_unless_they_come_back(
        self, clear: str, before: str, after: str, read: str
    ) -> None:
        assert text_of(before + clear + after) == read

    def test_the_same_words_said_much_later_do_not_hide_a_wiped_page(self) -> None:
        other = "".join(f"other {n}\r\n" for n in range(30))
        sent = numbered(8) + CLEAR + other + numbered(8) + other
        assert text_of(sent, height=10) == sent.replace(CLEAR, "").replace("\r", "")

    def test_a_wiped_page_is_told_before_the_many_lines_after_it(self) -> None:
        text = text_of("wiped\r\n" + CLEAR + numbered(5000))
        assert text == "wiped\n" + numbered(5000, "\n")


class TestAlternateScreen:
    @pytest.mark.parametrize("number", ["1049", "1047", "47"])
    def test_its_last_content_is_kept_where_it_was_shown(self, number: str) -> None:
        sent = f"before\r\n\x1b[?{number}h\x1b[Hworking\x1b[H{TABLE}\x1b[?{number}l\x1b[2;1Hafter"
        assert text_of(sent) == f"before\n{SHOWN_TABLE}after\n"

    def test_it_is_kept_when_the_session_ends_in_it(self) -> None:
        assert text_of("$ tui\r\n\x1b[?1049h\x1b[H3 failed") == "$ tui\n3 failed\n"

    def test_it_is_kept_when_it_is_cleared_before_it_is_left(self) -> None:
        assert text_of("\x1b[?1049h\x1b[H3 failed\x1b[2J\x1b[?1049lbye") == "3 failed\nbye\n"

    def test_the_lines_around_it_are_told_once(self) -> None:
        sent = "a\r\nb\r\n\x1b[?1049h\x1b[Halt\x1b[?1049lc\r\n" + numbered(100)
        assert text_of(sent) == "a\nb\nalt\nc\n" + numbered(100, "\n")

    def test_what_scrolls_through_it_is_kept(self) -> None:
        sent = f"\x1b[?1049h\x1b[H{numbered(120)}\x1b[?1049l"
        assert text_of(sent) == numbered(120, "\n")

    def test_a_wrapped_line_around_it_stays_one_line(self) -> None:
        sent = "x" * 250 + "\x1b[?1049h\x1b[Halt\x1b[?1049l" + "y" * 250
        assert text_of("a\r\n" + sent) == "a\nalt\n" + "x" * 250 + "y" * 250 + "\n"

    def test_the_cursor_comes_back_with_the_screen(self) -> None:
        assert text_of("ab\x1b[?1049h\x1b[9;1Hx\x1b[?1049lc") == "x\nabc\n"


class TestScrolling:
    def test_lines_scrolled_out_of_a_region_at_the_top_are_told(self) -> None:
        sent = "\x1b[1;8r\x1b[8;1H" + numbered(30) + "\x1b[r\x1b[10;1Hfooter"
        assert text_of(sent, height=10) == numbered(30, "\n") + "\n\nfooter\n"

    def test_a_footer_below_the_region_is_told_once(self) -> None:
        progress = "".join(f"\x1b7\x1b[10;1Hprogress {n}%\x1b8line {n}\r\n" for n in range(100))
        sent = f"\x1b[1;9r\x1b[9;1H{progress}"
        assert text_of(sent, height=10) == numbered(100, "\n") + "\nprogress 99%\n"

    def test_scrolling_up_by_command_tells_what_leaves(self) -> None:
        assert text_of("a\r\nb\x1b[1S\x1b[1;1Hc", height=5) == "a\nc\n"

    def test_scrolling_down_makes_room_at_the_top(self) -> None:
        assert text_of("a\r\nb\x1b[1T\x1b[1;1Hc", height=5) == "c\na\nb\n"


class TestEndlessInput:
    def test_a_line_without_end_is_cut(self) -> None:
        lines = text_of(*["x" * 50_000] * 10).splitlines()
        assert "".join(lines) == "x" * 500_000
        assert max(map(len, lines)) == LONGEST_LINE

    def test_it_is_cut_between_words(self) -> None:
        words = " ".join(f"word{n}" for n in range(20_000))
        lines = text_of(words).splitlines()
        assert len(lines) > 1
        assert " ".join(lines).split() == words.split()

    def test_a_letter_with_a_million_marks_loses_none(self) -> None:
        marks = "e" + "\u0301" * 2000
        assert text_of(marks).replace("\n", "") == marks


def test_only_ordinary_characters_are_taken_for_narrow_unasked() -> None:
    ordinary = [c for c in map(chr, range(0x20, 0x30000)) if not UNUSUAL.match(c)]
    assert {columns(c) for c in ordinary} == {1}
    assert {unicodedata.east_asian_width(c) for c in ordinary}.isdisjoint("WF")


SEQUENCES = (
    "[ [1 ( (0 (B 7 8 M D E c [2;3r [r [4h [4l [31m [?25l [2J [H [?1049h [?1049l [?7l [?7h"
    " ]0;title\x07 ]8;;x\x1b\\ Pq~"
).split()
PIECES = st.one_of(
    st.sampled_from(["\r\n", "\n", "\r", "\b", "\t", "\x07", "\x0e", "\x0f", "\x00", "\x1b"]),
    st.sampled_from(
        ["hello", "漢字", "e\u0301", "\u0301", "│──┐", "wide enough to wrap around", "0"]
    ),
    st.sampled_from(SEQUENCES).map("\x1b{}".format),
    st.builds("\x1b[{}{}".format, st.integers(0, 9), st.sampled_from("ABCDEFGHJKLMPSTX@bdrsu")),
    st.builds("\x1b[{};{}H".format, st.integers(0, 6), st.integers(0, 15)),
    st.builds(lambda count: numbered(count), st.integers(0, 40)),
    st.builds(lambda count: numbered(count, "\n"), st.integers(0, 40)),
    st.builds(lambda count: numbered(count, "\t|漢\r\n"), st.integers(0, 40)),
    st.text(max_size=8),
)
SCRIPTS = st.lists(PIECES, max_size=40).map("".join)


SEQUENCES_OF_EVERY_KIND = (
    "a\x1b]0;ti\x1b\\b\x1b[31mc\x1b[2 qd\x1bPx\x1b\\e\x1b(Bf\x1b[2Cg\x1b]7717;\x07h"
)


@pytest.mark.parametrize("cut", range(len(SEQUENCES_OF_EVERY_KIND)))
def test_a_sequence_may_be_cut_anywhere(cut: int) -> None:
    sent = SEQUENCES_OF_EVERY_KIND
    assert text_of(sent[:cut], "", sent[cut:]) == "abcdef  gh\n"


class TestManyLinesAtOnce:
    """They take a shorter way than lines that come one by one, to the same text."""

    @pytest.mark.parametrize(
        "line",
        [
            "a  ",
            "a\tb\t",
            "漢\tb",
            "a\bb",
            "a\rb",
            "lqk",
            "e\u0301",
            "x" * 70,
            "\tx" * 30,
            "",
            "\x0e\x0f",
        ],
    )
    @pytest.mark.parametrize(
        "before",
        [
            *("", "\r\n", "ab\x1b[2;3H", "\x1b[2;4r", "\x1b[4h", "\x1b[?7l", "\x1b(0"),
            *("\x1b[?1049h\x1b[H", CLEAR),
        ],
    )
    def test_they_read_the_same(self, before: str, line: str) -> None:
        block = "".join(f"{n} {line}\r\n" for n in range(60))
        sent = f"1\r\n2{before}{block}end\x1b[Aabove"
        assert text_of(sent, width=30, height=5) == text_of(*sent, width=30, height=5)


class TestAnyInput:
    @given(script=SCRIPTS, cuts=st.lists(st.integers(0, 2000), max_size=6))
    @settings(deadline=None)
    def test_the_text_does_not_depend_on_where_the_stream_is_cut(
        self, script: str, cuts: list[int]
    ) -> None:
        edges = [0, *sorted(min(cut, len(script)) for cut in cuts), len(script)]
        parts = [script[start:end] for start, end in itertools.pairwise(edges)]
        whole = text_of(script, width=12, height=4)
        assert text_of(*parts, width=12, height=4) == whole
        assert text_of(*script, width=12, height=4) == whole

    @given(script=SCRIPTS)
    @settings(deadline=None)
    def test_no_control_byte_but_the_line_end_is_left(self, script: str) -> None:
        text = text_of(script, width=12, height=4)
        assert not {c for c in text if unicodedata.category(c) == "Cc"} - {"\n"}
        assert "\n\n\n\n" not in text
        assert not text or (text[0] != "\n" and text[-1] == "\n" and not text.endswith("\n\n"))

    @given(
        lines=st.lists(
            st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" ")),
            max_size=300,
        ),
        end=st.sampled_from(["\n", "\r\n"]),
    )
    @settings(max_examples=50, deadline=None)
    def test_plain_text_is_left_as_it_is(self, lines: list[str], end: str) -> None:
        kept = [line.rstrip() or "-" for line in lines]
        text = "".join(f"{line}\n" for line in kept)
        assert text_of(text.replace("\n", end), width=30, height=5) == text
