"""How Gemini CLI's screen reads: mostly by its title, which says Working or Ready."""

import re
from collections.abc import Sequence

from story_automator.agents.look import Look, State, failed, surrounded, working
from story_automator.agents.question import asks
from story_automator.agents.rows import is_shell_prompt, tidy
from story_automator.model.screen import Need, Shape

BUSY_TITLE = re.compile(r"✦ +Working")  # gemini/gm_bash/01
READY_TITLE = re.compile(r"◇ +Ready")  # gemini/gm_plain/02
ACTION_TITLE = re.compile(r"✋ +Action Required")  # gemini/gm_permission/01
# In a frame, on a screen without a composer. Capture: gemini/gm_permission/01.
CHOICE = re.compile(r"│ ● \d+\. \S")
# Below the last prompt. Capture: gemini/gm_esc/01.
CANCELLED = re.compile(r"ℹ Request cancelled\b")
# The last such row, below everything of the turn; `*` where all tools may run, else `>`.
# Captures: gemini/gm_plain/02, gemini/gm_permission/03.
COMPOSER = re.compile(r" [*>] +Type your message or @path/to/file")
# Rows above the composer, below the last block. Capture: gemini/gm_hang/01.
SPINNER = re.compile(r" [⠀-⣿] (?P<task>.+?) \(esc to cancel, .*")
# Heads of blocks, the last one counts; the client's own warnings are none.
# Captures: gemini/gm_plain/02, gemini/gm_e401/01.
HEAD = re.compile(r" > (?!  Type your message)\S|✦ \S|✕ \S")
REPLY, ERROR = "✦", "✕"
# What ends a block: a warning, a hint at the right edge. Capture: gemini/gm_permission/03.
NOTICE = re.compile(r"⚠ | {20,}\S")
AUTH = re.compile(r"\b40[13]\b")
LIMIT = re.compile(r"\b429\b")
# `-p`, whole row: the failed request, as the client dumps it. Capture: gemini/gm_print_401/01.
PRINTED_STATUS = re.compile(r"  status: (?P<status>[45]\d\d)")
# With `--output-format json` it leaves with the status of the failed request, less 256.
EXIT_REASONS = {
    41: "auth_error",
    401 - 256: "auth_error",
    403 - 256: "auth_error",
    429 - 256: "rate_limited",
    **{status - 256: "api_error" for status in (500, 502, 503, 504)},
}


def read_screen(rows: Sequence[str], title: str = "") -> Look:
    tidied = tidy(rows)
    return surrounded(_see(tidied, title), tidied)


def _see(rows: Sequence[str], title: str) -> Look:
    spinners = [found["task"] for row in rows if (found := SPINNER.fullmatch(row))]
    if spinners or BUSY_TITLE.match(title):
        return working("a spinner or the title says working", spinners[-1] if spinners else "")
    if not rows:
        return Look(Shape.STARTING, "the screen is blank", state=State.STARTING)
    if is_shell_prompt(rows[-1]):
        return Look(Shape.SHELL, "a shell prompt stands where the agent was")
    composer = any(map(COMPOSER.fullmatch, rows))
    if ACTION_TITLE.match(title) or (not composer and any(map(CHOICE.match, rows))):
        asked = "it asks whether a tool may run"
        return Look(Shape.DIALOG, asked, need=Need.PERMISSION, state=State.PERMISSION_PROMPT)
    printed = [found["status"] for row in rows if (found := PRINTED_STATUS.fullmatch(row))]
    if not composer and printed:
        return failed(_trouble_of(printed[-1]), f"its request failed with {printed[-1]}")
    if not composer:
        return Look(Shape.UNCLEAR, "no composer and no shell prompt")
    block = _last_block(rows)
    if not block:
        return Look(Shape.PROMPT, "no turn was begun", state=State.IDLE_NOPROMPT)
    if block[0][0] == ERROR:
        return failed(_trouble_of(block[0]), f"the last block is an error: {block[0][2:62]}")
    if any(map(CANCELLED.match, block)):
        return Look(Shape.PROMPT, "the turn was interrupted", state=State.WAITING_INPUT)
    if block[0][0] != REPLY:
        return Look(Shape.PROMPT, "the prompt has no reply yet", state=State.WORKING)
    state = State.WAITING_INPUT if asks(block) else State.IDLE_DONE
    if READY_TITLE.match(title):
        return Look(Shape.DONE, "the title says ready below a reply", state=state)
    return Look(Shape.PROMPT, "a reply above the composer, and no spinner", state=state)


def _trouble_of(text: str) -> str:
    if AUTH.search(text):
        return "auth_error"
    return "rate_limited" if LIMIT.search(text) else "api_error"


def _last_block(rows: Sequence[str]) -> Sequence[str]:
    """From the last head to the first notice or to the composer."""
    starts = [number for number, row in enumerate(rows) if HEAD.match(row)]
    if not starts:
        return ()
    block = rows[starts[-1] :]
    ends = [
        number for number, row in enumerate(block) if NOTICE.match(row) or COMPOSER.fullmatch(row)
    ]
    return block[: ends[0]] if ends else block
