"""One session under watch: takes in what happened, tells when to look, sums up the evidence."""

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from story_automator.agents.dialects import read_screen
from story_automator.edges.memory import foreign_memory
from story_automator.edges.processes import cpu_seconds, family
from story_automator.edges.state import SessionFolder
from story_automator.edges.tmux import Look, Pane
from story_automator.model.evidence import Evidence, ProcessEnd, Turn, TurnState
from story_automator.model.memory import Memory
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe
from story_automator.model.screen import Shape
from story_automator.model.session import SessionRecord
from story_automator.rules import looks
from story_automator.rules.decide import is_candidate
from story_automator.watch.ending import Ending
from story_automator.watch.log import Log
from story_automator.watch.turns import Turns

# A session whose hooks report everything needs the screen only for its clock.
CALM = 4
RARE = 5  # ticks between looks for an end that no event reported


@dataclass(frozen=True, slots=True)
class Known:
    """Which session is meant: one of ours with its folder, or one that somebody else started."""

    name: str
    socket: str
    agent: str
    mode: str
    folder: SessionFolder | None = None
    record: SessionRecord | None = None


class Watched:
    """Everything one watch knows about one session. `now` is always the monotonic clock."""

    def __init__(self, known: Known, policy: Policy, memory: Memory, began: float) -> None:
        self.known = known
        self.policy = policy
        self.memory = memory
        self.began = began
        self.pane: Pane | None = None
        self.session = Probe.PRESENT
        self.server_lost = False
        self.neighbours = 0
        self.ending: Ending | None = None
        self.turns: Turns | None = None
        self.log: Log | None = None
        if known.folder is not None and known.record is not None:
            self.ending = Ending(known.folder, policy, began)
            self.turns = Turns(known.folder.events, known.record.created)
            self.log = Log(known.folder.log)
        self._screen_at = began - policy.screen_every.total_seconds()
        self._grew_since_screen = True
        self._wants_screen = False
        self._news = True
        self._ticks = 0

    @property
    def turn(self) -> Turn:
        return self.turns.turn if self.turns else Turn()

    @property
    def memory_file(self) -> Path:
        folder = self.known.folder
        return folder.memory if folder else foreign_memory(self.known.socket, self.known.name)

    def begin(self) -> None:
        """A watch judges only by looks of its own; what it recalls is the clock and progress."""
        self.memory = looks.without_looks(self.memory)

    def take_news(self) -> bool:
        """Whether anything was learnt since the last time this was asked."""
        news, self._news = self._news, False
        over = self.ending is not None and self.ending.is_over
        return news or over or self.turn.need is not None

    def hear(self, names: set[str], now: float) -> None:
        """Something happened: hook events arrived, a record was written, a process ended."""
        self._news = True
        if self.turns is not None:
            self.turns.hear(names, now)
            self.memory = looks.saw_events(self.memory, self.turns.count, now)
        if self.ending is not None:
            self.ending.look(now)

    def tick(self, now: float) -> None:
        """Look at what no event reports: the growth of the log, the time."""
        if self.log is None:
            self._wants_screen = True
            return
        if self.ending is not None and self._ticks % RARE == 0:
            self.ending.look(now)
        self._ticks += 1
        self.log.look()
        if self.log.grew:
            alone = self.known.mode != "tui"
            self.memory = looks.saw_output(self.memory, self.log.size, now, is_progress=alone)
        self._wants_screen = self._wants_screen or self._screen_is_due(now)

    def _screen_is_due(self, now: float) -> bool:
        if self.ending is not None and self.ending.is_over:
            return self.session is Probe.PRESENT and not self.ending.is_recorded
        if self.known.mode == "print":
            return False
        unseen = self._grew_since_screen
        self._grew_since_screen = unseen or (self.log is not None and self.log.grew)
        since = now - self._screen_at
        every = self.policy.screen_every.total_seconds()
        if since >= every and now - self.memory.progress_at >= self._patience():
            return True
        if self.turn.state is not TurnState.UNKNOWN:
            return self._grew_since_screen and since >= every * CALM
        if since < self.policy.two_looks_apart.total_seconds():
            return False
        if self.memory.shape in (Shape.DONE, Shape.DIALOG, Shape.ERROR):
            return self.memory.shape_looks < 2 or self._grew_since_screen
        if self.log is not None and self.log.grew:
            return since >= every or self.log.hints()
        return unseen  # It grew and then fell silent: worth one look.

    def _patience(self) -> float:
        """How long silence is normal for this session."""
        shown = bool(self.memory.clock)
        limit = self.policy.quiet_limit if shown else self.policy.quiet_limit_clockless
        return limit.total_seconds()

    @property
    def wants_facts(self) -> bool:
        """tmux must be asked: nothing else can tell whether the session is there."""
        if self.ending is None or self.pane is None:
            return True
        ended = self.ending.ended
        if ended is not None:
            return ended.hangup
        return self.ending.is_over or self.ending.started is None

    @property
    def wants_screen(self) -> bool:
        return self._wants_screen

    def want_screen(self) -> None:
        self._wants_screen = True

    def find(self, look: Look) -> Pane | None:
        """The agent's own pane: by our tag and the wrapper's pid, or by the session's name."""
        attempt = self.known.record.attempt if self.known.record else ""
        if attempt:
            panes = [pane for pane in look.panes if pane.attempt == attempt]
        else:
            panes = [pane for pane in look.panes if pane.session == self.known.name]
        wrapper = self.ending.wrapper if self.ending else None
        for pane in panes:
            if wrapper is not None and pane.pid == wrapper.pid:
                return pane
        return panes[0] if panes else None

    def see(self, look: Look, now: float) -> None:
        """Take in one answer of the tmux server."""
        self._news = True
        if look.server is Probe.UNREACHABLE:
            self.session = Probe.UNREACHABLE
            return
        pane = self.find(look)
        self.session = Probe.PRESENT if pane else Probe.ABSENT
        self.server_lost = look.server is Probe.ABSENT and self.neighbours > 0
        if look.server is Probe.PRESENT:
            here = pane.session_id if pane else ""
            self.neighbours = len({p.session_id for p in look.panes} - {here})
        self.pane = pane
        rows = look.screens.get(pane.pane) if pane else None
        if pane is not None and rows is not None and not pane.dead:
            reading = read_screen(self.known.agent, rows, pane.title)
            self.memory = looks.saw_screen(self.memory, reading, now, self.policy)
            self._screen_at, self._grew_since_screen = now, False
            self._look_at_silence(now)
            self._wants_screen = False

    def _look_at_silence(self, now: float) -> None:
        """CPU time is asked for only when everything else is silent."""
        if not is_candidate(self.evidence(now), self.policy):
            self.memory = replace(self.memory, silent_looks=0, silent_since=0.0)
            if now - self.memory.progress_at < self.policy.screen_every.total_seconds():
                self.memory = replace(self.memory, cpu_at=0.0)
                return
        leader = self.ending.wrapper.pid if self.ending and self.ending.wrapper else 0
        leader = leader or (self.pane.pid if self.pane else 0)
        if leader:
            used = cpu_seconds(family(leader))
            self.memory = looks.saw_cpu(self.memory, used, now, self.policy)
        self.memory = looks.saw_silence(self.memory, self.evidence(now), now, self.policy)

    def slept(self, now: float) -> None:
        self._news = True
        self.memory = looks.after_gap(self.memory, now)
        self._wants_screen = True

    def _end(self) -> ProcessEnd | None:
        if self.ending is not None:
            return self.ending.end(session_present=self.session is not Probe.ABSENT)
        if self.pane is None or not self.pane.dead:
            return None
        if self.pane.dead_signal:
            words = f"the pane's process was ended by signal {self.pane.dead_signal}"
            return ProcessEnd(None, _number(self.pane.dead_signal), words)
        code = _number(self.pane.dead_status)
        words = "the pane's process ended"
        return ProcessEnd(code, None, words if code is None else f"{words} with code {code}")

    def speaks(self) -> bool:
        """A TUI that set itself up as one, or told us by hooks: it says when its turn is over."""
        if self.known.mode != "tui" or self.log is None:
            return False
        return self.turn.state is not TurnState.UNKNOWN or self.log.shows_a_tui()

    def _standing_turn(self, now: float) -> Turn:
        """A dialog that is answered within a moment (by a hook of the user's) needs nobody."""
        turn = self.turn
        standing = now - self.turns.since if self.turns else 0.0
        if turn.need and standing < self.policy.two_looks_apart.total_seconds():
            return replace(turn, need=None)
        return turn

    def evidence(self, now: float) -> Evidence:
        end = self._end()
        seen = Evidence(
            session=self.session,
            server_lost=self.server_lost,
            killed_by_us=self.ending.killed if self.ending else False,
            turn=self._standing_turn(now),
            end=end,
            end_settled=self.ending.settled(now) if self.ending else True,
            speaks=end is not None and self.speaks(),
            silent_by_design=self.known.mode == "print",
            elapsed=timedelta(seconds=now - self.began),
        )
        return looks.with_memory(seen, self.memory, now)


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
