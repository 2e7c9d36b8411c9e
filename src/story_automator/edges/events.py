"""Wait for the end of processes and for new files, without polling."""

import os
import select
import sys
from pathlib import Path
from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inotify_simple import INotify

ANY = ""  # "something happened here, look yourself": a process ended, or the names were lost


class EventSource(Protocol):
    """Keys become ready when their process ends or a file appears in their folder.

    A watch that cannot be had (too many, a process that is gone) is answered with False: the
    caller must look by itself then.
    """

    def watch_process(self, key: str, pid: int) -> bool: ...
    def watch_folder(self, key: str, folder: Path) -> bool: ...
    def forget(self, key: str) -> None: ...
    def wait(self, timeout: float) -> dict[str, set[str]]:
        """Key → names of new files, after at most `timeout` seconds."""

    def close(self) -> None: ...


def event_source() -> EventSource:
    if sys.platform == "darwin":
        from story_automator.edges.kqueue import KqueueEvents

        return KqueueEvents()
    return LinuxEvents()


class LinuxEvents:
    """One epoll over pidfds and inotify."""

    def __init__(self) -> None:
        from inotify_simple import INotify, flags

        self._flags = flags
        self._epoll = select.epoll()
        self._inotify: INotify | None = None
        try:
            self._inotify = INotify(nonblocking=True)
            self._epoll.register(self._inotify.fileno(), select.EPOLLIN)
        except OSError:
            pass  # The user's instances are used up: no folder can be watched.
        self._processes: dict[int, str] = {}  # pidfd → key
        self._folders: dict[int, str] = {}  # inotify watch → key

    def watch_process(self, key: str, pid: int) -> bool:
        try:
            descriptor = os.pidfd_open(pid)
        except OSError:
            return False
        # Once: a dead process stays readable for ever.
        self._epoll.register(descriptor, select.EPOLLIN | select.EPOLLONESHOT)
        self._processes[descriptor] = key
        return True

    def watch_folder(self, key: str, folder: Path) -> bool:
        if self._inotify is None:
            return False
        try:
            watch = self._inotify.add_watch(str(folder), self._flags.MOVED_TO)
        except OSError:
            return False
        self._folders[watch] = key
        return True

    def forget(self, key: str) -> None:
        for descriptor in [fd for fd, owner in self._processes.items() if owner == key]:
            del self._processes[descriptor]
            os.close(descriptor)
        for watch in [watch for watch, owner in self._folders.items() if owner == key]:
            del self._folders[watch]
            try:
                if self._inotify is not None:
                    self._inotify.rm_watch(watch)
            except OSError:
                pass  # The kernel dropped it together with the folder.

    def wait(self, timeout: float) -> dict[str, set[str]]:
        ready: dict[str, set[str]] = {}
        for descriptor, _ in self._epoll.poll(max(timeout, 0.0)):
            if descriptor in self._processes:
                ready.setdefault(self._processes[descriptor], set()).add(ANY)
            elif self._inotify is not None:
                self._read_folders(self._inotify, ready)
        return ready

    def _read_folders(self, inotify: "INotify", ready: dict[str, set[str]]) -> None:
        for event in inotify.read(timeout=0):
            if event.mask & self._flags.Q_OVERFLOW:
                for key in self._folders.values():
                    ready.setdefault(key, set()).add(ANY)
            elif event.wd in self._folders:
                ready.setdefault(self._folders[event.wd], set()).add(event.name)

    def close(self) -> None:
        for key in {*self._processes.values(), *self._folders.values()}:
            self.forget(key)
        self._epoll.close()
        if self._inotify is not None:
            self._inotify.close()
