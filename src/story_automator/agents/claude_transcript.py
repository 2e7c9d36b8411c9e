"""The conversation as Claude Code keeps it: one JSON object per line, not in the order of time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from story_automator.agents.claude_failures import Failure, failure
from story_automator.agents.fields import (
    USAGE,
    inner,
    instant,
    json_object,
    rows,
    summed,
    text,
    whole,
)

# The whole text of a line of the user's; what a tool printed stands in other blocks.
# Samples: claude/interrupt, claude/interrupt_tool, claude/refused.
INTERRUPTED = re.compile(r"\[Request interrupted by user(?: for tool use)?\]")
# A command of the client's own, typed by a person, or what it printed: no prompt of a turn.
# Sample: claude/compact.
COMMAND = re.compile(r"<(?:local-)?command-")
# One message is several lines, close together: no more ids than this need to be remembered.
RECENT = 32

Block = tuple[datetime, str, str]  # when, the id of its line, its text


class Ending(StrEnum):
    """How the last turn stands."""

    NONE = "none"  # no turn yet
    OPEN = "open"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


# Of two lines of one millisecond the later word of this list holds.
WEIGHT = tuple(Ending).index


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the lines taken so far amount to."""

    message: str = ""  # the last one of the agent's, whole
    tokens: int = 0  # of all messages: what was read, from the cache too, and what was written
    failure: Failure | None = None
    last: Ending = Ending.NONE  # by the last line that tells
    last_at: datetime | None = None
    over_at: datetime | None = None  # when a turn was last declared over, well or not
    message_id: str = ""
    blocks: tuple[Block, ...] = ()  # of that message
    counted: tuple[tuple[str, int], ...] = ()  # message ids and their tokens, newest last

    @property
    def ending(self) -> Ending:
        return Ending.FINISHED if self._is_declared_over else self.last

    @property
    def since(self) -> datetime | None:
        return self.over_at if self._is_declared_over else self.last_at

    @property
    def _is_declared_over(self) -> bool:
        """An empty reply leaves no other line; of a failure or an end its own line tells more."""
        if self.last is not Ending.OPEN or self.last_at is None or self.over_at is None:
            return False
        return self.over_at >= self.last_at


def take(conversation: Conversation, line: str, zone: tzinfo = UTC) -> Conversation:
    """The conversation with one more line; sub-agents' lines and broken ones change nothing.

    A clock that names no zone is read in `zone`.
    """
    told = json_object(line)
    if told is None or told.get("isSidechain") is True:
        return conversation
    at = instant(text(told, "timestamp"))
    if at is None:
        return conversation
    match told.get("type"):
        case "assistant":
            return _said(conversation, told, at, zone)
        case "user":
            return _heard(conversation, told, at)
        case "system" if told.get("subtype") == "turn_duration":
            newest = at if conversation.over_at is None else max(at, conversation.over_at)
            return replace(conversation, over_at=newest)
    return conversation


def _said(
    conversation: Conversation, told: Mapping[str, object], at: datetime, zone: tzinfo
) -> Conversation:
    message = inner(told, "message")
    name = text(message, "id") or text(told, "uuid")
    said = "\n".join(_texts(message))
    block = (at, text(told, "uuid"), said)
    counted = _count(_remember(conversation, name, block), name, inner(message, "usage"))
    if told.get("isApiErrorMessage") is True:
        status = whole(told, "apiErrorStatus")
        why = failure(text(told, "error"), said, at.astimezone(zone), status)
        return _stand(counted, Ending.FAILED, at, why)
    finished = message.get("stop_reason") == "end_turn"
    return _stand(counted, Ending.FINISHED if finished else Ending.OPEN, at)


def _heard(conversation: Conversation, told: Mapping[str, object], at: datetime) -> Conversation:
    if told.get("isMeta") or told.get("isCompactSummary"):
        return conversation
    texts = _texts(inner(told, "message"))
    if any(INTERRUPTED.fullmatch(said) for said in texts):
        return _stand(conversation, Ending.INTERRUPTED, at)
    if any(COMMAND.match(said) for said in texts):
        return conversation
    return _stand(conversation, Ending.OPEN, at)


def _stand(
    conversation: Conversation, ending: Ending, at: datetime, why: Failure | None = None
) -> Conversation:
    before = conversation.last_at
    if before and (at, WEIGHT(ending)) < (before, WEIGHT(conversation.last)):
        return conversation
    return replace(conversation, last=ending, last_at=at, failure=why)


def _remember(conversation: Conversation, name: str, block: Block) -> Conversation:
    """Keep the newest message that says something, all its blocks in the order of time."""
    at, line, said = block
    blocks = conversation.blocks
    if not said:
        return conversation
    if name != conversation.message_id:
        if blocks and at < blocks[-1][0]:
            return conversation
        blocks = ()
    elif line and line in [known for _, known, _ in blocks]:
        return conversation  # the same line once more
    blocks = tuple(sorted((*blocks, block), key=lambda known: known[0]))
    whole_message = "\n".join(part for _, _, part in blocks)
    return replace(conversation, message=whole_message, message_id=name, blocks=blocks)


def _count(conversation: Conversation, name: str, usage: Mapping[str, object]) -> Conversation:
    """Every line of a message repeats its usage; the last one may know more."""
    counted = dict(conversation.counted)
    before = counted.pop(name, 0)
    counted[name] = max(before, summed(usage, *USAGE) or 0)
    return replace(
        conversation,
        tokens=conversation.tokens + counted[name] - before,
        counted=tuple(counted.items())[-RECENT:],
    )


def _texts(message: Mapping[str, object]) -> list[str]:
    if whole_text := text(message, "content"):
        return [whole_text]
    blocks = [block for block in rows(message, "content") if block.get("type") == "text"]
    return [said for block in blocks if (said := text(block, "text"))]
