"""The sprint file of a BMAD project: read as YAML, changed in place so that people's text stays."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from story_automator.edges.files import locked, write_atomic
from story_automator.edges.project import implementation_artifacts, read_project_file
from story_automator.edges.yaml import entries, scalar, yaml_map
from story_automator.errors import StoryAutomatorError
from story_automator.model.story import StoryStatus, goes_backwards

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

FILE_NAME = "sprint-status.yaml"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def sprint_file(root: Path) -> Path | None:
    """The project's sprint file, or the place older projects kept it."""
    for folder in (implementation_artifacts(root), root / "_bmad-output"):
        if (folder / FILE_NAME).exists():
            return folder / FILE_NAME
    return None


def statuses(root: Path) -> dict[str, str] | None:
    """Key to status in file order, statuses as written; None without a sprint file."""
    path = sprint_file(root)
    return None if path is None else _plain(_entries(read_project_file(path), path))


def set_status(root: Path, key: str, status: str) -> bool:
    """Move `key`, spelled as in the file, up to `status`; False when it stands there already.

    Only the value's own characters change: comments, quotes, order and line ends stay.
    """
    wanted = _rung(status)
    try:
        return _move(root, key, wanted)
    except OSError as error:
        raise StoryAutomatorError(
            f"cannot update the sprint file of {root}: {error.strerror}",
            hint="the file is whole; try again",
        ) from None


def _move(root: Path, key: str, wanted: StoryStatus) -> bool:
    path = sprint_file(root)
    if path is None:
        raise StoryAutomatorError(f"{FILE_NAME} not found in {root}", hint="plan the sprint first")
    with locked(path):
        text = read_project_file(path)
        found = _entries(text, path)
        if key not in found:
            raise StoryAutomatorError(f"{path} has no entry {key}")
        old = scalar(found[key][1])
        if old.lower() == wanted:
            return False
        if goes_backwards(old, wanted):
            raise StoryAutomatorError(f"{key} is {old} and never goes back to {wanted}")
        changed = _with_value(text, *found[key], wanted)
        if _plain(_entries(changed, path)) != {**_plain(found), key: wanted}:
            raise StoryAutomatorError(
                f"{path} shares the status of {key} with other entries",
                hint=f"write the status of {key} out in the file",
            )
        mark = BYTE_ORDER_MARK if path.read_bytes().startswith(BYTE_ORDER_MARK) else b""
        write_atomic(path, mark + changed.encode())
    return True


def _entries(text: str, path: Path) -> "dict[str, tuple[Node, Node]]":
    top = yaml_map(text, path)
    nested = top.get("development_status")
    return entries(nested[1], path) if nested else top


def _plain(found: "dict[str, tuple[Node, Node]]") -> dict[str, str]:
    return {key: scalar(value) for key, (_, value) in found.items()}


def _rung(status: str) -> StoryStatus:
    try:
        return StoryStatus(status)
    except ValueError:
        raise StoryAutomatorError(
            f"{status!r} is not a status", hint=f"one of {', '.join(StoryStatus)}"
        ) from None


def _with_value(text: str, key: "Node", value: "Node", status: str) -> str:
    start, end = value.start_mark.index, value.end_mark.index
    colon = re.compile(r"\s*:").match(text, key.end_mark.index)
    after = colon.end() if colon else key.end_mark.index
    if start < after:
        # An alias shares the node of its anchor, which stands elsewhere in the file.
        alias = re.compile(r"\s*\*[^\s,}\]]+").match(text, after)
        start, end = after, alias.end() if alias else after
    elif start == end:
        # The mark of an empty value is that of the next token.
        start = end = after
    old = text[start:end].rstrip()
    end = start + len(old)
    kept = re.match(r"(?:[&!]\S+\s+)*", old)
    properties = kept.group() if kept else ""
    quote = old[-1:] if old.endswith(("'", '"')) else ""
    space = " " if start == after else ""
    return f"{text[:start]}{space}{properties}{quote}{status}{quote}{text[end:]}"
