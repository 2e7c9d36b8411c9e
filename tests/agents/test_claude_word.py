"""All that Claude Code says about its turn, put in order."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

import pytest

from story_automator.agents.claude_failures import Failure
from story_automator.agents.claude_transcript import Conversation, Ending, take
from story_automator.agents.claude_word import word
from story_automator.agents.hooks import advance
from story_automator.agents.session_file import SessionFile, Status
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need
from tests.agents import recorded

BEGAN = datetime(2026, 3, 4, 12, tzinfo=UTC)
LATER = BEGAN + timedelta(minutes=1)
BEFORE = BEGAN - timedelta(minutes=1)
RUNNING = Turn(TurnState.RUNNING, because="hook", began_at=BEGAN, told_at=BEGAN)
ASKED = replace(RUNNING, need=Need.INPUT, waits_on=("AskUserQuestion",))
PAUSED = replace(RUNNING, state=TurnState.BACKGROUND, message="I started it. Is that right?")
SILENT = Turn()
LIMIT = Failure("usage_limit", LATER)


def record(ending: Ending, at: datetime = LATER, message: str = "All done.") -> Conversation:
    why = LIMIT if ending is Ending.FAILED else None
    return Conversation(message=message, last=ending, last_at=at, failure=why)


def told(
    hooks: Turn,
    status: Status | None = None,
    conversation: Conversation | None = None,
    *,
    at: datetime | None = LATER,
    waiting_for: str = "",
    title_idle: bool | None = None,
    settled: bool = True,
) -> Turn:
    file = SessionFile(7, status=status, waiting_for=waiting_for, status_at=at) if status else None
    return word(
        hooks,
        session_file=file,
        conversation=conversation,
        title_idle=title_idle,
        settled=settled,
    )


class TestRealSessions:
    """With every Stop and StopFailure lost, the other signals say the same."""

    @pytest.mark.parametrize(
        ("case", "state", "reason"),
        [
            ("plain", TurnState.FINISHED, ""),
            ("question", TurnState.FINISHED, ""),
            ("bash", TurnState.FINISHED, ""),
            ("agent", TurnState.FINISHED, ""),
            ("bashbg", TurnState.FINISHED, ""),
            ("agentbg", TurnState.FINISHED, ""),
            ("empty", TurnState.FINISHED, ""),
            ("permission", TurnState.FINISHED, ""),
            ("idle_notice", TurnState.FINISHED, ""),
            ("limit", TurnState.FAILED, "usage_limit"),
            ("e429", TurnState.FAILED, "rate_limited"),
            ("e401", TurnState.FAILED, "auth_error"),
            ("e529", TurnState.FAILED, "api_error"),
            ("toolong", TurnState.FAILED, "context_limit"),
            ("interrupt", TurnState.FAILED, "interrupted"),
            ("interrupt_tool", TurnState.FAILED, "interrupted"),
            ("refused", TurnState.FAILED, "interrupted"),
            ("kill9", TurnState.RUNNING, ""),
            ("hangmid", TurnState.RUNNING, ""),
            ("idle_noprompt", TurnState.UNKNOWN, ""),
        ],
    )
    @pytest.mark.parametrize("silent", [False, True], ids=["hooks-without-an-end", "no-hooks"])
    def test_end_as(self, case: str, state: TurnState, reason: str, *, silent: bool) -> None:
        hooks = Turn()
        for event, payload, at in recorded.hooks("claude", case):
            if not silent and event not in ("Stop", "StopFailure"):
                hooks = advance(hooks, event, payload, at)
        turn = word(hooks, **self.files(case), title_idle=None, settled=True)
        assert (turn.state, turn.reason) == (state, reason)
        assert turn.asks is (case == "question")

    @pytest.mark.parametrize("case", recorded.cases("claude", "hooks.jsonl"))
    def test_what_hooks_call_over_is_over(self, case: str) -> None:
        hooks = Turn()
        for event, payload, at in recorded.hooks("claude", case):
            hooks = advance(hooks, event, payload, at)
            if hooks.state in (TurnState.FINISHED, TurnState.FAILED):
                assert word(hooks, **self.files(case), title_idle=None, settled=True) is hooks

    @staticmethod
    def files(case: str) -> dict[str, Any]:
        lines = (
            recorded.lines("claude", case, "transcript.jsonl")
            if case in recorded.cases("claude", "transcript.jsonl")
            else []
        )
        return {
            "session_file": SessionFile.parse(
                recorded.lines("claude", case, "session_file.jsonl")[-1]
            ),
            "conversation": reduce(take, lines, Conversation()),
        }


class TestIdle:
    @pytest.mark.parametrize("hooks", [RUNNING, PAUSED, ASKED, SILENT])
    @pytest.mark.parametrize(
        ("ending", "state", "reason"),
        [
            (Ending.FINISHED, TurnState.FINISHED, ""),
            (Ending.FAILED, TurnState.FAILED, "usage_limit"),
            (Ending.INTERRUPTED, TurnState.FAILED, "interrupted"),
        ],
    )
    def test_the_transcript_decides(
        self, hooks: Turn, ending: Ending, state: TurnState, reason: str
    ) -> None:
        turn = told(hooks, Status.IDLE, record(ending))
        assert (turn.state, turn.reason, turn.message) == (state, reason, "All done.")
        assert turn.need is None
        assert turn.resets_at == (LATER if reason == "usage_limit" else None)

    def test_a_last_message_may_ask(self) -> None:
        asking = record(Ending.FINISHED, message="Shall I go on?")
        assert told(RUNNING, Status.IDLE, asking).asks

    @pytest.mark.parametrize(
        "conversation",
        [
            pytest.param(None, id="no-transcript"),
            pytest.param(Conversation(), id="an-empty-one"),
            pytest.param(record(Ending.OPEN), id="one-that-leaves-it-open"),
            pytest.param(record(Ending.FINISHED, BEFORE), id="one-of-the-turn-before"),
        ],
    )
    def test_a_turn_that_nobody_ended_was_interrupted(
        self, conversation: Conversation | None
    ) -> None:
        turn = told(RUNNING, Status.IDLE, conversation)
        assert (turn.state, turn.reason) == (TurnState.FAILED, "interrupted")

    def test_a_pause_whose_work_is_gone_is_an_end(self) -> None:
        turn = told(PAUSED, Status.IDLE, None)
        assert (turn.state, turn.message) == (TurnState.FINISHED, PAUSED.message)
        assert turn.asks

    def test_before_the_first_prompt_is_no_end(self) -> None:
        assert told(SILENT, Status.IDLE, Conversation()) is SILENT

    def test_only_just_is_not_long_enough(self) -> None:
        conversation = record(Ending.INTERRUPTED)
        assert told(RUNNING, Status.IDLE, conversation, settled=False) is RUNNING

    def test_from_before_the_prompt_says_nothing(self) -> None:
        assert told(RUNNING, Status.IDLE, None, at=BEFORE) is RUNNING

    def test_under_a_busy_title_is_doubted(self) -> None:
        assert told(RUNNING, Status.IDLE, None, title_idle=False) is RUNNING

    def test_undated_still_counts(self) -> None:
        assert told(RUNNING, Status.IDLE, None, at=None).reason == "interrupted"


class TestOtherStatuses:
    @pytest.mark.parametrize("hooks", [RUNNING, PAUSED, SILENT])
    def test_busy_is_running(self, hooks: Turn) -> None:
        assert told(hooks, Status.BUSY, record(Ending.FINISHED)).state is TurnState.RUNNING

    def test_busy_after_a_dialog_means_it_was_answered(self) -> None:
        assert told(ASKED, Status.BUSY).need is None

    def test_busy_from_before_a_dialog_does_not(self) -> None:
        assert told(ASKED, Status.BUSY, at=BEFORE).need is Need.INPUT

    @pytest.mark.parametrize(
        ("hooks", "waiting_for", "need"),
        [
            (RUNNING, "permission prompt", Need.PERMISSION),
            (RUNNING, "dialog open", Need.INPUT),
            (RUNNING, "", Need.INPUT),
            (SILENT, "permission prompt", Need.PERMISSION),
            pytest.param(ASKED, "permission prompt", Need.INPUT, id="hooks-know-better"),
        ],
    )
    def test_waiting_needs_a_person(self, hooks: Turn, waiting_for: str, need: Need) -> None:
        turn = told(hooks, Status.WAITING, record(Ending.OPEN), waiting_for=waiting_for)
        assert (turn.state, turn.need) == (TurnState.RUNNING, need)

    def test_the_menu_of_a_limit_is_a_failure(self) -> None:
        turn = told(RUNNING, Status.WAITING, record(Ending.FAILED), waiting_for="dialog open")
        assert (turn.state, turn.reason) == (TurnState.FAILED, "usage_limit")

    def test_a_dialog_that_a_person_refused_needs_nobody(self) -> None:
        turn = told(ASKED, Status.IDLE, settled=False)
        assert (turn.state, turn.need) == (TurnState.RUNNING, None)

    def test_rest_from_before_a_dialog_does_not_close_it(self) -> None:
        assert told(ASKED, Status.IDLE, at=BEFORE, settled=False).need is Need.INPUT

    @pytest.mark.parametrize("hooks", [RUNNING, PAUSED, SILENT, ASKED])
    def test_a_shell_that_runs_is_no_end(self, hooks: Turn) -> None:
        turn = told(hooks, Status.SHELL, record(Ending.FINISHED))
        assert (turn.state, turn.need) == (TurnState.BACKGROUND, None)

    def test_an_interruption_beside_a_shell_is_one(self) -> None:
        turn = told(RUNNING, Status.SHELL, record(Ending.INTERRUPTED))
        assert turn.reason == "interrupted"

    @pytest.mark.parametrize("status", list(Status))
    @pytest.mark.parametrize("state", [TurnState.FINISHED, TurnState.FAILED])
    def test_nothing_outranks_a_hook_that_ended_the_turn(
        self, status: Status, state: TurnState
    ) -> None:
        hooks = replace(RUNNING, state=state)
        assert told(hooks, status, record(Ending.INTERRUPTED), title_idle=False) is hooks


class TestTitleAlone:
    @pytest.mark.parametrize("status", [None, Status.UNTOLD])
    def test_idle_lets_the_transcript_speak(self, status: Status | None) -> None:
        assert (
            told(RUNNING, status, record(Ending.FINISHED), title_idle=True).state
            is TurnState.FINISHED
        )

    def test_idle_alone_condemns_nothing(self) -> None:
        assert told(RUNNING, None, record(Ending.OPEN), title_idle=True) is RUNNING

    @pytest.mark.parametrize("hooks", [PAUSED, ASKED])
    def test_idle_ends_no_pause_and_no_dialog(self, hooks: Turn) -> None:
        assert told(hooks, None, record(Ending.FINISHED), title_idle=True) is hooks

    @pytest.mark.parametrize("hooks", [RUNNING, SILENT])
    def test_a_stall_that_looks_finished_runs(self, hooks: Turn) -> None:
        turn = told(hooks, None, record(Ending.FINISHED, BEFORE), title_idle=False)
        assert turn.state is TurnState.RUNNING

    def test_no_title_no_word(self) -> None:
        assert told(RUNNING, None, record(Ending.FINISHED)) is RUNNING
