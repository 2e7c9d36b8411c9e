"""Gemini's screens: what it asks, what failed, and what its replies only quote."""

import pytest

from story_automator.agents.gemini import read_screen
from story_automator.agents.look import State
from story_automator.model.screen import Need, Shape

READY, ACTION = "◇  Ready (proj)", "✋  Action Required (proj)"
PROMPT = " > Do story 1.2"
REPLY = "✦ I changed three files."
MENU = ["│ Allow execution of [Shell]?", "│", "│ ● 1. Allow once", "│   2. No", "╰────╯"]


def tui(*above: str, mode: str = "*") -> list[str]:
    return [
        PROMPT,
        *above,
        "",
        "─" * 20,
        f" {mode}   Type your message or @path/to/file",
        " ~/proj",
    ]


@pytest.mark.parametrize("mode", "*>")
def test_a_reply_above_the_composer_is_the_end(mode: str) -> None:
    look = read_screen(tui(REPLY, mode=mode), READY)
    assert (look.shape, look.state) == (Shape.DONE, State.IDLE_DONE)


@pytest.mark.parametrize(
    ("screen", "title"),
    [
        pytest.param([PROMPT, REPLY, *MENU], READY, id="choices-without-a-composer"),
        pytest.param([PROMPT, REPLY], ACTION, id="the-title-alone"),
    ],
)
def test_it_asks_for_permission(screen: list[str], title: str) -> None:
    look = read_screen(screen, title)
    assert (look.shape, look.need) == (Shape.DIALOG, Need.PERMISSION)


def test_choices_that_a_reply_quotes_are_text() -> None:
    assert read_screen(tui(REPLY, *MENU), READY).shape is Shape.DONE


def test_a_cancelled_request_is_not_done() -> None:
    look = read_screen(tui(REPLY, "ℹ Request cancelled."), READY)
    assert (look.shape, look.state) == (Shape.PROMPT, State.WAITING_INPUT)


def test_a_cancelled_request_of_a_former_turn_counts_no_more() -> None:
    screen = tui(REPLY, "ℹ Request cancelled.", " > Go on", REPLY)
    assert read_screen(screen, READY).state is State.IDLE_DONE


def test_a_hint_at_the_right_edge_asks_nothing() -> None:
    look = read_screen(tui(REPLY, " " * 60 + "? for shortcuts"), READY)
    assert look.state is State.IDLE_DONE


@pytest.mark.parametrize(
    ("status", "trouble"),
    [("401", "auth_error"), ("403", "auth_error"), ("429", "rate_limited"), ("503", "api_error")],
)
def test_an_error_is_named_by_its_status(status: str, trouble: str) -> None:
    shown = read_screen(tui(f'✕ [API Error: {{"error":{{"code":{status}}}}}]'), READY)
    printed = read_screen([f"  status: {status}", "}", "An unexpected critical error occurred"])
    assert (shown.trouble, printed.trouble) == (trouble, trouble)
