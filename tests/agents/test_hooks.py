"""What hook events say about a turn."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from story_automator.agents.hooks import advance, belongs, conversation_after
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need
from tests.agents import recorded

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BACKGROUND_TASK = {"id": "b1", "type": "shell", "status": "running"}
ONCE = {"id": "c1", "schedule": "5 12 1 3 *", "recurring": False, "prompt": "go on"}
OFTEN = {**ONCE, "recurring": True}
BASH = {"tool_name": "Bash", "tool_input": {"command": "make"}}
OTHER = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
IDLE = ("Notification", {"notification_type": "idle_prompt"})

ENDS = [
    ("plain", TurnState.FINISHED, ""),
    ("question", TurnState.FINISHED, ""),
    ("menu", TurnState.FINISHED, ""),
    ("empty", TurnState.FINISHED, ""),
    ("bash", TurnState.FINISHED, ""),
    ("agent", TurnState.FINISHED, ""),
    ("bashbg", TurnState.FINISHED, ""),
    ("agentbg", TurnState.FINISHED, ""),
    ("ask", TurnState.FINISHED, ""),
    ("plan", TurnState.FINISHED, ""),
    ("permission", TurnState.FINISHED, ""),
    ("compact", TurnState.FINISHED, ""),
    ("clear", TurnState.FINISHED, ""),
    ("exit", TurnState.FINISHED, ""),
    ("idle_notice", TurnState.FINISHED, ""),
    ("limit", TurnState.FAILED, "usage_limit"),
    ("limit_week", TurnState.FAILED, "usage_limit"),
    ("limit_key", TurnState.FAILED, "rate_limited"),
    ("e429", TurnState.FAILED, "rate_limited"),
    ("e401", TurnState.FAILED, "auth_error"),
    ("e401_oauth", TurnState.FAILED, "auth_error"),
    ("e403", TurnState.FAILED, "auth_error"),
    ("credit", TurnState.FAILED, "auth_error"),
    ("e404", TurnState.FAILED, "api_error"),
    ("e529", TurnState.FAILED, "api_error"),
    ("toolong", TurnState.FAILED, "context_limit"),
    ("maxtok", TurnState.FAILED, "context_limit"),
    ("refusal", TurnState.FAILED, "turn_failed"),
    ("interrupt", TurnState.RUNNING, ""),
    ("interrupt_tool", TurnState.RUNNING, ""),
    ("refused", TurnState.RUNNING, ""),
    ("kill9", TurnState.RUNNING, ""),
    ("hangmid", TurnState.RUNNING, ""),
    ("idle_noprompt", TurnState.UNKNOWN, ""),
]

Events = list[tuple[str, dict[str, Any]]]


def after(*events: tuple[str, dict[str, Any]]) -> Turn:
    """One event a second."""
    turn = Turn()
    for number, (event, payload) in enumerate(events):
        turn = advance(turn, event, payload, START + timedelta(seconds=number))
    return turn


def story(case: str, agent: str = "claude") -> list[Turn]:
    turns = [Turn()]
    for event, payload, at in recorded.hooks(agent, case):
        turns.append(advance(turns[-1], event, payload, at))
    return turns


class TestRealSessions:
    @pytest.mark.parametrize(("case", "state", "reason"), ENDS)
    def test_end_as(self, case: str, state: TurnState, reason: str) -> None:
        turn = story(case)[-1]
        assert (turn.state, turn.reason) == (state, reason)

    def test_every_recording_is_in_the_table(self) -> None:
        assert {case for case, _, _ in ENDS} == set(recorded.cases("claude", "hooks.jsonl"))

    @pytest.mark.parametrize("case", ["bashbg", "agentbg"])
    def test_background_work_is_no_end(self, case: str) -> None:
        states = [turn.state for turn in story(case)]
        assert states.index(TurnState.BACKGROUND) < states.index(TurnState.FINISHED)

    @pytest.mark.parametrize(
        ("case", "need"),
        [("ask", Need.INPUT), ("plan", Need.INPUT), ("permission", Need.PERMISSION)],
    )
    def test_a_dialog_stands_until_it_is_answered(self, case: str, need: Need) -> None:
        told = [event for event, _, _ in recorded.hooks("claude", case)]
        asked, done = told.index("PermissionRequest"), told.index("PostToolUse")
        needs = [turn.need for turn in story(case)[1:]]
        assert needs == [need if asked <= n < done else None for n in range(len(told))]

    def test_a_limit_tells_when_it_ends(self) -> None:
        assert story("limit")[-1].resets_at == datetime(2026, 11, 18, 17, 2, tzinfo=UTC)
        assert story("limit_week")[-1].resets_at == datetime(2026, 11, 20, 22, 40, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("case", "asks"), [("question", True), ("menu", True), ("plain", False), ("bash", False)]
    )
    def test_a_message_that_asks_is_marked(self, case: str, asks: bool) -> None:
        turn = story(case)[-1]
        assert turn.message
        assert turn.asks is asks

    @pytest.mark.parametrize("case", ["plain", "bash", "question", "empty"])
    def test_codex_stops_in_the_same_words(self, case: str) -> None:
        turn = story(case, "codex")[-1]
        assert turn.state is TurnState.FINISHED
        assert turn.asks is (case == "question")

    def test_codex_is_silent_about_errors(self) -> None:
        assert story("429", "codex")[-1].state is TurnState.RUNNING


class TestState:
    @pytest.mark.parametrize(
        ("events", "state"),
        [
            pytest.param([], TurnState.UNKNOWN, id="silence-says-nothing"),
            pytest.param([("SessionStart", {})], TurnState.UNKNOWN, id="a-start-is-no-turn"),
            pytest.param([("UserPromptSubmit", {})], TurnState.RUNNING, id="prompt"),
            pytest.param([("UserPromptSubmit", {}), ("Stop", {})], TurnState.FINISHED, id="stop"),
            pytest.param(
                [("Stop", {"background_tasks": [BACKGROUND_TASK]})],
                TurnState.BACKGROUND,
                id="background-work",
            ),
            pytest.param(
                [("Stop", {"session_crons": [ONCE]})],
                TurnState.BACKGROUND,
                id="it-will-wake-itself-once",
            ),
            pytest.param(
                [("Stop", {"session_crons": [OFTEN]})],
                TurnState.FINISHED,
                id="a-recurring-wake-up-would-never-end",
            ),
            pytest.param(
                [("Stop", {"background_tasks": []}), ("SessionEnd", {})],
                TurnState.FINISHED,
                id="the-end-of-the-session-changes-nothing",
            ),
            pytest.param(
                [("UserPromptSubmit", {}), ("SessionEnd", {"reason": "other"})],
                TurnState.RUNNING,
                id="a-session-that-ends-in-mid-turn-finished-nothing",
            ),
            pytest.param(
                [("UserPromptSubmit", {}), ("SubagentStop", {})],
                TurnState.RUNNING,
                id="a-sub-agents-stop-is-not-ours",
            ),
            pytest.param(
                [("Stop", {}), ("SubagentStop", {}), ("PostToolUse", {})],
                TurnState.FINISHED,
                id="a-late-tool-reopens-nothing",
            ),
            pytest.param(
                [("Stop", {}), ("PreToolUse", {})],
                TurnState.RUNNING,
                id="a-stop-hook-of-the-users-made-it-go-on",
            ),
            pytest.param(
                [("UserPromptSubmit", {}), ("PreCompact", {}), ("SessionStart", {})],
                TurnState.RUNNING,
                id="compaction-is-no-restart",
            ),
            pytest.param(
                [("Stop", {}), ("PreCompact", {"trigger": "auto"})],
                TurnState.RUNNING,
                id="compaction-on-its-own-belongs-to-a-turn",
            ),
            pytest.param(
                [("Stop", {}), ("PreCompact", {"trigger": "manual"})],
                TurnState.FINISHED,
                id="a-persons-compaction-is-no-turn",
            ),
            pytest.param(
                [("Stop", {}), ("UserPromptSubmit", {})], TurnState.RUNNING, id="second-turn"
            ),
            pytest.param([("Stop", {}), IDLE], TurnState.FINISHED, id="idle-after-stop"),
            pytest.param(
                [("UserPromptSubmit", {}), IDLE], TurnState.UNKNOWN, id="idle-after-a-lost-stop"
            ),
            pytest.param(
                [("UserPromptSubmit", {}), ("Notification", {"notification_type": "other"})],
                TurnState.RUNNING,
                id="another-notification",
            ),
            pytest.param(
                [("Stop", {"background_tasks": [BACKGROUND_TASK]}), IDLE],
                TurnState.BACKGROUND,
                id="idle-beside-background-work",
            ),
            pytest.param(
                [("StopFailure", {"error": "rate_limit"})], TurnState.FAILED, id="failure"
            ),
            pytest.param(
                [("Stop", {}), ("PermissionRequest", BASH)],
                TurnState.FINISHED,
                id="a-late-dialog-reopens-nothing",
            ),
        ],
    )
    def test_after(self, events: Events, state: TurnState) -> None:
        assert after(*events).state is state

    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            ("rate_limit", "rate_limited"),
            ("authentication_failed", "auth_error"),
            ("oauth_org_not_allowed", "auth_error"),
            ("overloaded", "api_error"),
            ("server_error", "api_error"),
            ("max_output_tokens", "context_limit"),
            ("something_new", "turn_failed"),
        ],
    )
    def test_a_failure_keeps_its_class(self, error: str, reason: str) -> None:
        turn = after(("StopFailure", {"error": error}))
        assert turn.reason == reason
        assert error in turn.because

    def test_a_limit_that_another_error_quotes_is_none(self) -> None:
        quoted = "You've hit your session limit · resets 3pm (UTC)"
        turn = after(("StopFailure", {"error": "server_error", "last_assistant_message": quoted}))
        assert (turn.reason, turn.resets_at) == ("api_error", None)

    def test_a_warning_is_no_limit(self) -> None:
        warned = "You've used 97% of your session limit · resets 3pm (UTC)"
        turn = after(("StopFailure", {"error": "rate_limit", "last_assistant_message": warned}))
        assert (turn.reason, turn.resets_at) == ("rate_limited", None)

    def test_stop_hands_over_the_whole_message(self) -> None:
        said = "line\n" * 5_000 + "done"
        assert after(("Stop", {"last_assistant_message": said})).message == said

    def test_compaction_is_named(self) -> None:
        assert "compacting" in after(("UserPromptSubmit", {}), ("PreCompact", {})).because

    @pytest.mark.parametrize("payload", [{"background_tasks": None, "session_crons": 3}, {}])
    def test_odd_payloads_are_no_background_work(self, payload: dict[str, Any]) -> None:
        assert after(("Stop", payload)).state is TurnState.FINISHED


class TestDialogs:
    def test_the_traffic_of_other_tools_clears_nothing(self) -> None:
        turn = after(
            ("PreToolUse", BASH),
            ("PermissionRequest", BASH),
            ("PreToolUse", OTHER),
            ("PostToolUse", OTHER),
            ("SubagentStart", {}),
            ("PostToolUse", {}),
        )
        assert turn.need is Need.PERMISSION

    @pytest.mark.parametrize(
        ("event", "payload"),
        [
            pytest.param("PostToolUse", BASH, id="the-same-tool-is-done"),
            pytest.param("PostToolUseFailure", BASH, id="the-same-tool-failed"),
            pytest.param("PermissionDenied", BASH, id="the-same-tool-was-denied"),
            pytest.param("UserPromptSubmit", {}, id="a-person-typed"),
            pytest.param("Stop", {}, id="stop"),
            pytest.param("StopFailure", {"error": "server_error"}, id="failure"),
            pytest.param("SessionEnd", {}, id="session-end"),
        ],
    )
    def test_is_closed_by(self, event: str, payload: dict[str, Any]) -> None:
        assert after(("PermissionRequest", BASH), (event, payload)).need is None

    def test_two_dialogs_need_two_answers(self) -> None:
        both = [("PermissionRequest", BASH), ("PermissionRequest", OTHER), ("PostToolUse", OTHER)]
        assert after(*both).need is Need.PERMISSION
        assert after(*both, ("PostToolUse", BASH)).need is None

    def test_an_id_is_believed_where_it_is_told(self) -> None:
        asked = ("PermissionRequest", {**BASH, "tool_use_id": "t1"})
        assert after(asked, ("PostToolUse", {**BASH, "tool_use_id": "t2"})).need
        assert after(asked, ("PostToolUse", {**OTHER, "tool_use_id": "t1"})).need is None

    def test_a_dialog_knows_its_time_not_that_of_the_traffic(self) -> None:
        turn = after(("UserPromptSubmit", {}), ("PermissionRequest", BASH), ("PreToolUse", OTHER))
        assert turn.told_at == START + timedelta(seconds=1)


class TestTimes:
    def test_a_turn_began_with_its_prompt(self) -> None:
        turn = after(("SessionStart", {}), ("UserPromptSubmit", {}), ("PreToolUse", BASH))
        assert turn.began_at == START + timedelta(seconds=1)
        assert turn.told_at == START + timedelta(seconds=2)

    def test_a_lost_prompt_is_dated_by_the_first_tool(self) -> None:
        assert after(("PreToolUse", BASH), ("PostToolUse", BASH)).began_at == START

    def test_the_next_prompt_begins_anew(self) -> None:
        turn = after(("UserPromptSubmit", {}), ("Stop", {}), ("UserPromptSubmit", {}))
        assert turn.began_at == START + timedelta(seconds=2)

    def test_idling_for_a_minute_is_no_news_of_now(self) -> None:
        assert after(("UserPromptSubmit", {}), IDLE).told_at == START


class TestConversation:
    def test_clear_moves_to_the_new_one(self) -> None:
        told = list(recorded.hooks("claude", "clear"))
        held, kept = told[0][1]["session_id"], []
        for event, payload, _ in told:
            kept.append(belongs(event, payload, held))
            held = conversation_after(event, payload, held)
        assert all(kept)
        assert held == told[-1][1]["session_id"] != told[0][1]["session_id"]

    @pytest.mark.parametrize(
        ("event", "payload", "ours"),
        [
            pytest.param("Stop", {"session_id": "a"}, True, id="ours"),
            pytest.param("Stop", {}, True, id="untold"),
            pytest.param("Stop", {"session_id": "b"}, False, id="anothers-stop"),
            pytest.param(
                "SessionStart",
                {"session_id": "b", "source": "startup"},
                False,
                id="an-agent-started-by-ours",
            ),
            pytest.param(
                "SessionStart", {"session_id": "b", "source": "resume"}, True, id="resume"
            ),
            pytest.param(
                "SessionStart", {"session_id": "a", "source": "compact"}, True, id="compaction"
            ),
        ],
    )
    def test_belongs(self, event: str, payload: dict[str, Any], ours: bool) -> None:
        assert belongs(event, payload, "a") is ours

    def test_an_unknown_one_is_learnt_from_the_first_event(self) -> None:
        assert belongs("SessionStart", {"session_id": "b"}, "")
        assert conversation_after("SessionStart", {"session_id": "b"}, "") == "b"

    def test_an_event_without_an_id_moves_nothing(self) -> None:
        assert conversation_after("SessionStart", {"source": "clear"}, "a") == "a"
