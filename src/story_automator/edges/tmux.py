"""tmux, through one timed call: every target exact, every answer one of three."""

import contextlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from story_automator.errors import StoryAutomatorError
from story_automator.model.probe import Probe

ATTEMPT_TAG = "@story_automator_attempt"
PROJECT_TAG = "@story_automator_project"
WIDTH, HEIGHT, HISTORY = 200, 50, 50_000
FACTS = (
    "pane_id",
    "session_id",
    "pane_dead",
    "pane_dead_status",
    "pane_dead_signal",
    "pane_pid",
    ATTEMPT_TAG,
    "session_name",
    PROJECT_TAG,
    "pane_title",
)
# The two ways tmux says for sure that no server runs on the socket.
NO_SERVER = ("no server running on", "(No such file or directory)")


class TmuxMissing(StoryAutomatorError):
    """There is no tmux on this machine."""


class TmuxUnreachable(StoryAutomatorError):
    """tmux did not answer, or not in a way that says anything about sessions."""


@dataclass(frozen=True, slots=True)
class Pane:
    """Facts of one pane, as tmux tells them."""

    pane: str
    session_id: str
    dead: bool
    dead_status: str
    dead_signal: str
    pid: int
    attempt: str
    session: str
    project: str
    title: str


@dataclass(frozen=True, slots=True)
class Look:
    """One answer of the server: all its panes, and the screens that were asked for."""

    server: Probe
    panes: tuple[Pane, ...] = ()
    screens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problem: str = ""  # when unreachable: what tmux said


def socket_arguments(socket: str) -> list[str]:
    """'' is the user's own server, a path is -S, anything else a -L name."""
    if not socket:
        return []
    return ["-S", socket] if "/" in socket else ["-L", socket]


class Tmux:
    """One tmux server, by its socket."""

    def __init__(self, socket: str, environ: Mapping[str, str], limit: float = 5.0) -> None:
        self.socket = socket
        self._environ = dict(environ)
        self._limit = limit

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One tmux process, bounded in time. Its exit code is the caller's to read."""
        try:
            return subprocess.run(
                ["tmux", "-u", *socket_arguments(self.socket), *arguments],
                env=self._environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=self._limit,
                check=False,
            )
        except FileNotFoundError:
            raise TmuxMissing(
                "tmux is not installed (needed to run agents)",
                hint="sudo apt-get install tmux   (or: brew install tmux)",
            ) from None
        except subprocess.TimeoutExpired:
            raise TmuxUnreachable(
                f"tmux did not answer within {self._limit:g} s",
                hint="look at the tmux server",
            ) from None
        except OSError as error:
            raise TmuxUnreachable(f"tmux could not be started: {error.strerror}") from None

    def look(self, screens_of: Sequence[str] = ()) -> Look:
        """All panes of the server and the screens of some, in one call."""
        seen = self._look(screens_of)
        if any(pane.dead and not (pane.dead_status or pane.dead_signal) for pane in seen.panes):
            # tmux 3.3a may forget to reap a pane's process; any job makes it notice, and only
            # then it knows how the process ended.
            with contextlib.suppress(TmuxUnreachable):
                self.call("run-shell", "true")
                seen = self._look(screens_of)
        return seen

    def _look(self, screens_of: Sequence[str]) -> Look:
        mark = os.urandom(8).hex()
        ask = ["list-panes", "-a", "-F", "\t".join(f"#{{{fact}}}" for fact in FACTS)]
        for pane in screens_of:
            # Without its %: display-message would expand it as a time format.
            ask += [";", "display-message", "-p", f"{mark} {pane[1:]}"]
            ask += [";", "capture-pane", "-p", "-t", pane]
        try:
            answer = self.call(*ask)
        except TmuxUnreachable as error:
            return Look(Probe.UNREACHABLE, problem=error.message)
        if answer.returncode and any(words in answer.stderr for words in NO_SERVER):
            return Look(Probe.ABSENT)
        facts, *shots = answer.stdout.split(f"{mark} ")
        panes = tuple(p for line in facts.splitlines() if (p := _pane(line)))
        if answer.returncode and not panes:
            return Look(Probe.UNREACHABLE, problem=f"tmux: {answer.stderr.strip()}")
        screens = {}
        for shot in shots:
            number, _, text = shot.partition("\n")
            screens[f"%{number.strip()}"] = tuple(text.split("\n"))
        if answer.returncode and shots:
            # The pane whose capture failed is gone; its empty screen says nothing.
            screens.popitem()
        return Look(Probe.PRESENT, panes, screens)

    def new_session(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: str,
        tags: Mapping[str, str],
        log: str,
    ) -> bool:
        """Start `command` in a session of its own, guarded against the user's tmux.conf.

        Everything in one call. A pane takes its history limit from the session when it is made,
        and destroy-unattached would end the session at once: so a placeholder opens the session,
        the session gets its settings, and only then the real window is made.
        False when the name is taken.
        """
        here = f"={name}:"
        settings = [("destroy-unattached", "off"), ("history-limit", str(HISTORY)), *tags.items()]
        ask = ["new-session", "-d", "-s", name, "-x", str(WIDTH), "-y", str(HEIGHT)]
        ask += ["-c", _word(_literal(directory)), "sleep", "60"]
        for option, value in settings:
            ask += [";", "set-option", "-t", here, option, _word(value)]
        ask += [";", "new-window", "-d", "-t", here, "-n", "agent", *command]
        ask += [";", "kill-window", "-t", f"{here}^"]
        ask += [";", "set-option", "-w", "-t", here, "remain-on-exit", "on"]
        ask += [";", "set-option", "-w", "-t", here, "automatic-rename", "off"]
        ask += [";", "pipe-pane", "-t", here, f"exec cat >>{_literal(log, time=True)}"]
        answer = self.call(*ask)
        if answer.returncode == 0:
            return True
        if "duplicate session" in answer.stderr:
            return False
        self.call("kill-session", "-t", f"={name}")
        raise StoryAutomatorError(f"tmux: {answer.stderr.strip() or 'no session was made'}")

    def history(self, pane: str) -> str:
        """Everything the pane still holds, wrapped lines joined."""
        try:
            return self.call("capture-pane", "-p", "-J", "-S", "-", "-t", pane).stdout
        except TmuxUnreachable:
            return ""

    def kill_session(self, session_id: str, attempt: str) -> None:
        """End a session if it still is this attempt's: a restarted server uses ids again."""
        is_ours = f"#{{==:#{{{ATTEMPT_TAG}}},{attempt}}}"
        with contextlib.suppress(TmuxUnreachable):
            self.call(
                *("if-shell", "-F", "-t", session_id, is_ours),
                f"kill-session -t '{session_id}'",
            )


def _pane(line: str) -> Pane | None:
    cells = line.split("\t", len(FACTS) - 1)
    if len(cells) != len(FACTS):
        return None
    pane, session_id, dead, status, by_signal, pid, attempt, name, root, title = cells
    return Pane(
        pane=pane,
        session_id=session_id,
        dead=dead == "1",
        dead_status=status,
        dead_signal=by_signal,
        pid=int(pid) if pid.isdigit() else 0,
        attempt=attempt,
        session=name,
        project=root,
        title=title,
    )


def _literal(text: str, *, time: bool = False) -> str:
    """Text that tmux would expand as a format, kept as it is; for a shell when `time` is."""
    text = text.replace("#", "##")
    if time:
        import shlex

        text = shlex.quote(text.replace("%", "%%"))
    return text


def _word(text: str) -> str:
    """A word for tmux's command line, where a last semicolon would end the command."""
    return f"{text[:-1]}\\;" if text.endswith(";") else text


def project_tag(root: str) -> str:
    """A project's path as it stands in the tag: as it is, but always on one line."""
    return root if root.isprintable() else root.encode("unicode_escape").decode()


def socket_path(setting: str, environ: Mapping[str, str]) -> str:
    """The path of the socket that tmux would use with this setting in this environment."""
    if "/" in setting:
        return os.path.abspath(setting)
    inside = environ.get("TMUX", "").partition(",")[0]
    if inside and not setting:
        return inside
    base = environ.get("TMUX_TMPDIR", "")
    if not os.path.isdir(base):
        base = "/tmp"  # noqa: S108
    return f"{base}/tmux-{os.getuid()}/{setting or 'default'}"
