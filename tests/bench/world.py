"""Where a contender is measured: a private home, project, temporary folder and tmux server."""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from story_automator.edges.processes import Identity, end, identify
from tests.bench.watcher import Watcher, gather

US = "us"
WARM_UP_LIMIT = 60.0
SKILLS = (
    "bmad-create-story",
    "bmad-dev-story",
    "bmad-qa-generate-e2e-tests",
    "bmad-story-automator-review",
    "bmad-retrospective",
)


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who speaks the command line."""

    name: str
    command: tuple[str, ...]
    environ: dict[str, str] = field(default_factory=dict)


def us() -> Contender:
    return Contender(US, (sys.executable, "-m", "story_automator"))


def peer(name: str, line: str) -> Contender:
    """A peer's command line; a leading `env NAME=VALUE…` is taken over, so it costs nothing."""
    words, environ = shlex.split(line), {}
    if words[:1] == ["env"]:
        del words[0]
        while words and "=" in words[0]:
            variable, _, value = words.pop(0).partition("=")
            environ[variable] = value
    if not words or not shutil.which(words[0]):
        raise SystemExit(f"--peer {line!r} names no program that is here")
    return Contender(name, tuple(words), environ)


class World:
    """One contender's private place, and everything it started there."""

    def __init__(
        self, contender: Contender, root: Path, bytecode: Path, skills: Path | None = None
    ) -> None:
        self.contender = contender
        self.root = root
        self.project = root / "shop-api"
        self._started: list[subprocess.Popen[bytes]] = []
        for folder in ("home", "tmp", "tmux", "shop-api/_bmad-output/implementation-artifacts"):
            (root / folder).mkdir(parents=True)
        self._install(skills)
        self.environ = {
            # A peer's `python3` is ours: neither a version manager's shim nor what the machine
            # hooks into its own interpreter is any tool's doing.
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "HOME": str(root / "home"),
            "TMPDIR": str(root / "tmp"),
            "TMUX_TMPDIR": str(root / "tmux"),
            "PYTHONPYCACHEPREFIX": str(bytecode),
            **contender.environ,
        }

    def _install(self, skills: Path | None) -> None:
        """Without the skills of every step a tool may call a good session incomplete."""
        installed = self.project / ".claude" / "skills"
        if skills:
            shutil.copytree(skills, installed)
        for name in SKILLS:
            (installed / name).mkdir(parents=True, exist_ok=True)
            if not (installed / name / "SKILL.md").exists():
                (installed / name / "SKILL.md").write_text(f"# {name}\n")

    @property
    def name(self) -> str:
        return self.contender.name

    def command(self, *argv: str) -> list[str]:
        return [*self.contender.command, *argv]

    def run(self, *argv: str) -> str:
        done = subprocess.run(
            self.command(*argv),
            env=self.environ,
            cwd=self.project,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{self.name}: {shlex.join(argv)} failed: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self, *argv: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self.command(*argv),
            env=self.environ,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(process)
        return process

    def spawn(self, story: str, command: str) -> str:
        return self.run("tmux-wrapper", "spawn", "dev", "5", story, "--command", command)

    def watch(self, *sessions: str) -> Watcher:
        return Watcher(self.start("monitor-session", *sessions, "--json"))

    def tmux(self, *arguments: str) -> str:
        asked = ["tmux", *arguments]
        done = subprocess.run(asked, env=self.environ, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def end_sessions(self) -> None:
        """End the private server and everybody else who lives in this home."""
        for process in self._started:
            with process:  # closes its pipe and waits for it
                process.kill()
        self._started.clear()
        self.tmux("kill-server")
        end(self._inhabitants(), (), grace=0.5)

    def _inhabitants(self) -> Iterator[Identity]:
        home = f"HOME={self.environ['HOME']}".encode()
        for entry in Path("/proc").iterdir():
            try:
                lives_here = home in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # Not a process, not ours, or gone.
            if lives_here and (who := identify(int(entry.name))):
                yield who

    def close(self) -> None:
        self.end_sessions()
        shutil.rmtree(self.root, ignore_errors=True)


class Lab:
    """One run of the bench: who takes part, how thoroughly, and the folder it all happens in."""

    def __init__(
        self, contenders: Sequence[Contender], *, quick: bool = False, skills: Path | None = None
    ) -> None:
        self.contenders = tuple(contenders)
        self.skills = skills
        self.quick = quick
        self._root = Path(tempfile.mkdtemp(prefix="sa-bench-"))
        self._made = 0
        self._warm: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    @contextlib.contextmanager
    def worlds(self, *, warm: bool = True, only_us: bool = False) -> Iterator[list[World]]:
        """A new world for each contender; the first time, its bytecode is made before."""
        with contextlib.ExitStack() as stack:
            made = []
            for contender in self.contenders[:1] if only_us else self.contenders:
                self._made += 1
                root = self._root / str(self._made)
                world = World(contender, root, self._root / "bytecode", self.skills)
                stack.callback(world.close)
                made.append(world)
                if warm and contender.name not in self._warm:
                    gather([world.watch(world.spawn("5.1", "true"))], WARM_UP_LIMIT)
                    world.end_sessions()
                    self._warm.add(contender.name)
            yield made
