"""The machine: what a process used, and how noisy the place was while we measured."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles

TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(command: Sequence[str], **options: object) -> tuple[float, int]:
    """How long a command takes from its start to its end, and its exit code."""
    began = time.perf_counter()
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    return time.perf_counter() - began, done.returncode


def cpu(pid: int) -> float:
    """CPU seconds of a process and the children it waited for.

    The kernel counts both in hundredths; what the scheduler tells of living threads is finer.
    """
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system, *of_children = (int(field) / TICKS for field in fields[11:15])
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    fine = sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9
    return max(user + system, fine) + sum(of_children)


def memory(pid: int, field: str) -> float:
    """Megabytes: VmHWM is the most it ever held, Pss its fair share of what is shared."""
    source = "smaps_rollup" if field == "Pss" else "status"
    for line in Path(f"/proc/{pid}/{source}").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == field:
            return int(rest.split()[0]) / 1024
    return 0.0


class Noise:
    """Load and the spread of the yardstick at the beginning and at the end of a run."""

    def __init__(self, looks: int = 15, load: Callable[[], tuple[float, ...]] = os.getloadavg):
        self._looks, self._load = looks, load
        self._before = self._words()

    def _words(self) -> str:
        taken = [seconds_of([sys.executable, "-c", "pass"])[0] for _ in range(self._looks)]
        tenths = quantiles(taken, n=10)
        return (
            f"load {self._load()[0]:.2f}, `python -c pass` median {1000 * median(taken):.1f} ms "
            f"(tenth to ninetieth percentile {1000 * tenths[0]:.1f} to {1000 * tenths[-1]:.1f})"
        )

    def report(self) -> dict[str, str]:
        tmux = subprocess.run(["tmux", "-V"], capture_output=True, text=True, check=False)
        return {
            "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
            f"Python {platform.python_version()}, {tmux.stdout.strip()}",
            "before": self._before,
            "after": self._words(),
        }
