"""Where the project is, where BMAD keeps its artifacts, and how its text and YAML are read."""

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from story_automator.edges.files import read_text
from story_automator.errors import StoryAutomatorError, UsageError

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

MOST_TEXT = 8 * 1024 * 1024
MOST_YAML = 512 * 1024
NO_VALUE = ("", "~", "null", "Null", "NULL")


def project_root(argument: str | None = None) -> Path:
    """`--project-root`, else PROJECT_ROOT, else the current directory; symlinks resolved."""
    chosen = argument or os.environ.get("PROJECT_ROOT") or "."
    root = Path(chosen).expanduser()
    if argument and not root.is_dir():
        raise UsageError(f"no such project directory: {argument}")
    return root.resolve()


def implementation_artifacts(root: Path) -> Path:
    """The folder BMAD's configuration names, which must lie in the project; else its default."""
    default = root / "_bmad-output" / "implementation-artifacts"
    config = root / "_bmad" / "bmm" / "config.yaml"
    if not config.is_file():
        return default
    facts = config.stat()
    chosen = _configured(config, (facts.st_ino, facts.st_size, facts.st_mtime_ns))
    if not chosen:
        return default
    folder = Path(os.path.normpath(root / chosen.replace("{project-root}", str(root))))
    if "{" in chosen.replace("{project-root}", "") or not folder.is_relative_to(root):
        raise StoryAutomatorError(
            f"{config} puts implementation_artifacts outside the project: {chosen}",
            hint="name a folder below {project-root}",
        )
    return folder


@lru_cache(maxsize=8)
def _configured(config: Path, _version: tuple[int, int, int]) -> str:
    """One command asks several times; a file that changed is another version and read anew."""
    entry = yaml_map(read_project_file(config), config).get("implementation_artifacts")
    return scalar(entry[1]) if entry else ""


def read_project_file(path: Path) -> str:
    """The text of a file in the project; everything that keeps us from it is one sentence."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise StoryAutomatorError(f"{path} is not a regular file")
        if path.stat().st_size > MOST_TEXT:
            raise StoryAutomatorError(f"{path} is larger than {MOST_TEXT} bytes")
        return read_text(path)
    except OSError as error:
        raise StoryAutomatorError(f"cannot read {path}: {error.strerror}") from None


def yaml_map(text: str, source: Path) -> "dict[str, tuple[Node, Node]]":
    """The top level of a YAML document: key text to the key's and the value's node.

    Nodes are composed, never constructed: `1.10` stays text and aliases are not expanded.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if len(text) > MOST_YAML:
        raise StoryAutomatorError(f"{source} holds more than {MOST_YAML} characters of YAML")
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False
    try:
        top = yaml.compose(text)
    except MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
        raise StoryAutomatorError(f"{source} is not valid YAML{line}: {error.problem}") from None
    except (YAMLError, AssertionError, ValueError) as error:
        raise StoryAutomatorError(
            f"{source} is not valid YAML: {str(error).splitlines()[0]}"
        ) from None
    except RecursionError:
        raise StoryAutomatorError(f"{source} nests too deeply to be read as YAML") from None
    return {} if top is None else entries(top, source)


def entries(node: "Node", source: Path) -> "dict[str, tuple[Node, Node]]":
    """One level of a YAML map, in file order; a key that stands twice is refused."""
    from ruamel.yaml.nodes import MappingNode, ScalarNode

    if isinstance(node, ScalarNode) and not scalar(node):
        return {}
    if not isinstance(node, MappingNode):
        raise StoryAutomatorError(f"{source} (line {_line(node)}): a map of keys was expected here")
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in node.value:
        name = key.value
        if not isinstance(key, ScalarNode) or name == "<<":
            raise StoryAutomatorError(
                f"{source} (line {_line(key)}): only plain keys are read here"
            )
        if name in found:
            raise StoryAutomatorError(
                f"{source}: {name} stands twice (lines {_line(found[name][0])} and {_line(key)}); "
                "keep one of them"
            )
        found[name] = (key, value)
    return found


def scalar(node: "Node") -> str:
    """The text of a value; empty for null, a list or a map."""
    if not isinstance(node.value, str):
        return ""
    quoted = getattr(node, "style", None)
    return "" if not quoted and node.value in NO_VALUE else node.value.strip()


def _line(node: "Node") -> int:
    line: int = node.start_mark.line
    return line + 1
