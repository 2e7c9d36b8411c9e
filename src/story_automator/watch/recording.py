"""The output file of a session: the agent's own record made readable, else what the pane showed."""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from story_automator.agents import entry
from story_automator.agents.claude_text import ClaudeText
from story_automator.agents.codex_text import CodexText, is_event
from story_automator.agents.entry import Entry, Voice
from story_automator.edges.output import cleaned, write_texts
from story_automator.edges.transcript import Line, lines, lines_in_time
from story_automator.rules.escapes import NEVER_DRAWN
from story_automator.rules.masking import mask
from story_automator.rules.readable import Readable

SCREEN_TAIL = 60  # rows of the pane that show what an unfinished turn did not record
NEAR_THE_END = 20_000  # letters below the last message: a prompt box, a statusline, redrawn rows
MOST_BETWEEN = 1000  # rows printed between two events
FIRST_LINES = 100  # Codex tells its story from the beginning, or not at all
OF_THE_AGENT = frozenset({Voice.AGENT, Voice.CALL, Voice.TROUBLE})
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)"
)
CONTROLS = re.compile("[\x07\x08\x0b\x0c\x0e\x0f\x1b]+")


def write_recording(
    target: Path,
    *,
    transcript: Path | None,
    log: Path,
    agent: str,
    last_message: str = "",
    unfinished: bool = False,
) -> int:
    """Write what can be known of a session; how many bytes, and no file when there is nothing.

    `last_message` is what the agent is known to have said last: its record may lag behind.
    `unfinished`: the turn is not over, so the screen shows more than was recorded.
    """
    if agent == "codex":
        entries = _of_codex(log)
        unfinished = False  # The log is the record.
    else:
        entries = _of_claude(transcript, last_message)
    if entries is None:
        return write_texts(target, _pane(log, last_message))
    told = drawn(with_last_message(entries, last_message))
    return write_texts(target, chain(told, _end_of_screen(log) if unfinished else ()))


def plain(text: str) -> str:
    """A text of the agent's record without escapes, control characters and secrets."""
    if not text.isprintable():
        text = ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
        text = NEVER_DRAWN.sub("", CONTROLS.sub("", text))
    return mask(text)


def drawn(entries: Iterable[Entry]) -> Iterator[str]:
    """Entries as text: a blank line before each, but none between a call and its result."""
    before: Voice | None = None
    for one in entries:
        follows = one.voice is Voice.RESULT and before in (Voice.CALL, Voice.RESULT)
        yield ("\n" if before and not follows else "") + one.text + "\n"
        before = one.voice


def with_last_message(entries: Iterable[Entry], message: str) -> Iterator[Entry]:
    """The entries, with the last message at the end where they do not end with it."""
    last = entry.said(message, plain)
    wanted = _letters(last[0].words) if last else ""
    heard = ""
    for one in entries:
        if wanted:
            # A message of several blocks is told in several entries.
            heard = (heard + _letters(one.words))[-len(wanted) :]
        yield one
    if heard != wanted:
        yield from last


def _pane(log: Path, message: str) -> Iterator[str]:
    """What the pane showed, with the last message where it did not show it as it was written."""
    words = plain(message).strip("\n")
    wanted, heard = _letters(words), ""
    for text in cleaned(log, Readable()):
        if wanted:
            heard = (heard + _letters(text))[-len(wanted) - NEAR_THE_END :]
        yield text
    if wanted not in heard:
        yield f"\n── the last message ──\n{words}\n"


def _letters(words: str) -> str:
    return "".join(words.split())


def _of_claude(transcript: Path | None, last_message: str) -> Iterator[Entry] | None:
    """The transcript's entries; None when the agent itself says nothing in it.

    A prompt alone is enough where the answer is known: it is written a moment later.
    """
    if transcript is None:
        return None
    found = _told_by_claude(transcript)
    before: list[Entry] = []
    for one in found:
        before.append(one)
        if one.voice in OF_THE_AGENT:
            return chain(before, found)
    return iter(before) if before and last_message else None


def _told_by_claude(transcript: Path) -> Iterator[Entry]:
    text = ClaudeText(plain)
    for line in lines_in_time(transcript):
        yield from _left_out(line)
        yield from text.read(_value(line))
    yield from text.close()


def _of_codex(log: Path) -> Iterator[Entry] | None:
    """The entries of a log of `codex exec --json`; None when it is something else."""
    begins = islice(lines(log), FIRST_LINES)
    return _told_by_codex(log) if any(is_event(_value(line)) for line in begins) else None


def _told_by_codex(log: Path) -> Iterator[Entry]:
    text = CodexText(plain)
    between = Between()
    for line in lines(log):
        yield from _left_out(line)
        value = _value(line)
        if is_event(value):
            yield from between.take()
            yield from text.read(value)
        else:
            between.feed(line.data)
    yield from between.take()


class Between:
    """What was printed among the events: warnings, and why the program could not go on."""

    def __init__(self) -> None:
        self._readable: Readable | None = None
        self._rows: deque[str] = deque(maxlen=MOST_BETWEEN)

    def feed(self, data: bytes) -> None:
        self._readable = self._readable or Readable()
        self._rows.extend(self._readable.feed(data.decode(errors="replace")).splitlines())

    def take(self) -> Iterator[Entry]:
        if self._readable is None:
            return
        self._rows.extend(self._readable.close().splitlines())
        if any(self._rows):
            yield Entry(Voice.NOTE, "\n".join(self._rows))
        self._readable = None
        self._rows.clear()


def unescaped(line: Line) -> str:
    """A line of a log; a program may colour what it prints between two events."""
    text = line.data.decode(errors="replace")
    return ESCAPES.sub("", text) if "\x1b" in text else text


def _value(line: Line) -> object:
    """What a line says; None for one that is half written or no JSON."""
    try:
        return json.loads(unescaped(line))
    except (ValueError, RecursionError):
        return None


def _left_out(line: Line) -> Iterator[Entry]:
    if line.left_out:
        yield entry.note(f"a line of {line.left_out / 1e6:.0f} MB is left out")


def _end_of_screen(log: Path) -> Iterator[str]:
    """The last rows that the pane showed."""
    rows: deque[str] = deque(maxlen=SCREEN_TAIL)
    for text in cleaned(log, Readable()):
        rows.extend(text.splitlines())
    if any(rows):
        yield "\n── the end of the screen ──\n" + "\n".join(rows) + "\n"
