"""Story files: found by their prefix, status and title from front matter or a bare line."""

import re
from pathlib import Path
from typing import NamedTuple

from story_automator.edges.project import read_project_file
from story_automator.edges.yaml import scalar, yaml_map
from story_automator.errors import StoryAutomatorError

FENCE = "---"
# `Status: done`, `**Status:** done`
BARE_LINE = re.compile(
    r"(?:\*\*)?(?P<name>status|title)(?:\*\*)?:(?:\*\*)?[ \t]*(?P<value>\S.*)", re.IGNORECASE
)
# Below the first section or code block a `Status:` line is somebody's prose.
END_OF_HEAD = re.compile(r"## |```|~~~")


class StoryFile(NamedTuple):
    """What a story file says about itself; empty where it says nothing."""

    path: Path
    status: str
    title: str


def story_files(folder: Path, prefix: str) -> list[Path]:
    """The files `<prefix>-*.md` directly in `folder`, by name."""
    try:
        return sorted(
            path
            for path in folder.iterdir()
            if path.name.startswith(f"{prefix}-") and path.name.endswith(".md") and path.is_file()
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoryAutomatorError(f"cannot list {folder}: {error.strerror}") from None


def read_story(path: Path) -> StoryFile:
    front, body = _parts(read_project_file(path).splitlines())
    facts = _bare_lines(body, path) | _front_matter(front, path)
    return StoryFile(path, facts.get("status", ""), facts.get("title", ""))


def _parts(lines: list[str]) -> tuple[list[str], list[str]]:
    """Front matter, which ends at a line and not inside a value, and the head of the body."""
    front: list[str] = []
    if lines and lines[0].rstrip() == FENCE:
        for number, line in enumerate(lines[1:], start=1):
            if line.rstrip() == FENCE:
                front, lines = lines[1:number], lines[number + 1 :]
                break
    head = next((n for n, line in enumerate(lines) if END_OF_HEAD.match(line)), len(lines))
    return front, lines[:head]


def _front_matter(lines: list[str], path: Path) -> dict[str, str]:
    if not lines:
        return {}
    try:
        found = yaml_map("\n".join(lines), path)
    except StoryAutomatorError:
        # Agents write `title: Login: part 2`, which is no YAML; the status beside it still counts.
        return _bare_lines(lines, path)
    facts: dict[str, str] = {}
    for key, (_, node) in found.items():
        _add(facts, key, scalar(node), path)
    return facts


def _bare_lines(lines: list[str], path: Path) -> dict[str, str]:
    facts: dict[str, str] = {}
    for line in lines:
        if found := BARE_LINE.match(line):
            _add(facts, found["name"], found["value"].strip().strip("*\"'"), path)
    return facts


def _add(facts: dict[str, str], key: str, value: str, path: Path) -> None:
    name = key.lower()
    if name not in ("status", "title") or not value:
        return
    if facts.setdefault(name, value) != value and name == "status":
        raise StoryAutomatorError(f"{path} has two values for {key}: keep one of them")
