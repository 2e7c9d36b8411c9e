"""The pane's leader: starts the agent as its child and records how it ended.

Runs alone as `python -I -S wrapper.py FOLDER`, one process for as long as the session lives:
it may import nothing of ours and little of Python's.
"""

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

END_MARK = b"\033]7717;end\007"
LOG_STEP, LOG_TRIES = 0.01, 500
OF_THE_PANE = (b"TERM", b"TMUX", b"TMUX_PANE")
SHELL_NOT_FOUND = 127
HANGUP_GRACE = 10  # seconds an agent gets to leave after its terminal is gone
WAITED_FOR = {
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
    signal.SIGCHLD,
    signal.SIGALRM,
}


def main(folder: str) -> int:
    signal.signal(signal.SIGCHLD, lambda *_: None)  # BSD drops an ignored SIGCHLD even if blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)
    launch = os.path.join(folder, "launch")
    with open(launch, "rb") as handle:
        directory, shell, command, *environment = handle.read().split(b"\0")
    os.unlink(launch)
    agent = os.fork()
    if agent == 0:
        _become(before, directory, shell, command, environment)
    _store(
        folder,
        "started",
        f'"wrapper_pid":{os.getpid()},"wrapper_start":"{start_time(os.getpid())}",'
        f'"agent_pid":{agent},"agent_start":"{start_time(agent)}","boot":"{boot()}"',
    )
    status, hangup = _wait(agent)
    by_signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    code = 0 if by_signal else os.WEXITSTATUS(status)
    try:
        _store(
            folder,
            "ended",
            f'"code":{code},"signal":{by_signal},"hangup":{"true" if hangup else "false"},'
            f'"at":{time.time():.6f}',
        )
        if not hangup:
            _close_log(os.path.join(folder, "output.log"))
    except OSError:
        pass  # A full disk: the pane still tells our exit code.
    return 128 + by_signal if by_signal else code


def _close_log(log: str) -> None:
    """Mark the end of the log and stay until the mark is in it.

    Everything the agent printed stands before the mark, so a reader of the log knows when it has
    all; terminals do not show it. tmux drops what it has not read when the pane's leader ends.
    """
    os.write(1, END_MARK)
    for _ in range(LOG_TRIES):
        with open(log, "rb") as handle:
            handle.seek(max(handle.seek(0, 2) - 4096, 0))
            if END_MARK in handle.read():
                return
        time.sleep(LOG_STEP)


def _become(
    mask: "Iterable[int]", directory: bytes, shell: bytes, command: bytes, given: list[bytes]
) -> "NoReturn":
    try:
        # Python ignores SIGPIPE and SIGXFSZ; a child would inherit that.
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.chdir(directory)
        environment = {name: os.environb[name] for name in OF_THE_PANE if name in os.environb}
        for entry in given:
            name, _, value = entry.partition(b"=")
            environment[name] = value
        os.execve(shell, [shell, b"-c", command], environment)
    except OSError as error:
        os.write(2, f"story-automator: cannot start the agent: {error}\n".encode())
    finally:
        os._exit(SHELL_NOT_FOUND)


def _wait(agent: int) -> tuple[int, bool]:
    """Wait for the agent whatever the terminal does to us; True when the terminal went away."""
    hangup = False
    while True:
        # The lowest pending signal comes first, so a hang-up is seen before the death it causes.
        arrived = signal.sigwait(WAITED_FOR)
        if arrived == signal.SIGCHLD:
            pid, status = os.waitpid(agent, os.WNOHANG)
            if pid:
                return status, hangup
        elif arrived == signal.SIGHUP:
            hangup = True
            os.kill(agent, signal.SIGHUP)
            os.kill(agent, signal.SIGCONT)
            signal.alarm(HANGUP_GRACE)
        elif arrived == signal.SIGTERM:
            os.kill(agent, signal.SIGTERM)
        elif arrived == signal.SIGALRM:
            os.kill(agent, signal.SIGKILL)


def _store(folder: str, name: str, fields: str) -> None:
    temporary = os.path.join(folder, f".{name}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(descriptor, f'{{"version":1,{fields}}}\n'.encode())
    os.fsync(descriptor)
    os.close(descriptor)
    os.rename(temporary, os.path.join(folder, f"{name}.json"))


def start_time(pid: int) -> str:
    """When the process started, in a form that only has to be compared."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as handle:
            # The name in field 2 may hold blanks and brackets; field 22 counts from its end.
            return handle.read().rsplit(b")", 1)[1].split()[19].decode()
    except OSError:
        return "" if os.path.isdir("/proc/self") else _ps_start(pid)


def _ps_start(pid: int) -> str:
    # Without them the same start would read differently in another time zone or language.
    with os.popen(f"LC_ALL=C TZ=UTC ps -o lstart= -p {int(pid)}") as answer:
        return answer.read().strip()


def boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as handle:
            return handle.read().strip()
    except OSError:
        with os.popen("sysctl -n kern.bootsessionuuid") as answer:
            return answer.read().strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
