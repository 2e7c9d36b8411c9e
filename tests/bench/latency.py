"""Latency: from the true end of a session to the verdict, at many lengths side by side."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import Figure, Row
from tests.bench.watcher import Watcher, gather
from tests.bench.world import Lab, World

CEILING = 130.0  # a monitor that has not spoken by then is wrong
LENGTHS, QUICK_LENGTHS = (7, 13, 19, 29, 41, 53, 67, 97), (2, 3, 5, 8)
OTHER_LENGTHS, QUICK_OTHER_LENGTHS = (11, 37, 61), (4, 6)
EVERY = 0.5  # seconds between two spawns: their start-up must not be measured


@dataclass(frozen=True, slots=True)
class Ending:
    """One way to end, and the right verdict on it."""

    what: str
    last_words: str  # of the session's shell; none: the session is killed from outside
    right: str


ENDINGS = (
    Ending("exit 0", "exit 0", "completed"),
    Ending("exit 3", "exit 3", "crashed"),
    Ending("kill -9", "kill -9 $$", "crashed"),
    Ending("session killed", "", "not_found"),
)


@dataclass(slots=True)
class Case:
    """One session with its true end and its monitor."""

    world: World
    ending: Ending
    stamp: Path
    watcher: Watcher

    def latency(self) -> float | None:
        """Seconds to the verdict; None when there is none, or a wrong one."""
        if self.said() != self.ending.right:
            return None
        return self.watcher.verdicts[0][0] - float(self.stamp.read_text())

    def said(self) -> str:
        verdicts = self.watcher.verdicts
        return str(verdicts[0][1].get("final_state", "")) if verdicts else "no verdict"


def measure(lab: Lab) -> Iterator[Row]:
    lengths = QUICK_LENGTHS if lab.quick else LENGTHS
    others = QUICK_OTHER_LENGTHS if lab.quick else OTHER_LENGTHS
    plan = [(ENDINGS[0], length) for length in lengths]
    plan += [(ending, length) for ending in ENDINGS[1:] for length in others]
    with lab.worlds() as worlds:
        cases = []
        for number, (ending, length) in enumerate(sorted(plan, key=lambda one: -one[1]), start=1):
            cases += [_start(world, ending, length, number) for world in worlds]
            time.sleep(EVERY)
        gather([case.watcher for case in cases], max(lengths) + CEILING)
        for ending in ENDINGS:
            figures = {}
            for world in worlds:
                own = [case for case in cases if case.world is world and case.ending is ending]
                figures[world.name] = _figure(own)
            yield Row("latency", f"{ending.what} → {ending.right}", "ms", figures)


def _start(world: World, ending: Ending, length: int, number: int) -> Case:
    stamp = world.root / f"end-{number}"
    command = f"sleep {length}; date +%s.%N >{stamp}; {ending.last_words}"
    session = world.spawn(f"5.{number}", command if ending.last_words else "sleep 600")
    if not ending.last_words:
        timer = threading.Timer(length, _kill_session, (world, session, stamp))
        timer.daemon = True
        timer.start()
    return Case(world, ending, stamp, world.watch(session))


def _kill_session(world: World, session: str, stamp: Path) -> None:
    stamp.write_text(f"{time.time()}")
    world.tmux("kill-session", "-t", f"={session}")


def _figure(cases: list[Case]) -> Figure:
    latencies = tuple(1000 * late for case in cases if (late := case.latency()) is not None)
    wrong = Counter(case.said() for case in cases if case.latency() is None)
    note = f"{len(latencies)} of {len(cases)} right"
    if wrong:
        note += ", else " + ", ".join(wrong)
    return Figure(latencies, note)
