"""Any other program: a blank screen and a shell prompt are all that its screen can tell."""

from collections.abc import Sequence

from story_automator.agents.look import Look, State, surrounded
from story_automator.agents.rows import is_shell_prompt, tidy
from story_automator.model.screen import Shape


def read_screen(rows: Sequence[str], title: str = "") -> Look:  # noqa: ARG001 - the shared shape
    """STARTING, SHELL or UNCLEAR, with the clock where a statusline is drawn."""
    tidied = tidy(rows)
    return surrounded(_see(tidied), tidied)


def _see(rows: Sequence[str]) -> Look:
    if not rows:
        return Look(Shape.STARTING, "the screen is blank", state=State.STARTING)
    if is_shell_prompt(rows[-1]):
        return Look(Shape.SHELL, "a shell prompt is the last row")
    return Look(Shape.UNCLEAR, "a program whose screen we cannot read")
