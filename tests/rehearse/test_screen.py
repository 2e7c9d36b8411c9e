"""The drawing of the scripted agent, against the structure of real screens at 200x50."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.rehearse import screen
from story_automator.rehearse.screen import Live, live_rows

STATUS = screen.statusline("proj", 0, "07:46:52")
RULE = "─" * 200


def kinds(rows: list[str]) -> list[str]:
    """Each row's place in the anatomy of a real screen."""
    shapes = {
        "blank": r"",
        "rule": r"─{200}",
        "empty-prompt": "❯\u00a0",
        "typed": "❯\u00a0.+",
        "spinner": r"[·✢✳✶✻✽] \w+… \(\d+s · ↓ \d+ tokens\)",
        "todo": r"  (⎿ \u00a0|   )[☐☒] .+",
        "call": r"● \w+\(.*\)",
        "answer": r"  ⎿ \u00a0.+",
        "statusline": r"  \S+ \| ctx\(\d+%\) \| \d\d:\d\d:\d\d( +● high · /effort)?",
        "footer": r"  ⏵⏵ bypass permissions on .*← for agents( +● high · /effort)?",
    }
    return [
        next((kind for kind, shape in shapes.items() if re.fullmatch(shape, row)), repr(row))
        for row in rows
    ]


@pytest.mark.parametrize(
    ("live", "anatomy"),
    [
        pytest.param(
            Live(status=STATUS, hint=screen.HINT),
            "blank rule empty-prompt rule statusline footer",
            id="idle",
        ),
        pytest.param(
            Live(spinner=screen.spinner_row(0, "Burrowing", 1, 18), status=STATUS, busy=True),
            "blank spinner blank rule empty-prompt rule statusline footer",
            id="working",
        ),
        pytest.param(
            Live(
                tool=("● Bash(sleep 4)", *screen.result("Running…", 200)),
                spinner=screen.spinner_row(3, "Burrowing", 6, 35),
                todos=tuple(screen.todo_rows(["Read"], ["Write"])),
                status=STATUS,
                busy=True,
            ),
            "blank call answer blank spinner todo todo blank rule empty-prompt rule statusline"
            " footer",
            id="tool-runs",
        ),
        pytest.param(Live(busy=True), "blank rule empty-prompt rule footer", id="no-statusline"),
        pytest.param(
            Live(status=STATUS, shells=1),
            "blank rule empty-prompt rule statusline footer",
            id="background-shell",
        ),
        pytest.param(
            Live(status=STATUS, typed="/exit"),
            "blank rule typed rule statusline footer",
            id="somebody-types",
        ),
    ],
)
def test_live_rows_have_the_order_of_a_real_screen(live: Live, anatomy: str) -> None:
    rows, cursor, column = live_rows(live, 200)
    assert kinds(rows) == anatomy.split()
    assert rows[cursor].startswith("❯"), "the cursor stands in the prompt row"
    assert column == 2 + len(live.typed)


def test_the_hint_stands_at_the_right_edge_of_the_statusline() -> None:
    rows, _, _ = live_rows(Live(status=STATUS, hint=screen.HINT), 200)
    assert len(rows[-2]) == 198


def test_a_dialog_takes_the_place_of_prompt_and_statusline() -> None:
    dialog = (" Do you want to proceed?", " ❯ 1. Yes", "   2. No")
    rows, cursor, column = live_rows(Live(dialog=dialog, status=STATUS), 200)
    assert rows == [RULE, *dialog]
    assert (cursor, column) == (2, 1)


def test_the_welcome_box_is_as_large_as_the_real_one() -> None:
    rows = screen.welcome("~/proj", 200)
    assert rows[0].startswith("╭─── Claude Code v")
    assert [len(row) for row in rows] == [117] * 11 + [0]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (8.9, "8s"), (75, "1m 15s"), (3605, "1h 0m 5s")]
)
def test_durations_read_as_agents_write_them(seconds: float, text: str) -> None:
    assert screen.duration(seconds) == text


@pytest.mark.parametrize(
    ("second_of_day", "style", "text"),
    [
        pytest.param(47_109, "24h", "13:05:09", id="24-hours"),
        pytest.param(47_109, "12h", "1:05:09 PM", id="afternoon"),
        pytest.param(0, "12h", "12:00:00 AM", id="midnight-is-twelve"),
        pytest.param(43_200, "12h", "12:00:00 PM", id="noon-is-twelve"),
        pytest.param(47_109, "HH:MM", "13:05", id="no-seconds"),
        pytest.param(86_403, "24h", "00:00:03", id="a-day-wraps"),
        pytest.param(-1, "24h", "23:59:59", id="backwards-past-midnight"),
    ],
)
def test_clock_styles(second_of_day: float, style: str, text: str) -> None:
    assert screen.clock_text(second_of_day, style) == text


def test_a_table_of_wide_characters_keeps_its_columns_straight() -> None:
    rows = screen.table(["スイート", "failed"], [["end-to-end", "3"]])
    assert len({screen.columns_of(row) for row in rows}) == 1
    assert rows[1] == "│ スイート   │ failed │"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"])), st.integers(2, 40))
def test_wrapping_loses_no_word_and_never_overflows(text: str, columns: int) -> None:
    rows = list(screen.wrapped(text, columns))
    assert all(screen.columns_of(row) <= columns for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())
