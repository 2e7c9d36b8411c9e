"""opencode's screens: its dialogs stand where the composer was."""

import pytest

from story_automator.agents.look import State
from story_automator.agents.opencode import read_screen
from story_automator.model.screen import Need, Shape

PROMPT = ["  ┃", "  ┃  Do story 1.2", "  ┃", ""]
OPEN = "     ▣  Build · Model"
CLOSED = f"{OPEN} · 3.0s"
COMPOSER = ["  ┃", "  ┃", "  ┃  Build · Model", f"  ╹{'▀' * 40}", "   /home/dev/proj"]
BUSY = "   ⬝⬝■■■■■■  esc interrupt"


def tui(*reply: str, closing: str = CLOSED) -> list[str]:
    return [*PROMPT, *(f"     {row}" for row in reply), "", closing, "", *COMPOSER]


def test_a_closing_line_with_its_duration_is_the_end() -> None:
    look = read_screen(tui("I changed three files."))
    assert (look.shape, look.state) == (Shape.DONE, State.IDLE_DONE)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(["On write, or on read?"], id="question"),
        pytest.param(["1. Go on", "2. Stop", "", "Select an option:"], id="options"),
        pytest.param(["On write,      OK.", "or on read?    Context"], id="beside-a-column"),
    ],
)
def test_a_reply_that_asks_waits_for_a_person(reply: list[str]) -> None:
    assert read_screen(tui(*reply)).state is State.WAITING_INPUT


def test_the_question_of_the_prompt_is_not_the_reply() -> None:
    screen = [*["  ┃  Is it done?", ""], "     It is.", "", CLOSED, "", *COMPOSER]
    assert read_screen(screen).state is State.IDLE_DONE


def test_an_interrupted_turn_waits_for_a_person() -> None:
    look = read_screen(tui("Half of it", closing=f"{OPEN} · interrupted"))
    assert (look.shape, look.state) == (Shape.PROMPT, State.WAITING_INPUT)


@pytest.mark.parametrize(
    ("dialog", "need"),
    [
        pytest.param("  ┃  △ Permission required", Need.PERMISSION, id="permission"),
        pytest.param("  ┃  ↑↓ select  enter submit  esc dismiss", Need.INPUT, id="question"),
    ],
)
def test_a_dialog_in_place_of_the_composer(dialog: str, need: Need) -> None:
    look = read_screen([*PROMPT, OPEN, "", "  ┃", dialog, "  ┃"])
    assert (look.shape, look.need) == (Shape.DIALOG, need)


def test_a_dialog_quoted_above_the_composer_is_text() -> None:
    assert read_screen(tui("┃  △ Permission required")).shape is Shape.DONE


@pytest.mark.parametrize("wait", ["in 4s ", ""], ids=["with-a-wait", "at-once"])
def test_a_retry_is_work_in_trouble(wait: str) -> None:
    row = f"   ⬝⬝■■ Internal server error [retrying {wait}attempt #2]   esc interrupt"
    look = read_screen([*PROMPT, OPEN, *COMPOSER[:-1], row])
    assert (look.shape, look.trouble) == (Shape.WORKING, "api_error")


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("invalid x-api-key", "auth_error"),
        ("Rate limit exceeded", "rate_limited"),
        ("model not found", "api_error"),
    ],
)
def test_run_ends_with_its_error(text: str, trouble: str) -> None:
    assert read_screen(["> build · model", "", f"Error: {text}"]).trouble == trouble
