"""Acts of a turn: what a working agent shows and tells."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from story_automator.rehearse import screen
from story_automator.rehearse.hooks import EVENTS
from story_automator.rehearse.pace import one_of
from story_automator.rehearse.show import Show


@dataclass(frozen=True, slots=True)
class Start:
    """The agent comes up: welcome box, prompt, statusline."""

    welcome: bool = True

    def play(self, show: Show) -> None:
        show.statusline.read_clock()
        show.on_stage = not show.plain
        if show.on_stage:
            show.put(*(screen.welcome(str(show.project), show.columns) if self.welcome else []))
        show.emit("SessionStart", source="startup", model="scripted")


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt begins a turn: the command line's, a given one, or the next one typed."""

    prompt: str = ""
    typed: bool = False
    verb: str = "Working"

    def play(self, show: Show) -> None:
        if self.typed:
            show.hold(math.inf, lambda: bool(show.submitted))
        show.verb = self.verb
        show.begin_turn(show.submitted.pop(0) if self.typed else self.prompt or show.prompt)


@dataclass(frozen=True, slots=True)
class Say:
    """A paragraph of the answer; with `seconds` it streams in, row by row, without a spinner."""

    text: str
    seconds: float = 0.0

    def play(self, show: Show) -> None:
        show.last_words = self.text
        if not self.seconds or show.plain:
            show.say("● ", self.text)
            return
        rows = screen.block("● ", self.text, show.columns)
        show.spinner_shown = False
        show.put("")
        for row in rows:
            show.put(row)
            show.hold(self.seconds / len(rows))
        show.spinner_shown = show.busy


@dataclass(frozen=True, slots=True)
class Print:
    """Rows exactly as written, for look-alikes and foreign output."""

    text: str

    def play(self, show: Show) -> None:
        show.put(*self.text.splitlines())


@dataclass(frozen=True, slots=True)
class Table:
    """A box-drawn table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def play(self, show: Show) -> None:
        show.put("", *(f"  {row}" for row in screen.table(self.head, self.rows)))


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool runs for a while and answers."""

    name: str
    input: str = ""
    output: str = "(No output)"
    seconds: float = 0.0

    def play(self, show: Show) -> None:
        use_tool(show, self.name, self.input, self.output, self.seconds)


def nothing() -> None:
    pass


def use_tool(
    show: Show,
    name: str,
    argument: str,
    output: str,
    seconds: float = 0.0,
    work: Callable[[], object] = nothing,
) -> None:
    """Draw a tool call and its answer, do its work in between, and tell both hooks."""
    key = "command" if name == "Bash" else "file_path"
    call = {"tool_name": name, "tool_input": {key: argument}, "tool_use_id": f"t{time.time_ns()}"}
    heading = screen.block("● ", f"{name}({argument})", show.columns)
    show.emit("PreToolUse", **call)
    show.tool = (*heading, *screen.result("Running…", show.columns))
    show.hold(seconds)
    work()
    show.tool = ()
    if not show.plain:
        show.put("", *heading, *screen.result(output, show.columns))
    show.emit("PostToolUse", **call, tool_response={"stdout": output})


@dataclass(frozen=True, slots=True)
class Todos:
    """The list of boxes below the spinner."""

    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def play(self, show: Show) -> None:
        show.todos = tuple(screen.todo_rows(self.done, self.left))
        show.draw()


@dataclass(frozen=True, slots=True)
class Done:
    """The turn is over: done line, idle prompt, Stop."""

    verb: str = "Baked"
    duration: str = ""  # as shown; empty: how long the turn took
    shells: int = 0  # background shells that go on running: this Stop is not final

    def play(self, show: Show) -> None:
        shells = f" · {self.shells} shell still running" if self.shells else ""
        finish(
            show, f"{self.verb} for {self.duration or screen.duration(show.turn_seconds())}{shells}"
        )
        show.shells = self.shells
        show.draw()
        tasks = [
            {"id": f"b{n + 1}", "type": "shell", "status": "running", "command": "sleep 30"}
            for n in range(self.shells)
        ]
        show.emit(
            "Stop",
            stop_hook_active=False,
            last_assistant_message=show.last_words,
            background_tasks=tasks,
            session_crons=[],
        )


@dataclass(frozen=True, slots=True)
class Fail:
    """The turn ends with an error that the agent shows and tells: StopFailure."""

    error: str
    text: str
    verb: str = "Crunched"

    def play(self, show: Show) -> None:
        show.last_words = self.text
        show.say("● ", self.text)
        finish(show, f"{self.verb} for {screen.duration(show.turn_seconds())}")
        show.emit("StopFailure", error=self.error, last_assistant_message=self.text)


def finish(show: Show, line: str) -> None:
    """Take the working rows away and put the done line in one redraw."""
    show.end_turn(*() if show.plain else ("", f"✻ {line}"))


@dataclass(frozen=True, slots=True)
class Compact:
    """The conversation is compacted in mid-turn."""

    seconds: float = 0.0

    def play(self, show: Show) -> None:
        show.emit("PreCompact", trigger="auto", custom_instructions="")
        show.label = "Compacting conversation…"
        show.hold(self.seconds)
        show.label = ""
        show.emit("SubagentStop", stop_hook_active=False, agent_type="compact")
        show.emit("SessionStart", source="compact", model="scripted")
        show.put("", "✻ Conversation compacted (ctrl+o for history)")


@dataclass(frozen=True, slots=True)
class Event:
    """Tell one hook event by hand."""

    name: str
    fields: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        one_of("name", self.name, EVENTS)

    def play(self, show: Show) -> None:
        show.emit(self.name, **self.fields)
