"""The clock is read from the statusline row and from nowhere else."""

import pytest

from story_automator.agents.dialects import read_screen
from story_automator.agents.statusline import read_clock
from tests.agents.conftest import MODE, RULE, Draw

NOTICE = "tmux focus-events off · add 'set -g focus-events on' to ~/.tmux.conf"


@pytest.mark.parametrize(
    ("row", "clock"),
    [
        pytest.param("  proj | ctx(7%) | 14:03:22", "14:03:22", id="the-seed's-form"),
        pytest.param("proj | ctx(7%) | 14:03:22", "14:03:22", id="at-the-left-edge"),
        pytest.param("  proj | ctx(7%) | 1:05:09 PM", "1:05:09 PM", id="twelve-hours"),
        pytest.param("  proj | ctx(7%) | 01:05:09am", "01:05:09am", id="twelve-hours-lower-case"),
        pytest.param("  proj | ctx(7%) | 1:05 PM", "1:05 PM", id="twelve-hours-no-seconds"),
        pytest.param("  proj | ctx(7%) | 14:03", "14:03", id="no-seconds"),
        pytest.param("  proj │ ctx(7%) │ 14:03:22", "14:03:22", id="box-drawn-separators"),
        pytest.param("  proj|ctx(7%)|14:03:22", "14:03:22", id="no-blanks"),
        pytest.param(f"  proj | ctx(7%) | 14:03:22      {NOTICE}", "14:03:22", id="notice-behind"),
        pytest.param("  proj | ctx(7%) | 00:00:00", "00:00:00", id="midnight"),
        pytest.param("  proj | ctx(7%) | 23:59:59", "23:59:59", id="before-midnight"),
        pytest.param(
            "  proj | ctx(7%) | 12:00:00 AM", "12:00:00 AM", id="midnight-in-twelve-hours"
        ),
        pytest.param("  14:03:22 | proj | main", "14:03:22", id="clock-first"),
        pytest.param("  proj | 14:03 | opus | 9:41:07", "9:41:07", id="the-last-of-two-wins"),
        pytest.param("  proj | 14:03:22 | opus", "14:03:22", id="clock-in-the-middle"),
        pytest.param("  proj | ctx(7%) | 99:99:99", None, id="no-such-time"),
        pytest.param("  proj | ctx(7%) | 24:00:00", None, id="no-such-hour"),
        pytest.param("  proj | ctx(7%) | 13:00:00 PM", None, id="no-such-hour-of-twelve"),
        pytest.param("  proj | ctx(7%) | 0:10:00 AM", None, id="no-hour-zero-of-twelve"),
        pytest.param("  proj | ctx(7%) | 12:60:00", None, id="no-such-minute"),
        pytest.param("  proj | ctx(7%) | 12:00:60", None, id="no-such-second"),
        pytest.param("  proj | ctx(7%) | at 12:00:00", None, id="words-before-the-time"),
        pytest.param("  proj | ctx(7%) | 12:00:00 UTC", None, id="words-behind-the-time"),
        pytest.param("  proj ctx(7%) 14:03:22", None, id="no-separator"),
        pytest.param("  proj | ctx(7%)", None, id="no-clock-at-all"),
        pytest.param("", None, id="no-statusline"),
    ],
)
def test_the_row_below_the_box_is_read(row: str, clock: str | None, draw: Draw) -> None:
    assert read_clock(draw("● Done.", status=row)) == clock


def test_a_statusline_of_two_rows_is_read(draw: Draw) -> None:
    assert (
        read_clock(draw("● x", status="  proj | main", below=["  opus | 14:03:22"])) == "14:03:22"
    )


DECOYS = [
    pytest.param("log | 12:00:00", id="log-column"),
    pytest.param("| 99:99:99", id="impossible-log-column"),
    pytest.param("│ 12:00:00 │ GET │ 200 │", id="table-cell"),
    pytest.param("  other | ctx(9%) | 12:00:00", id="quoted-statusline"),
]


@pytest.mark.parametrize("decoy", DECOYS)
class TestOtherRowsNeverCount:
    def test_above_the_box(self, decoy: str, draw: Draw) -> None:
        assert read_clock(draw(decoy, "", f"  {decoy}", status="  proj")) is None
        assert read_clock(draw(decoy, "", f"  {decoy}")) == "07:46:52"

    def test_typed_into_the_box(self, decoy: str, draw: Draw) -> None:
        assert read_clock(draw("● x", typed=decoy, status="  proj")) is None

    def test_above_a_dialog(self, decoy: str) -> None:
        dialog = [RULE, " Do you want to proceed?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel"]
        assert read_clock([decoy, "", *dialog]) is None

    def test_in_the_middle_of_a_plain_program(self, decoy: str) -> None:
        assert read_clock([decoy, "a", "b", "c"]) is None


@pytest.mark.parametrize("row", ["log | 12:00:00", "INFO | worker | 12:00:00", "| 12:00:00"])
def test_the_last_row_of_a_plain_program_is_no_statusline(row: str) -> None:
    assert read_clock(["starting", row]) is None


def test_without_a_box_only_the_seed_s_own_form_counts() -> None:
    assert read_clock(["thinking", "proj | ctx(12%) | 12:00:01", "", ""]) == "12:00:01"
    assert read_screen("command", ["x", "proj | ctx(12%) | 12:00:01"]).clock == "12:00:01"


def test_an_old_box_further_up_is_not_read(draw: Draw) -> None:
    old = draw("● x", status="  proj | ctx(1%) | 01:01:01", height=0)
    assert read_clock([*old, "", *draw("● y", status="  proj")]) is None


def test_a_named_session_s_rule_is_still_a_rule(draw: Draw) -> None:
    screen = draw("● x", height=0)
    screen[screen.index(RULE)] = f"{'─' * 60} story-1.2 ──"
    assert read_clock(screen) == "07:46:52"


def test_a_footer_without_a_statusline_has_no_clock() -> None:
    assert read_clock([RULE, "❯ ", RULE, MODE]) is None
