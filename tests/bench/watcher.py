"""Monitor processes under measurement: when each of their verdicts came."""

import json
import os
import selectors
import subprocess
import time
from collections.abc import Collection
from typing import Any


class Watcher:
    """One monitor-session process and the verdicts it has printed, with the time of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.verdicts: list[tuple[float, dict[str, Any]]] = []
        self.is_open = True
        self._rest = b""

    def read(self) -> None:
        now = time.time()
        arrived = os.read(self.fileno(), 65_536)
        self.is_open = bool(arrived)
        *lines, self._rest = (self._rest + arrived).split(b"\n")
        for line in lines:
            try:
                self.verdicts.append((now, json.loads(line)))
            except ValueError:
                continue

    def fileno(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()


def gather(watchers: Collection[Watcher], limit: float) -> None:
    """Take in verdicts until every watcher has ended or the time is over."""
    deadline = time.monotonic() + limit
    with selectors.DefaultSelector() as waiting:
        for watcher in watchers:
            if watcher.is_open:
                waiting.register(watcher.fileno(), selectors.EVENT_READ, watcher)
        while waiting.get_map() and (left := deadline - time.monotonic()) > 0:
            for key, _ in waiting.select(left):
                key.data.read()
                if not key.data.is_open:
                    waiting.unregister(key.fileobj)
