"""Monitor processes under measurement: when each of their verdicts came."""

import json
import subprocess
import threading
import time
from collections.abc import Iterable
from typing import Any


class Watcher:
    """One monitor-session process and the verdicts it has printed, with the time of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.verdicts: list[tuple[float, dict[str, Any]]] = []
        # A thread of its own: the time is taken when the line comes, not when somebody asks.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            moment = time.time()
            try:
                self.verdicts.append((moment, json.loads(line)))
            except ValueError:
                continue

    @property
    def is_open(self) -> bool:
        return self._reader.is_alive()

    def wait(self, limit: float) -> None:
        self._reader.join(max(limit, 0.0))


def gather(watchers: Iterable[Watcher], limit: float) -> None:
    """Wait until every watcher has ended or the time is over."""
    deadline = time.monotonic() + limit
    for watcher in watchers:
        watcher.wait(deadline - time.monotonic())
