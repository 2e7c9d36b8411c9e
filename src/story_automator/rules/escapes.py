"""What is a control sequence in a raw terminal stream, and how wide a character is drawn."""

import re
import unicodedata
from functools import lru_cache

ESCAPE = "\x1b"

# As long as tmux lets one grow; then the rest is text again, so none can swallow the session.
LONGEST_STRING = 1 << 20
STRING_BODY = r"[^\x07\x1b\r\n]"
OPEN_STRING = re.compile(rf"\x1b[\]PX^_k]({STRING_BODY}{{0,{LONGEST_STRING}}})")
REST_OF_STRING = re.compile(f"{STRING_BODY}*")

# At most this long, so that a sequence cut off at the end of a chunk stays small.
CSI = re.compile(r"\[([0-?]{0,256})([ -/]{0,8})([@-~]?)")
DESIGNATION = re.compile(r"([ -/]{1,8})([0-~]?)")
CUT_OFF = re.compile(r"\x1b(?:\[[0-?]{0,256}[ -/]{0,8}|[ -/]{0,8})")

# Colours, a hidden cursor and synchronised output change no text; they are most of a TUI's bytes.
# Broken sequences go in the same pass, or the next one's removal would complete them.
DRAWN_AS_NOTHING = re.compile(
    rf"\x1b(?:\[[0-9;:]{{0,256}}m|\[\?(?:25|2026)[hl]|[\]PX^_k]{STRING_BODY}{{0,{LONGEST_STRING}}}"
    r"|(?:\[[0-?]{0,256})?[ -/]{0,8}(?![ -~]))"
)
NEVER_DRAWN = re.compile(r"[\x00-\x06\x10-\x1a\x1c-\x1f\x7f-\x9f]+")

LINE_DRAWING = str.maketrans("`afgijklmnopqrstuvwxyz{|}~", "◆▒°±␤┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")

# Every character outside these ranges is asked for its width, one by one.
UNUSUAL = re.compile(
    "[^ -~\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc]"
)


@lru_cache(maxsize=4096)
def columns(character: str) -> int:
    """How many cells of a terminal one character takes: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0 if character != "\xad" else 1
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class EscapeReader:
    """Cuts a stream into a text and sequences with the text after them, wherever a chunk ends."""

    def __init__(self) -> None:
        self._cut_off = ""
        self._room_in_string: int | None = None

    def feed(self, text: str) -> list[str]:
        """First plain text, then parts that each begin just after an escape byte."""
        if NEVER_DRAWN.search(text):
            text = NEVER_DRAWN.sub("", text)
        text = self._cut_off + text
        self._cut_off = ""
        if self._room_in_string is not None:
            text = self._after_string(text, self._room_in_string)
        last = text.rfind(ESCAPE)
        if last >= 0:
            if CUT_OFF.fullmatch(text, last):
                self._cut_off = text[last:]
                text = text[:last]
            elif (string := OPEN_STRING.fullmatch(text, last)) is not None:
                self._room_in_string = LONGEST_STRING - len(string[1])
                text = text[:last]
            text = DRAWN_AS_NOTHING.sub("", text)
        return text.split(ESCAPE)

    def _after_string(self, text: str, room: int) -> str:
        body = REST_OF_STRING.match(text, 0, room)
        dropped = body.end() if body else 0
        self._room_in_string = room - dropped if dropped == len(text) else None
        return text[dropped:]
