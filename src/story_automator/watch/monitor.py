"""The one monitor: wait for an event, look, decide; one process for any number of sessions."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from story_automator.edges.events import ANY, EventSource
from story_automator.edges.memory import store_memory
from story_automator.edges.tmux import Look, Tmux
from story_automator.model.evidence import Evidence, TurnState
from story_automator.model.policy import Policy
from story_automator.model.verdict import FinalState, Verdict, Verification
from story_automator.rules.decide import alive_words, decide, in_words, over_because
from story_automator.watch.session import Watched

CALM_TICKS = 5  # hooks report everything: look at the time less often
GAP = 3  # a wait that took this many ticks too long: the machine or we slept
DRAIN_STEP = 0.01
TUI_DRAIN = 0.2  # a living TUI draws its last words at about the time of its Stop hook

Verify = Callable[[Watched], Verification]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often to look."""

    deadline: timedelta
    poll_every: timedelta = timedelta(seconds=60)
    polls: int | None = None
    settle: timedelta = timedelta(0)  # not to be called stuck before


@dataclass(frozen=True, slots=True)
class Concluded:
    """A session and what we concluded about it."""

    watched: Watched
    verdict: Verdict
    evidence: Evidence


@dataclass(slots=True)
class _Case:
    """One session of the watch, with its place in time."""

    watched: Watched
    polls: int = 0
    poll_at: float = 0.0
    process_watched: bool = False
    last_look_done: bool = False
    concluded: Concluded | None = None
    drained_by: float = 0.0


class Monitor:
    def __init__(
        self,
        sessions: list[Watched],
        limits: Limits,
        policy: Policy,
        *,
        source: EventSource,
        servers: Mapping[str, Tmux],
        verify: Verify,
        say: Say | None = None,
    ) -> None:
        self._limits, self._policy = limits, policy
        self._source, self._servers = source, servers
        self._verify, self._say = verify, say
        self._cases = {watched.known.name: _Case(watched) for watched in sessions}
        self._draining: list[_Case] = []

    def run(self) -> Iterator[Concluded]:
        """Yield each session's verdict as soon as it is known."""
        now = time.monotonic()
        for key, case in self._cases.items():
            case.poll_at = now + self._limits.poll_every.total_seconds()
            folder = case.watched.known.folder
            if folder is not None:
                self._source.watch_folder(key, folder.path)
                self._source.watch_folder(key, folder.events)
            case.watched.begin()
            self._hear(key, case, {ANY}, now)
            case.watched.tick(now)
        touched = list(self._cases.values())
        self._ask_tmux(touched, now)
        tick, next_tick = self._plan(now)
        while True:
            yield from self._conclude(touched)
            if not self._cases:
                return
            now = time.monotonic()
            until = now + DRAIN_STEP if self._draining else next_tick
            ready = self._source.wait(max(until - now, 0.0))
            now = time.monotonic()
            if now - until > GAP * tick:
                self._wake_up(now)
            touched = [self._cases[key] for key in ready if key in self._cases]
            for case in touched:
                name = case.watched.known.name
                self._hear(name, case, ready[name], now)
            polled: list[_Case] = []
            if now >= next_tick:
                touched = list(self._cases.values())
                polled = [case for case in touched if self._timed_look(case, now)]
                tick, next_tick = self._plan(now)
            self._ask_tmux(touched, now)
            for case in polled if self._say else []:
                self._tell(case.watched, now)

    def _plan(self, now: float) -> tuple[float, float]:
        """The length of a tick and the next look at the time: a tick, a poll or a deadline."""
        cases = self._cases.values()
        calm = all(case.watched.turn.state is not TurnState.UNKNOWN for case in cases)
        tick = self._policy.tick.total_seconds() * (CALM_TICKS if calm else 1)
        limit = self._limits.deadline.total_seconds()
        moments = [
            moment for case in cases for moment in (case.watched.began + limit, case.poll_at)
        ]
        return tick, min([now + tick, *(moment for moment in moments if moment > now)])

    def _hear(self, key: str, case: _Case, names: set[str], now: float) -> None:
        watched = case.watched
        watched.hear(names, now)
        ending = watched.ending
        if ending is not None and ending.wrapper is not None and not case.process_watched:
            self._source.watch_process(key, ending.wrapper.pid)
            case.process_watched = True
            ending.look(now)  # It may have ended before the watch began.

    def _timed_look(self, case: _Case, now: float) -> bool:
        """Whether this was one of the looks that --max-polls counts."""
        watched = case.watched
        watched.tick(now)
        polled = now >= case.poll_at
        if polled:
            case.polls += 1
            case.poll_at = now + self._limits.poll_every.total_seconds()
            watched.want_screen()
        if now - watched.began >= self._limits.deadline.total_seconds() and not case.last_look_done:
            # Look first, judge second: it may have finished while nobody looked.
            watched.hear({ANY}, now)
            watched.want_screen()
            case.last_look_done = True
        return polled

    def _ask_tmux(self, cases: list[_Case], now: float) -> None:
        """One call per server for everything that is wanted from it."""
        asked: dict[str, list[Watched]] = {}
        for case in cases:
            watched = case.watched
            if not case.concluded and (watched.wants_facts or watched.wants_screen):
                asked.setdefault(watched.known.socket, []).append(watched)
        for socket, sessions in asked.items():
            panes = [w.pane.pane for w in sessions if w.pane and w.wants_screen and not w.pane.dead]
            look = self._servers[socket].look(panes)
            self._see(sessions, look, now)
            new = [w for w in sessions if w.wants_screen and w.pane and not w.pane.dead]
            if new:
                # Panes that were not known before this call: asked for once more, now by id.
                again = [w.pane.pane for w in new if w.pane]
                self._see(new, self._servers[socket].look(again), now)

    def _see(self, sessions: list[Watched], look: Look, now: float) -> None:
        for watched in sessions:
            before = watched.memory
            watched.see(look, now)
            if watched.memory != before:
                store_memory(watched.memory_file, watched.memory)

    def _wake_up(self, now: float) -> None:
        for case in self._cases.values():
            case.watched.slept(now)
            case.watched.hear({ANY}, now)
            case.watched.tick(now)
        self._ask_tmux(list(self._cases.values()), now)

    def _conclude(self, touched: list[_Case]) -> Iterator[Concluded]:
        """Judge what has changed; hand over what is judged and drained."""
        now = time.monotonic()
        for case in touched:
            if case.concluded is None and self._has_news(case, now):
                case.concluded = self._judge(case, now)
                if case.concluded is not None:
                    case.drained_by = now + self._drain_limit(case.concluded)
                    self._draining.append(case)
        for case in list(self._draining):
            if case.concluded is not None and self._is_drained(case, time.monotonic()):
                name = case.watched.known.name
                self._draining.remove(case)
                del self._cases[name]
                self._source.forget(name)
                yield case.concluded

    def _has_news(self, case: _Case, now: float) -> bool:
        """Whether judging again could say anything new: most ticks bring nothing."""
        limits = self._limits
        overdue = now - case.watched.began >= limits.deadline.total_seconds()
        spent = limits.polls is not None and case.polls >= limits.polls
        return case.watched.take_news() or overdue or spent

    def _judge(self, case: _Case, now: float) -> Concluded | None:
        limits, watched = self._limits, case.watched
        evidence = replace(watched.evidence(now), deadline=limits.deadline)
        if limits.polls is not None:
            evidence = replace(evidence, polls_left=limits.polls - case.polls)
        if evidence.elapsed >= limits.deadline and not case.last_look_done:
            evidence = replace(evidence, deadline=None)
        if over_because(evidence):
            evidence = replace(evidence, verification=self._verify(watched))
        verdict = decide(evidence, self._policy)
        if verdict is None:
            return None
        if verdict.state is FinalState.STUCK and evidence.elapsed < limits.settle:
            return None
        return Concluded(watched, verdict, evidence)

    def _drain_limit(self, concluded: Concluded) -> float:
        if concluded.evidence.end is not None:
            return self._policy.drain_limit.total_seconds()
        return TUI_DRAIN if concluded.evidence.turn.state is TurnState.FINISHED else 0.0

    def _is_drained(self, case: _Case, now: float) -> bool:
        log = case.watched.log
        if log is None or now >= case.drained_by or case.concluded is None:
            return True
        log.look()
        return case.concluded.evidence.end is not None and log.is_whole()

    def _tell(self, watched: Watched, now: float) -> None:
        """What --verbose says of a session that goes on."""
        evidence, memory = watched.evidence(now), watched.memory
        words = [f"running for {in_words(evidence.elapsed)}"]
        if memory.todos_total:
            words.append(f"todo {memory.todos_done}/{memory.todos_total}")
        if memory.task:
            words.append(memory.task)
        if self._say:
            self._say(f"{watched.known.name}: {', '.join(words)}{alive_words(evidence)}")
