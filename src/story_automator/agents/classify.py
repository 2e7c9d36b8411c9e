"""One frame of a session, named in the words of the capture corpus: pane facts, then the rest."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from story_automator.agents.dialects import left_in_mid_turn, read_screen
from story_automator.agents.exits import reason_of_exit
from story_automator.agents.hooks import advance
from story_automator.agents.look import Look, State
from story_automator.agents.rows import tidy
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need, Shape

FIRST_SIGNAL_CODE = 128
UNDATED = datetime(1970, 1, 1, tzinfo=UTC)  # a frame does not tell when its hooks fired
# The session file and the title say the same thing; the file says it first.
TITLE_OF_STATUS = {"busy": "⠐", "idle": "✳", "shell": "✳", "waiting": "✳"}
AT_REST = frozenset({"idle", "shell"})
# Last rows: how to come back. Captures: gemini/gm_quit/01 and, with a status, claude/a_left/01.
FAREWELL = re.compile(r"\b(?:claude|codex|gemini) (?:--)?resume [0-9a-f]{8}-[0-9a-f-]{27}\b")
FAREWELL_ROWS = 3
STATE_OF_NEED = {
    Need.INPUT: State.WAITING_INPUT,
    Need.PERMISSION: State.PERMISSION_PROMPT,
    Need.STARTUP: State.STARTUP_DIALOG,
}
# Of the reasons why a turn failed, those that have a word of their own in the corpus.
STATE_OF_FAILURE = {
    "auth_error": State.AUTH_ERROR,
    "rate_limited": State.RATE_LIMITED,
    "usage_limit": State.RATE_LIMITED,
}


@dataclass(frozen=True, slots=True)
class Frame:
    """One look at a pane, as the corpus records it."""

    agent: str
    screen: str
    pane_title: str = ""
    pane_dead: bool = False
    pane_dead_status: str = ""
    pane_dead_signal: str = ""
    session_file: Mapping[str, object] | None = None
    hooks: Sequence[Mapping[str, object]] = ()

    @classmethod
    def from_json(cls, value: object, read: Callable[[str], str]) -> Self:
        """Check a parsed JSON value; `read` fetches the screen that `file` names."""
        if not isinstance(value, dict):
            raise ValueError("a frame is a JSON object")
        session_file = value.get("session_file")
        if session_file is not None and not isinstance(session_file, dict):
            raise ValueError("session_file must be an object or null")
        return cls(
            agent=_text(value, "agent"),
            screen=_text(value, "screen") if "screen" in value else read(_text(value, "file")),
            pane_title=_text(value, "pane_title", ""),
            pane_dead=_truth(value, "pane_dead"),
            pane_dead_status=_number(value, "pane_dead_status"),
            pane_dead_signal=_number(value, "pane_dead_signal"),
            session_file=session_file,
            hooks=_events(value.get("hooks")),
        )


@dataclass(frozen=True, slots=True)
class Classified:
    """The state of one frame and what it was read from, in words."""

    state: State
    because: str


def classify(frame: Frame) -> Classified:
    """Pane facts, then the session file, then the title, then the shape of the screen."""
    rows = frame.screen.split("\n")
    turn = _turn_told(frame.hooks)
    if frame.pane_dead:
        return _ended(frame, rows, turn)
    status = str((frame.session_file or {}).get("status") or "")
    look = read_screen(frame.agent, rows, TITLE_OF_STATUS.get(status, frame.pane_title))
    if told_by_hooks := _told_by_hooks(turn, look):
        return Classified(told_by_hooks, turn.because)
    state = _refined(look, status, frame.session_file or {})
    told = f"the session file says {status}; " if status in TITLE_OF_STATUS else ""
    return Classified(state, f"{told}{look.because}")


def _turn_told(hooks: Sequence[Mapping[str, object]]) -> Turn:
    turn = Turn()
    for hook in hooks:
        turn = advance(turn, str(hook["event"]), hook, UNDATED)
    return turn


def _told_by_hooks(turn: Turn, look: Look) -> State | None:
    """Hooks say what kind of state it is; where the screen shows that kind, its word is finer.

    None while a turn runs: an interruption fires no hook, so others must tell.
    """
    # A turn that its hooks call over may be going on again: compaction reports no new one.
    if look.shape is Shape.WORKING:
        return None
    if turn.need is not None:
        shown = look.shape is Shape.DIALOG or look.state is State.WAITING_INPUT
        return look.state if shown else STATE_OF_NEED[turn.need]
    if turn.state is TurnState.FAILED:
        return look.state if look.shape is Shape.ERROR else _state_of_failure(turn)
    if turn.state in (TurnState.FINISHED, TurnState.BACKGROUND):
        return State.WAITING_INPUT if turn.asks else State.IDLE_DONE
    begun = turn.state is TurnState.RUNNING
    return State.WORKING if begun and look.state is State.STARTING else None


def _state_of_failure(turn: Turn) -> State:
    return STATE_OF_FAILURE.get(turn.reason, State.API_ERROR)


def _refined(look: Look, status: str, session_file: Mapping[str, object]) -> State:
    if status == "waiting" and look.shape not in (Shape.DIALOG, Shape.ERROR):
        permission = session_file.get("waitingFor") == "permission prompt"
        return State.PERMISSION_PROMPT if permission else State.WAITING_INPUT
    if status in AT_REST and look.state is State.UNKNOWN and look.shape is not Shape.SHELL:
        return State.IDLE_DONE
    return look.state


def _ended(frame: Frame, rows: list[str], turn: Turn) -> Classified:
    status, signal = frame.pane_dead_status, frame.pane_dead_signal
    if signal:
        return Classified(State.CRASHED, f"the pane's process ended by signal {signal}")
    if not status:
        return _ended_somehow(frame, rows)
    if reason := reason_of_exit(frame.agent, int(status)):
        state = STATE_OF_FAILURE.get(reason, State.API_ERROR)
        return Classified(state, f"the pane's process ended with {status}, its code for {reason}")
    if int(status) > FIRST_SIGNAL_CODE:
        return Classified(State.CRASHED, f"the pane's process ended with {status}, a signal's code")
    if int(status):
        return _exited_with_error(frame, rows, turn)
    if left_in_mid_turn(frame.agent, rows):
        return Classified(State.CRASHED, "the agent left with 0 and its turn open")
    return Classified(State.EXITED_OK, "the pane's process ended with 0")


def _ended_somehow(frame: Frame, rows: list[str]) -> Classified:
    """tmux may know that a process is gone and never learn how: that alone condemns nobody."""
    look = read_screen(frame.agent, rows)
    if look.shape in (Shape.ERROR, Shape.WORKING):
        state = look.state if look.shape is Shape.ERROR else State.CRASHED
        return Classified(state, f"the pane's process is gone; {look.because}")
    if any(map(FAREWELL.search, tidy(rows)[-FAREWELL_ROWS:])):
        return Classified(State.EXITED_OK, "the agent took its leave and is gone")
    return Classified(State.UNKNOWN, "the pane's process is gone, and nobody knows how")


def _exited_with_error(frame: Frame, rows: list[str], turn: Turn) -> Classified:
    because = f"the pane's process ended with {frame.pane_dead_status}"
    if turn.state is TurnState.FAILED:
        return Classified(_state_of_failure(turn), f"{because}; {turn.because}")
    look = read_screen(frame.agent, rows)
    if look.shape is Shape.ERROR:
        return Classified(look.state, f"{because}; {look.because}")
    return Classified(State.EXITED_ERROR, because)


def _text(row: Mapping[str, object], key: str, default: str | None = None) -> str:
    value = row.get(key, default)
    if not isinstance(value, str) or (default is None and key != "screen" and not value):
        raise ValueError(f"{key} must be a string")
    return value


def _events(value: object) -> Sequence[Mapping[str, object]]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(_is_event(each) for each in value):
        raise ValueError("hooks must be a list of objects with an event")
    return tuple(value)


def _is_event(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("event"), str)


def _truth(row: Mapping[str, object], key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false")
    return value


def _number(row: Mapping[str, object], key: str) -> str:
    """A whole number, as tmux prints it or as JSON writes it; empty or null: not set."""
    value = row.get(key)
    if value is None or value == "":
        return ""
    if isinstance(value, bool) or not isinstance(value, int | str) or not _is_whole(str(value)):
        raise ValueError(f"{key} must be a whole number")
    return str(value)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()
