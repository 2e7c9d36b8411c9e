"""Which session is meant."""

from dataclasses import dataclass
from pathlib import Path

from story_automator.edges.memory import foreign_memory
from story_automator.edges.state import SessionFolder
from story_automator.edges.tmux import Look, Pane
from story_automator.model.session import SessionRecord


@dataclass(frozen=True, slots=True)
class Known:
    """A session of ours with its folder and record, or one that somebody else started."""

    name: str
    socket: str
    agent: str
    mode: str
    folder: SessionFolder | None = None
    record: SessionRecord | None = None

    @property
    def is_claude_tui(self) -> bool:
        """It may have files of Claude Code's own: ours by its record, a foreign one by its name."""
        return self.mode == "tui" and (self.record.agent if self.record else self.agent) == "claude"

    @property
    def memory_file(self) -> Path:
        if self.folder is not None:
            return self.folder.memory
        return foreign_memory(self.socket, self.name)

    def pane_in(self, look: Look, leader: int) -> Pane | None:
        """The agent's pane: the one that `leader` leads wherever it was moved, else by our tag,
        else by the session's name."""
        attempt = self.record.attempt if self.record else ""
        led = [pane for pane in look.panes if leader and pane.pid == leader]
        ours = [pane for pane in look.panes if attempt and pane.attempt == attempt]
        named = [pane for pane in look.panes if not attempt and pane.session == self.name]
        return next(iter([*led, *ours, *named]), None)
