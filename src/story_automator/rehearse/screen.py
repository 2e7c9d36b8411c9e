"""How the scripted agent's screen is drawn: pure functions from facts to rows of text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SPINNER = "·✢✳✶✻✽"
VERSION = "2.1.197"
WELCOME_COLUMNS = 117
FOOTER = "⏵⏵ bypass permissions on"
CYCLE = "(shift+tab to cycle)"
HINT = "● high · /effort"
# The real prompt row carries a no-break space: an empty one never ends in a plain blank.
PROMPT = "❯\u00a0"
ANSWER = "  ⎿ \u00a0"
RIGHT_MARGIN = 2


def columns_of(text: str) -> int:
    """How many terminal columns `text` takes: CJK takes two per character, accents none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - columns_of(text))


def centred(text: str, columns: int) -> str:
    return padded(" " * ((columns - columns_of(text)) // 2) + text, columns)


def clipped(text: str, columns: int) -> str:
    """`text` cut so that it never wraps: a wrapped live row would be miscounted."""
    while columns_of(text) > columns:
        text = text[:-1]
    return text


def wrapped(text: str, columns: int) -> Iterator[str]:
    """Rows of at most `columns`, broken at blanks where there are any."""
    for line in text.splitlines() or [""]:
        row = ""
        for word in re.findall(r"\s*\S+|\s+$", line):
            if row and columns_of(row + word) > columns:
                yield row
                row = word.lstrip()
            else:
                row += word
            while columns_of(row) > columns:
                head = clipped(row, columns)
                yield head
                row = row[len(head) :]
        yield row


def duration(seconds: float) -> str:
    """As agents write it: `8s`, `1m 15s`, `1h 0m 5s`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        (f"{hours}h " if hours else "") + (f"{minutes}m " if hours or minutes else "") + f"{rest}s"
    )


def block(bullet: str, text: str, columns: int) -> list[str]:
    """A paragraph under a bullet; its further rows hang below the text."""
    indent = columns_of(bullet)
    return [
        (" " * indent if number else bullet) + row if row else ""
        for number, row in enumerate(wrapped(text, columns - indent))
    ]


def result(text: str, columns: int) -> list[str]:
    """What a tool answered, hung below its call."""
    return block(ANSWER, text, columns)


def welcome(folder: str, columns: int) -> list[str]:
    wide = min(WELCOME_COLUMNS, columns)
    inner = wide - 2
    rows = [
        "",
        "Welcome back!",
        "",
        "▗▄▄▄▖",
        "▐▞█▚▌",
        "▝▀▀▀▘",
        "",
        "Scripted agent · no model, no bill",
        folder,
    ]
    title = clipped(f"─── Claude Code v{VERSION} ", inner)
    return [
        "╭" + title + "─" * (inner - columns_of(title)) + "╮",
        *("│" + centred(clipped(row, inner), inner) + "│" for row in rows),
        "╰" + "─" * inner + "╯",
        "",
    ]


def spinner_row(frame: int, verb: str, seconds: float, tokens: int) -> str:
    glyph = SPINNER[frame % len(SPINNER)]
    return f"{glyph} {verb}… ({duration(seconds)} · ↓ {tokens} tokens)"


def todo_rows(done: Sequence[str], left: Sequence[str]) -> list[str]:
    boxes = [*(f"☒ {item}" for item in done), *(f"☐ {item}" for item in left)]
    return [
        (" " * columns_of(ANSWER) if number else ANSWER) + box for number, box in enumerate(boxes)
    ]


def statusline(folder: str, context: int, clock: str, separator: str = "|") -> str:
    return f"  {folder} {separator} ctx({context}%) {separator} {clock}"


def clock_text(second_of_day: float, style: str) -> str:
    """`24h` 13:05:09, `12h` 1:05:09 PM, `HH:MM` 13:05."""
    minutes, second = divmod(int(second_of_day) % 86_400, 60)
    hour, minute = divmod(minutes, 60)
    if style == "12h":
        return f"{hour % 12 or 12}:{minute:02}:{second:02} {'AM' if hour < 12 else 'PM'}"
    return f"{hour:02}:{minute:02}" + ("" if style == "HH:MM" else f":{second:02}")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A box-drawn table, columns as wide as their widest cell."""
    lines = [head, *rows]
    widths = [max(columns_of(line[i]) for line in lines) for i in range(len(head))]

    def rule(left: str, middle: str, right: str) -> str:
        return left + middle.join("─" * (width + 2) for width in widths) + right

    def cells(line: Sequence[str]) -> str:
        inner = (f" {padded(cell, width)} " for cell, width in zip(line, widths, strict=True))
        return "│" + "│".join(inner) + "│"

    between = rule("├", "┼", "┤")
    drawn = [rule("┌", "┬", "┐"), cells(head)]
    for line in rows:
        drawn += [between, cells(line)]
    return [*drawn, rule("└", "┴", "┘")]


@dataclass(frozen=True, slots=True)
class Live:
    """The part below the transcript that is drawn again and again."""

    tool: tuple[str, ...] = ()  # a call that is still running
    spinner: str = ""
    todos: tuple[str, ...] = ()
    dialog: tuple[str, ...] = ()  # replaces everything below it, the statusline too
    typed: str = ""
    status: str = ""  # the statusline row; empty: none is configured
    hint: str = ""
    shells: int = 0  # background shells, told in the footer
    busy: bool = False


def live_rows(live: Live, columns: int) -> tuple[list[str], int, int]:
    """The rows of the live part, and where in it the cursor stands (row, column)."""
    rule = "─" * columns
    rows: list[str] = []
    if live.tool:
        rows += ["", *live.tool]
    if live.dialog:
        rows += ["", rule, *live.dialog] if live.tool else [rule, *live.dialog]
        cursor = next(i for i, row in enumerate(rows) if row.lstrip().startswith("❯"))
        column = rows[cursor].index("❯")
        return [clipped(row, columns) for row in rows], cursor, column
    if live.spinner:
        rows += ["", live.spinner, *live.todos]
    rows += ["", rule, PROMPT + live.typed, rule]
    cursor = len(rows) - 2
    footer = f"  {FOOTER} {f'· {live.shells} shell' if live.shells else CYCLE}"
    if live.status:
        rows += [_with_hint(live.status, live.hint, columns), f"{footer} · ← for agents"]
    else:
        interrupt = " · esc to interrupt" if live.busy else ""
        rows += [_with_hint(f"{footer}{interrupt} · ← for agents", live.hint, columns)]
    return [clipped(row, columns) for row in rows], cursor, columns_of(PROMPT + live.typed)


def _with_hint(row: str, hint: str, columns: int) -> str:
    gap = columns - RIGHT_MARGIN - columns_of(row) - columns_of(hint)
    return row + " " * gap + hint if hint and gap > 1 else row
