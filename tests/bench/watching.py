"""Watching: what it costs to wait for sessions in which nothing ends."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import Figure, Row
from tests.bench.machine import cpu, memory
from tests.bench.watcher import Watcher, gather
from tests.bench.world import US, Lab, World
from tests.sessions import agent

WINDOW, QUICK_WINDOW = 60.0, 15.0
SETTLED = 5.0  # after this the start-up is over
QUIET = "sleep 3600"
# `read` waits on the terminal, where nobody types: a tick without a new process.
TICKING = "while ! read -rt 1; do printf 'tick %(%T)T\\n'; done"
LIVELY = agent(str(Path(__file__).with_name("lively.toml")))
HOOKLESS = f"STORY_AUTOMATOR_EVENTS= {LIVELY}"


@dataclass(frozen=True, slots=True)
class Crowd:
    """So many sessions of a kind; a peer takes part where one process each can be borne."""

    count: int
    kind: str
    command: str
    only_us: bool = False

    def __str__(self) -> str:
        return f"{self.count} {self.kind}"


CROWDS = (
    Crowd(1, "quiet", QUIET),
    Crowd(20, "quiet", QUIET),
    Crowd(20, "lively", LIVELY),
    Crowd(20, "lively without hooks", HOOKLESS),
    Crowd(200, "quiet", QUIET, only_us=True),
    Crowd(200, "ticking", TICKING, only_us=True),
)


@dataclass(slots=True)
class Cost:
    """What one contender's monitors and its tmux server used, in CPU seconds and megabytes."""

    whole: float = 0.0
    settled: float = 0.0
    server: float = 0.0
    largest: float = 0.0
    together: float = 0.0
    note: str = ""


def measure(lab: Lab, crowds: Sequence[Crowd] = CROWDS) -> Iterator[Row]:
    window = QUICK_WINDOW if lab.quick else WINDOW
    for crowd in crowds:
        with lab.worlds(only_us=crowd.only_us) as worlds:
            costs = _watch(worlds, crowd, window)
        yield from _rows(crowd, window, costs)


def _watch(worlds: list[World], crowd: Crowd, window: float) -> dict[str, Cost]:
    """All contenders watch their own sessions in the same window."""
    sessions = {world.name: _sessions(world, crowd) for world in worlds}
    servers = {world.name: int(world.tmux("display-message", "-p", "#{pid}")) for world in worlds}
    time.sleep(SETTLED)
    unwatched = {name: cpu(pid) for name, pid in servers.items()}
    time.sleep(window)
    unwatched = {name: cpu(pid) - unwatched[name] for name, pid in servers.items()}
    before = {name: cpu(pid) for name, pid in servers.items()}
    watchers = {world.name: _watchers(world, sessions[world.name]) for world in worlds}
    everyone = [watcher for own in watchers.values() for watcher in own]
    gather(everyone, SETTLED)
    started = {name: sum(map(cpu, _pids(own))) for name, own in watchers.items()}
    gather(everyone, window - SETTLED)
    costs = {}
    for name, own in watchers.items():
        pids = _pids(own)
        cost = costs[name] = Cost(whole=sum(map(cpu, pids)))
        cost.settled = cost.whole - started[name]
        cost.server = cpu(servers[name]) - before[name] - unwatched[name]
        cost.largest = max((memory(pid, "VmHWM") for pid in pids), default=0.0)
        cost.together = sum(memory(pid, "Pss") for pid in pids)
        if early := len(own) - len(pids):
            cost.note = f"{early} of {len(own)} monitors ended early"
    for world in worlds:
        alive = world.tmux("list-panes", "-a", "-F", "#{pane_dead}").split().count("0")
        if alive != crowd.count:
            costs[world.name].note += f"only {alive} sessions alive"
    return costs


def _sessions(world: World, crowd: Crowd) -> list[str]:
    return [world.spawn(f"5.{number}", crowd.command) for number in range(1, crowd.count + 1)]


def _watchers(world: World, sessions: list[str]) -> list[Watcher]:
    if world.name == US:
        return [world.watch(*sessions)]
    return [world.watch(session) for session in sessions]


def _pids(watchers: list[Watcher]) -> list[int]:
    return [watcher.process.pid for watcher in watchers if watcher.process.poll() is None]


def _rows(crowd: Crowd, window: float, costs: dict[str, Cost]) -> Iterator[Row]:
    whole = 60 / window / crowd.count
    settled = 60 / (window - SETTLED) / crowd.count
    core = 100 / (window - SETTLED)
    measures: list[tuple[str, str, Callable[[Cost], float]]] = [
        ("CPU, start-up included", "s/session-min", lambda cost: cost.whole * whole),
        ("CPU after start-up", "s/session-min", lambda cost: cost.settled * settled),
        ("extra CPU of tmux", "s/session-min", lambda cost: cost.server * whole),
        ("largest monitor, VmHWM", "MB", lambda cost: cost.largest),
        ("all monitors, PSS", "MB", lambda cost: cost.together),
    ]
    if crowd.only_us:
        measures.insert(2, ("CPU after start-up", "% of a core", lambda cost: cost.settled * core))
    for what, unit, value in measures:
        figures = {name: Figure((value(cost),), cost.note) for name, cost in costs.items()}
        yield Row("watching", f"{crowd}: {what}", unit, figures)
