"""Hook: what the scripts cost an agent, and from its own word to the verdict. Ours only."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from story_automator.edges.resources import SCRIPTS
from tests.bench.figures import Figure, Row
from tests.bench.watcher import gather
from tests.bench.world import Lab, World
from tests.sessions import agent

ROUNDS, QUICK_ROUNDS = 10, 3
CALLS, QUICK_CALLS = 200, 20
# As long as what an agent tells.
TOLD = json.dumps({"text": "x" * 900, "context_window": {"used_percentage": 12}}).encode()
LIMIT = 60.0


def measure(lab: Lab) -> Iterator[Row]:
    taken: list[float] = []
    rounds = QUICK_ROUNDS if lab.quick else ROUNDS
    with lab.worlds(only_us=True) as (world,):
        calls = QUICK_CALLS if lab.quick else CALLS
        for name, words in (("hook", (".", "Stop")), ("statusline", ("./heartbeat.json",))):
            figure = Figure(tuple(_call(world, name, *words) for _ in range(calls)))
            yield Row("hook", f"one call of the {name} script", "ms", {world.name: figure})
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


def _call(world: World, name: str, *words: str) -> float:
    script = ["/bin/sh", str(SCRIPTS / f"{name}.sh"), *words]
    start = time.perf_counter()
    subprocess.run(
        script, input=TOLD, cwd=world.root, env=world.environ, capture_output=True, check=True
    )
    return 1000 * (time.perf_counter() - start)
