"""One session under watch: takes in what happened, tells when to look, sums up the evidence."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from story_automator.agents.dialects import read_screen
from story_automator.edges.events import ANY
from story_automator.edges.processes import cpu_seconds, family
from story_automator.edges.tmux import Look, Pane
from story_automator.model.evidence import Evidence, Turn
from story_automator.model.memory import Memory
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe
from story_automator.model.screen import Need
from story_automator.rules import looks
from story_automator.rules.decide import is_candidate
from story_automator.watch.ending import Ending, process_end
from story_automator.watch.farewell import Farewell
from story_automator.watch.known import Known
from story_automator.watch.log import Log
from story_automator.watch.pace import Pace
from story_automator.watch.printed import SOON, Printed
from story_automator.watch.testimony import Testimony
from story_automator.watch.turns import Turns

RARE = 5  # ticks between looks for an end that no event reported
UNHEARD = 30.0  # seconds without an event: their folder is listed, in case one was missed


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
        self.ending: Ending | None = None
        self.turns: Turns | None = None
        self.log: Log | None = None
        if known.folder is not None and known.record is not None:
            self.ending = Ending(known.folder, policy, began)
            self.turns = Turns(known.folder.events)
            self.log = Log(known.folder.log)
        self.testimony = Testimony(known.folder, policy) if known.is_claude_tui else None
        self.printed = Printed(known, policy) if known.mode == "print" else None
        self._pace = Pace(policy, self.log, began)
        self._wants_screen = False
        self._news = True
        self._ticks = 0
        self._farewell = Farewell(known, self.log)

    @property
    def hooks(self) -> Turn:
        return self.turns.turn if self.turns else Turn()

    @property
    def turn(self) -> Turn:
        """The agent's own word, from the best source that has spoken."""
        if self.testimony is not None:
            return self.testimony.turn(self.hooks, ended=self._is_over)
        return self.printed.turn(self.hooks) if self.printed else self.hooks

    @property
    def _is_over(self) -> bool:
        return self.ending is not None and self.ending.is_over

    def begin(self) -> None:
        """A watch judges only by looks of its own; what it recalls is the clock and progress."""
        self.memory = looks.without_looks(self.memory)

    def take_news(self) -> bool:
        """Whether anything was learnt since the last time this was asked."""
        news, self._news = self._news, False
        return news or self._is_over or self.turn.need is not None

    def hear(self, names: set[str], now: float) -> None:
        """Something happened: hook events arrived, a record was written, a process ended."""
        self._news = True
        if self.turns is not None:
            before = self.hooks
            self.turns.hear(names, now)
            self.memory = looks.saw_events(self.memory, self.turns.count, now)
            if self.testimony is not None and self.hooks != before:
                self.testimony.forget()
        if self.ending is not None:
            self.ending.look(now)
        self._look_at_files(now)
        self._hear_out()

    def tick(self, now: float) -> None:
        """Look at what no event reports: the growth of the log, the time."""
        if self.log is None:
            self._look_at_files(now)
            self._wants_screen = True
            return
        if self._ticks % RARE == 0:
            self._look_around(now)
        self._ticks += 1
        self._look_at_files(now)
        self._hear_out()
        self.log.look()
        if self.log.grew:
            alone = self.known.mode != "tui"
            self.memory = looks.saw_output(self.memory, self.log.size, now, is_progress=alone)
        self._wants_screen = self._wants_screen or self._screen_is_due(now)

    def _look_around(self, now: float) -> None:
        """For an end or an event that nothing reported, and the agent's record of its work."""
        if self.ending is not None:
            self.ending.look(now)
        if self.turns is not None:
            if now - self.turns.since >= UNHEARD:
                self.hear({ANY}, now)
            size = self.turns.transcript_size()
            self.memory = looks.saw_transcript(self.memory, size, now)

    def _look_at_files(self, now: float) -> None:
        if self.testimony is None or self._is_over:
            return
        transcript = self.turns.transcript if self.turns else ""
        if self.testimony.look(self.hooks, transcript, self._processes, now):
            self._news = True

    def _hear_out(self) -> None:
        """What a printing agent said of its turn, once it has ended."""
        if self.printed and self.ending and self.log and self.printed.look(self.ending, self.log):
            self._news = True

    def _processes(self) -> list[int]:
        leader = self.ending.wrapper.pid if self.ending and self.ending.wrapper else 0
        leader = leader or (self.pane.pid if self.pane else 0)
        return family(leader) if leader else []

    def _screen_is_due(self, now: float) -> bool:
        if self.ending is not None and self.ending.is_over:
            return self.session is Probe.PRESENT and not self.ending.is_recorded
        if self.known.mode == "print":
            return False
        due = self._pace.is_due(self.memory, self.turn, now)
        return due or self._dialog_unseen

    @property
    def wants_facts(self) -> bool:
        """tmux must be asked: nothing else can tell whether the session is there."""
        if self.ending is None:
            return True
        if self.ending.ended is not None:
            return self.ending.ended.hangup or self.wants_last_screen
        return self.pane is None or self.ending.is_over or self.ending.started is None

    @property
    def wants_screen(self) -> bool:
        return self._wants_screen

    def want_screen(self) -> None:
        self._wants_screen = self.known.mode != "print"

    @property
    def wants_last_screen(self) -> bool:
        end = self.ending.ended if self.ending else None
        return self._farewell.wants_screen(end, self.turn)

    def see(self, look: Look, now: float) -> None:
        """Take in one answer of the tmux server."""
        self._news = True
        if look.server is not Probe.PRESENT:
            self._farewell.saw_nothing()
        if look.server is Probe.UNREACHABLE:
            self.session = Probe.UNREACHABLE
            return
        wrapper = self.ending.wrapper if self.ending else None
        pane = self.known.pane_in(look, wrapper.pid if wrapper else 0)
        self.session = Probe.PRESENT if pane else Probe.ABSENT
        if pane is None and self.ending is not None and self.ending.wrapper_lives:
            # It lives, so tmux does not tell all: a lost socket, another server, a moved window.
            self.session = Probe.UNREACHABLE
        self.server_lost = look.server is Probe.ABSENT and self.memory.neighbours > 0
        if look.server is Probe.PRESENT:
            here = pane.session_id if pane else ""
            others = len({p.session_id for p in look.panes} - {here})
            self.memory = replace(self.memory, neighbours=others)
        self.pane = pane
        rows = look.screens.get(pane.pane) if pane else None
        if pane is not None and rows is not None:
            self._read_screen(pane, rows, now)
        elif pane is None:
            self._farewell.saw_nothing()

    def _read_screen(self, pane: Pane, rows: Sequence[str], now: float) -> None:
        self._wants_screen = False
        if pane.dead:
            self._farewell.saw_screen(rows)
            return
        reading = read_screen(self.known.agent, rows, pane.title)
        beat = None
        if self.testimony is not None:
            self.testimony.saw_title(pane.title, now)
            if clock := self.testimony.clock():
                # One clock only: the shown one may be a second behind its own heartbeat.
                reading, beat = replace(reading, clock=clock), self.testimony.beat
        self.memory = looks.saw_screen(self.memory, reading, now, self.policy, beat)
        self._pace.looked(now)
        self._look_at_silence(now)

    def _look_at_silence(self, now: float) -> None:
        """CPU time is asked for only when everything else is silent."""
        if not is_candidate(self.evidence(now), self.policy):
            self.memory = replace(self.memory, silent_looks=0, silent_since=0.0)
            if now - self.memory.progress_at < self.policy.screen_every.total_seconds():
                self.memory = replace(self.memory, cpu_at=0.0)
                return
        if processes := self._processes():
            used = cpu_seconds(processes)
            self.memory = looks.saw_cpu(self.memory, used, now, self.policy)
        self.memory = looks.saw_silence(self.memory, self.evidence(now), now, self.policy)

    def slept(self, now: float) -> None:
        self._news = True
        self.memory = looks.after_gap(self.memory, now)
        self._wants_screen = True

    def _standing_turn(self, now: float) -> Turn:
        """A dialog that is answered within a moment (by a hook of the user's) needs nobody."""
        turn = self.turn
        standing = now - self.turns.need_since if self.turns else 0.0
        if self.hooks.need and standing < self.policy.dialog_stands.total_seconds():
            return replace(turn, need=None)
        if turn.need and not self.hooks.need:
            # The session file calls every dialog a permission prompt: the screen tells which.
            seen = Need(self.memory.need) if self.memory.need else turn.need
            return replace(turn, need=None if self._dialog_unseen else seen)
        return turn

    @property
    def _dialog_unseen(self) -> bool:
        """The session file tells of a dialog, and nobody has looked at the screen since."""
        return self.testimony is not None and self._pace.looked_at < self.testimony.need_at

    def moments(self, now: float) -> list[float]:
        """When to look although nothing happens: a dialog stands, a log is about to be whole."""
        planned = self.testimony.moments(now) if self.testimony else []
        if self.turns is not None and self.hooks.need:
            planned.append(self.turns.need_since + self.policy.dialog_stands.total_seconds())
        if self.printed is not None and self.printed.waits:
            planned.append(now + SOON)
        if self.ending is not None:
            planned.append(self.ending.settles_at)
        return planned

    def _is_settled(self, now: float) -> bool:
        if self.ending is None or self.ending.started is None:
            return True
        if self.printed is not None and self.printed.waits:
            return False
        return self.ending.settled(now) and not self.wants_last_screen

    def evidence(self, now: float) -> Evidence:
        end = process_end(self.ending, self.pane, self.session)
        seen = Evidence(
            session=self.session,
            server_lost=self.server_lost,
            killed_by_us=self.ending.killed if self.ending else False,
            turn=self._standing_turn(now),
            end=end,
            end_settled=self._is_settled(now),
            speaks=end is not None and self._farewell.speaks(self.turn),
            silent_by_design=self.known.mode == "print",
            elapsed=timedelta(seconds=now - self.began),
        )
        seen = looks.with_memory(seen, self.memory, now)
        # A menu may only go with a failure, which the agent's record tells a moment later.
        hasty = self.testimony is not None and self.testimony.undecided
        return replace(seen, need=None) if hasty else seen
