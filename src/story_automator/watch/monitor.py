"""The one monitor: wait for an event, look, decide; one process for any number of sessions."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Generic

from story_automator.edges.events import ANY, EventSource
from story_automator.edges.memory import store_memory
from story_automator.edges.tmux import Look, Tmux
from story_automator.model.evidence import TurnState
from story_automator.model.policy import Policy
from story_automator.model.verdict import FinalState, Verification
from story_automator.rules.decide import alive_words, decide, in_words, over_because
from story_automator.watch.case import Case, Concluded, Limits, Result
from story_automator.watch.session import Watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

CALM_TICKS = 5  # hooks report everything: look at the time less often
GAP = 3  # a wait that took this many ticks too long: the machine or we slept
DRAIN_STEP = 0.01


class Monitor(Generic[Result]):
    def __init__(
        self,
        sessions: list[Watched],
        limits: Limits,
        policy: Policy,
        *,
        source: EventSource,
        servers: Mapping[str, Tmux],
        verify: Callable[[Watched], Verification],
        finish: Callable[[Concluded], Result],
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._policy, self._source, self._servers = policy, source, servers
        self._verify, self._finish, self._say = verify, finish, say
        first_poll = time.monotonic() + limits.poll_every.total_seconds()
        self._cases: dict[str, Case[Result]] = {
            watched.known.name: Case(watched, limits, first_poll) for watched in sessions
        }
        self._alone = len(sessions) == 1
        self._pool: ThreadPoolExecutor | None = None
        self._letting_go: list[Case[Result]] = []

    def run(self) -> Iterator[Result]:
        """Yield each session's result as soon as its verdict is known."""
        now = time.monotonic()
        for key, case in self._cases.items():
            self._begin(key, case, now)
        touched = list(self._cases.values())
        self._ask_tmux(touched, now)
        tick, next_tick = self._plan(now)
        while True:
            yield from self._conclude(touched)
            if not self._cases:
                return
            before = time.monotonic()
            until = before + DRAIN_STEP if self._letting_go else max(next_tick, before)
            ready = self._source.wait(until - before)
            now = time.monotonic()
            if now - until > GAP * tick:
                self._wake_up(now)
            touched = [self._cases[key] for key in ready if key in self._cases]
            for case in touched:
                name = case.watched.known.name
                self._hear(name, case, ready[name], now)
                next_tick = min([next_tick, *case.moments(now)])
            polled: list[Case[Result]] = []
            if now >= next_tick:
                touched = [case for case in self._cases.values() if case.concluded is None]
                polled = [case for case in touched if case.look_at_the_time(now)]
                tick, next_tick = self._plan(now)
            self._ask_tmux(touched, now)
            for case in polled if self._say else []:
                self._tell(case.watched, now)

    def _begin(self, key: str, case: Case[Result], now: float) -> None:
        folder = case.watched.known.folder
        if folder is not None:
            told = [self._source.watch_folder(key, path) for path in (folder.path, folder.events)]
            case.blind = not all(told)
        case.watched.begin()
        self._hear(key, case, {ANY}, now)
        case.watched.tick(now)

    def _plan(self, now: float) -> tuple[float, float]:
        """The length of a tick and the next look at the time: a tick, a poll or a deadline."""
        cases = self._cases.values()
        calm = all(c.watched.hooks.state is not TurnState.UNKNOWN and not c.blind for c in cases)
        tick = self._policy.tick.total_seconds() * (CALM_TICKS if calm else 1)
        return tick, min([now + tick, *(moment for c in cases for moment in c.moments(now))])

    def _hear(self, key: str, case: Case[Result], names: set[str], now: float) -> None:
        watched = case.watched
        watched.hear(names, now)
        ending = watched.ending
        if ending is not None and ending.wrapper is not None and not case.process_watched:
            case.process_watched = True
            if not self._source.watch_process(key, ending.wrapper.pid):
                case.blind = True
            ending.look(now)  # It may have ended before the watch began.

    def _ask_tmux(self, cases: list[Case[Result]], now: float) -> None:
        """One call per server for everything that is wanted from it."""
        asked: dict[str, list[Watched]] = {}
        for case in cases:
            watched = case.watched
            if not case.concluded and (watched.wants_facts or watched.wants_screen):
                asked.setdefault(watched.known.socket, []).append(watched)
        for socket, sessions in asked.items():
            known = [watched.pane for watched in sessions if _shows_something(watched)]
            look = self._servers[socket].look([pane.pane for pane in known if pane])
            self._see(sessions, look, now)
            new = [watched for watched in sessions if _shows_something(watched)]
            if new:
                # Panes that were not known before this call: asked for once more, now by id.
                again = [watched.pane.pane for watched in new if watched.pane]
                self._see(new, self._servers[socket].look(again), now)

    def _see(self, sessions: list[Watched], look: Look, now: float) -> None:
        for watched in sessions:
            before = watched.memory
            watched.see(look, now)
            if watched.memory != before:
                store_memory(watched.known.memory_file, watched.memory)

    def _wake_up(self, now: float) -> None:
        for case in self._cases.values():
            case.watched.slept(now)
            case.watched.hear({ANY}, now)

    def _conclude(self, touched: list[Case[Result]]) -> Iterator[Result]:
        """Judge what has changed; hand over what is judged and drained."""
        now = time.monotonic()
        for case in touched:
            if case.concluded is None and case.has_news(now):
                concluded = self._judge(case, now)
                if concluded is not None:
                    case.conclude(concluded, now, self._policy)
                    self._letting_go.append(case)
        for case in list(self._letting_go):
            if not case.is_drained(time.monotonic()):
                continue
            result = self._finished(case)
            if result is not None:
                name = case.watched.known.name
                self._letting_go.remove(case)
                del self._cases[name]
                self._source.forget(name)
                yield result

    def _finished(self, case: Case[Result]) -> Result | None:
        """Do the last work on a session; aside, so that its long log holds up nobody else."""
        if case.concluded is None:
            return None
        if self._alone:
            return self._finish(case.concluded)
        if case.finishing is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = self._pool or ThreadPoolExecutor(max_workers=2)
            case.finishing = self._pool.submit(self._finish, case.concluded)
        return case.finishing.result() if case.finishing.done() else None

    def _judge(self, case: Case[Result], now: float) -> Concluded | None:
        limits, watched = case.limits, case.watched
        evidence = watched.evidence(now)
        if case.deadline_counts(now):
            evidence = replace(evidence, deadline=limits.deadline)
        if limits.polls is not None:
            evidence = replace(evidence, polls_left=limits.polls - case.polls)
        if over_because(evidence):
            evidence = replace(evidence, verification=self._verify(watched))
        verdict = decide(evidence, self._policy)
        if verdict is None:
            return None
        case.held = verdict.state is FinalState.STUCK and now < case.settled_at
        return None if case.held else Concluded(watched, verdict, evidence)

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


def _shows_something(watched: Watched) -> bool:
    """Whether this session's screen is wanted and its pane known."""
    if watched.pane is None:
        return False
    return watched.wants_last_screen if watched.pane.dead else watched.wants_screen
