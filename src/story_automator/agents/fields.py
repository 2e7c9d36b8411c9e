"""Fields of JSON that somebody else writes: what has another type than expected is not told."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

# All that an API message took in, from the cache too, and gave out.
USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def json_object(written: str) -> dict[str, object] | None:
    try:
        told = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def text(told: Mapping[str, object], key: str) -> str:
    value = told.get(key)
    return value if isinstance(value, str) else ""


def inner(told: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = told.get(key)
    return value if isinstance(value, dict) else {}


def rows(told: Mapping[str, object], key: str) -> list[dict[str, object]]:
    """The objects of a list."""
    value = told.get(key)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def whole(told: Mapping[str, object], key: str) -> int | None:
    value = told.get(key)
    return value if type(value) is int else None


def number(told: Mapping[str, object], key: str) -> float | None:
    value = told.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # JSON as Python reads it also knows NaN, Infinity and numbers beyond any float.
    return float(value) if abs(value) < 1e18 else None


def summed(told: Mapping[str, object], *keys: str) -> int | None:
    """None when none of them is told."""
    known = [value for key in keys if (value := whole(told, key)) is not None]
    return sum(known) if known else None


def instant(written: object) -> datetime | None:
    """An ISO 8601 text with its zone, or seconds since the epoch."""
    try:
        if isinstance(written, str):
            at = datetime.fromisoformat(written)
            return at.astimezone(UTC) if at.tzinfo else None
        if isinstance(written, int | float) and not isinstance(written, bool):
            return datetime.fromtimestamp(written, UTC)
    except (OverflowError, ValueError, OSError):
        pass
    return None
