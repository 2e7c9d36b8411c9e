"""When a failed call is made again."""

from datetime import UTC, datetime

import pytest

from story_automator.model.patience import Patience, asked_wait

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("failures", "asked", "left", "draw", "wait"),
    [
        pytest.param(1, None, 60, 0, 0.5, id="the-first-wait-is-short"),
        pytest.param(3, None, 60, 0, 2.0, id="waits-double"),
        pytest.param(7, None, 60, 0, 8.0, id="waits-stop-growing"),
        pytest.param(3, None, 60, 1, 1.5, id="chance-shortens-a-wait"),
        pytest.param(1, 7.0, 60, 0, 7.0, id="the-server-may-ask-for-more"),
        pytest.param(4, 0.0, 60, 0, 4.0, id="the-server-may-not-ask-for-less"),
        pytest.param(1, 59.5, 60, 0, None, id="a-wait-that-leaves-no-time-is-not-begun"),
        pytest.param(1, None, 1.4, 0, None, id="the-time-is-over"),
        pytest.param(8, None, 600, 0, None, id="enough-calls"),
        pytest.param(5000, None, 60, 0, None, id="far-too-many-calls"),
    ],
)
def test_wait(
    failures: int, asked: float | None, left: float, draw: float, wait: float | None
) -> None:
    assert Patience().wait(failures, asked, left, draw) == wait


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        pytest.param("7", 7.0, id="seconds"),
        pytest.param(" 1.5 ", 1.5, id="parts-of-a-second"),
        pytest.param("Wed, 18 Nov 2026 12:00:30 GMT", 30.0, id="date"),
        pytest.param("Wed, 18 Nov 2026 12:00:30", 30.0, id="date-without-a-zone"),
        pytest.param("Wed, 18 Nov 2026 13:00:30 +0100", 30.0, id="date-in-another-zone"),
        pytest.param("Wed, 18 Nov 2026 11:00:00 GMT", 0.0, id="date-that-has-passed"),
        pytest.param("soon", None, id="a-word"),
        pytest.param("-5", None, id="less-than-nothing"),
        pytest.param("²", None, id="not-a-digit-of-http"),
        pytest.param("", None, id="empty"),
        pytest.param(".", None, id="only-a-dot"),
        pytest.param("Wed, 99 Nov 2026 12:00:30 GMT", None, id="no-such-day"),
    ],
)
def test_asked_wait(header: str, seconds: float | None) -> None:
    assert asked_wait(header, NOON) == seconds
