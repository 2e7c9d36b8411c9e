"""The input box of Claude-like screens: a prompt between two rules, the footer below it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from story_automator.agents.rows import is_shell_prompt

PROMPT = "❯"
# A whole row; a named session breaks the upper rule with its name. Captures: every box, e.g.
# claude/idle_noprompt/01; the welcome frame (`╭───`) and the half rule that a killed agent
# leaves (claude/shell_kill9/02) are no rules.
RULE = re.compile(r"─{10,}(?: [^─]+ ─+)?")
# The marked line of a menu, which may stand right below a rule too. Capture: claude/ask_menu/01.
CHOICE = re.compile(r"\s*❯ \d+\. \S")


@dataclass(frozen=True, slots=True)
class Box:
    """Where the box stands, by row numbers, and what is typed in it."""

    top: int  # the upper rule
    bottom: int  # the lower rule
    footer_end: int  # first row below the footer
    typed: str
    live: bool  # nothing but a footer follows: the agent is in the foreground


def find_box(rows: Sequence[str]) -> Box | None:
    """The last box, or None: only the last two rules of the screen can be its borders."""
    rules = [number for number, row in enumerate(rows) if RULE.fullmatch(row)]
    if len(rules) < 2:
        return None
    top, bottom = rules[-2:]
    inside = rows[top + 1 : bottom]
    if not inside or not inside[0].startswith(PROMPT) or CHOICE.match(inside[0]):
        return None
    typed = " ".join(row.strip() for row in (inside[0][len(PROMPT) :], *inside[1:])).strip()
    end = bottom + 1
    while end < len(rows) and rows[end]:
        end += 1
    live = not is_shell_prompt(rows[-1]) and all(not row or row[0] == " " for row in rows[end:])
    return Box(top, bottom, end, typed, live)
