"""Big: what is left of 100,000 lines, and what 300 MB of output cost."""

import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Figure, Row
from tests.bench.machine import memory
from tests.bench.watcher import Watcher, gather
from tests.bench.world import Lab, World

LINES = 100_000
LAST = "all tests passed"
HUGE, QUICK_HUGE = 300, 30  # megabytes
LINE = 100  # characters
LIMIT = 600.0


def measure(lab: Lab) -> Iterator[Row]:
    with lab.worlds() as worlds:
        print_all = f"seq -f 'line %.0f' 1 {LINES}; echo {LAST}"
        measured = {world.name: _output(world, print_all) for world in worlds}
        for what, unit in (("end → verdict", "ms"), ("lines kept", "")):
            figures = {name: found[what] for name, found in measured.items()}
            yield Row("big", f"{LINES:,} lines: {what}", unit, figures)
    size = QUICK_HUGE if lab.quick else HUGE
    with lab.worlds(only_us=True) as (world,):
        rows = size * 1_000_000 // (LINE + 2)
        found = _output(world, f"yes {'x' * LINE} | head -n {rows}; echo {LAST}")
        for what, unit in (("end → verdict", "ms"), ("monitor, VmHWM", "MB")):
            yield Row("big", f"{size} MB: {what}", unit, {world.name: found[what]})


def _output(world: World, command: str) -> dict[str, Figure]:
    stamp = world.root / "end"
    session = world.spawn("5.1", f"sleep 3; {command}; date +%s.%N >{stamp}")
    watcher = world.watch(session)
    peak = _gather_with_memory(watcher)
    if not watcher.verdicts:
        return dict.fromkeys(
            ("end → verdict", "lines kept", "monitor, VmHWM"), Figure(note="no verdict")
        )
    moment, verdict = watcher.verdicts[0]
    kept = Path(str(verdict["output_file"]))
    text = kept.read_text(errors="replace").splitlines() if kept.is_file() else []
    last = "last line kept" if LAST in text[-5:] else "last line lost"
    mode = f"mode {kept.stat().st_mode & 0o777:04o}" if kept.is_file() else "no file"
    lines = sum(line.startswith("line ") for line in text)
    late = 1000 * (moment - float(stamp.read_text()))
    return {
        "end → verdict": Figure((late,), str(verdict["final_state"])),
        "lines kept": Figure(note=f"{lines:,}, {last}, {mode}"),
        "monitor, VmHWM": Figure((peak,), last),
    }


def _gather_with_memory(watcher: Watcher) -> float:
    """The most memory the monitor ever held; it is read while it lives."""
    peak, deadline = 0.0, time.monotonic() + LIMIT
    while watcher.is_open and time.monotonic() < deadline:
        try:
            peak = max(peak, memory(watcher.process.pid, "VmHWM"))
        except OSError:
            pass  # It ended between two looks.
        gather([watcher], 0.05)
    return peak
