"""What hook events say about a turn."""

import pytest

from story_automator.agents.hooks import advance
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need


def after(*events: tuple[str, dict[str, object]]) -> Turn:
    turn = Turn()
    for event, payload in events:
        turn = advance(turn, event, payload)
    return turn


@pytest.mark.parametrize(
    ("events", "state"),
    [
        pytest.param([], TurnState.UNKNOWN, id="silence-says-nothing"),
        pytest.param([("SessionStart", {})], TurnState.UNKNOWN, id="a-start-is-no-turn"),
        pytest.param([("UserPromptSubmit", {})], TurnState.RUNNING, id="prompt"),
        pytest.param([("UserPromptSubmit", {}), ("Stop", {})], TurnState.FINISHED, id="stop"),
        pytest.param(
            [("Stop", {"background_tasks": ["x"]})], TurnState.BACKGROUND, id="background-work"
        ),
        pytest.param(
            [("Stop", {"background_tasks": []}), ("SessionEnd", {})],
            TurnState.FINISHED,
            id="the-end-of-the-session-changes-nothing",
        ),
        pytest.param(
            [("UserPromptSubmit", {}), ("SubagentStop", {})],
            TurnState.RUNNING,
            id="a-sub-agents-stop-is-not-ours",
        ),
        pytest.param(
            [("UserPromptSubmit", {}), ("PreCompact", {}), ("SessionStart", {})],
            TurnState.RUNNING,
            id="compaction-is-no-restart",
        ),
        pytest.param([("Stop", {}), ("UserPromptSubmit", {})], TurnState.RUNNING, id="second-turn"),
        pytest.param(
            [("Stop", {}), ("Notification", {})], TurnState.FINISHED, id="idle-notification"
        ),
        pytest.param([("StopFailure", {"error": "rate_limit"})], TurnState.FAILED, id="failure"),
    ],
)
def test_turn_state(events: list[tuple[str, dict[str, object]]], state: TurnState) -> None:
    assert after(*events).state is state


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("rate_limit", "rate_limited"),
        ("authentication_failed", "auth_error"),
        ("server_error", "api_error"),
        ("max_output_tokens", "context_limit"),
        ("something_new", "turn_failed"),
    ],
)
def test_a_failure_keeps_its_class(error: str, reason: str) -> None:
    turn = after(("StopFailure", {"error": error}))
    assert turn.reason == reason
    assert error in turn.because


def test_a_permission_request_stands_until_the_turn_goes_on() -> None:
    asked = after(("PreToolUse", {}), ("PermissionRequest", {"tool_name": "Bash"}))
    assert asked.need is Need.PERMISSION
    assert after(("PermissionRequest", {}), ("PostToolUse", {})).need is None


def test_a_question_needs_an_answer_not_a_permission() -> None:
    asked = after(("PermissionRequest", {"tool_name": "AskUserQuestion"}))
    assert asked.need is Need.INPUT


def test_stop_hands_over_the_last_message() -> None:
    assert after(("Stop", {"last_assistant_message": "done"})).message == "done"
