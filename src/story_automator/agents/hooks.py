"""What an agent's own hook events say about its turn. The names are Claude Code's."""

from collections.abc import Mapping

from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need

QUESTION_TOOL = "AskUserQuestion"
# The classes that StopFailure names, in the words of an exit reason.
FAILURES = {
    "authentication_failed": "auth_error",
    "billing_error": "auth_error",
    "rate_limit": "rate_limited",
    "server_error": "api_error",
    "invalid_request": "api_error",
    "model_not_found": "api_error",
    "max_output_tokens": "context_limit",
}
# Events of a turn that goes on: whatever dialog was open is answered.
GOING_ON = frozenset(
    {"UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "SubagentStart"}
)


def advance(turn: Turn, event: str, payload: Mapping[str, object]) -> Turn:
    """The turn after one more event. Events that say nothing about the turn leave it as it is."""
    if event in GOING_ON:
        return Turn(TurnState.RUNNING, because=f"{event} hook")
    if event == "Stop":
        message = str(payload.get("last_assistant_message") or "")
        if payload.get("background_tasks"):
            because = "Stop hook, but background work is still running"
            return Turn(TurnState.BACKGROUND, because=because, message=message)
        return Turn(
            TurnState.FINISHED,
            because="the agent said that its turn is over (Stop hook)",
            message=message,
        )
    if event == "StopFailure":
        error = str(payload.get("error") or "unknown")
        return Turn(
            TurnState.FAILED,
            reason=FAILURES.get(error, "turn_failed"),
            because=f"the agent said that its turn failed: {error} (StopFailure hook)",
            message=str(payload.get("last_assistant_message") or ""),
        )
    if event == "PermissionRequest" and turn.state is not TurnState.FINISHED:
        tool = str(payload.get("tool_name") or "")
        need = Need.INPUT if tool == QUESTION_TOOL else Need.PERMISSION
        because = f"the agent waits for an answer about {tool or 'a tool'} (PermissionRequest hook)"
        return Turn(TurnState.RUNNING, because=because, need=need)
    return turn
