"""Which signals of an agent arrived in a session, each looked for where it has to be."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from story_automator.agents.claude import BUSY_TITLE, IDLE_TITLE
from story_automator.agents.dialects import read_screen
from story_automator.edges.claude_files import transcript_of
from story_automator.edges.files import read_bounded
from story_automator.edges.state import SessionFolder
from story_automator.edges.tmux import Pane, Tmux
from story_automator.model.screen import Shape
from story_automator.model.session import SessionRecord
from story_automator.model.verdict import FinalState

LARGEST_LOG = 10_000_000
LARGEST_SESSION_FILE = 65_536
LOOK_EVERY = 0.05
THREAD = re.compile(rb'"thread_id":"([0-9a-f-]+)"')
SHAPES = {
    FinalState.COMPLETED: {Shape.DONE},
    FinalState.INCOMPLETE: {Shape.ERROR, Shape.DIALOG},
    FinalState.STUCK: {Shape.DIALOG},
    FinalState.TIMEOUT: {Shape.WORKING},
}
STATUSES = {
    FinalState.COMPLETED: {"idle"},
    FinalState.INCOMPLETE: {"idle", "waiting"},
    FinalState.STUCK: {"waiting"},
    FinalState.TIMEOUT: {"busy"},
}
TOLD = {
    FinalState.COMPLETED: b'"type":"turn.completed"',
    FinalState.INCOMPLETE: b'"type":"turn.',
}


@dataclass(frozen=True, slots=True)
class Witness:
    """Looks at one session from outside; `state` is how it has to end."""

    folder: SessionFolder
    record: SessionRecord
    home: Path
    tmux: Tmux
    state: FinalState

    def sees(self, signal: str) -> bool:
        """Whether this signal has arrived; any name that is not ours is a hook event's."""
        look = LOOKS.get(signal)
        return look(self) if look else signal in self.events()

    def events(self) -> set[str]:
        """Those that are stored whole; one that is being written has a name with a dot."""
        return {path.stem.rpartition("-")[2] for path in self.folder.events.glob("[!.]*.json")}

    def heartbeat(self) -> bool:
        return self.folder.heartbeat.exists()

    def transcript(self) -> bool:
        if self.record.agent == "codex":
            thread = THREAD.search(self._log())
            name = f"rollout-*-{thread[1].decode()}.jsonl" if thread else ""
            return bool(name) and any(self.home.rglob(name))
        return transcript_of(self.home / ".claude", self.record.conversation) is not None

    def session_file(self) -> bool:
        for path in (self.home / ".claude" / "sessions").glob("*.json"):
            try:
                told = json.loads(read_bounded(path, LARGEST_SESSION_FILE))
            except (OSError, ValueError):
                continue
            if told.get("sessionId") == self.record.conversation:
                wanted = STATUSES.get(self.state)
                return wanted is None or told.get("status") in wanted
        return False

    def title(self) -> bool:
        pane = self._pane()
        shown = pane.title if pane else ""
        if self.state is FinalState.TIMEOUT:
            return BUSY_TITLE.match(shown) is not None
        return shown.startswith(IDLE_TITLE)

    def screen(self) -> bool:
        pane = self._pane()
        if pane is None:
            return False
        rows = self.tmux.look([pane.pane]).screens.get(pane.pane, ())
        shape = read_screen(self.record.agent, rows, pane.title).shape
        return shape in SHAPES.get(self.state, set(Shape))

    def exit(self) -> bool:
        return self.folder.ended() is not None

    def json(self) -> bool:
        """Codex tells its turn on its output, one event a line."""
        return TOLD.get(self.state, b'"type":"thread.started"') in self._log()

    def last_message(self) -> bool:
        try:
            return self.folder.last_message.stat().st_size > 0
        except OSError:
            return False

    def tool_runs(self) -> bool:
        return "PreToolUse" in self.events() or b'"type":"command_execution"' in self._log()

    def _log(self) -> bytes:
        try:
            return read_bounded(self.folder.log, LARGEST_LOG)
        except OSError:
            return b""

    def _pane(self) -> Pane | None:
        panes = self.tmux.look().panes
        return next((pane for pane in panes if pane.session == self.folder.name), None)


LOOKS: dict[str, Callable[[Witness], bool]] = {
    "heartbeat": Witness.heartbeat,
    "transcript": Witness.transcript,
    "session_file": Witness.session_file,
    "title": Witness.title,
    "screen": Witness.screen,
    "exit": Witness.exit,
    "json": Witness.json,
    "last_message": Witness.last_message,
}


def awaited(what: Callable[[], bool], limit: float) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + limit
    while not (came := what()) and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY)
    return came
