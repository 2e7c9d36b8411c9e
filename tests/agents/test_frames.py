"""One frame is named by pane facts first, then the session file, the title and the screen."""

from dataclasses import replace
from typing import ClassVar

import pytest

from story_automator.agents.classify import Frame, classify
from story_automator.agents.look import State
from tests.agents.conftest import RULE, Draw

BUSY, IDLE = "⠂ story", "✳ story"
TURN = ("❯ go", "", "● Three files changed.")
DONE = ("", "✻ Baked for 2s")
MENU = (RULE, " Do you want to proceed?", " ❯ 1. Yes", "   2. No")


@pytest.mark.parametrize(
    ("status", "signal", "state"),
    [
        ("0", "", State.EXITED_OK),
        ("1", "", State.EXITED_ERROR),
        ("127", "", State.EXITED_ERROR),
        ("143", "", State.CRASHED),
        ("", "9", State.CRASHED),
        ("", "", State.UNKNOWN),
    ],
    ids=["zero", "one", "not-found", "signal-code", "signal", "nobody-knows"],
)
def test_a_dead_pane_outranks_everything_it_still_shows(
    status: str, signal: str, state: State, draw: Draw
) -> None:
    frame = Frame(
        "claude",
        "\n".join(draw(*TURN, *DONE)),
        BUSY,
        pane_dead=True,
        pane_dead_status=status,
        pane_dead_signal=signal,
        session_file={"status": "busy"},
    )
    assert classify(frame).state is state


def test_exit_zero_in_mid_turn_is_a_crash(draw: Draw) -> None:
    frame = Frame("claude", "\n".join(draw(*TURN)), pane_dead=True, pane_dead_status="0")
    assert classify(frame).state is State.CRASHED


def test_an_exit_code_takes_its_reason_from_the_last_error() -> None:
    screen = "session id: 01a1-9c\nERROR: unexpected status 401 Unauthorized"
    frame = Frame("codex", screen, pane_dead=True, pane_dead_status="1")
    assert classify(frame).state is State.AUTH_ERROR


@pytest.mark.parametrize(
    ("session_file", "title", "above", "state"),
    [
        pytest.param({"status": "busy"}, IDLE, (*TURN, *DONE), State.WORKING, id="busy-beats-done"),
        pytest.param(
            {"status": "idle"}, BUSY, (*TURN, *DONE), State.IDLE_DONE, id="idle-beats-title"
        ),
        pytest.param({"status": "idle"}, "", TURN, State.IDLE_DONE, id="idle-without-a-done-line"),
        pytest.param({"status": "shell"}, "", (*TURN, *DONE), State.IDLE_DONE, id="shell-is-idle"),
        pytest.param(
            {"status": "waiting", "waitingFor": "permission prompt"},
            "",
            TURN,
            State.PERMISSION_PROMPT,
            id="waiting-for-permission",
        ),
        pytest.param(
            {"status": "waiting", "waitingFor": "dialog open"},
            "",
            TURN,
            State.WAITING_INPUT,
            id="waiting-for-anything-else",
        ),
        pytest.param({}, BUSY, (*TURN, *DONE), State.WORKING, id="title-beats-screen"),
        pytest.param(None, "", (*TURN, *DONE), State.IDLE_DONE, id="the-screen-is-the-last-word"),
        pytest.param({"status": 7}, "", (*TURN, *DONE), State.IDLE_DONE, id="strange-file"),
    ],
)
def test_the_higher_source_wins(
    session_file: dict[str, object] | None,
    title: str,
    above: tuple[str, ...],
    state: State,
    draw: Draw,
) -> None:
    frame = Frame("claude", "\n".join(draw(*above)), title, session_file=session_file)
    assert classify(frame).state is state


def test_the_screen_says_which_dialog_the_session_file_means() -> None:
    question = (RULE, "Which?", "❯ 1. A", "  2. B", "Enter to select · ↑/↓ to navigate")
    waiting = {"status": "waiting", "waitingFor": "permission prompt"}
    frame = Frame("claude", "\n".join(("❯ go", *question)), IDLE, session_file=waiting)
    assert classify(frame).state is State.WAITING_INPUT


@pytest.mark.parametrize(
    ("message", "state"),
    [
        ("● Shall I go on?", State.WAITING_INPUT),
        ("● Two ways are open. Which one? Please tell me.", State.WAITING_INPUT),
        ("● Choose:\n\n  1. Continue\n  2. Edit\n\n  Select an option:", State.WAITING_INPUT),
        ("● Why did it fail?\n\n  The clock was wrong; it is fixed.", State.IDLE_DONE),
        ("● The query ?page=2 works now.", State.IDLE_DONE),
        ("● Changed:\n\n  1. a.py\n  2. b.py", State.IDLE_DONE),
        ("● The summary follows:", State.IDLE_DONE),
    ],
    ids=["question", "question-then-plea", "menu", "rhetoric", "no-mark", "list", "only-a-colon"],
)
def test_a_turn_that_ends_with_a_question_waits(message: str, state: State, draw: Draw) -> None:
    screen = draw("❯ is it a question?", "", *message.split("\n"), *DONE)
    assert classify(Frame("claude", "\n".join(screen))).state is state


def test_a_user_s_own_question_is_not_the_agent_s(draw: Draw) -> None:
    screen = draw("❯ is it a question?", *DONE)
    assert classify(Frame("claude", "\n".join(screen))).state is State.IDLE_DONE


def test_the_answer_says_why(draw: Draw) -> None:
    frame = Frame("claude", "\n".join(draw(*TURN, *DONE)), session_file={"status": "idle"})
    because = classify(frame).because
    assert "session file says idle" in because
    assert "done line" in because


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ([], "a frame is a JSON object"),
        ({"screen": "x"}, "agent must be a string"),
        ({"agent": "", "screen": "x"}, "agent must be a string"),
        ({"agent": "claude"}, "file must be a string"),
        ({"agent": "claude", "screen": 7}, "screen must be a string"),
        ({"agent": "claude", "screen": "", "pane_title": None}, "pane_title must be a string"),
        ({"agent": "claude", "screen": "", "pane_dead": "yes"}, "pane_dead must be true or false"),
        ({"agent": "claude", "screen": "", "pane_dead_status": "x"}, "pane_dead_status must be"),
        ({"agent": "claude", "screen": "", "pane_dead_status": True}, "pane_dead_status must be"),
        ({"agent": "claude", "screen": "", "pane_dead_signal": -9}, "pane_dead_signal must be"),
        ({"agent": "claude", "screen": "", "session_file": "x"}, "session_file must be"),
    ],
)
def test_a_wrong_frame_is_refused_with_a_sentence(row: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Frame.from_json(row, lambda file: file)


def test_a_frame_takes_numbers_nulls_and_unknown_keys() -> None:
    row = {"agent": "claude", "file": "x.txt", "pane_dead_status": 1, "pane_dead_signal": None}
    frame = Frame.from_json({**row, "cursor": "1,2"}, lambda file: f"screen of {file}")
    assert (frame.screen, frame.pane_dead_status, frame.pane_dead_signal) == (
        "screen of x.txt",
        "1",
        "",
    )


def test_a_menu_under_an_idle_title_is_a_permission_prompt() -> None:
    frame = Frame("claude", "\n".join((*TURN, "", *MENU)), IDLE)
    assert classify(frame).state is State.PERMISSION_PROMPT


class TestAPaneThatEndedNobodyKnowsHow:
    def test_in_mid_turn_it_crashed(self, draw: Draw) -> None:
        spinner = "✽ Cooking… (1s · ↓ 33 tokens)"
        frame = Frame("claude", "\n".join(draw(*TURN, "", spinner)), pane_dead=True)
        assert classify(frame).state is State.CRASHED

    def test_with_its_farewell_it_left(self) -> None:
        told = "claude --resume b66470fd-a0cf-4d43-b97a-5be8af52f2d1"
        frame = Frame("claude", f"Resume this session with:\n{told}\n\n", pane_dead=True)
        assert classify(frame).state is State.EXITED_OK

    def test_a_farewell_further_up_is_a_quotation(self) -> None:
        told = "claude --resume b66470fd-a0cf-4d43-b97a-5be8af52f2d1"
        frame = Frame("claude", f"{told}\nand\nthen\nmore", pane_dead=True)
        assert classify(frame).state is State.UNKNOWN

    def test_with_its_error_it_failed(self) -> None:
        frame = Frame("opencode", "> build\n\nError: invalid x-api-key", pane_dead=True)
        assert classify(frame).state is State.AUTH_ERROR


class TestHooks:
    STOP: ClassVar = {"event": "Stop", "last_assistant_message": "All tests pass."}
    ASKED: ClassVar = {"event": "Stop", "last_assistant_message": "Shall I go on?"}
    PROMPTED: ClassVar = {"event": "UserPromptSubmit"}

    @pytest.mark.parametrize(
        ("events", "above", "state"),
        [
            pytest.param([PROMPTED, STOP], TURN, State.IDLE_DONE, id="stop-ends-the-turn"),
            pytest.param([PROMPTED, ASKED], TURN, State.WAITING_INPUT, id="stop-with-a-question"),
            pytest.param(
                [PROMPTED, STOP],
                (*TURN, "", "✽ Compacting conversation… (3s)"),
                State.WORKING,
                id="a-spinner-after-stop-is-work",
            ),
            pytest.param([PROMPTED], (*TURN, *DONE), State.IDLE_DONE, id="running-decides-nothing"),
            pytest.param(
                [PROMPTED, {"event": "StopFailure", "error": "rate_limit"}],
                TURN,
                State.RATE_LIMITED,
                id="a-failure-behind-a-quiet-screen",
            ),
            pytest.param(
                [PROMPTED, {"event": "StopFailure", "error": "billing_error"}],
                ("❯ go", "  ⎿  Credit balance too low · Add funds"),
                State.API_ERROR,
                id="the-screen-has-the-finer-word-for-a-failure",
            ),
            pytest.param(
                [PROMPTED, {"event": "PermissionRequest", "tool_name": "Bash"}],
                TURN,
                State.PERMISSION_PROMPT,
                id="a-request-before-its-menu-is-drawn",
            ),
            pytest.param(
                [PROMPTED, {"event": "PermissionRequest", "tool_name": "Bash"}],
                ("❯ go", "● Bash(rm old)", "  ⎿  Interrupted · What should Claude do instead?"),
                State.WAITING_INPUT,
                id="a-refusal-fires-no-hook",
            ),
        ],
    )
    def test_their_word_stands(
        self, events: list[dict[str, object]], above: tuple[str, ...], state: State, draw: Draw
    ) -> None:
        assert classify(Frame("claude", "\n".join(draw(*above)), hooks=events)).state is state

    def test_a_prompt_behind_a_blank_screen_is_work(self) -> None:
        assert classify(Frame("claude", "", hooks=[self.PROMPTED])).state is State.WORKING

    def test_a_failure_explains_an_exit(self) -> None:
        events = [self.PROMPTED, {"event": "StopFailure", "error": "authentication_failed"}]
        frame = Frame("claude", "", pane_dead=True, pane_dead_status="1", hooks=events)
        assert classify(frame).state is State.AUTH_ERROR


def test_an_exit_code_that_its_agent_explains_is_no_signal() -> None:
    frame = Frame("gemini", "", pane_dead=True, pane_dead_status="145")
    assert classify(frame).state is State.AUTH_ERROR
    assert classify(replace(frame, agent="claude")).state is State.CRASHED
