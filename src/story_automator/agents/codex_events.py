"""What Codex tells line by line: `exec --json`, and the rollout it keeps of every thread."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from story_automator.agents.codex_failures import failure
from story_automator.agents.fields import inner, instant, json_object, summed, text, whole
from story_automator.agents.message import asks_person
from story_automator.model.evidence import Turn, TurnState

# Start of an `error` line: it tries again. Samples: codex/401, codex/529.
RETRYING = re.compile(r"Reconnecting\.\.\.")


UNTOLD = Turn()


@dataclass(frozen=True, slots=True)
class Thread:
    """What the lines taken so far amount to."""

    thread: str = ""
    message: str = ""  # the last one of the agent's, whole
    tokens: int | None = None
    turn: Turn = UNTOLD


def take(thread: Thread, line: str, at: datetime) -> Thread:
    """The thread with one more line of either kind; `at` is when it was read."""
    told = json_object(line)
    if told is None:
        return thread
    if payload := inner(told, "payload"):
        # Its clocks name no zone: they are read in the reader's.
        written = instant(text(told, "timestamp"))
        at = written.astimezone(at.tzinfo) if written else at
        return _kept(thread, text(told, "type"), payload, at)
    return _told(thread, told, at)


def _told(thread: Thread, told: Mapping[str, object], at: datetime) -> Thread:
    """One line of `exec --json`. An item of type `error` is a warning, no failure."""
    match told.get("type"):
        case "thread.started":
            return replace(thread, thread=text(told, "thread_id"))
        case "turn.started":
            return _running(thread, at)
        case "item.completed":
            item = inner(told, "item")
            if item.get("type") == "agent_message":
                return replace(thread, message=text(item, "text"))
        case "turn.completed":
            spent = summed(inner(told, "usage"), "input_tokens", "output_tokens")
            return _finished(replace(thread, tokens=spent))
        case "turn.failed":
            return _failed(thread, text(inner(told, "error"), "message"), at)
        case "error":
            message = text(told, "message")
            if RETRYING.match(message):
                because = f"Codex tries again: {message}"
                return replace(thread, turn=replace(thread.turn, because=because))
            return _failed(thread, message, at)
    return thread


def _kept(thread: Thread, kind: str, payload: Mapping[str, object], at: datetime) -> Thread:
    """One line of a rollout."""
    if kind == "session_meta":
        return replace(thread, thread=text(payload, "id"))
    if kind != "event_msg":
        return thread
    match payload.get("type"):
        case "task_started":
            return _running(thread, at)
        case "token_count":
            spent = whole(inner(inner(payload, "info"), "total_token_usage"), "total_tokens")
            return replace(thread, tokens=thread.tokens if spent is None else spent)
        case "task_complete":
            thread = replace(thread, message=text(payload, "last_agent_message"))
            if error := inner(payload, "error"):
                return _failed(thread, text(error, "message"), at, error.get("codex_error_info"))
            return _finished(thread)
        case "turn_aborted":
            because = f"Codex says that the turn was aborted: {text(payload, 'reason')}"
            turn = Turn(TurnState.FAILED, "interrupted", because, began_at=thread.turn.began_at)
            return replace(thread, turn=turn)
    return thread


def _running(thread: Thread, at: datetime) -> Thread:
    turn = Turn(TurnState.RUNNING, because="Codex says that its turn began", began_at=at)
    return replace(thread, message="", turn=turn)


def _finished(thread: Thread) -> Thread:
    turn = Turn(
        TurnState.FINISHED,
        because="Codex says that its turn is over",
        message=thread.message,
        asks=asks_person(thread.message),
        began_at=thread.turn.began_at,
    )
    return replace(thread, turn=turn)


def _failed(thread: Thread, message: str, at: datetime, info: object = None) -> Thread:
    why = failure(message, at, info)
    turn = Turn(
        TurnState.FAILED,
        reason=why.reason,
        because=f"Codex says that its turn failed: {message}",
        message=thread.message,
        resets_at=why.resets_at,
        began_at=thread.turn.began_at,
    )
    return replace(thread, turn=turn)
