"""Processes: who lives, who belongs to an attempt, how much they work, and their orderly end."""

import os
import select
import signal
import sys
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from story_automator.edges.wrapper import boot, start_time
from story_automator.model.session import Started

ON_LINUX = sys.platform == "linux"
ATTEMPT_VARIABLE = "STORY_AUTOMATOR_ATTEMPT"
ROUNDS = 5  # a tree that forks while it is being ended is looked at again this often


@dataclass(frozen=True, slots=True)
class Identity:
    """One process that ever lived: a pid is reused, a pid with its start time is not."""

    pid: int
    start: str


def identify(pid: int) -> Identity | None:
    """Who has this pid now; None when nobody does, or only a zombie."""
    if pid <= 0 or _is_zombie(pid):
        return None
    start = start_time(pid)
    return Identity(pid, start) if start else None


def is_alive(who: Identity) -> bool:
    return identify(who.pid) == who


def members(started: Started | None) -> list[Identity]:
    """Wrapper and agent of a session; nobody when they belong to another boot."""
    if started is None or started.boot != boot():
        return []
    return [
        Identity(started.wrapper_pid, started.wrapper_start),
        Identity(started.agent_pid, started.agent_start),
    ]


def _is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as handle:
            return handle.read().rsplit(b")", 1)[1].split()[0] in (b"Z", b"X")
    except OSError:
        return False


def family(pid: int) -> list[int]:
    """The process and all its descendants, parents first."""
    if not ON_LINUX:
        return _family_by_ps(pid)
    found, index = [pid], 0
    while index < len(found):
        found.extend(_children(found[index]))
        index += 1
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.scandir(f"/proc/{pid}/task"):
            with open(f"{task.path}/children", encoding="ascii") as handle:
                children.extend(int(word) for word in handle.read().split())
    except OSError:
        pass  # It ended while we looked: it has no children any more.
    return children


def _family_by_ps(pid: int) -> list[int]:
    with os.popen("ps -axo pid=,ppid=") as answer:
        pairs = [tuple(map(int, line.split())) for line in answer if line.strip()]
    found, index = [pid], 0
    while index < len(found):
        found.extend(child for child, parent in pairs if parent == found[index])
        index += 1
    return found


def of_attempts(attempts: Collection[str]) -> list[int]:
    """Every process that carries such an attempt id in its environment, detached ones included.

    Only Linux lets us read another process's environment surely; elsewhere the answer is empty.
    """
    if not ON_LINUX or not attempts:
        return []
    wanted = {f"{ATTEMPT_VARIABLE}={attempt}".encode() for attempt in attempts}
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                with open(f"{entry.path}/environ", "rb") as handle:
                    if not wanted.isdisjoint(handle.read().split(b"\0")):
                        found.append(int(entry.name))
            except OSError:
                continue
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """CPU time used so far by these processes and their reaped children."""
    if not ON_LINUX:
        return _cpu_by_ps(pids)
    ticks = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb") as handle:
                fields = handle.read().rsplit(b")", 1)[1].split()
            ticks += sum(int(field) for field in fields[11:15])
        except OSError:
            continue
    return float(ticks / os.sysconf("SC_CLK_TCK"))


def running_for(pid: int) -> float:
    """Seconds since the process started; 0 when that cannot be told."""
    try:
        with open("/proc/uptime", encoding="ascii") as handle:
            uptime = float(handle.read().split()[0])
        return uptime - int(start_time(pid)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def _cpu_by_ps(pids: Iterable[int]) -> float:
    listed = ",".join(map(str, pids))
    total = 0.0
    with os.popen(f"ps -o time= -p {listed}") as answer:
        for line in answer:
            parts = line.strip().replace("-", ":").split(":")
            total += sum(float(p) * 60**i for i, p in enumerate(reversed(parts)) if p)
    return total


def end(members: Iterable[Identity], attempts: Collection[str], grace: float) -> list[int]:
    """End these processes, their descendants and everything of the attempts; return survivors.

    TERM (and CONT, so that stopped ones wake) to all, the grace, then KILL; looked at again
    until nothing new appears.
    """
    roots = [who for who in members if is_alive(who)]
    for _ in range(ROUNDS):
        alive = _everybody(roots, attempts)
        if not alive:
            return []
        for who in alive:
            _send(who, signal.SIGTERM)
            _send(who, signal.SIGCONT)
        left = _wait_gone(alive, grace)
        for who in left:
            _send(who, signal.SIGKILL)
        _wait_gone(left, 2.0)
        roots = alive
    return [who.pid for who in _everybody(roots, attempts)]


def _everybody(roots: list[Identity], attempts: Collection[str]) -> list[Identity]:
    pids = {pid for who in roots if is_alive(who) for pid in family(who.pid)}
    for pid in of_attempts(attempts):
        pids.update(family(pid))
    pids.discard(os.getpid())
    return [who for pid in sorted(pids) if (who := identify(pid))]


def _send(who: Identity, what: signal.Signals) -> None:
    try:
        if not ON_LINUX:
            if is_alive(who):
                os.kill(who.pid, what)
            return
        descriptor = os.pidfd_open(who.pid)
        try:
            # Checked after the descriptor is held: from here on it cannot be another process.
            if is_alive(who):
                signal.pidfd_send_signal(descriptor, what)
        finally:
            os.close(descriptor)
    except OSError:
        pass  # Gone, or another user's: either way nothing we can end.


def _wait_gone(who: list[Identity], limit: float) -> list[Identity]:
    """Wait until all are gone or the limit has passed; return those still there."""
    deadline = time.monotonic() + limit
    left = [one for one in who if is_alive(one)]
    while left and (remaining := deadline - time.monotonic()) > 0:
        _wait_for_one(left[0].pid, min(remaining, 0.5))
        left = [one for one in left if is_alive(one)]
    return left


def _wait_for_one(pid: int, limit: float) -> None:
    if not ON_LINUX:
        time.sleep(min(limit, 0.05))
        return
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return
    try:
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        poller.poll(limit * 1000)
    finally:
        os.close(descriptor)
