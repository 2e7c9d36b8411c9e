"""Hook: from the agent's own word that its turn is over to the verdict. Ours only."""

from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, Row
from tests.bench.watcher import gather
from tests.bench.world import Lab, World
from tests.sessions import agent

ROUNDS, QUICK_ROUNDS = 10, 3
LIMIT = 60.0


def measure(lab: Lab) -> Iterator[Row]:
    taken: list[float] = []
    rounds = QUICK_ROUNDS if lab.quick else ROUNDS
    with lab.worlds(only_us=True) as (world,):
        for number in range(1, rounds + 1):
            pair = [world.spawn(f"5.{number}{half}", agent("hello")) for half in (1, 2)]
            watchers = [world.watch(session) for session in pair]
            gather(watchers, LIMIT)
            for session, watcher in zip(pair, watchers, strict=True):
                for moment, verdict in watcher.verdicts:
                    if verdict.get("final_state") == "completed":
                        taken.append(1000 * (moment - _stopped(world, session)))
        note = f"{len(taken)} of {2 * rounds} right"
        yield Row("hook", "Stop event → verdict", "ms", {world.name: Figure(tuple(taken), note)})


def _stopped(world: World, session: str) -> float:
    state = Path(world.environ["HOME"], ".local", "state", "story-automator", "sessions")
    return max(path.stat().st_mtime for path in (state / session / "events").glob("*-Stop.json"))
