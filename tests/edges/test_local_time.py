"""The machine's own zone, across its changes of clocks."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from story_automator.agents.limits import resets_at
from story_automator.edges.local_time import LOCAL, local_time


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clocks go back an hour on 25 October 2026 at 3:00, and forward on 28 March 2027 at 2:00."""
    with monkeypatch.context() as change:
        change.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("said", "words", "expected"),
    [
        pytest.param(
            "2026-10-24 10:00", "try again at 3:30 PM", "2026-10-24 13:30", id="in-summer"
        ),
        pytest.param(
            "2026-10-24 14:00",
            "try again at Oct 25th, 2026 3:30 PM",
            "2026-10-25 14:30",
            id="over-the-end-of-summer",
        ),
        pytest.param(
            "2027-03-27 10:00",
            "try again at Mar 29th, 2027 9:00 AM",
            "2027-03-29 07:00",
            id="over-the-beginning-of-summer",
        ),
        pytest.param(
            "2026-10-25 00:10", "try again at 2:05 AM", "2026-10-25 01:05", id="the-hour-twice"
        ),
        pytest.param(
            "2026-10-24 21:30", "try again at 12:30 AM", "2026-10-24 22:30", id="past-midnight"
        ),
    ],
)
def test_a_clock_without_a_zone_is_read_as_this_machine_will_show_it(
    said: str, words: str, expected: str
) -> None:
    at = datetime.fromisoformat(f"{said}+00:00").timestamp()
    found = resets_at(words, local_time(at))
    assert found == datetime.fromisoformat(f"{expected}+00:00")


def test_every_hour_of_a_year_is_the_same_instant_there() -> None:
    began = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
    for seconds in range(began, began + 366 * 86_400, 1800):
        assert local_time(seconds).timestamp() == seconds
        assert local_time(seconds).tzinfo is LOCAL
