"""Our commands against the published tool's: the same answers, or a difference with its reason."""

import re

import pytest

from tests.real import (
    rows_hooks,
    rows_project,
    rows_run,
    rows_sprint,
    rows_stories,
    rows_wrapper,
)
from tests.real.published import Answer, Row, Worlds, needs_the_published_tool, unlike

pytestmark = needs_the_published_tool
TABLES = (rows_project, rows_stories, rows_sprint, rows_run, rows_hooks, rows_wrapper)
ROWS = [
    pytest.param(row, id=f"{command}-{name}")
    for table in TABLES
    for command, rows in table.ROWS.items()
    for name, row in rows.items()
]


@pytest.mark.parametrize("row", ROWS)
def test_the_answer_is_the_published_one_or_differs_for_a_reason(row: Row, worlds: Worlds) -> None:
    ours, theirs = (world.answer(row) for world in worlds)
    assert "Traceback" not in ours.err
    difference = unlike(ours, theirs, row)
    if not row.differs:
        assert not difference, difference
        return
    assert difference, f"no difference is left: {row.differs}"
    assert row.ours is not None, "a difference says what ours answers"
    assert_answered(ours, *row.ours)


def assert_answered(answer: Answer, code: int, out: str | re.Pattern[str]) -> None:
    assert answer.code == code, answer
    if isinstance(out, str):
        assert answer.out == out
    else:
        assert out.search(answer.out), answer.out
    if code and not answer.out:
        assert answer.err, "a refusal says why"
