"""The scripted agent speaks Claude's screen: Claude's own reader understands it."""

import pytest

from story_automator.agents.claude import read_screen
from story_automator.model.screen import Need, Shape
from tests.rehearse.stage import Stage


@pytest.mark.parametrize(
    ("scenario", "shown", "shape", "need"),
    [
        pytest.param("silent-clock-ticks", "Working…", Shape.WORKING, None, id="spinner"),
        pytest.param("hello", "✻ Baked for", Shape.DONE, None, id="done-line"),
        pytest.param("short-screen", "✻ Brewed for", Shape.DONE, None, id="short-screen"),
        pytest.param("done-other-verb", "✻ Sautéed for", Shape.DONE, None, id="any-verb"),
        pytest.param("second-turn", "make test", Shape.WORKING, None, id="old-done-line"),
        pytest.param("quoted-done", "✻ Finished for", Shape.PROMPT, None, id="quoted-done-line"),
        pytest.param("stop-failure", "Retrying in", Shape.WORKING, None, id="retry-line"),
        pytest.param("stop-failure", "API Error: Request", Shape.ERROR, None, id="rate-limit"),
        pytest.param("permission-menu", "1. Yes", Shape.DIALOG, Need.PERMISSION, id="permission"),
        pytest.param("question-dialog", "1. SQLite", Shape.DIALOG, Need.INPUT, id="question"),
        pytest.param("startup-dialog", "1. Yes, I", Shape.DIALOG, Need.STARTUP, id="trust"),
    ],
)
def test_shape_of_the_screen(
    stage: Stage, scenario: str, shown: str, shape: Shape, need: Need | None
) -> None:
    stage.play(scenario)
    look = read_screen(stage.until_shown(shown))
    assert (look.shape, look.need) == (shape, need), look.because


@pytest.mark.parametrize(
    ("scenario", "shown", "clock"),
    [
        pytest.param("fake-clocks", "shop |", "12:00:00", id="only-the-statusline-row"),
        pytest.param("clock-12h", "Working…", "1:05:", id="twelve-hours-and-box-separators"),
        pytest.param("silent-no-clock", "Working…", None, id="no-statusline"),
    ],
)
def test_clock_of_the_statusline(
    stage: Stage, scenario: str, shown: str, clock: str | None
) -> None:
    stage.play(scenario)
    look = read_screen(stage.until_shown(shown))
    assert (look.clock or "").startswith(clock or "")
    assert (look.clock is None) == (clock is None)
