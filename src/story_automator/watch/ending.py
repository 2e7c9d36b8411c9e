"""How a session of ours ended: the wrapper's record, or the absence of the wrapper."""

from dataclasses import replace

from story_automator.edges.processes import Identity, is_alive, members
from story_automator.edges.state import SessionFolder
from story_automator.edges.tmux import Pane
from story_automator.edges.wrapper import boot
from story_automator.model.evidence import ProcessEnd
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe
from story_automator.model.session import Ended, Started

SIGNAL_NAMES = {1: "HUP", 2: "INT", 3: "QUIT", 6: "ABRT", 9: "KILL", 11: "SEGV", 15: "TERM"}


class Ending:
    """Looks for the end of one session's process, surely and without asking tmux."""

    def __init__(self, folder: SessionFolder, policy: Policy, began: float) -> None:
        self._folder = folder
        self._policy = policy
        self._began = began
        self.started: Started | None = None
        self.ended: Ended | None = None
        self.killed = False
        self._missing_since: float | None = None

    @property
    def wrapper(self) -> Identity | None:
        """The pane's leader, if it is of this boot."""
        return next(iter(members(self.started)), None)

    @property
    def wrapper_lives(self) -> bool:
        return self.ended is None and self.wrapper is not None and is_alive(self.wrapper)

    def look(self, now: float) -> None:
        if self.started is None:
            self.started = self._folder.started()
        if self.ended is None:
            self.ended = self._folder.ended()
        if self.ended is not None:
            # A session that had ended before it was killed keeps its own end.
            killed_at = self._folder.killed_at()
            self.killed = killed_at is not None and killed_at <= self.ended.at
        elif self._is_missing(now):
            if self._missing_since is None:
                self._missing_since = now
            self.killed = self._folder.killed_at() is not None
        else:
            self._missing_since = None

    def _is_missing(self, now: float) -> bool:
        """Nobody is left who would write the record."""
        if self.started is None:
            return now - self._began > self._policy.launch_limit.total_seconds()
        return not self.wrapper_lives

    @property
    def is_recorded(self) -> bool:
        return self.ended is not None

    @property
    def is_over(self) -> bool:
        return self.ended is not None or self._missing_since is not None

    def settled(self, now: float) -> bool:
        """Whether the end may be judged: at once when recorded, after a re-check otherwise."""
        return now >= self.settles_at

    @property
    def settles_at(self) -> float:
        if self.ended is not None or self._missing_since is None:
            return float("-inf")
        return self._missing_since + self._policy.unrecorded_end.total_seconds()

    def end(self, *, session_present: bool) -> ProcessEnd | None:
        if self.ended is not None:
            return _recorded(self.ended)
        if self._missing_since is None:
            return None
        if self.started is None:
            words = "the agent was never started"
        elif self.started.boot != boot():
            words = "the machine was restarted"
        else:
            words = "the agent's wrapper ended without recording how"
        return ProcessEnd(None, None, words, session_taken=not session_present)


def process_end(ending: Ending | None, pane: Pane | None, session: Probe) -> ProcessEnd | None:
    """The end of a session's process, from its record first and from a dead pane second."""
    by_pane = end_by_pane(pane) if pane and pane.dead else None
    if ending is None:
        return by_pane
    end = ending.end(session_present=session is not Probe.ABSENT)
    if by_pane is None or ending.is_recorded:
        return end
    if ending.started is None:
        return replace(by_pane, because="the wrapper could not start")
    # A wrapper that could not write its record still exits with the agent's code.
    return by_pane if end is not None and by_pane.code is not None else end


def _recorded(ended: Ended) -> ProcessEnd:
    if ended.signal:
        name = SIGNAL_NAMES.get(ended.signal, "")
        words = f"the agent was ended by signal {ended.signal}" + (f" ({name})" if name else "")
        return ProcessEnd(None, ended.signal, words, session_taken=ended.hangup)
    words = f"the agent exited with code {ended.code}"
    return ProcessEnd(ended.code, None, words, session_taken=ended.hangup)


def end_by_pane(pane: Pane) -> ProcessEnd:
    """How the process of a dead pane ended, as far as tmux tells."""
    words = "the pane's process "
    if pane.dead_signal:
        words += f"was ended by signal {pane.dead_signal}"
        return ProcessEnd(None, _number(pane.dead_signal), words)
    code = _number(pane.dead_status)
    words += "ended" if code is None else f"ended with code {code}"
    return ProcessEnd(code, None, words)


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
