"""When a limit ends, by the agent's own words. For its error messages only, never for a screen."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

# From the start of the message: a warning (`You've used 97% of your limit`) begins otherwise.
# Samples: claude/limit, codex/usage_limit; the rest are the words of other plans and versions.
HIT = re.compile(
    r"You['’]ve (?:hit|reached) your [^·|\n]{0,60}?\blimit\b"
    r"|You['’]re out of usage credits\b"
    r"|Your org is out of usage\b"
    r"|Claude (?:AI )?usage limit reached\b"
    r"|(?:\d+-hour|session|weekly|opus|sonnet|usage|monthly)(?: usage)? limit reached\b",
    re.IGNORECASE,
)
EPOCH = re.compile(r"\blimit reached\|(?P<seconds>\d{10})(?P<millis>\d{3})?\b")
UNIT = r"(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)"
RESET = r"\b(?:resets?|try again|available again)"
SPAN = re.compile(rf"{RESET} in (?P<span>(?:\d+ ?{UNIT}\b(?:,| and)? ?)+)", re.IGNORECASE)
PART = re.compile(rf"(?P<count>\d+) ?(?P<unit>{UNIT})\b", re.IGNORECASE)
SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAY = rf"(?:(?P<weekday>{'|'.join(DAYS)})[a-z]*|(?P<relative>today|tomorrow))"
DATE = rf"(?P<month>{'|'.join(MONTHS)})[a-z]*\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))?(?::[0-5]\d)? ?(?P<half>[ap]\.?m\b)?"
MOMENT = re.compile(
    rf"{RESET}(?: at| on)? (?:{DAY},?(?: at)? ?)?(?:{DATE}(?:,? (?P<year>\d{{4}}))?,?(?: at)? ?)?"
    rf"(?:{CLOCK})?(?: ?\((?P<zone>[A-Za-z0-9_+/-]+)\))?",
    re.IGNORECASE,
)
# The words leave the seconds out: within the named minute the reset is still ahead.
SHOWN_TO = timedelta(minutes=1)
YEARS_AHEAD = 9  # enough for the next 29 February, also around 2100


def hit_limit(message: str) -> bool:
    """True when an error message of the agent says that a plan's limit is used up."""
    return HIT.match(message.strip()) is not None


def resets_at(text: str, said_at: datetime) -> datetime | None:
    """The next such instant after `said_at`, in UTC. A clock without a zone is read in its zone."""
    words = " ".join(text.split())
    try:
        if epoch := EPOCH.search(words):
            return datetime.fromtimestamp(int(epoch["seconds"]), UTC)
        if span := SPAN.search(words):
            return said_at.astimezone(UTC) + _span(span["span"])
        for moment in MOMENT.finditer(words):
            if moment["hour"] or moment["day"] or moment["weekday"] or moment["relative"]:
                return _moment(moment, said_at)
    except (OverflowError, ValueError):
        return None  # numbers that are no time
    return None


def _span(text: str) -> timedelta:
    parts = PART.finditer(text)
    return timedelta(seconds=sum(int(p["count"]) * SECONDS[p["unit"][0].lower()] for p in parts))


def _moment(moment: re.Match[str], said_at: datetime) -> datetime | None:
    zone = _zone(moment["zone"]) if moment["zone"] else said_at.tzinfo
    if zone is None:
        return None
    here = said_at.astimezone(zone)
    hour, minute = _hour(moment), int(moment["minute"] or 0)
    for day in _days(moment, here.date()):
        first = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
        # The hour that a change of clocks repeats: the second one may still be ahead.
        for instant in (first.astimezone(UTC), first.replace(fold=1).astimezone(UTC)):
            if instant > said_at:
                return instant
            if instant + SHOWN_TO > said_at or moment["year"]:
                return instant + SHOWN_TO
    return None


def _days(moment: re.Match[str], today: date) -> Iterator[date]:
    """The days that may be meant, nearest first."""
    if moment["day"]:
        month = MONTHS.index(moment["month"][:3].lower()) + 1
        years = [int(moment["year"])] if moment["year"] else range(today.year, 9999)[:YEARS_AHEAD]
        for year in years:
            try:
                yield date(year, month, int(moment["day"]))
            except ValueError:
                continue  # 29 February of another year
    elif moment["weekday"]:
        ahead = (DAYS.index(moment["weekday"].lower()) - today.weekday()) % 7
        yield today + timedelta(days=ahead)
        yield today + timedelta(days=ahead + 7)
    elif moment["relative"]:
        yield today + timedelta(days=moment["relative"].lower() == "tomorrow")
    else:
        yield today
        yield today + timedelta(days=1)


def _hour(moment: re.Match[str]) -> int:
    hour = int(moment["hour"] or 0)
    if not moment["half"]:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError("no hour of half a day")
    return hour % 12 + (12 if moment["half"][0].lower() == "p" else 0)


def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
