"""How Gemini CLI's screen reads: mostly by its title, which says Working or Ready."""

import re
from collections.abc import Sequence

from story_automator.agents.look import Look, State, failed, surrounded, working
from story_automator.agents.question import asks
from story_automator.agents.rows import is_shell_prompt, tidy
from story_automator.model.screen import Shape

BUSY_TITLE = re.compile(r"✦ +Working")  # gemini/gm_bash/01
READY_TITLE = re.compile(r"◇ +Ready")  # gemini/gm_plain/02
# The last such row, below everything of the turn. Capture: gemini/gm_plain/02.
COMPOSER = re.compile(r" \* +Type your message or @path/to/file")
# Rows above the composer, below the last block. Capture: gemini/gm_hang/01.
SPINNER = re.compile(r" [⠀-⣿] (?P<task>.+?) \(esc to cancel, .*")
# Heads of blocks, the last one counts; the client's own warnings are none.
# Captures: gemini/gm_plain/02, gemini/gm_e401/01.
HEAD = re.compile(r" > \S|✦ \S|✕ \S")
REPLY, ERROR = "✦", "✕"
NOTICE = re.compile(r"⚠ ")
AUTH = re.compile(r"\b40[13]\b")


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
    if not any(map(COMPOSER.fullmatch, rows)):
        return Look(Shape.UNCLEAR, "no composer and no shell prompt")
    block = _last_block(rows)
    if not block:
        return Look(Shape.PROMPT, "no turn was begun", state=State.IDLE_NOPROMPT)
    if block[0][0] == ERROR:
        trouble = "auth_error" if AUTH.search(block[0]) else "api_error"
        return failed(trouble, f"the last block is an error: {block[0][2:62]}")
    if block[0][0] != REPLY:
        return Look(Shape.PROMPT, "the prompt has no reply yet", state=State.WORKING)
    state = State.WAITING_INPUT if asks(block) else State.IDLE_DONE
    if READY_TITLE.match(title):
        return Look(Shape.DONE, "the title says ready below a reply", state=state)
    return Look(Shape.PROMPT, "a reply above the composer, and no spinner", state=state)


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
