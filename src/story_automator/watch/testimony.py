"""What Claude tells besides its hooks: the heartbeat, its session file, its transcript."""

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from story_automator.agents.claude import BUSY_TITLE, IDLE_TITLE
from story_automator.agents.claude_transcript import Conversation, take
from story_automator.agents.claude_word import not_at_rest, word
from story_automator.agents.heartbeat import Heartbeat
from story_automator.agents.session_file import SessionFile, Status
from story_automator.edges import claude_config
from story_automator.edges.claude_files import (
    Lines,
    config_of_transcript,
    session_text,
    transcript_of,
)
from story_automator.edges.files import read_bounded
from story_automator.edges.local_time import LOCAL
from story_automator.edges.state import SessionFolder
from story_automator.edges.wrapper import start_time
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.policy import Policy

LARGEST_HEARTBEAT = 1_000_000
SPOKEN_EVERY = 5.0  # seconds between looks at the files of a session whose hooks speak
UNSPOKEN_EVERY = 0.5
# It rests within milliseconds after its Stop hooks; those of the user may take long.
RESTS_WITHIN, REST_SOON, REST_LATER = 1.0, 0.02, 0.25
OVER = (TurnState.FINISHED, TurnState.FAILED)


class Testimony:
    """`now` is always the monotonic clock; the files carry the wall's."""

    def __init__(self, folder: SessionFolder | None, policy: Policy) -> None:
        self._heartbeat = folder.heartbeat if folder else None
        self._policy = policy
        self._looked_at = float("-inf")
        self._idle_title_since: float | None = None
        self._title_busy = False
        self._lines: Lines | None = None
        self._told: Turn | None = None
        self.conversation = Conversation()
        self.conversation_id = ""
        self.undecided = False  # it has just come to rest: its record will tell why in a moment
        self.need_at = float("-inf")  # since when its session file has told of a dialog
        self._rests = False
        self._held_since: float | None = None  # it said Stop, and is still at work

    @property
    def transcript(self) -> str:
        return str(self._lines.path) if self._lines else ""

    def turn(self, hooks: Turn, *, ended: bool) -> Turn:
        """The hooks' word, unless the agent's own files showed more since."""
        if self._held_since is not None and not ended:
            return not_at_rest(hooks)
        return hooks if hooks.state in OVER or self._told is None else self._told

    def forget(self) -> None:
        """Hooks have spoken anew: what the files said before is out of date."""
        self._told = self._held_since = None
        self._rests = False

    def moments(self, now: float) -> list[float]:
        if self._held_since is None:
            return []
        return [now + (REST_SOON if now - self._held_since < RESTS_WITHIN else REST_LATER)]

    def saw_title(self, title: str, now: float) -> None:
        self._title_busy = BUSY_TITLE.match(title) is not None
        if not title.startswith(IDLE_TITLE):
            self._idle_title_since = None
        elif self._idle_title_since is None:
            self._idle_title_since = now

    def look(
        self, hooks: Turn, transcript: str, pids: Callable[[], Sequence[int]], now: float
    ) -> bool:
        """Read the agent's files when it is time to; True when they say something new."""
        if hooks.state is TurnState.FINISHED:
            return self._look_for_rest(transcript, pids, now)
        soon = hooks.state is TurnState.UNKNOWN or hooks.need
        every = UNSPOKEN_EVERY if soon else SPOKEN_EVERY
        if hooks.state in OVER or now - self._looked_at < every:
            return False
        self._looked_at = now
        before = self._told or hooks
        self._told = self._word(hooks, transcript, pids(), now)
        if self._told.need and not before.need:
            self.need_at = now
        return self._told != before

    def _look_for_rest(
        self, transcript: str, pids: Callable[[], Sequence[int]], now: float
    ) -> bool:
        """Ours is not the only Stop hook: one of the user's may send the agent back to work."""
        if self._rests:
            return False
        file = _session_file(_config(transcript), pids())
        if file is not None and file.status is Status.BUSY and not self._shows_rest(now):
            if self._held_since is None:
                self._held_since, self._idle_title_since = now, None
            return False
        self._rests, self._held_since = True, None
        return True

    def _shows_rest(self, now: float) -> bool:
        """Its title has been idle since it said Stop: whatever its file says, it is."""
        if self._held_since is None or self._idle_title_since is None:
            return False
        return now - self._idle_title_since >= self._policy.idle_stands.total_seconds()

    def _word(self, hooks: Turn, transcript: str, pids: Sequence[int], now: float) -> Turn:
        path, config = Path(transcript) if transcript else None, _config(transcript)
        file = _session_file(config, pids)
        stands = self._policy.idle_stands
        if file is not None and file.status is not Status.UNTOLD:
            self.conversation_id = file.conversation
            since = datetime.now(UTC) - file.status_at if file.status_at else stands
            settled, at_rest = since >= stands, file.status is not Status.BUSY
        else:
            idle_since = self._idle_title_since
            settled = idle_since is not None and now - idle_since >= stands.total_seconds()
            at_rest = settled
        self.undecided = file is not None and at_rest and not settled
        if settled and at_rest:
            self.read(path or transcript_of(config, self.conversation_id))
        return word(
            hooks,
            session_file=file,
            conversation=self.conversation,
            title_idle=False if self._title_busy else True if settled else None,
            settled=settled or self._title_busy,
        )

    def read(self, path: Path | None) -> None:
        """Take in what is new in the transcript; after `/clear` that is another file."""
        if path is None:
            return
        if self._lines is None or self._lines.path != path:
            self._lines, self.conversation = Lines(path), Conversation()
        for line in self._lines.new():
            self.conversation = take(self.conversation, line, LOCAL)

    def clock(self) -> str:
        """The time of the last heartbeat as a clock shows it; empty: there never was one."""
        try:
            beat = os.stat(self._heartbeat).st_mtime if self._heartbeat else 0.0
        except OSError:
            return ""
        return time.strftime("%H:%M:%S", time.localtime(beat)) if beat else ""

    @property
    def beat(self) -> timedelta:
        """How long a heartbeat may stand before that means anything."""
        return self._policy.heartbeat_stands

    def figures(self) -> Heartbeat:
        """What the last heartbeat told."""
        try:
            text = read_bounded(self._heartbeat, LARGEST_HEARTBEAT) if self._heartbeat else b""
        except OSError:
            text = b""
        return Heartbeat.parse(text.decode(errors="replace")) or Heartbeat()


def _config(transcript: str) -> Path:
    return (
        config_of_transcript(Path(transcript)) if transcript else claude_config.folder(os.environ)
    )


def _session_file(config: Path, pids: Sequence[int]) -> SessionFile | None:
    """What the agent's process says of itself, not what a killed one with its pid has left."""
    file = SessionFile.parse(session_text(config, pids))
    if file is None or not file.started.isdigit():
        return file  # elsewhere than on Linux a start has no such form
    return file if file.started == start_time(file.pid) else None
