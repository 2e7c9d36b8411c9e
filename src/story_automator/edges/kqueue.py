"""The event source of macOS: one kqueue over processes and folders. It tells no file names."""

import os
import select
import sys
from pathlib import Path

ANY = ""

if sys.platform == "darwin":

    class KqueueEvents:
        def __init__(self) -> None:
            self._queue = select.kqueue()
            self._processes: dict[int, str] = {}  # pid → key
            self._folders: dict[int, str] = {}  # descriptor → key

        def watch_process(self, key: str, pid: int) -> bool:
            flags = select.KQ_EV_ADD | select.KQ_EV_ONESHOT
            if not self._add(pid, select.KQ_FILTER_PROC, flags, select.KQ_NOTE_EXIT):
                return False
            self._processes[pid] = key
            return True

        def watch_folder(self, key: str, folder: Path) -> bool:
            try:
                descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                return False
            flags = select.KQ_EV_ADD | select.KQ_EV_CLEAR
            if not self._add(descriptor, select.KQ_FILTER_VNODE, flags, select.KQ_NOTE_WRITE):
                os.close(descriptor)
                return False
            self._folders[descriptor] = key
            return True

        def forget(self, key: str) -> None:
            self._processes = {p: owner for p, owner in self._processes.items() if owner != key}
            for descriptor in [fd for fd, owner in self._folders.items() if owner == key]:
                del self._folders[descriptor]
                os.close(descriptor)

        def wait(self, timeout: float) -> dict[str, set[str]]:
            ready: dict[str, set[str]] = {}
            for event in self._queue.control(None, 256, max(timeout, 0.0)):
                of_process = event.filter == select.KQ_FILTER_PROC
                key = (self._processes if of_process else self._folders).get(event.ident)
                if key is not None:
                    ready[key] = {ANY}
            return ready

        def close(self) -> None:
            for descriptor in self._folders:
                os.close(descriptor)
            self._queue.close()

        def _add(self, ident: int, kind: int, flags: int, notes: int) -> bool:
            try:
                self._queue.control([select.kevent(ident, kind, flags, notes)], 0)
            except OSError:
                return False
            return True
