"""When a limit ends, in the words of the agents."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.limits import hit_limit, resets_at

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        pytest.param("resets 3:41pm (UTC)", utc(2026, 3, 4, 15, 41), id="later-today"),
        pytest.param("resets 9:41am (UTC)", utc(2026, 3, 5, 9, 41), id="tomorrow"),
        pytest.param("resets 12pm (UTC)", utc(2026, 3, 4, 12, 1), id="within-this-very-minute"),
        pytest.param("resets 12am (UTC)", utc(2026, 3, 5, 0, 0), id="midnight"),
        pytest.param("resets 3pm (Europe/Berlin)", utc(2026, 3, 4, 14), id="another-zone"),
        pytest.param("resets 1pm (Europe/Berlin)", utc(2026, 3, 4, 12, 1), id="now-over-there"),
        pytest.param(
            "resets 6am (Pacific/Auckland)", utc(2026, 3, 4, 17), id="tomorrow-morning-over-there"
        ),
        pytest.param("resets at 15:30 (UTC)", utc(2026, 3, 4, 15, 30), id="24-hours"),
        pytest.param("resets 3\u202fpm (UTC)", utc(2026, 3, 4, 15), id="narrow-space"),
        pytest.param("resets Mar 5, 9am (UTC)", utc(2026, 3, 5, 9), id="date"),
        pytest.param("resets Mar 2, 9am (UTC)", utc(2027, 3, 2, 9), id="next-year"),
        pytest.param("resets Feb 29, 9am (UTC)", utc(2028, 2, 29, 9), id="leap-day"),
        pytest.param("resets Jan 3, 2027, 9am (UTC)", utc(2027, 1, 3, 9), id="date-with-year"),
        pytest.param("resets Mar 5 (UTC)", utc(2026, 3, 5), id="date-only"),
        pytest.param("resets Thursday 9am (UTC)", utc(2026, 3, 5, 9), id="weekday"),
        pytest.param("resets Wed at 9am (UTC)", utc(2026, 3, 11, 9), id="weekday-of-next-week"),
        pytest.param("resets tomorrow at 9am (UTC)", utc(2026, 3, 5, 9), id="the-word-tomorrow"),
        pytest.param("resets in 2h 5m", NOON + timedelta(hours=2, minutes=5), id="span"),
        pytest.param("resets in 45m", NOON + timedelta(minutes=45), id="minutes"),
        pytest.param(
            "Try again in 3 days 4 hours 1 minute.",
            NOON + timedelta(days=3, hours=4, minutes=1),
            id="span-in-words",
        ),
        pytest.param(
            "Claude AI usage limit reached|1772625600", utc(2026, 3, 4, 12), id="epoch-seconds"
        ),
        pytest.param(
            "Claude AI usage limit reached|1772625600000", utc(2026, 3, 4, 12), id="epoch-millis"
        ),
        pytest.param("or try again at 5:12 PM.", utc(2026, 3, 4, 17, 12), id="codex"),
        pytest.param(
            "or try again at Nov 20th, 2026 10:41 PM.", utc(2026, 11, 20, 22, 41), id="codex-date"
        ),
        pytest.param("resets 3pm (Middle/Earth)", None, id="unknown-zone"),
        pytest.param("resets 3pm (PST8)", None, id="unknown-abbreviation"),
        pytest.param("resets 3pm (Europe)", None, id="half-a-zone"),
        pytest.param("resets 3pm (../../etc/passwd)", utc(2026, 3, 4, 15), id="no-zone-at-all"),
        pytest.param("resets 25pm (UTC)", None, id="no-hour"),
        pytest.param("resets 27:00 (UTC)", None, id="no-hour-of-24"),
        pytest.param("resets Feb 30, 9am (UTC)", None, id="no-day"),
        pytest.param("resets in 99999999999 days", None, id="beyond-all-calendars"),
        pytest.param("resets soon", None, id="no-time"),
        pytest.param("it resets the counter in 3 places", None, id="other-words"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_resets_at(text: str, instant: datetime | None) -> None:
    assert resets_at(text, NOON) == instant


@pytest.mark.parametrize(
    ("text", "said_at", "instant"),
    [
        pytest.param(
            "resets 9am (Europe/Berlin)",
            utc(2026, 3, 28, 20),
            utc(2026, 3, 29, 7),
            id="the-night-that-clocks-go-forward",
        ),
        pytest.param(
            "resets 9am (Europe/Berlin)",
            utc(2026, 10, 24, 20),
            utc(2026, 10, 25, 8),
            id="the-night-that-clocks-go-back",
        ),
        pytest.param(
            "resets 2:30am (Europe/Berlin)",
            utc(2026, 10, 25, 0, 45),
            utc(2026, 10, 25, 1, 30),
            id="the-second-of-two-such-hours",
        ),
        pytest.param(
            "resets 2:30am (Europe/Berlin)",
            utc(2026, 3, 28, 20),
            utc(2026, 3, 29, 1, 30),
            id="an-hour-that-does-not-exist",
        ),
        pytest.param(
            "resets 9am (America/New_York)",
            utc(2026, 12, 31, 23),
            utc(2027, 1, 1, 14),
            id="new-year",
        ),
    ],
)
def test_calendars(text: str, said_at: datetime, instant: datetime) -> None:
    assert resets_at(text, said_at) == instant


def test_a_clock_without_a_zone_is_read_in_the_speakers() -> None:
    assert resets_at("try again at 5:12 PM.", NOON.astimezone(BERLIN)) == utc(2026, 3, 4, 16, 12)


@given(
    since_noon=st.timedeltas(timedelta(days=-9_000), timedelta(days=9_000)),
    hour=st.integers(1, 12),
    minute=st.integers(0, 59),
    half=st.sampled_from(["am", "pm"]),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]),
)
def test_the_next_such_clock_is_less_than_a_day_ahead(
    since_noon: timedelta, hour: int, minute: int, half: str, zone: str
) -> None:
    said_at = NOON + since_noon
    instant = resets_at(f"resets {hour}:{minute:02}{half} ({zone})", said_at)
    assert instant is not None
    assert said_at < instant <= said_at + timedelta(hours=25)


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_no_text_breaks_it(text: str, said_at: datetime) -> None:
    resets_at(f"resets {text}", said_at)
    hit_limit(text)


@pytest.mark.parametrize(
    "text",
    [
        "You've hit your session limit · resets 9:41am (UTC)",
        "You've hit your weekly limit",
        "You've hit your org's monthly spend limit · raise it at the settings",
        "You’ve hit your usage limit. Upgrade to Pro or try again at 5:12 PM.",
        "You've reached your Opus limit · resets Mar 5, 9am (UTC)",
        "You're out of usage credits · resets 3pm (UTC)",
        "Claude AI usage limit reached|1767225600",
        "5-hour limit reached ∙ resets 3pm",
        "Weekly limit reached ∙ resets Mar 5, 9am",
    ],
)
def test_a_limit(text: str) -> None:
    assert hit_limit(text)


@pytest.mark.parametrize(
    "text",
    [
        "You've used 97% of your session limit · resets 9:41am (UTC)",
        "Approaching usage limit · resets 3pm (UTC)",
        "I read that you've hit your session limit · resets 3pm (UTC)",
        "The test prints: You've hit your session limit",
        "API Error: Request rejected (429) · This request would exceed your account's rate limit.",
        "You've hit your stride\n\nThere is no limit",
        "",
    ],
)
def test_no_limit(text: str) -> None:
    assert not hit_limit(text)
