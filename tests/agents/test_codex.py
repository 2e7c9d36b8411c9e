"""Codex's screens: the TUI by its composer, `exec` by its process."""

import pytest

from story_automator.agents.codex import read_screen
from story_automator.agents.look import State
from story_automator.model.screen import Need, Shape

HEADER = ["", "  >_ OpenAI Codex (v0.169.0)", "     ~/proj", "", "› Do story 1.2", ""]
SESSION = "  gpt-5.1-codex default · ~/proj"
REPLY = "• I changed three files."
DONE = "  Worked for 25s • 07:42"
PLACEHOLDER = "Ask Codex to do anything"


def tui(*above: str, typed: str = PLACEHOLDER) -> list[str]:
    return [*HEADER, *above, "", "", f"› {typed}", "", SESSION, "  ? for shortcuts"]


@pytest.mark.parametrize("duration", ["<1s", "25s", "1m 02s", "2m", "1h 2m 3s"])
def test_a_done_line_ends_a_turn(duration: str) -> None:
    assert read_screen(tui(REPLY, "", f"  Worked for {duration} • 07:42")).shape is Shape.DONE


@pytest.mark.parametrize(
    ("screen", "title"),
    [
        pytest.param(tui(REPLY, "", DONE), "⠙ proj", id="busy-title"),
        pytest.param(tui(REPLY, "", DONE, typed="and then"), "", id="text-typed"),
        pytest.param(tui(REPLY, "", DONE, "", "› go on", "", REPLY), "", id="second-turn"),
        pytest.param(tui("• tokens used", "  1,220"), "proj", id="tokens-used-in-text"),
        pytest.param(tui("• It worked for 25s • 07:42"), "proj", id="the-words-in-a-sentence"),
        pytest.param(
            tui(REPLY, "", DONE, "", "• Working (3s • esc to interrupt)"), "", id="spinner"
        ),
    ],
)
def test_this_is_not_done(screen: list[str], title: str) -> None:
    assert read_screen(screen, title).shape is not Shape.DONE


@pytest.mark.parametrize(
    ("row", "task"),
    [
        ("• Working (1m 03s • esc to interrupt)", "Working"),
        ("◦ Working (6s • esc to interrupt) · 1 background terminal running", "Working"),
        ("◦ Considering the options at some le…", "Considering the options at some le"),
    ],
    ids=["figures", "background-terminal", "cut-at-the-edge"],
)
def test_a_spinner_is_work(row: str, task: str) -> None:
    reading = read_screen(tui(REPLY, "", row))
    assert (reading.shape, reading.task) == (Shape.WORKING, task)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("unexpected status 401 Unauthorized: invalid x-api-key", "auth_error"),
        ("Missing environment variable: `KEY`.", "auth_error"),
        ("exceeded retry limit, last status: 429 Too Many Requests", "rate_limited"),
        ("You've hit your usage limit.", "rate_limited"),
        ("stream disconnected before completion", "api_error"),
    ],
)
class TestAnError:
    def test_as_the_last_block_fails_the_turn(self, text: str, trouble: str) -> None:
        reading = read_screen(tui(f"■ {text}"), "proj")
        assert (reading.shape, reading.trouble) == (Shape.ERROR, trouble)

    def test_before_a_later_reply_is_forgotten(self, text: str, trouble: str) -> None:
        assert read_screen(tui(f"■ {text}", "", "› again", "", REPLY, "", DONE)).shape is Shape.DONE

    def test_at_the_end_of_exec_is_its_reason(self, text: str, trouble: str) -> None:
        screen = ["session id: 01a1-9c", "--------", "user", "Go", f"ERROR: {text}"]
        reading = read_screen(screen)
        assert (reading.shape, reading.trouble) == (Shape.ERROR, trouble)


def test_an_interrupted_turn_waits_for_a_person() -> None:
    reading = read_screen(tui("• partial", "", "■ Conversation interrupted - use /feedback"))
    assert (reading.shape, reading.state) == (Shape.PROMPT, State.WAITING_INPUT)


def test_an_open_turn_is_not_done() -> None:
    reading = read_screen(tui("• partial 0", "  partial 1"), "proj")
    assert (reading.shape, reading.state) == (Shape.PROMPT, State.WORKING)


def test_a_prompt_before_the_first_turn_is_not_done() -> None:
    screen = [*HEADER[:3], "", f"› {PLACEHOLDER}", "", SESSION]
    assert read_screen(screen).state is State.IDLE_NOPROMPT


@pytest.mark.parametrize(
    ("rows", "title", "need", "state"),
    [
        pytest.param(
            ["  Trust this folder? Codex can read", "", "› 1. Trust and continue", "  2. Back"],
            "host",
            Need.STARTUP,
            State.TRUST_PROMPT,
            id="trust",
        ),
        pytest.param(
            ["  Would you like to run the following command?", "› 1. Yes, proceed (y)"],
            "",
            Need.PERMISSION,
            State.PERMISSION_PROMPT,
            id="permission-by-the-screen",
        ),
        pytest.param(
            ["anything"],
            "[ ! ] Action Required ",
            Need.PERMISSION,
            State.PERMISSION_PROMPT,
            id="permission-by-the-title",
        ),
        pytest.param(
            ["  Select a model", "› 1. gpt-5", "  2. gpt-4"],
            "proj",
            Need.INPUT,
            State.WAITING_INPUT,
            id="any-other-menu",
        ),
    ],
)
def test_a_dialog_waits_for_a_person(rows: list[str], title: str, need: Need, state: State) -> None:
    reading = read_screen(rows, title)
    assert (reading.shape, reading.need, reading.state) == (Shape.DIALOG, need, state)


def test_the_login_menu_needs_a_login() -> None:
    reading = read_screen(["  Welcome", "> 1. Sign in with ChatGPT", "  2. Sign in another way"])
    assert (reading.shape, reading.trouble) == (Shape.ERROR, "auth_error")


def test_exec_is_not_finished_by_its_text() -> None:
    reading = read_screen(["session id: 01a1-9c", "codex", "All done.", "tokens used", "1,220"])
    assert (reading.shape, reading.state) == (Shape.UNCLEAR, State.WORKING)


def test_exec_that_reconnects_works_in_trouble() -> None:
    reading = read_screen(["session id: 01a1-9c", "ERROR: Reconnecting... waiting for network"])
    assert (reading.shape, reading.trouble) == (Shape.WORKING, "api_error")


def test_a_shell_prompt_at_the_end_is_a_shell() -> None:
    assert read_screen(["tokens used", "1,220", "dev@host:~/proj$ "]).shape is Shape.SHELL


def test_no_clock_is_read_from_a_done_line() -> None:
    assert read_screen(tui(REPLY, "", DONE)).clock is None


def test_an_error_that_wraps_to_the_margin_is_still_the_last_block() -> None:
    look = read_screen(tui("■ exceeded retry limit, last status:", "429 Too Many Requests"))
    assert (look.shape, look.trouble) == (Shape.ERROR, "rate_limited")


def test_reconnecting_is_work_in_trouble() -> None:
    look = read_screen(tui("◦ Reconnecting... 1/5 (3s • esc to interrupt)"))
    assert (look.shape, look.trouble) == (Shape.WORKING, "api_error")


def test_a_draft_below_a_done_line_leaves_the_turn_over() -> None:
    look = read_screen(tui(REPLY, "", DONE, typed="and then"))
    assert (look.shape, look.state) == (Shape.UNCLEAR, State.IDLE_DONE)
