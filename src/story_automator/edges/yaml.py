"""YAML that people wrote: read as nodes, so that nothing is guessed, expanded or lost."""

from pathlib import Path

from story_automator.errors import StoryAutomatorError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

MOST_YAML = 512 * 1024
NO_VALUE = ("", "~", "null", "Null", "NULL")


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
