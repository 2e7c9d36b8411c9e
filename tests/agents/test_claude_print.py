"""The result that `claude -p` prints."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from story_automator.agents.claude_print import Printed, printed
from story_automator.model.evidence import TurnState
from tests.agents import recorded

NOW = datetime(2026, 11, 18, 15, 6, 30, tzinfo=UTC)
ENDS = [
    ("print_plain", TurnState.FINISHED, ""),
    ("print_question", TurnState.FINISHED, ""),
    ("print_array", TurnState.FINISHED, ""),
    ("print_stream", TurnState.FINISHED, ""),
    ("print_denied", TurnState.FINISHED, ""),
    ("print_limit", TurnState.FAILED, "usage_limit"),
    ("print_e529", TurnState.FAILED, "api_error"),
    ("print_e401", TurnState.FAILED, "auth_error"),
    ("print_toolong", TurnState.FAILED, "context_limit"),
    ("print_max_turns", TurnState.FAILED, "turn_failed"),
]


def of(output: str) -> Printed:
    found = printed(output, NOW)
    assert found is not None
    return found


def result(**told: Any) -> str:
    row = {"type": "result", "subtype": "success", "is_error": False, "result": "", **told}
    return json.dumps(row, ensure_ascii=False)


def recording(case: str) -> Printed:
    return of("\n".join(recorded.lines("claude", case, "stdout.jsonl")))


class TestRealRuns:
    @pytest.mark.parametrize(("case", "state", "reason"), ENDS)
    def test_end_as(self, case: str, state: TurnState, reason: str) -> None:
        turn = recording(case).turn
        assert (turn.state, turn.reason) == (state, reason)
        assert turn.asks is (case == "print_question")

    def test_every_recording_is_in_the_table(self) -> None:
        assert {case for case, _, _ in ENDS} == set(recorded.cases("claude", "stdout.jsonl"))

    @pytest.mark.parametrize("case", ["print_array", "print_stream"])
    def test_figures(self, case: str) -> None:
        run = recording(case)
        assert run.tokens == 2415
        assert run.cost_usd == pytest.approx(0.012375)
        assert run.conversation

    def test_a_limit_tells_when_it_ends(self) -> None:
        instant = datetime(2026, 11, 18, 17, 6, tzinfo=UTC)
        assert recording("print_limit").turn.resets_at == instant

    def test_a_denied_tool_is_named(self) -> None:
        run = recording("print_denied")
        assert run.denied == ("Bash",)
        assert "Bash" in run.turn.because


class TestOutput:
    def test_the_last_result_counts(self) -> None:
        assert of(f"{result(result='old')}\nnoise\n{result(result='new')}\n").turn.message == "new"

    def test_terminals_end_lines_their_own_way(self) -> None:
        assert of(f"{result(result='x')}\r\n").turn.message == "x"

    def test_other_line_ends_within_the_text_are_kept(self) -> None:
        assert of(result(result="a\u2028b\x85c")).turn.message == "a\u2028b\x85c"

    def test_success_is_not_believed_of_an_error(self) -> None:
        assert of(result(is_error=True)).turn.state is TurnState.FAILED

    def test_a_result_without_the_word_is_no_success(self) -> None:
        assert of('{"type":"result","subtype":"success"}').turn.state is TurnState.FAILED

    @pytest.mark.parametrize(
        "output",
        [
            "",
            "The last result is good.",
            '{"type":"assistant","text":"\\"result\\""}',
            '{"type":"result"',
            '["result"]',
            '"result"',
        ],
    )
    def test_no_result(self, output: str) -> None:
        assert printed(output, NOW) is None

    def test_wrong_types_are_not_told(self) -> None:
        run = of(result(usage=[], total_cost_usd="1", permission_denials={}, session_id=None))
        assert (run.tokens, run.cost_usd, run.denied, run.conversation) == (None, None, (), "")
