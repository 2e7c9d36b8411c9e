"""Redraws, spinners, progress bars and box art are told once or not at all; tables stay."""

from pathlib import Path

import pytest

from story_automator.model.long_text import LongText, Row
from story_automator.rules.drawn import is_spinner, squeezed, told_once
from story_automator.rules.excerpt import excerpt

CAPTURES = Path(__file__).resolve().parents[2] / "fixtures" / "captures"


def rows(*texts: str) -> tuple[Row, ...]:
    return tuple(Row(number, text) for number, text in enumerate(texts, 1))


def told(*texts: str) -> list[str]:
    return "\n".join(line.text for line in told_once(rows(*texts))).split("\n")


def test_a_repeated_line_is_told_once() -> None:
    assert told("a", *["retrying"] * 40, "b") == ["a", "retrying", "… the same 40 times", "b"]


def test_a_repeated_block_is_told_once() -> None:
    block = ["first row", "second row", "third row"]
    assert told(*block * 5, "end") == [*block, "… the same 3 lines 5 times", "end"]


def test_a_clock_does_not_make_a_line_another() -> None:
    lines = [f"12:00:{second} the server still starts" for second in range(10, 40)]
    assert told(*lines) == [lines[-1], "… drawn 30 times"]


def test_other_figures_do() -> None:
    lines = [f"streamed line {n} of 30" for n in range(30)]
    assert told(*lines) == lines


def test_counts_of_tests_are_never_taken_for_a_redraw() -> None:
    lines = ["3 failed, 4 passed", "1 failed, 6 passed", "0 failed, 7 passed"]
    assert told(*lines) == lines


@pytest.mark.parametrize(
    "bar",
    [
        lambda n: f"[{'#' * n}{' ' * (50 - n)}] {2 * n}%",
        lambda n: f"{'█' * n}{'░' * (50 - n)} {n}/50",
        lambda n: f"Receiving objects: {2 * n}% ({n}/50)",
        lambda n: f"Downloading model.bin {2 * n} %",
    ],
)
def test_a_progress_bar_is_told_as_it_stood_last(bar: object) -> None:
    assert callable(bar)
    shown = told(*[bar(n) for n in range(1, 51)])
    assert shown[-1].startswith("… drawn")
    assert "50" in shown[-2] or "100" in shown[-2]
    assert len(shown) <= 6


def test_blank_lines_are_told_as_one() -> None:
    assert told("a", *[""] * 9, "b", "", "") == ["a", "", "b"]


@pytest.mark.parametrize(
    ("drawn", "shown"),
    [
        ("╭──────────────╮", ""),
        ("────────────────────", ""),
        ("  ┃", ""),
        ("│ Welcome back!      │", " Welcome back!"),
        (" ▐▛███▜▌", ""),
        ("=================", ""),
        ("=========== 3 failed in 2s ===========", "=== 3 failed in 2s ==="),
        ("┌──────────┬─────────┐", "┌───┬───┐"),
        ("│ name     │ passed  │", "│ name  │ passed  │"),
        ("├──────────┼─────────┤", "├───┼───┤"),
        ("| Story | Status |", "| Story | Status |"),
        ("|-------|--------|", "|---|---|"),
        ("+-------+-------+", "+---+---+"),
        ("---", "---"),
        ("  │ a result of a tool", "  │ a result of a tool"),
    ],
)
def test_box_art_goes_and_tables_stay(drawn: str, shown: str) -> None:
    assert squeezed(drawn) == shown


@pytest.mark.parametrize(
    "row",
    [
        *(
            "✻ Orbiting… (43s · thinking some more)",
            "· Pondering…",
            "✢ Running the tests… (3s)",
        ),
        *("• Working (26s • esc to interrupt)", " ⠴ Thinking... (esc to cancel, 12s)"),
        *("   ⬝⬝■■■■■■  esc interrupt", "◦ Considering option 0 care…", "⠋ building"),
        *("\\ resolving packages...", "* Cooking… (12s · ↓ 1.2k tokens)"),
    ],
)
def test_a_spinner_above_other_rows_goes(row: str) -> None:
    after = [f"row {n} of the answer" for n in range(20)]
    assert told("before", row, *after) == ["before", *after]


@pytest.mark.parametrize(
    "row",
    [
        *(
            "- 3 tests failed...",
            "* Fixed the order of…the rows",
            "• All tests pass",
            "- done...",
        ),
        *("✻ 529 Overloaded · Retrying in 5s · attempt 10/10", "✻ Running: 2 failed…"),
    ],
)
def test_what_tells_something_is_no_spinner(row: str) -> None:
    assert not is_spinner(row)


def test_the_spinner_at_the_end_says_that_the_agent_was_working() -> None:
    rows = ("✢ Orbiting… (1s)", "✻ Orbiting… (2s)", "✽ Orbiting… (3s)", "────────", "❯", "", "")
    assert told(*rows) == ["✽ Orbiting… (3s)", "❯"]


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_a_screen_drawn_many_times_is_not_read_many_times(agent: str) -> None:
    for case in sorted((CAPTURES / agent).iterdir()):
        screen = min(case.glob("*.txt")).read_text().splitlines()
        once = excerpt(LongText(tail=rows(*screen)), 50_000).text
        assert len(excerpt(LongText(tail=rows(*screen * 30)), 500_000).text) <= 3 * len(once), (
            case.name
        )


def test_frames_of_spinners_in_captures_leave_at_most_one_a_screen() -> None:
    seen = 0
    for path in sorted(CAPTURES.glob("*/*/*.txt")):
        screen = path.read_text().splitlines()
        seen += sum(map(is_spinner, screen))
        assert sum(is_spinner(line) for line in told(*screen)) <= 1, path
    assert seen > 40
