"""Acts of a session that goes wrong, or is hard to read."""

import math
import os
import signal
from dataclasses import dataclass

from story_automator.rehearse.show import Curtain, Show
from story_automator.rehearse.terminal import ALTERNATE_OFF, ALTERNATE_ON

ROWS_AT_ONCE = 2_000


def signal_named(name: str) -> signal.Signals:
    try:
        return signal.Signals[f"SIG{name}"]
    except KeyError:
        raise ValueError(f"no such signal: {name}") from None


@dataclass(frozen=True, slots=True)
class Exit:
    """The process ends: with 0 as after /exit, with anything else as a crash without a word."""

    code: int = 0

    def play(self, show: Show) -> None:  # noqa: ARG002
        raise Curtain(self.code, "" if self.code else "other")


@dataclass(frozen=True, slots=True)
class Kill:
    """The process is really ended by a signal; nothing is tidied up."""

    signal: str = "KILL"

    def __post_init__(self) -> None:
        signal_named(self.signal)

    def play(self, show: Show) -> None:
        import resource

        number = signal_named(self.signal)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        show.hold(math.inf)


@dataclass(frozen=True, slots=True)
class Ignore:
    """These signals are ignored from here on; without HUP it also outlives its terminal."""

    signals: tuple[str, ...] = ("TERM", "HUP")

    def __post_init__(self) -> None:
        for name in self.signals:
            signal_named(name)

    def play(self, show: Show) -> None:
        for name in self.signals:
            signal.signal(signal_named(name), signal.SIG_IGN)
        show.deaf.update(self.signals)


@dataclass(frozen=True, slots=True)
class Detach:
    """Leave children in sessions of their own; only the inherited environment tells whose."""

    count: int = 1
    seconds: float = 300.0

    def play(self, show: Show) -> None:
        for _ in range(self.count):
            middle = os.fork()
            if not middle:
                _vanish(self.seconds * show.tempo)
            os.waitpid(middle, 0)


def _vanish(seconds: float) -> None:
    """In a forked process: become a silent sleeper that no parent and no terminal knows."""
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.execvp("sleep", ["sleep", f"{seconds:.3f}"])
    finally:
        os._exit(127)


@dataclass(frozen=True, slots=True)
class Lines:
    """Many numbered lines as fast as the terminal takes them."""

    count: int
    text: str = "of a very long reply"

    def play(self, show: Show) -> None:
        wide = len(str(self.count))
        for first in range(1, self.count + 1, ROWS_AT_ONCE):
            numbers = range(first, min(first + ROWS_AT_ONCE, self.count + 1))
            show.put(*(f"  line {number:0{wide}} {self.text}" for number in numbers))


@dataclass(frozen=True, slots=True)
class Bytes:
    """A row of raw bytes, given as hexadecimal digits."""

    hex: str

    def __post_init__(self) -> None:
        bytes.fromhex(self.hex)

    def play(self, show: Show) -> None:
        show.put(bytes.fromhex(self.hex))


@dataclass(frozen=True, slots=True)
class Alternate:
    """Text on the alternate screen, which leaves no trace in the scrollback."""

    text: str
    seconds: float = 0.0
    leave: bool = True

    def play(self, show: Show) -> None:
        was_on_stage, show.on_stage = show.on_stage, False
        show.draw()
        show.terminal.write(ALTERNATE_ON)
        show.put(*self.text.splitlines())
        show.hold(self.seconds)
        if self.leave:
            show.terminal.write(ALTERNATE_OFF)
            show.on_stage = was_on_stage
            show.draw()
