"""A running performance: scenario time, what is on the screen, what was typed, how it ends."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from story_automator.errors import StoryAutomatorError
from story_automator.rehearse import screen
from story_automator.rehearse.hooks import Hooks
from story_automator.rehearse.statusline import SHORTEST_FRAME, Statusline
from story_automator.rehearse.terminal import Paper, Terminal

ESCAPE, INTERRUPT, END_OF_INPUT = b"\x1b", b"\x03", b"\x04"
HINT_SECONDS = 10.0
PERMISSION_NOTICE, IDLE_NOTICE = 6.0, 60.0  # seconds until the agent calls for a person
LONGEST_SLEEP = 3600.0


def never() -> bool:
    return False


class Curtain(Exception):
    """The performance is over, with this exit code."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason  # of SessionEnd; empty: the agent dies without a word


class Interrupted(Exception):
    """A person stopped the turn: no Stop is told, the prompt comes back."""


class Act(Protocol):
    """One thing the scripted agent does."""

    def play(self, show: "Show") -> None: ...


class Show:
    """What the acts act upon."""

    def __init__(
        self, terminal: Terminal, hooks: Hooks, *, tempo: float, title: str, frame: float
    ) -> None:
        self.terminal = terminal
        self.hooks = hooks
        self.tempo = tempo
        self.prompt = ""  # what the command line asked for
        self.project = Path.cwd()
        self.statusline = Statusline(self.project.name, tempo)
        self.on_stage = False  # the live rows are drawn
        self.busy = False
        self.spinning = False  # frames move: the spinner where it is shown, and the title
        self.spinner_shown = False
        self.verb = "Working"
        self.label = ""  # instead of the verb and its counters
        self.tool: tuple[str, ...] = ()
        self.todos: tuple[str, ...] = ()
        self.dialog: tuple[str, ...] = ()
        self.shells = 0
        self.deaf: set[str] = set()  # ignored signals
        self.last_words = ""  # the last thing said, for Stop
        self.submitted: list[str] = []  # lines typed into the prompt
        self._typed = ""
        self._answer = b""  # the last key, for dialogs
        self._farewells = 0  # consecutive Ctrl-C or Ctrl-D at the prompt: the second one leaves
        self._title = title
        self._frame, self._frame_every = 0, max(frame, SHORTEST_FRAME)
        self._began = time.monotonic()
        self._turn_began = 0.0
        self._next_frame = 0.0
        self._spinner = ""  # as last drawn: a spinner that stands still shows old counters

    @property
    def plain(self) -> bool:
        """Print mode: text only, no screen."""
        return isinstance(self.terminal, Paper)

    @property
    def columns(self) -> int:
        return self.terminal.size().columns

    def now(self) -> float:
        """Seconds of scenario time since the performance began."""
        return (time.monotonic() - self._began) / self.tempo

    def play(self, acts: tuple[Act, ...]) -> None:
        """Play to the end; a full-screen agent then stays at its prompt."""
        self.terminal.open()
        try:
            for number, act in enumerate(acts, start=1):
                self._play(number, act)
        except Interrupted:
            words = "Interrupted · What should Claude do instead?"
            self.end_turn(*screen.result(words, self.columns))
        if self.plain:
            raise Curtain(0, "other")
        self._stay()

    def _play(self, number: int, act: Act) -> None:
        try:
            act.play(self)
        except StoryAutomatorError as error:
            where = f"act {number} ({type(act).__name__.lower()})"
            raise StoryAutomatorError(f"{where}: {error.message}", hint=error.hint) from None

    def emit(self, event: str, **fields: object) -> None:
        self.hooks.emit(event, fields)

    def put(self, *rows: str | bytes) -> None:
        """Add permanent rows above the live ones."""
        self.draw(rows)

    def say(self, bullet: str, text: str) -> None:
        """A block of the transcript; print mode has the bare text."""
        if self.plain:
            self.put(text)
        else:
            self.put("", *screen.block(bullet, text, self.columns))

    def begin_turn(self, prompt: str) -> None:
        self.busy = self.spinning = self.spinner_shown = True
        self._turn_began = self.now()
        self.shells = 0
        if not self.plain:
            self.put("", *screen.block("❯ ", prompt, self.columns))
        self.emit("UserPromptSubmit", prompt=prompt)

    def turn_seconds(self) -> float:
        return self.now() - self._turn_began

    def end_turn(self, *rows: str) -> None:
        """Back to the idle prompt, with these last rows of the turn, in one redraw."""
        self.busy = self.spinning = self.spinner_shown = False
        self.label, self.tool, self.todos, self.dialog = "", (), (), ()
        self.put(*rows)

    def hold(
        self, seconds: float, until: Callable[[], bool] = never, poll: float = math.inf
    ) -> bool:
        """Let scenario time pass, the screen alive; true as soon as `until` is.

        Keys are events; what else `until` looks at needs `poll`, in real seconds.
        """
        deadline = time.monotonic() + seconds * self.tempo
        while not until():
            now = time.monotonic()
            if now >= deadline:
                return False
            if now >= self.statusline.due:
                self.statusline.read_clock()
            if self.spinning and now >= self._next_frame:
                self._frame += 1
                self._next_frame = now + self._frame_every
            self.draw()
            wake = min(deadline, self.statusline.due, now + poll)
            if self.spinning:
                wake = min(wake, self._next_frame)
            self._hear(self.terminal.keys(min(wake - now, LONGEST_SLEEP)))
        return True

    def ask(self, dialog: tuple[str, ...], options: int, notice: str = "") -> int:
        """Show a dialog until it is answered: the number of the option, 0 for Esc."""
        self.dialog, self._answer = dialog, b""
        spinning, self.spinning = self.spinning, False
        if not self.hold(PERMISSION_NOTICE, self._answered(options)):
            if notice:
                self.emit("Notification", message=notice, notification_type="permission_prompt")
            self.hold(math.inf, self._answered(options))
        self.dialog, self.spinning = (), spinning
        answer, self._answer = self._answer, b""
        if answer in (ESCAPE, INTERRUPT):
            return 0
        return int(answer) if answer.isdigit() else 1

    def _answered(self, options: int) -> Callable[[], bool]:
        good = {ESCAPE, INTERRUPT, b"\r", b"\n", *(str(n + 1).encode() for n in range(options))}
        return lambda: self._answer in good

    def _stay(self) -> None:
        """Idle at the prompt, as the real agent does, until told to go."""
        if not self.hold(IDLE_NOTICE, self._told_to_go):
            self.emit(
                "Notification",
                message="Claude is waiting for your input",
                notification_type="idle_prompt",
            )
            self.hold(math.inf, self._told_to_go)
        raise Curtain(0, "prompt_input_exit")

    def _told_to_go(self) -> bool:
        gone = not self.terminal.listening and "HUP" not in self.deaf
        return gone or "/exit" in self.submitted or self._farewells > 1

    def _hear(self, keys: bytes) -> None:
        if not keys:
            return
        if self.dialog:
            self._answer = keys if keys.startswith(ESCAPE) else keys[:1]
            return
        if self.busy and keys in (ESCAPE, INTERRUPT):
            raise Interrupted
        self._farewells = self._farewells + 1 if keys in (INTERRUPT, END_OF_INPUT) else 0
        pasted = keys.replace(b"\x1b[200~", b"").replace(b"\x1b[201~", b"")
        if pasted.startswith(ESCAPE):
            return
        for character in pasted.decode(errors="replace"):
            if character in "\r\n":
                if self._typed:
                    self.submitted.append(self._typed)
                self._typed = ""
            elif character in "\x7f\b":
                self._typed = self._typed[:-1]
            elif character.isprintable():
                self._typed += character

    def draw(self, permanent: tuple[str | bytes, ...] = ()) -> None:
        if self.plain or not (self.on_stage or self.dialog):
            self.terminal.draw(permanent, [], (0, 0))
            return
        if self._title and self.on_stage:
            mark = "⠂⠐"[self._frame // 8 % 2] if self.busy and not self.dialog else "✳"
            self.terminal.title(f"{mark} {self._title}")
        rows, line, column = screen.live_rows(self._live(), self.columns)
        self.terminal.draw(permanent, rows, (line, column))

    def _live(self) -> screen.Live:
        if self.spinning:
            seconds = self.turn_seconds()
            self._spinner = screen.spinner_row(
                self._frame, self.verb, seconds, 25 + 17 * int(seconds)
            )
        label = f"{self._spinner[:1]} {self.label}" if self.label else self._spinner
        return screen.Live(
            tool=self.tool,
            spinner=label if self.spinner_shown else "",
            todos=self.todos,
            dialog=self.dialog,
            typed=self._typed,
            status=self.statusline.row(),
            hint=screen.HINT if self.now() < HINT_SECONDS else "",
            shells=self.shells,
            busy=self.busy,
        )
