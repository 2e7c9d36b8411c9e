"""The published tool beside ours: one call in two equal projects, and what may differ."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PUBLISHED = CHECKOUT / ".real" / "bmad-story-automator@1.15.0" / "skills"
THEIR_SKILL = PUBLISHED / "bmad-story-automator"
SOURCES = {"ours": CHECKOUT / "src", "theirs": THEIR_SKILL / "src"}
needs_the_published_tool = [
    pytest.mark.real,
    pytest.mark.skipif(
        not SOURCES["theirs"].is_dir(),
        reason="bmad-story-automator 1.15.0 is not in .real/: bin/fetch-real gets it with npm",
    ),
]

ARTIFACTS = "_bmad-output/implementation-artifacts"
SPRINT = f"{ARTIFACTS}/sprint-status.yaml"
MARKER = ".claude/.story-automator-active"
POLICY = "_bmad/bmm/story-automator.policy.json"
DIRECTORY = None
PROMPT_FACTS = (
    *("READ this skill first:", "READ this workflow file next:", "Then read:", "Use template:"),
    *("Validate with:", "Story file:", "Create story file at:", "Story ID:"),
)

# What ours adds only in a session that it started; a plain shell makes nothing of it.
IN_A_SESSION = re.compile(r"\$\{STORY_AUTOMATOR_\w+:\+[^}']*\} ")

Files = Mapping[str, str | bytes | None]


@dataclass(frozen=True, slots=True)
class Row:
    """One command line. `{root}` in arguments and variables stands for the project.

    With `differs` the two tools must disagree, and ours must answer `ours`.
    """

    argv: Sequence[str]
    files: Files = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""
    first: Sequence[Sequence[str]] = ()
    leaves: Sequence[str] = ()  # files that belong to the answer
    prose: Sequence[str] = ("message",)  # keys whose words are each tool's own
    any_order: bool = False  # lines come as the directory lists them
    prompts: bool = False  # a command whose last word is a prompt in each tool's own words
    host: str = ".claude"  # where the project keeps its skills; empty for nowhere
    lacks: Sequence[str] = ()  # skills that are not installed
    differs: str = ""
    ours: "tuple[int, str | re.Pattern[str]] | None" = None


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str
    files: tuple[object, ...] = ()


class World:
    """One tool in a project of its own, with its own HOME, temporary files and tmux server."""

    def __init__(self, who: str, folder: Path, sockets: Path) -> None:
        self.source, self.folder, self.sockets = SOURCES[who], folder.resolve(), sockets
        self.root = self.folder / "shop-api"
        for made in (self.root / ARTIFACTS, self.folder / "home", self.folder / "tmp", sockets):
            made.mkdir(parents=True)

    def install_skills(self, host: str) -> None:
        """The project as the published tool wants it, with the skills of every step."""
        skills = self.root / host / "skills"
        review = "bmad-story-automator-review"
        shutil.copytree(PUBLISHED / review, skills / review)
        names = ("create-story", "dev-story", "qa-generate-e2e-tests", "retrospective")
        for name in (*names, "story-automator"):
            self.put({f"{host}/skills/bmad-{name}/SKILL.md": f"# {name}\n"})

    def put(self, files: Files) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.mkdir()
            elif isinstance(text, bytes):
                path.write_bytes(text)
            else:
                path.write_text(self.filled(text))

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        told = {name: self.filled(value) for name, value in (extra or {}).items()}
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "TMUX_TMPDIR": str(self.sockets),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(self.source),
            **told,
        }

    def said(
        self, *argv: str, env: Mapping[str, str] | None = None, stdin: str = "", limit: float = 120
    ) -> Answer:
        """Exactly what the tool said."""
        done = subprocess.run(
            [sys.executable, "-m", "story_automator", *map(self.filled, argv)],
            cwd=self.root,
            env=self.environ(env),
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=limit,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def call(self, *argv: str, env: Mapping[str, str] | None = None, stdin: str = "") -> Answer:
        said = self.said(*argv, env=env, stdin=stdin)
        return Answer(said.code, self.normal(said.out), self.normal(said.err))

    def answer(self, row: Row) -> Answer:
        if row.host:
            self.install_skills(row.host)
        for name in row.lacks:
            shutil.rmtree(self.root / row.host / "skills" / name)
        self.put(row.files)
        for argv in row.first:
            self.call(*argv, env=row.env)
        answer = self.call(*row.argv, env=row.env, stdin=row.stdin)
        return Answer(answer.code, answer.out, answer.err, tuple(map(self.left, row.leaves)))

    def left(self, name: str) -> object:
        path = self.root / name
        if not path.is_file():
            return None
        text = self.normal(path.read_text())
        if name.endswith(".toml"):
            return tomllib.loads(text)
        return json.loads(text, object_pairs_hook=list) if name.endswith(".json") else text

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", *arguments],
            env=self.environ(),
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        return done.stdout

    def end(self) -> None:
        if self.tmux("list-sessions"):
            self.said("tmux-wrapper", "kill-all")
            self.tmux("kill-server")
        shutil.rmtree(self.sockets, ignore_errors=True)

    def filled(self, text: str) -> str:
        return text.replace("{root}", str(self.root))

    def normal(self, text: str) -> str:
        """Without what two runs never share: paths, times, and where each tool is installed."""
        for own in (THEIR_SKILL / "scripts", CHECKOUT / "bin"):
            text = text.replace(f"{own}/story-automator", "<tool>")
        text = text.replace(str(self.folder), "<world>")
        text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>", text)
        text = re.sub(r"\b\d{6}-\d{6}\b", "<stamp>", text)
        return re.sub(r"/\S+/stop-hook-recovery\.md", "<recovery>", text)


class Worlds(NamedTuple):
    ours: World
    theirs: World


def unlike(ours: Answer, theirs: Answer, row: Row) -> str:
    """Where ours is not what the published tool answers, in words; empty when it is."""
    if ours.code != theirs.code:
        return f"exit code {ours.code}, not {theirs.code}"
    if not same_text(ours.out, theirs.out, row):
        return f"stdout is\n{ours.out}not\n{theirs.out}"
    if ours.files != theirs.files:
        return f"{', '.join(row.leaves)} hold\n{ours.files}\nnot\n{theirs.files}"
    if bool(ours.err) != bool(theirs.err):
        return f"stderr is {ours.err!r}, not {theirs.err!r}"
    return ""


def same_text(ours: str, theirs: str, row: Row) -> bool:
    if row.prompts and ours and theirs:
        return skeleton(ours) == skeleton(theirs)
    if row.any_order:
        return sorted(ours.splitlines()) == sorted(theirs.splitlines())
    mine, his = members(ours), members(theirs)
    if mine is None or his is None:
        return ours == theirs
    # The contract's keys first and in its order; further ones of ours may follow.
    alike = masked(mine[: len(his)], row) == masked(his, row)
    return alike and compact(mine, ours) == compact(his, theirs)


def skeleton(command: str) -> tuple[str, list[str], list[str]]:
    """A shell command without the prose of its prompt: what is run, and which files it names."""
    plain = IN_A_SESSION.sub("", command)
    *words, prompt = shlex.split(plain)
    named = [line for line in prompt.splitlines() if line.startswith(PROMPT_FACTS)]
    return plain.partition("'")[0], words, named


def members(text: str) -> list[tuple[str, Any]] | None:
    """Keys and values of a JSON object in their order; None when the text is no such object."""
    if not text.startswith("{"):
        return None
    try:
        parsed = json.loads(text)
    except ValueError:
        return None
    return list(parsed.items()) if isinstance(parsed, dict) else None


def compact(pairs: list[tuple[str, Any]], text: str) -> bool:
    """Whether an object is printed on one line without blanks, non-ASCII escaped."""
    return text == json.dumps(dict(pairs), separators=(",", ":")) + "\n"


def masked(pairs: Iterable[tuple[str, Any]], row: Row) -> list[tuple[str, Any]]:
    return [(key, "<prose>" if key in row.prose and value else value) for key, value in pairs]
