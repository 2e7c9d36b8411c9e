"""Why a turn of Codex failed: the class in its own record, else the words of its error."""

import re
from datetime import datetime

from story_automator.agents.claude_failures import Failure, by_status
from story_automator.agents.limits import hit_limit, resets_at

CLASSES = {
    "usage_limit_exceeded": "usage_limit",
    "context_window_exceeded": "context_limit",
    "unauthorized": "auth_error",
    "server_overloaded": "api_error",
    "internal_server_error": "api_error",
    "http_connection_failed": "api_error",
    "response_stream_connection_failed": "api_error",
    "response_stream_disconnected": "api_error",
}
# Its own sentences about a reply. Samples: codex/401, codex/429, codex/529.
STATUS = re.compile(r"(?:unexpected status|last status:) (\d{3})\b")
# Samples: codex/toolong (the API's own words); the others are words of other providers.
CONTEXT_FULL = re.compile(
    r"prompt is too long|context[_ ](?:window|length)|ran out of room in the model's context",
    re.IGNORECASE,
)
# Sample: codex/drop.
CONNECTION = re.compile(
    r"stream disconnected|error sending request|connection|timed? ?out", re.IGNORECASE
)
# What it says instead of a 500.
OUTAGE = re.compile(r"experiencing high demand", re.IGNORECASE)
NO_CREDIT = re.compile(r"quota exceeded|insufficient_quota|plan and billing", re.IGNORECASE)
NO_LOGIN = re.compile(
    r"not logged in|log ?in again|refresh token|missing environment variable", re.IGNORECASE
)
BY_WORDS = (
    (CONTEXT_FULL, "context_limit"),
    (NO_CREDIT, "auth_error"),
    (NO_LOGIN, "auth_error"),
    (CONNECTION, "api_error"),
    (OUTAGE, "api_error"),
)


def failure(message: str, at: datetime, info: object = None) -> Failure:
    """The reason behind an error; `info` is the class that a rollout names with it."""
    name, status = _classed(info)
    if CLASSES.get(name) == "usage_limit" or hit_limit(message):
        return Failure("usage_limit", resets_at(message, at))
    if status is None and (said := STATUS.search(message)):
        status = int(said[1])
    if status is not None and status != 400:
        return Failure(by_status(status))
    if name in CLASSES:
        return Failure(CLASSES[name])
    return Failure(next((why for words, why in BY_WORDS if words.search(message)), "turn_failed"))


def _classed(info: object) -> tuple[str, int | None]:
    """`"name"`, or `{"name": {"http_status_code": 429}}`."""
    if isinstance(info, str):
        return info, None
    if isinstance(info, dict) and len(info) == 1:
        ((name, inner),) = info.items()
        status = inner.get("http_status_code") if isinstance(inner, dict) else None
        return str(name), status if type(status) is int else None
    return "", None
