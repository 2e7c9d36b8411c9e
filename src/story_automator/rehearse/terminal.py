"""The scripted agent's side of the pane: tty modes, keys, and redrawing in place as Ink does."""

import contextlib
import os
import select
from collections.abc import Sequence
from typing import Any

PASTE_ON, PASTE_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
ALTERNATE_ON, ALTERNATE_OFF = b"\x1b[?1049h\x1b[2J\x1b[H", b"\x1b[?1049l"
DEFAULT_SIZE = os.terminal_size((200, 50))
INPUT, OUTPUT = 0, 1


class Terminal:
    """Permanent rows scroll away; the live rows below them are redrawn in place."""

    def __init__(self) -> None:
        self.listening = True  # until the other end of the input is gone
        self._live: list[str] = []
        self._cursor = (0, 0)
        self._title = ""
        self._modes: list[Any] | None = None

    def open(self) -> None:
        if os.isatty(INPUT):
            import termios
            import tty

            self._modes = termios.tcgetattr(INPUT)
            tty.setcbreak(INPUT)
            modes = termios.tcgetattr(INPUT)
            modes[3] &= ~termios.ISIG
            termios.tcsetattr(INPUT, termios.TCSANOW, modes)
        self.write(PASTE_ON)

    def close(self, farewell: str = "") -> None:
        below = len(self._live) - 1 - self._cursor[0]
        down = b"\x1b[%dB" % below if below > 0 else b""
        self.write(down + b"\r\n" + farewell.encode() + PASTE_OFF)
        if self._modes is not None:
            import termios

            with contextlib.suppress(termios.error):
                termios.tcsetattr(INPUT, termios.TCSADRAIN, self._modes)

    def size(self) -> os.terminal_size:
        try:
            return os.get_terminal_size(OUTPUT)
        except OSError:
            return DEFAULT_SIZE

    def draw(
        self, permanent: Sequence[str | bytes], live: Sequence[str], cursor: tuple[int, int]
    ) -> None:
        """Put `permanent` where the live rows began, and the live rows below it."""
        rows = [*live][: self.size().lines - 1]
        if not permanent and rows == self._live and cursor == self._cursor:
            return  # silence is silent: an unchanged screen writes no byte
        above, below = self._cursor[0], len(rows) - 1 - cursor[0]
        out = bytearray(b"\r" + (b"\x1b[%dA" % above if above else b"") + b"\x1b[J")
        for row in permanent:
            out += (row if isinstance(row, bytes) else row.encode()) + b"\n"
        out += "\n".join(map(painted, rows)).encode()
        if rows:
            out += (b"\x1b[%dA" % below if below > 0 else b"") + b"\r"
            out += b"\x1b[%dC" % cursor[1] if cursor[1] else b""
        self._live, self._cursor = rows, cursor
        self.write(bytes(out))

    def title(self, text: str) -> None:
        if text != self._title:
            self._title = text
            self.write(f"\x1b]0;{text}\a".encode())

    def write(self, data: bytes) -> None:
        """All of it; a terminal that is gone swallows it, as for a program that ignores its HUP."""
        with contextlib.suppress(OSError):
            while data:
                data = data[os.write(OUTPUT, data) :]

    def keys(self, seconds: float) -> bytes:
        """What was typed within `seconds`; empty when nothing was."""
        ready, _, _ = select.select([INPUT] if self.listening else [], [], [], max(seconds, 0))
        if not ready:
            return b""
        try:
            typed = os.read(INPUT, 4096)
        except OSError:
            typed = b""
        self.listening = bool(typed)
        return typed


class Paper(Terminal):
    """The terminal of print mode: permanent rows only, no modes, no keys."""

    def __init__(self) -> None:
        super().__init__()
        self.listening = False

    def open(self) -> None:
        pass

    def close(self, farewell: str = "") -> None:
        pass

    def draw(
        self,
        permanent: Sequence[str | bytes],
        live: Sequence[str],  # noqa: ARG002
        cursor: tuple[int, int],  # noqa: ARG002
    ) -> None:
        self.write(b"".join((r if isinstance(r, bytes) else r.encode()) + b"\n" for r in permanent))

    def title(self, text: str) -> None:
        pass


def painted(row: str) -> str:
    """Colour as the real screens have it: the log of a pane is full of it."""
    if row.startswith("─"):
        return f"\x1b[2m{row}\x1b[0m"
    if row.startswith(tuple("·✢✳✶✻✽")):
        return f"\x1b[38;5;174m{row[:1]}\x1b[39m{row[1:]}"
    return row
