"""Why a turn of Claude Code failed: the class it names and, where that is coarse, its message."""

import re
from dataclasses import dataclass
from datetime import datetime

from story_automator.agents.limits import hit_limit, resets_at

CLASSES = {
    "authentication_failed": "auth_error",
    "oauth_org_not_allowed": "auth_error",
    "billing_error": "auth_error",
    "rate_limit": "rate_limited",
    "overloaded": "api_error",
    "server_error": "api_error",
    "invalid_request": "api_error",
    "model_not_found": "api_error",
    "max_output_tokens": "context_limit",
}
# Start of the message. Samples: claude/toolong and, in a longer conversation, the second.
CONTEXT_FULL = re.compile(r"Prompt is too long\b|Context limit reached\b")
# Start of the message: the model refused, the API works. Sample: claude/refusal.
REFUSED = re.compile(r"API Error: .{0,40}unable to respond to this request")
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Failure:
    """An exit reason, and when a limit ends if the agent said so."""

    reason: str
    resets_at: datetime | None = None


def failure(
    error: str, message: str, said_at: datetime | None, status: int | None = None
) -> Failure:
    """The reason behind an error class; `message` is the agent's own error text."""
    if error == "rate_limit" and status in (None, TOO_MANY) and hit_limit(message):
        return Failure("usage_limit", resets_at(message, said_at) if said_at else None)
    if CONTEXT_FULL.match(message):
        return Failure("context_limit")
    if REFUSED.match(message):
        return Failure("turn_failed")
    return Failure(CLASSES.get(error) or by_status(status))


def by_status(status: int | None) -> str:
    """The reason behind an HTTP status alone."""
    if status in (401, 402, 403):
        return "auth_error"
    if status == TOO_MANY:
        return "rate_limited"
    if status is not None and status >= 400:
        return "api_error"
    return "turn_failed"
