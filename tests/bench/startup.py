"""Start-up: cheap commands that touch nothing, with compiled bytecode."""

import sys
from collections.abc import Iterator

from tests.bench.figures import Figure, Row
from tests.bench.machine import seconds_of
from tests.bench.world import US, Lab, World
from tests.conftest import CHECKOUT

COMMANDS = (
    "derive-project-slug",
    "tmux-wrapper name dev 5 5.3",
    "orchestrator-helper marker check",
    "orchestrator-helper sprint-status exists",
)
LAUNCHER = str(CHECKOUT / "bin" / "story-automator")


def measure(lab: Lab, rounds: int = 0) -> Iterator[Row]:
    rounds = rounds or (15 if lab.quick else 40)
    with lab.worlds(warm=False) as worlds:
        runs: dict[tuple[str, str], tuple[World, list[str]]] = {}
        for world in worlds:
            for command in COMMANDS:
                runs[command, world.name] = (world, world.command(*command.split()))
        ours = worlds[0]
        runs[f"{COMMANDS[0]} through bin/story-automator", US] = (ours, [LAUNCHER, COMMANDS[0]])
        runs["python -c pass", US] = (ours, [sys.executable, "-c", "pass"])
        taken = _interleaved(runs, rounds)
    for what in dict.fromkeys(what for what, _ in runs):
        figures = {name: figure for (row, name), figure in taken.items() if row == what}
        yield Row("startup", what, "ms", figures)


def _interleaved(
    runs: dict[tuple[str, str], tuple[World, list[str]]], rounds: int
) -> dict[tuple[str, str], Figure]:
    times: dict[tuple[str, str], list[float]] = {key: [] for key in runs}
    failures: dict[tuple[str, str], int] = {}
    for turn in range(-1, rounds):
        for key, (world, command) in runs.items():
            seconds, code = seconds_of(command, env=world.environ, cwd=world.project)
            if code:
                failures[key] = code
            if turn >= 0:  # the first one only makes the bytecode
                times[key].append(1000 * seconds)
    return {
        key: Figure(tuple(values), f"exit {failures[key]}" if key in failures else "")
        for key, values in times.items()
    }
