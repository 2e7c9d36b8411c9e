"""`python -m tests.bench`: run the scenes, print the table."""

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from tests.bench import agents, big, hook, latency, spawning, startup, watching
from tests.bench.figures import Row, table
from tests.bench.machine import Noise
from tests.bench.world import Contender, Lab, peer, us

SCENES: dict[str, Callable[[Lab], Iterator[Row]]] = {
    "startup": startup.measure,
    "spawn": spawning.measure,
    "latency": latency.measure,
    "hook": hook.measure,
    "agents": agents.measure,
    "watching": watching.measure,
    "big": big.measure,
}


def main(argv: list[str]) -> int:
    given = _parse(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if sys.platform != "linux":
        sys.exit("the bench reads /proc and needs Linux")
    peers = [f"peer{number}" if len(given.peer) > 1 else "peer" for number in range(1, 100)]
    contenders = [us(), *map(peer, peers, given.peer)]
    noise, rows, broken = Noise(), [], {}
    with Lab(contenders, quick=given.quick, skills=given.skills) as lab:
        for scene in given.scene or SCENES:
            try:
                for row in SCENES[scene](lab):
                    rows.append(row)
                    _say(row)
            except OSError as error:
                # What was measured before stands; what is missing is said.
                broken[f"{scene} broken off"] = str(error)
    _report(rows, contenders, noise.report() | broken, given.json)
    return 1 if broken else 0


def _say(row: Row) -> None:
    cells = ", ".join(f"{name} {figure.cell()}" for name, figure in row.figures.items())
    print(f"{row.scene}: {row.what} [{row.unit}]: {cells}", file=sys.stderr, flush=True)


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("bin/bench", description=__doc__, allow_abbrev=False)
    parser.add_argument("--peer", action="append", default=[], metavar="CMD")
    parser.add_argument("--scene", action="append", default=[], choices=SCENES)
    parser.add_argument("--skills", type=Path, metavar="DIR", help="what a peer wants installed")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(argv)


def _report(
    rows: list[Row], contenders: list[Contender], noise: dict[str, str], file: Path | None
) -> None:
    names = [contender.name for contender in contenders]
    print(table(rows, names))
    print("\nEach cell: median / max. ×: the peer's median in multiples of ours.")
    for contender in contenders:
        print(f"{contender.name}: {' '.join(contender.command)}")
    for what, words in noise.items():
        print(f"{what}: {words}")
    if file:
        told = {"noise": noise, "rows": [asdict(row) for row in rows]}
        file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
