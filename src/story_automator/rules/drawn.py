"""What a terminal draws again and again, or only as ornament: told once, or not at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from story_automator.model.long_text import Row
from story_automator.rules.result_lines import result_in

LONGEST_BLOCK = 60  # rows that are drawn again as one
LONGEST_LINE, END_OF_LINE = 1000, 400
LONGEST_BAR = 240
# Rows below the last spinner: a prompt box and a statusline. Further up it is over.
BELOW_SPINNER = 12

# A spinner's whole row. Captures: claude/tui_thinking, codex/cx_tui_plain, gemini/gm_hang,
# opencode/oc_hang; the last form is what build tools print.
SPINNER = re.compile(
    r"\s*(?:[✢✳✶✻✽] \S.*?…(?: \(.*)?|[·*] \S.*?… \(\d.*"
    r"|[·*] \S+…|[•◦] \S.* \(.*esc to interrupt\).*|◦ .*…"
    r"|[⠀-⣿] \S.*|[■⬝]{4,} .*|\S+… +\( .*|[|/\\-] \w+ing\b.*(?:…|\.\.\.))"
)
BAR = "█▉▊▋▌▍▎▏▓▒░▰▱━⣿■□●○#=>"
PROGRESS = re.compile(
    rf"[{BAR}]{{3}}.*(?:\d ?%|\d/\d)|(?:\d ?%|\d/\d).*[{BAR}]{{3}}"
    r"|\b(?:progress|download|upload|fetch|receiv|resolv|compress|count|install|compil|build"
    r"|transferr?)(?:ing|ed)?\b.*\d ?%",
    re.IGNORECASE,
)
BAR_AND_FIGURES = re.compile(rf"[{BAR}\d.\s]+")
TIMES = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?|\b\d+(?:\.\d+)?m?s\b")

ORNAMENT = re.compile(r"[\s─-▟⠀-⣿■-◿⬝·=_*~+-]{4,}")
# What joins the cells of a table; a box around text has corners only.
OF_TABLE = re.compile(r"[┬┼┴╪╫╬┿╂╋╤╧]|\+-+\+-+\+|\+=+\+=+\+")
LONG_RUN = re.compile(r"([─━═╌┄▀▄█░▒▓▱▰⣿⬝■=_*#~+.·-])\1{5,}")
WIDE_GAP = re.compile(r"(?<=\S) {6,}")
DEEP = re.compile(r"^ {13,}")
PADDING = re.compile(r"(?<=\S) {3,}")
SIDES = "│┃║"


class Line(NamedTuple):
    """What stands for the rows `first` to `last`; it may hold a note below the text."""

    first: int
    last: int
    text: str
    after_gap: bool = False  # rows above it were not read


def told_once(rows: Sequence[Row]) -> list[Line]:
    """Consecutive rows without ornament, spinners and repetitions."""
    lines: list[Line] = []
    spinners: list[int] = []
    for row in rows:
        text = squeezed(row.text)
        if text or (lines and lines[-1].text and not row.text):
            if is_spinner(row.text):
                spinners.append(len(lines))
            lines.append(Line(row.number, row.number, text))
    if spinners and spinners[-1] >= len(lines) - BELOW_SPINNER:
        spinners.pop()
    gone = set(spinners)
    told = list(_without_repeats([line for at, line in enumerate(lines) if at not in gone]))
    return told[:-1] if told and not told[-1].text else told


def squeezed(text: str) -> str:
    """The row without ornament; a table keeps its borders, in short."""
    inner = text.strip()
    if (ORNAMENT.fullmatch(text) and not OF_TABLE.search(text)) or not inner.strip(f"{SIDES} "):
        return ""
    if len(inner) > 1 and inner[0] in SIDES and inner[-1] in SIDES:
        cells = inner[1:-1]
        text = PADDING.sub("  ", text if any(side in cells for side in SIDES) else cells.rstrip())
    text = WIDE_GAP.sub("    ", DEEP.sub(" " * 12, LONG_RUN.sub(r"\1\1\1", text)))
    return shortened(text.rstrip())


def shortened(text: str, most: int = LONGEST_LINE, end: int = END_OF_LINE) -> str:
    """At most `most` characters, of its beginning and its end; without secrets before."""
    if len(text) <= most:
        return text
    note = f" … {len(text) - most:,} characters … "
    begin = most - end - len(note)
    return text[: max(begin, 0)] + note + text[-end:] if begin > 0 else f"…{text[1 - most :]}"


def is_spinner(row: str) -> bool:
    """A bullet that ends with dots may look like one, but tells something."""
    if len(row) > LONGEST_LINE:
        return False
    return SPINNER.fullmatch(row) is not None and result_in(row) is None


def form(text: str) -> str:
    """What stays the same while a row is drawn again: no clock, no figures of its progress."""
    if PROGRESS.search(text, 0, LONGEST_BAR):
        return BAR_AND_FIGURES.sub("", text)
    return TIMES.sub("0", text)


def _without_repeats(lines: Sequence[Line]) -> Iterator[Line]:
    forms = [form(line.text) for line in lines]
    at = 0
    while at < len(lines):
        times, size = _repeats(forms, at)
        if times == 1:
            yield lines[at]
        else:
            yield from _as_one(lines[at : at + times * size], times)
        at += times * size


def _as_one(drawings: Sequence[Line], times: int) -> Iterator[Line]:
    """The last drawing of a block, with how often it was drawn."""
    size = len(drawings) // times
    shown = list(drawings[-size:])
    alike = all(line.text == shown[at % size].text for at, line in enumerate(drawings))
    note = f"… {'the same' if alike else 'drawn'}{f' {size} lines' * (size > 1)} {times:,} times"
    shown[0] = shown[0]._replace(first=drawings[0].first)
    end = size - (1 if shown[-1].text else 2)
    shown[end] = shown[end]._replace(text=f"{shown[end].text}\n{note}")
    yield from shown


def _repeats(forms: Sequence[str], at: int) -> tuple[int, int]:
    """How often a block that begins here follows on itself, and its size in rows."""
    for size in _distances(forms, at):
        block = forms[at : at + size]
        times = 1
        while forms[at + times * size : at + (times + 1) * size] == block:
            times += 1
        if times > 2 or (times == 2 and sum(map(len, block)) > 40):
            return times, size
    return 1, 1


def _distances(forms: Sequence[str], at: int) -> Iterable[int]:
    if not forms[at]:
        return
    near = forms[at + 1 : at + 1 + LONGEST_BLOCK]
    place = -1
    while forms[at] in near[place + 1 :]:
        place = near.index(forms[at], place + 1)
        yield place + 1
