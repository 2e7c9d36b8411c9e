"""What an agent's own hook events say about its turn. The names are Claude Code's."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from story_automator.agents.claude_failures import failure
from story_automator.agents.fields import rows, text
from story_automator.agents.message import asks_person
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need

# Tools whose dialog wants an answer. One such dialog stands at a time, and the answer is added to
# the tool's input (sample: claude/ask), so they are known by their name alone.
ANSWERED_TOOLS = frozenset({"AskUserQuestion", "ExitPlanMode", "EnterPlanMode"})
TOOL_BEGINS = frozenset({"PreToolUse", "SubagentStart"})
TOOL_ENDS = frozenset({"PostToolUse", "PostToolUseFailure", "PermissionDenied", "PostToolBatch"})
# They tell of something that was over before: a signal between may be newer.
LATE = frozenset({"Notification", "SessionEnd"})
OVER = (TurnState.FINISHED, TurnState.FAILED)
REBINDING = frozenset({"clear", "resume"})  # a SessionStart of the same process, with a new id


def advance(turn: Turn, event: str, payload: Mapping[str, object], at: datetime) -> Turn:
    """The turn after one more event. Events that say nothing about the turn leave it as it is."""
    after = _after(turn, event, payload, at)
    if after is turn:
        return turn
    began = turn.began_at
    if event == "UserPromptSubmit" or (began is None and after.state is TurnState.RUNNING):
        began = at
    return replace(after, began_at=began, told_at=turn.told_at if event in LATE else at)


def belongs(event: str, payload: Mapping[str, object], conversation: str) -> bool:
    """False for an event of another conversation: an agent that this one started itself."""
    told = text(payload, "session_id")
    return told in ("", conversation) or conversation_after(event, payload, conversation) == told


def conversation_after(event: str, payload: Mapping[str, object], conversation: str) -> str:
    """The conversation that the session holds after an event: `/clear` and `/resume` change it."""
    told = text(payload, "session_id")
    if not conversation:
        return told
    moved = event == "SessionStart" and text(payload, "source") in REBINDING
    return told if moved and told else conversation


def _after(turn: Turn, event: str, payload: Mapping[str, object], at: datetime) -> Turn:
    match event:
        case "UserPromptSubmit":
            return _running(event)
        case "Stop":
            return _stopped(payload)
        case "StopFailure":
            return _failed(payload, at)
        case "PermissionRequest" if turn.state not in OVER:
            return _asked(turn, payload)
        case "PreCompact" if turn.state not in OVER or text(payload, "trigger") != "manual":
            # A person's `/compact` after the turn begins none.
            return Turn(TurnState.RUNNING, because="compacting (PreCompact hook)")
        case "Notification" if turn.state is TurnState.RUNNING:
            return _notified(turn, payload)
        case "SessionEnd" if turn.need:
            return replace(turn, need=None, waits_on=())
    if event in TOOL_BEGINS:
        return turn if turn.need else _running(event)
    if event in TOOL_ENDS and turn.state not in OVER:
        return _answered(turn, payload) if turn.need else _running(event)
    return turn


def _running(event: str) -> Turn:
    return Turn(TurnState.RUNNING, because=f"{event} hook")


def _stopped(payload: Mapping[str, object]) -> Turn:
    message = text(payload, "last_assistant_message")
    if waking := _will_wake(payload):
        return Turn(TurnState.BACKGROUND, because=f"Stop hook, but {waking}", message=message)
    return Turn(
        TurnState.FINISHED,
        because="the agent said that its turn is over (Stop hook)",
        message=message,
        asks=asks_person(message),
    )


def _will_wake(payload: Mapping[str, object]) -> str:
    """What goes on without the agent and will start it again; empty: nothing does."""
    if payload.get("background_tasks"):
        return "background work is still running"
    # One that fires again and again belongs to no turn: waiting for it would be for ever.
    if any(cron.get("recurring") is False for cron in rows(payload, "session_crons")):
        return "it has set itself a time to go on"
    return ""


def _failed(payload: Mapping[str, object], at: datetime) -> Turn:
    error = text(payload, "error") or "unknown"
    message = text(payload, "last_assistant_message")
    why = failure(error, message, at)
    return Turn(
        TurnState.FAILED,
        reason=why.reason,
        because=f"the agent said that its turn failed: {error} (StopFailure hook)",
        message=message,
        resets_at=why.resets_at,
    )


def _asked(turn: Turn, payload: Mapping[str, object]) -> Turn:
    tool = text(payload, "tool_name")
    need = Need.INPUT if tool in ANSWERED_TOOLS else Need.PERMISSION
    return Turn(
        TurnState.RUNNING,
        because=f"the agent waits for an answer about {tool or 'a tool'} (PermissionRequest hook)",
        need=turn.need or need,
        waits_on=(*turn.waits_on, text(payload, "tool_use_id") or _call(payload)),
    )


def _answered(turn: Turn, payload: Mapping[str, object]) -> Turn:
    """Only the end of the same call closes a dialog: other tools may run beside it."""
    ended = (_call(payload), text(payload, "tool_use_id"))
    still_open = tuple(call for call in turn.waits_on if call not in ended)
    if still_open == turn.waits_on:
        return turn
    return replace(turn, waits_on=still_open) if still_open else _running("PostToolUse")


def _notified(turn: Turn, payload: Mapping[str, object]) -> Turn:
    """A minute of idling: its turn is over, but how it ended was lost; other signals must tell."""
    if text(payload, "notification_type") != "idle_prompt":
        return turn
    because = "the agent said that it is idle, but not how its turn ended (Notification hook)"
    return Turn(TurnState.UNKNOWN, because=because)


def _call(payload: Mapping[str, object]) -> str:
    """One tool call by its name and input: dialogs do not tell the call's id."""
    name = text(payload, "tool_name")
    if name in ANSWERED_TOOLS:
        return name
    shown = json.dumps(payload.get("tool_input"), sort_keys=True, default=str)
    return f"{name}:{sha256(shown.encode()).hexdigest()[:16]}"
