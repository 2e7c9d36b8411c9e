"""What a marker means: whose run it is, and whether that run still lives."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from story_automator.model.marker import Marker

STALE_AFTER = timedelta(minutes=30)
LONGEST_COUNT = 9  # digits
LONGEST_WORD = 40


def understand(document: Mapping[str, object]) -> Marker:
    """The marker in a JSON object of any origin; what makes no sense counts as not told."""
    return Marker(
        epic=_text(document.get("epic")),
        story=_text(document.get("currentStory")),
        remaining=_count(document.get("storiesRemaining")),
        state_file=_text(document.get("stateFile")),
        created_at=_text(document.get("createdAt")),
        heartbeat=_text(document.get("heartbeat")),
        pid=_count(document.get("pid")),
        slug=_text(document.get("projectSlug")),
    )


def last_sign(marker: Marker, touched: datetime, now: datetime) -> datetime:
    """The heartbeat; the file's own time where there is none or one from the far future."""
    try:
        beat = datetime.fromisoformat(marker.heartbeat.strip())
    except ValueError:
        return touched
    beat = beat.replace(tzinfo=UTC) if beat.tzinfo is None else beat
    return touched if beat - now > STALE_AFTER else beat


def why_stale(marker: Marker, *, alive: bool, age: timedelta) -> str:
    """Why nobody runs behind this marker any more; empty while somebody may."""
    if marker.pid and not alive:
        return f"its process {marker.pid} is gone"
    if age > STALE_AFTER:
        return f"its last heartbeat is {spoken(age)} old"
    return ""


def why_fresh(marker: Marker, age: timedelta) -> str:
    beat = f"last heartbeat {spoken(age)} ago"
    return f"process {marker.pid} is alive, {beat}" if marker.pid else f"{beat}, no pid told"


def holder(marker: Marker, age: timedelta) -> str:
    """Who holds the project, for the one who may not have it."""
    return (
        f"pid {marker.pid}, epic {_brief(marker.epic)}, story {_brief(marker.story)}, "
        f"last heartbeat {spoken(age)} ago"
    )


def spoken(age: timedelta) -> str:
    """A duration as a person would say it: one number, one unit."""
    seconds = max(0, int(age.total_seconds()))
    for unit, size, until in (("s", 1, 90), ("min", 60, 90), ("h", 3600, 48)):
        if seconds < until * size:
            return f"{seconds // size} {unit}"
    return f"{seconds // 86400} days"


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _count(value: object) -> int:
    """A whole number above zero, also written as text; everything else is 0."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, float):
        return max(0, int(value)) if value.is_integer() else 0
    if isinstance(value, int):
        return max(0, value)
    digits = value.strip() if isinstance(value, str) else ""
    usable = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_COUNT
    return int(digits) if usable else 0


def _brief(text: str) -> str:
    return " ".join(text.split())[:LONGEST_WORD] or "?"
