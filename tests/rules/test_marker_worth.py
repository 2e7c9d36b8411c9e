"""What a marker is worth: stale, fresh, and the numbers in it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.model.marker import Marker
from story_automator.rules.marker import holder, last_sign, spoken, understand, why_stale

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
JUST_NOW = "2026-03-01T11:59:50Z"


@pytest.mark.parametrize(
    ("pid", "alive", "age", "expected"),
    [
        pytest.param(0, False, 0, "", id="no-pid-and-a-young-heartbeat-is-fresh"),
        pytest.param(7, True, 0, "", id="a-living-pid-and-a-young-heartbeat-is-fresh"),
        pytest.param(7, True, 30 * 60, "", id="thirty-minutes-are-still-fresh"),
        pytest.param(7, False, 0, "its process 7 is gone", id="a-dead-pid-outweighs-a-heartbeat"),
        pytest.param(
            7, True, 30 * 60 + 1, "its last heartbeat is 30 min old", id="a-late-heartbeat-is-stale"
        ),
        pytest.param(
            0,
            False,
            90 * 60,
            "its last heartbeat is 1 h old",
            id="without-a-pid-the-heartbeat-rules",
        ),
    ],
)
def test_staleness(pid: int, alive: bool, age: int, expected: str) -> None:
    found = why_stale(Marker(pid=pid), alive=alive, age=timedelta(seconds=age))
    assert found == expected


TOUCHED = NOW - timedelta(minutes=5)


@pytest.mark.parametrize(
    ("heartbeat", "expected"),
    [
        pytest.param(JUST_NOW, NOW - timedelta(seconds=10), id="a-utc-heartbeat-is-read"),
        pytest.param(
            "2026-03-01T12:59:50+01:00", NOW - timedelta(seconds=10), id="so-is-an-offset"
        ),
        pytest.param("2026-03-01T11:59:50", NOW - timedelta(seconds=10), id="no-zone-means-utc"),
        pytest.param("", TOUCHED, id="without-a-heartbeat-the-file-speaks"),
        pytest.param("hello", TOUCHED, id="a-heartbeat-that-is-no-time-is-ignored"),
        pytest.param("2099-01-01T00:00:00Z", TOUCHED, id="the-far-future-is-no-heartbeat"),
        pytest.param(
            "2026-03-01T12:05:00Z", NOW + timedelta(minutes=5), id="a-clock-slightly-ahead-is-fine"
        ),
    ],
)
def test_last_sign_of_life(heartbeat: str, expected: datetime) -> None:
    assert last_sign(Marker(heartbeat=heartbeat), TOUCHED, NOW) == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(3, 3, id="a-number"),
        pytest.param("2", 2, id="a-numeric-string"),
        pytest.param(" 2 ", 2, id="a-padded-one"),
        pytest.param(3.0, 3, id="a-whole-float"),
        pytest.param(1.5, 0, id="a-fraction-is-no-count"),
        pytest.param(-1, 0, id="nothing-below-zero"),
        pytest.param(True, 0, id="a-boolean-is-no-count"),
        pytest.param(None, 0, id="null"),
        pytest.param("x", 0, id="a-word"),
        pytest.param("٥", 0, id="digits-of-another-script"),
        pytest.param("9" * 5000, 0, id="more-digits-than-python-reads"),
        pytest.param(float("inf"), 0, id="infinity"),
        pytest.param([1], 0, id="a-list"),
    ],
)
def test_stories_remaining(told: object, expected: int) -> None:
    assert understand({"storiesRemaining": told}).remaining == expected


@given(st.dictionaries(st.sampled_from(list(Marker().to_json())), st.from_type(object)))
def test_any_document_can_be_understood(document: dict[str, object]) -> None:
    marker = understand(document)
    assert marker.remaining >= 0
    assert marker.pid >= 0


def test_a_marker_reads_back_as_it_was_written() -> None:
    marker = Marker("5", "5.3", 2, "s.md", JUST_NOW, JUST_NOW, 77, "shop")
    assert understand(marker.to_json()) == marker


def test_the_holder_is_named_on_one_line() -> None:
    marker = Marker(epic="5\nX", story="", pid=77)
    named = holder(marker, timedelta(seconds=12))
    assert named == "pid 77, epic 5 X, story ?, last heartbeat 12 s ago"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-5, "0 s"), (89, "89 s"), (90, "1 min"), (5399, "89 min"), (5400, "1 h"), (172800, "2 days")],
)
def test_ages_are_spoken_in_one_unit(seconds: int, expected: str) -> None:
    assert spoken(timedelta(seconds=seconds)) == expected
