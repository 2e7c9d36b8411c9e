"""How opencode's screen reads: by its last row and the line that closes a turn."""

import re
from collections.abc import Sequence

from story_automator.agents.look import Look, State, failed, surrounded, working
from story_automator.agents.question import asks
from story_automator.agents.rows import is_shell_prompt, tidy
from story_automator.model.screen import Need, Shape

# Last row. Captures: opencode/oc_slowtext/01, opencode/oc_e429/01.
BUSY = re.compile(r" +[■⬝]+ .*\besc interrupt\b")
RETRY = re.compile(r" +[■⬝]+ (?P<cause>.+) \[retrying (?:in \d+s )?attempt #\d+\]")
# The line that closes a turn; the duration comes with its end. Captures: opencode/oc_plain/02,
# opencode/oc_hang/01 (no end), opencode/oc_e401/01 (ended without one).
CLOSING = re.compile(
    r" +▣  \S.*? · .*?(?P<end> · (?:(?:\d+[hm] ?)*[\d.]+m?s|interrupted))?(?: {3,}.*)?"
)
INTERRUPTED = " · interrupted"  # opencode/oc_esc/01
# Rows of a dialog, below the line that closes a turn, where no composer is drawn.
# Captures: opencode/oc_permission/01, opencode/oc_ask/01.
PERMISSION = re.compile(r" +┃  △ Permission required\b")
QUESTION = re.compile(r" +┃  .*\benter submit\b")
# The margin of what the agent writes; at its right may stand a column of its own.
# Capture: opencode/oc_question/01.
REPLY = re.compile(r" {5}(?P<text>\S.*?)(?: {3,}.*)?")
# `run`, last rows. Capture: opencode/oc_run_401/01.
RUN_ERROR = re.compile(r"Error: (?P<text>.+)")
RUN_ERROR_ROWS = 3
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
        return _see_without_composer(rows, closings[-1] if closings else 0)
    if not closings:
        return Look(Shape.PROMPT, "no turn was ended", state=State.IDLE_NOPROMPT)
    return _see_end_of_turn(rows, closings[-1], typed=_typed(rows[: borders[-1]]))


def _see_end_of_turn(rows: Sequence[str], closing: int, *, typed: bool) -> Look:
    found = CLOSING.fullmatch(rows[closing])
    if found is None or not found["end"]:
        return _see_unfinished_turn(rows[:closing])
    if found["end"] == INTERRUPTED:
        return Look(Shape.PROMPT, "the turn was interrupted", state=State.WAITING_INPUT)
    state = State.WAITING_INPUT if asks(_reply(rows[:closing])) else State.IDLE_DONE
    if typed:
        return Look(Shape.UNCLEAR, "a closed turn, but the composer is not empty", state=state)
    return Look(Shape.DONE, "the last turn is closed with its duration", state=state)


def _see_without_composer(rows: Sequence[str], closing: int) -> Look:
    below = rows[closing:]
    if any(map(PERMISSION.match, below)):
        asked = "it asks whether a tool may run"
        return Look(Shape.DIALOG, asked, need=Need.PERMISSION, state=State.PERMISSION_PROMPT)
    if any(map(QUESTION.match, below)):
        asked = "a question with choices is open"
        return Look(Shape.DIALOG, asked, need=Need.INPUT, state=State.WAITING_INPUT)
    last = [row for row in rows if row][-RUN_ERROR_ROWS:]
    errors = [found["text"] for row in last if (found := RUN_ERROR.match(row))]
    if errors:
        return failed(_trouble_of(errors[-1]), f"it reported: {errors[-1][:60]}")
    return Look(Shape.UNCLEAR, "no composer and no shell prompt")


def _reply(above: Sequence[str]) -> list[str]:
    """What stands between the last bar and the closing line, without the column at its right."""
    text: list[str] = []
    for row in reversed(above):
        if COMPOSER_ROW.match(row):
            break
        found = REPLY.fullmatch(row)
        text.append(found["text"] if found else "")
    return text[::-1]


def _see_unfinished_turn(above: Sequence[str]) -> Look:
    errors = [found["text"] for row in above if (found := ERROR_ROW.fullmatch(row))]
    # The first such row is the user's own prompt.
    if len(errors) < 2:
        return Look(Shape.PROMPT, "a turn that nothing ended")
    return failed(_trouble_of(errors[-1]), f"the turn ended with: {errors[-1][:60]}")


def _trouble_of(text: str) -> str:
    if AUTH.search(text):
        return "auth_error"
    return "rate_limited" if LIMIT.search(text) else "api_error"


def _typed(above_border: Sequence[str]) -> bool:
    """The composer is a bar of rows; its last row names the model, the others are typed in."""
    bar: list[str] = []
    for row in reversed(above_border):
        if not (found := COMPOSER_ROW.fullmatch(row)):
            break
        bar.append(found["text"])
    return any(text.strip() for text in bar[1:])
