"""Acts that really change files of the project, drawn and told like an agent's edit tools."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePath

from story_automator.edges.project import implementation_artifacts
from story_automator.errors import StoryAutomatorError
from story_automator.rehearse.show import Show
from story_automator.rehearse.talk import use_tool

STATUS_LINE = re.compile(r"^Status:.*$", re.MULTILINE)


def refuse_outside(path: str) -> None:
    pure = PurePath(path)
    if not path or pure.is_absolute() or ".." in pure.parts:
        raise ValueError(f"path must stay inside the project: {path!r}")


def inside(show: Show, path: str) -> Path:
    """The file meant by `path`; a symlink out of the project is refused as well."""
    root = show.project.resolve()
    target = (root / path).resolve()
    if not target.is_relative_to(root):
        raise StoryAutomatorError(f"{path} leads out of the project")
    return target


def store(show: Show, target: Path, text: str, tool: str, answer: str) -> None:
    def work() -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    name = str(target.relative_to(show.project.resolve()))
    use_tool(show, tool, name, answer, work=work)


def change(show: Show, target: Path, text: str) -> None:
    store(show, target, text, "Update", "Updated the file")


def content(target: Path) -> str:
    try:
        return target.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StoryAutomatorError(f"there is no file {target}") from None


@dataclass(frozen=True, slots=True)
class Write:
    """Create a file, or write it anew."""

    path: str
    text: str

    def __post_init__(self) -> None:
        refuse_outside(self.path)

    def play(self, show: Show) -> None:
        lines = len(self.text.splitlines())
        store(
            show, inside(show, self.path), self.text, "Write", f"Wrote {lines} lines to {self.path}"
        )


@dataclass(frozen=True, slots=True)
class Append:
    """Add text at the end of a file."""

    path: str
    text: str

    def __post_init__(self) -> None:
        refuse_outside(self.path)

    def play(self, show: Show) -> None:
        target = inside(show, self.path)
        change(show, target, content(target) + self.text)


@dataclass(frozen=True, slots=True)
class Replace:
    """Put one text in the place of another."""

    path: str
    old: str
    new: str

    def __post_init__(self) -> None:
        refuse_outside(self.path)

    def play(self, show: Show) -> None:
        target = inside(show, self.path)
        text = content(target)
        if self.old not in text:
            raise StoryAutomatorError(f"{self.path} does not hold {self.old!r}")
        change(show, target, text.replace(self.old, self.new, 1))


@dataclass(frozen=True, slots=True)
class Sprint:
    """Set the status of a key in sprint-status.yaml; the rest of the file stays as it is."""

    key: str
    status: str

    def play(self, show: Show) -> None:
        target = implementation_artifacts(show.project.resolve()) / "sprint-status.yaml"
        line = re.compile(rf"^(\s+{re.escape(self.key)}:[ \t]*)[\w-]+", re.MULTILINE)
        text, count = line.subn(rf"\g<1>{self.status}", content(target))
        if count != 1:
            raise StoryAutomatorError(f"{target} has {count} keys {self.key}, not one")
        change(show, target, text)


@dataclass(frozen=True, slots=True)
class Status:
    """Set the `Status:` line of a story file."""

    path: str
    status: str

    def __post_init__(self) -> None:
        refuse_outside(self.path)

    def play(self, show: Show) -> None:
        target = inside(show, self.path)
        text, count = STATUS_LINE.subn(f"Status: {self.status}", content(target), count=1)
        if not count:
            raise StoryAutomatorError(f"{self.path} has no Status line")
        change(show, target, text)
