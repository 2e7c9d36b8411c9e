"""One entry of a readable recording: who speaks, and how prompts, calls, results and lists look."""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

Clean = Callable[[str], str]  # gives a text without escapes and secrets

LONGEST_LABEL = 200
LONGEST_ROW = 500
# The end of an output tells more than its beginning: a test run sums itself up there.
HEAD, TAIL = 10, 20
ERROR_HEAD, ERROR_TAIL = 100, 100
# A secret of many rows must be cleaned from its first row on, or its end would be shown.
BLOCK, LONGEST_BLOCK = "-----BEGIN", 400

OPEN_BOX, DONE_BOX = "☐", "☒"
# A mark in front of every row: quoted text is never taken for the agent's words or its list.
PROMPT_MARK, RESULT_MARK, ERROR_MARK = "> ", "  │ ", "  ✗ "
# Nor may the agent's words be taken for a call or a result: a blank sets them apart.
LOOKS_MARKED = re.compile(r"^(?:[●↳✗] |  [│✗](?: |$)|── )", re.MULTILINE)


class Voice(StrEnum):
    """Whose entry it is."""

    PERSON = "person"  # a prompt
    AGENT = "agent"  # the agent's own words
    CALL = "call"  # the agent uses a tool
    RESULT = "result"  # what the tool answered
    TROUBLE = "trouble"  # an error that ended or hindered the turn
    NOTE = "note"  # something that happened to the conversation


class Entry(NamedTuple):
    """Whole rows, without the last line end."""

    voice: Voice
    text: str
    words: str = ""  # what the agent said, without marks of ours


def prompt(text: str, clean: Clean) -> list[Entry]:
    rows = trimmed(text, clean)
    return [Entry(Voice.PERSON, "\n".join(f"{PROMPT_MARK}{row}" for row in rows))] if rows else []


def said(text: str, clean: Clean) -> list[Entry]:
    words = clean(text).strip("\n")
    return [Entry(Voice.AGENT, LOOKS_MARKED.sub(r" \g<0>", words), words)] if words.strip() else []


def trouble(text: str, clean: Clean, about: str = "") -> Entry:
    words = clean(text).strip()
    return Entry(Voice.TROUBLE, f"✗ {words}" + (f" [{clean(about)}]" if about else ""), words)


def warning(text: str, clean: Clean) -> Entry:
    return Entry(Voice.NOTE, f"! {one_row(text, clean)}")


def note(text: str) -> Entry:
    return Entry(Voice.NOTE, f"── {text} ──")


def call(name: str, argument: str, clean: Clean) -> Entry:
    return Entry(Voice.CALL, f"● {one_row(name, clean)}({one_row(argument, clean)})")


def result(text: str, clean: Clean, *, failed: bool, of: str = "") -> list[Entry]:
    """What a tool answered; `of` is its call when something else was told since."""
    head, tail = (ERROR_HEAD, ERROR_TAIL) if failed else (HEAD, TAIL)
    rows = trimmed(text, clean, head, tail)
    if not rows:
        return []
    first = ERROR_MARK if failed else RESULT_MARK
    drawn = [f"{first}{rows[0]}", *(f"{RESULT_MARK}{row}" for row in rows[1:])]
    answer = Entry(Voice.RESULT, "\n".join(row.rstrip() for row in drawn))
    return [Entry(Voice.CALL, of.replace("●", "↳", 1)), answer] if of else [answer]


def boxes(tasks: Iterable[tuple[str, bool]], clean: Clean) -> list[Entry]:
    """A list of tasks, each with whether it is done."""
    rows = [
        f"  {DONE_BOX if done else OPEN_BOX} {one_row(task, clean) or '(no name)'}"
        for task, done in tasks
    ]
    return [Entry(Voice.CALL, "\n".join(["● Tasks", *rows]))] if rows else []


def one_row(text: str, clean: Clean) -> str:
    # Far more than is shown, so that what is cut off was cleaned as a whole.
    row = " ".join(clean(text[: 100 * LONGEST_LABEL]).split())
    return row if len(row) <= LONGEST_LABEL else f"{row[: LONGEST_LABEL - 1]}…"


def trimmed(text: str, clean: Clean, head: int = HEAD, tail: int = TAIL) -> list[str]:
    """The first and the last rows of a text, with how many are left out between."""
    rows = text.strip("\n").split("\n")
    left_out = len(rows) - head - tail
    if left_out > 1:
        end = _cleaned(rows[_begin_of_block(rows, len(rows) - tail) :], clean)[-tail:]
        shown = [*_cleaned(rows[:head], clean)[:head], f"… {left_out} lines …", *end]
    else:
        shown = _cleaned(rows, clean)
    return [_cut(row) for row in shown] if any(row.strip() for row in shown) else []


def _begin_of_block(rows: Sequence[str], at: int) -> int:
    """Where a block of many rows that may reach into row `at` begins; `at` when there is none."""
    before = range(at - 1, max(at - LONGEST_BLOCK, 0) - 1, -1)
    return next((row for row in before if BLOCK in rows[row]), at)


def _cleaned(rows: Sequence[str], clean: Clean) -> list[str]:
    return clean("\n".join(rows)).strip("\n").split("\n")


def _cut(row: str) -> str:
    """Only the beginning: what names a secret stands before it."""
    over = len(row) - LONGEST_ROW
    return row if over <= 0 else f"{row[:LONGEST_ROW]} … {over} characters …"
