"""Spawn: twenty sessions one after another, and twenty at once."""

import time
from collections.abc import Iterator

from tests.bench.figures import Figure, Row
from tests.bench.machine import seconds_of
from tests.bench.world import Lab, World

COUNT = 20
IN_A_ROW = 5  # then it is the next contender's turn
SETTLE = 1.0  # seconds in which the sessions of the one before finish starting


def measure(lab: Lab) -> Iterator[Row]:
    with lab.worlds() as worlds:
        for world in worlds:
            world.spawn("5.99", "sleep 600")  # the server starts with its first session
        taken: dict[str, list[float]] = {world.name: [] for world in worlds}
        for first in range(0, COUNT, IN_A_ROW):
            for world in worlds:
                time.sleep(SETTLE)
                for number in range(first, first + IN_A_ROW):
                    command = world.command(*_spawn(number))
                    seconds, _ = seconds_of(command, env=world.environ, cwd=world.project)
                    taken[world.name].append(1000 * seconds)
        figures = {w.name: Figure(tuple(taken[w.name]), _alive(w)) for w in worlds}
        yield Row("spawn", f"{COUNT} one after another, each", "ms", figures)
    with lab.worlds() as worlds:
        figures = {}
        for world in worlds:
            world.spawn("5.99", "sleep 600")
            time.sleep(SETTLE)
            seconds = _at_once(world)
            figures[world.name] = Figure((1000 * seconds / COUNT,), _alive(world))
        yield Row("spawn", f"{COUNT} at once, each", "ms", figures)


def _spawn(number: int) -> list[str]:
    return ["tmux-wrapper", "spawn", "dev", "5", f"5.{number}", "--command", "sleep 600"]


def _at_once(world: World) -> float:
    began = time.perf_counter()
    starting = [world.start(*_spawn(number)) for number in range(COUNT)]
    for process in starting:
        process.communicate()
    return time.perf_counter() - began


def _alive(world: World) -> str:
    """How many of the twenty (without the first one) are there."""
    return f"{len(world.tmux('list-sessions', '-F', '#{session_name}').split()) - 1} of {COUNT} run"
