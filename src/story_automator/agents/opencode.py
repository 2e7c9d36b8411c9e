"""How opencode's screen reads: by its last row and the line that closes a turn."""

import re
from collections.abc import Sequence

from story_automator.agents.look import Look, State, failed, surrounded, working
from story_automator.agents.rows import is_shell_prompt, tidy
from story_automator.model.screen import Shape

# Last row. Captures: opencode/oc_slowtext/01, opencode/oc_e429/01.
BUSY = re.compile(r" +[■⬝]+ .*\besc interrupt\b")
RETRY = re.compile(r" +[■⬝]+ (?P<cause>.+) \[retrying in \d+s attempt #\d+\]")
# The line that closes a turn; the duration comes with its end. Captures: opencode/oc_plain/02,
# opencode/oc_hang/01 (no duration), opencode/oc_e401/01 (ended without one).
CLOSING = re.compile(r" +▣  \S.*? · .*?(?P<duration> · (?:\d+[hm] ?)*[\d.]+m?s)?(?: {3,}.*)?")
# The lower border of the composer. Capture: opencode/oc_plain/02.
COMPOSER_END = re.compile(r" +╹▀{10,}")
COMPOSER_ROW = re.compile(r" +┃(?P<text>.*)")
ERROR_ROW = re.compile(r" +┃  (?P<text>\S.*?)(?: {3,}.*)?")  # opencode/oc_e401/01
AUTH = re.compile(r"api[ -]?key|unauthori[sz]ed|\b401\b", re.IGNORECASE)
LIMIT = re.compile(r"rate limit|\b429\b", re.IGNORECASE)


def read_screen(rows: Sequence[str], title: str = "") -> Look:  # noqa: ARG001 - the shared shape
    tidied = tidy(rows)
    return surrounded(_see(tidied), tidied)


def _see(rows: Sequence[str]) -> Look:
    if not rows:
        return Look(Shape.STARTING, "the screen is blank", state=State.STARTING)
    if found := RETRY.match(rows[-1]):
        trouble = "rate_limited" if LIMIT.search(found["cause"]) else "api_error"
        return working("the last row says that it retries", found["cause"], trouble)
    if BUSY.match(rows[-1]):
        return working("the last row offers to interrupt")
    if is_shell_prompt(rows[-1]):
        return Look(Shape.SHELL, "a shell prompt stands where the agent was")
    borders = [number for number, row in enumerate(rows) if COMPOSER_END.match(row)]
    closings = [number for number, row in enumerate(rows) if CLOSING.fullmatch(row)]
    if not borders:
        return Look(Shape.UNCLEAR, "no composer and no shell prompt")
    if not closings:
        return Look(Shape.PROMPT, "no turn was ended", state=State.IDLE_NOPROMPT)
    return _see_end_of_turn(rows, closings[-1], typed=_typed(rows[: borders[-1]]))


def _see_end_of_turn(rows: Sequence[str], closing: int, *, typed: bool) -> Look:
    found = CLOSING.fullmatch(rows[closing])
    if found is None or not found["duration"]:
        return _see_unfinished_turn(rows[:closing])
    if typed:
        return Look(Shape.UNCLEAR, "a closed turn, but the composer is not empty")
    return Look(Shape.DONE, "the last turn is closed with its duration", state=State.IDLE_DONE)


def _see_unfinished_turn(above: Sequence[str]) -> Look:
    errors = [found["text"] for row in above if (found := ERROR_ROW.fullmatch(row))]
    # The first such row is the user's own prompt.
    if len(errors) < 2:
        return Look(Shape.PROMPT, "a turn that nothing ended")
    trouble = "auth_error" if AUTH.search(errors[-1]) else "api_error"
    return failed(trouble, f"the turn ended with: {errors[-1][:60]}")


def _typed(above_border: Sequence[str]) -> bool:
    """The composer is a bar of rows; its last row names the model, the others are typed in."""
    bar: list[str] = []
    for row in reversed(above_border):
        if not (found := COMPOSER_ROW.fullmatch(row)):
            break
        bar.append(found["text"])
    return any(text.strip() for text in bar[1:])
