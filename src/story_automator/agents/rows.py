"""Rows of a captured screen: trimmed, and without what tmux itself writes."""

import re
from collections.abc import Sequence

# Last row only. Capture: claude/end_badflag/01.
DEAD_PANE = re.compile(r"Pane is dead \((?:status|signal) .*\)")
# Last row only, and the whole of it: `done: 45%` is no prompt. Capture: claude/shell_kill9/02.
USER_AT_HOST = r"\[?[\w.-]+@[\w.-]+[: ][^\s$#%]*\]?[$#%]"
SHELL_PROMPT = re.compile(rf"(?:{USER_AT_HOST}|(?:\w*sh)?(?:-[\d.]+)?[$#%])")
# An agent that was killed leaves its rows behind: the prompt stands at the start of one of them.
OVERDRAWN_PROMPT = re.compile(rf"{USER_AT_HOST} ")


def tidy(rows: Sequence[str]) -> list[str]:
    """No trailing blanks in a row, no blank rows at the end, no-break spaces as spaces."""
    tidied = [row.replace("\xa0", " ").rstrip() for row in rows]
    _drop_blank_end(tidied)
    if tidied and DEAD_PANE.fullmatch(tidied[-1]):
        tidied.pop()
        _drop_blank_end(tidied)
    return tidied


def is_shell_prompt(row: str) -> bool:
    return SHELL_PROMPT.fullmatch(row) is not None


def is_overdrawn_by_shell(row: str) -> bool:
    return OVERDRAWN_PROMPT.match(f"{row} ") is not None


def heads(rows: Sequence[str]) -> list[int]:
    """Where blocks begin: agents hang everything but the head of a block below an indent."""
    return [number for number, row in enumerate(rows) if row and row[0] != " "]


def _drop_blank_end(rows: list[str]) -> None:
    while rows and not rows[-1]:
        rows.pop()
