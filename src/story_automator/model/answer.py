"""What a model said in one message of its API, read with suspicion."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from story_automator.model.prices import Usage


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said, why it stopped, and what it took."""

    text: str
    stop: str
    model: str
    usage: Usage


def answer_in(body: bytes, model: str) -> Answer | None:
    """The answer in a response's body; None where the body is no message of the API.

    A proxy's page and an error object may come with status 200.
    """
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("type") != "message":
        return None
    used = message.get("usage")
    return Answer(
        text=_text_of(message.get("content")),
        stop=str(message.get("stop_reason")),
        model=model,
        usage=_usage_of(used if isinstance(used, dict) else {}),
    )


def _text_of(blocks: object) -> str:
    """The text blocks; thoughts and tool calls are no answer."""
    found = [b for b in blocks if isinstance(b, dict)] if isinstance(blocks, list) else []
    texts = [block.get("text") for block in found if block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))


def _usage_of(told: Mapping[str, object]) -> Usage:
    return Usage(
        fresh=_tokens(told.get("input_tokens")),
        written=_tokens(told.get("cache_creation_input_tokens")),
        read=_tokens(told.get("cache_read_input_tokens")),
        output=_tokens(told.get("output_tokens")),
    )


def _tokens(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
