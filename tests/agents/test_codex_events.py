"""What Codex tells line by line."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial, reduce
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.codex_events import Thread, take
from story_automator.agents.codex_failures import failure
from story_automator.model.evidence import TurnState
from tests.agents import recorded

NOW = datetime(2026, 11, 18, 15, 7, 45, tzinfo=UTC)
ENDS = [
    ("plain", TurnState.FINISHED, ""),
    ("bash", TurnState.FINISHED, ""),
    ("question", TurnState.FINISHED, ""),
    ("empty", TurnState.FINISHED, ""),
    ("401", TurnState.FAILED, "auth_error"),
    ("429", TurnState.FAILED, "rate_limited"),
    ("limit", TurnState.FAILED, "rate_limited"),
    ("529", TurnState.FAILED, "api_error"),
    ("drop", TurnState.FAILED, "api_error"),
    ("toolong", TurnState.FAILED, "context_limit"),
    ("usage_limit", TurnState.FAILED, "usage_limit"),
    ("usage_limit_week", TurnState.FAILED, "usage_limit"),
]


def fold(lines: list[str], at: datetime = NOW) -> Thread:
    return reduce(partial(_take, at=at), lines, Thread())


def _take(thread: Thread, line: str, at: datetime) -> Thread:
    return take(thread, line, at)


def told(**row: Any) -> Thread:
    return fold([json.dumps({"type": "turn.started"}), json.dumps(row)])


@pytest.mark.parametrize("file", ["exec.jsonl", "rollout.jsonl"])
class TestRealThreads:
    @pytest.mark.parametrize(("case", "state", "reason"), ENDS)
    def test_end_as(self, file: str, case: str, state: TurnState, reason: str) -> None:
        thread = fold(recorded.lines("codex", case, file))
        assert (thread.turn.state, thread.turn.reason) == (state, reason)
        assert thread.turn.asks is (case == "question")

    def test_every_recording_is_in_the_table(self, file: str) -> None:
        assert {case for case, _, _ in ENDS} == set(recorded.cases("codex", file))

    def test_figures(self, file: str) -> None:
        thread = fold(recorded.lines("codex", "bash", file))
        assert thread.thread == "01a1ef32-aee0-7603-b4a0-670bf73d247a"
        assert thread.message == "The command finished. BASH-DONE-MARKER"
        assert thread.tokens == 2440

    @pytest.mark.parametrize(
        ("case", "resets_at"),
        [
            ("usage_limit", datetime(2026, 11, 18, 17, 12, tzinfo=UTC)),
            ("usage_limit_week", datetime(2026, 11, 20, 22, 41, tzinfo=UTC)),
        ],
    )
    def test_a_limit_tells_when_it_ends(self, file: str, case: str, resets_at: datetime) -> None:
        lines = recorded.lines("codex", case, file)
        assert fold(lines).turn.resets_at == resets_at
        in_berlin = fold(lines, NOW.astimezone(ZoneInfo("Europe/Berlin")))
        assert in_berlin.turn.resets_at == resets_at - timedelta(hours=1)

    def test_an_open_turn_runs(self, file: str) -> None:
        for case, _, _ in ENDS:
            lines = recorded.lines("codex", case, file)
            begun = next(
                n for n, line in enumerate(lines, 1) if '_started"' in line or "turn.st" in line
            )
            assert fold(lines[:begun]).turn.state is TurnState.RUNNING


class TestLines:
    def test_a_warning_is_no_failure(self) -> None:
        item = {"id": "item_0", "type": "error", "message": "Model metadata not found."}
        assert told(type="item.completed", item=item).turn.state is TurnState.RUNNING

    def test_a_retry_is_no_failure(self) -> None:
        message = "Reconnecting... 1/5 (unexpected status 529: Overloaded)"
        thread = told(type="error", message=message)
        assert thread.turn.state is TurnState.RUNNING
        assert message in thread.turn.because

    def test_a_bare_error_is_one(self) -> None:
        assert told(type="error", message="unexpected status 500").turn.reason == "api_error"

    def test_an_aborted_turn_was_interrupted(self) -> None:
        payload = {"type": "turn_aborted", "reason": "interrupted"}
        thread = told(type="event_msg", payload=payload, timestamp="2026-11-18T15:07:43Z")
        assert (thread.turn.state, thread.turn.reason) == (TurnState.FAILED, "interrupted")

    def test_the_next_turn_forgets_the_last_failure(self) -> None:
        failed = json.dumps({"type": "turn.failed", "error": {"message": "x"}})
        again = json.dumps({"type": "turn.started"})
        assert fold([failed, again]).turn.state is TurnState.RUNNING

    def test_what_a_command_printed_is_not_what_codex_says(self) -> None:
        item = {"type": "command_execution", "aggregated_output": '{"type":"turn.failed"}'}
        assert told(type="item.completed", item=item).turn.state is TurnState.RUNNING

    @pytest.mark.parametrize("line", ["", "{", "[]", "3", '{"type":7}', '{"payload":{"type":1}}'])
    def test_a_broken_line_changes_nothing(self, line: str) -> None:
        assert fold([line]) == Thread()


@pytest.mark.parametrize(
    ("message", "info", "reason"),
    [
        ("", "usage_limit_exceeded", "usage_limit"),
        ("", "context_window_exceeded", "context_limit"),
        ("", "unauthorized", "auth_error"),
        ("", {"response_too_many_failed_attempts": {"http_status_code": 429}}, "rate_limited"),
        ("", {"http_connection_failed": {"http_status_code": None}}, "api_error"),
        ("", {"something_new": {"http_status_code": 503}}, "api_error"),
        ("Codex ran out of room in the model's context window.", None, "context_limit"),
        ("Quota exceeded. Check your plan and billing details.", None, "auth_error"),
        ("Missing environment variable: `KEY`.", None, "auth_error"),
        ("unexpected status 404 Not Found: no such model", None, "api_error"),
        ("unexpected status 400 Bad Request: context_length_exceeded", None, "context_limit"),
        ("We’re currently experiencing high demand, please wait.", None, "api_error"),
        ("something else", None, "turn_failed"),
        ("something else", 7, "turn_failed"),
    ],
)
def test_failures(message: str, info: object, reason: str) -> None:
    assert failure(message, NOW, info).reason == reason


@given(st.text(), st.text())
def test_no_message_breaks_it(message: str, reason: str) -> None:
    told(type="error", message=message)
    told(payload={"type": "turn_aborted", "reason": reason}, type="event_msg")
