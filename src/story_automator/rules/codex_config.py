"""Codex's config.toml: switch its hooks on by an edit that changes one value and no comment."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePath

KEY = "codex_hooks"
TABLE = "[features]"
IN_TABLE = re.compile(r"""^[ \t]*\[[ \t]*(["']?)features\1[ \t]*\][^\n]*$""", re.MULTILINE)
DOTTED = re.compile(r"""^[ \t]*(["']?)features\1[ \t]*\.[^\n]*$""", re.MULTILINE)
INLINE = re.compile(r"""(["']?)\bfeatures\1[ \t]*=[ \t]*\{(?P<rest>[ \t]*\}?)""")
VALUE = re.compile(rf"""(["']?)\b{KEY}\1[ \t]*=[ \t]*(?P<value>"[^"\n]*"|'[^'\n]*'|[^\s,}}#]+)""")


def with_hooks_enabled(text: str) -> tuple[str, str]:
    """The file with `features.codex_hooks = true`, and what had to be done for it.

    ValueError holds the contract's word for a file that cannot be edited.
    """
    before = parse(text)
    features = before.get("features", {})
    if not isinstance(features, dict):
        raise ValueError("invalid_features_table")
    if features.get(KEY) is True:
        return text, "already_enabled"
    after = {**before, "features": {**features, KEY: True}}
    # TOML has many ways to say one thing, and strings may look like any of them. So each possible
    # edit is tried, and only one after which the file says exactly what it should is taken.
    for candidate in _edits(text):
        if _says(candidate, after):
            return candidate, "codex_hooks_enabled"
    raise ValueError("invalid_features_table")


def is_trusted(config: dict[str, object], root: PurePath) -> bool:
    """Whether this config says that a person trusts the project."""
    projects = config.get("projects")
    project = projects.get(str(root)) if isinstance(projects, dict) else None
    return isinstance(project, dict) and project.get("trust_level") == "trusted"


def parse(text: str) -> dict[str, object]:
    # Floats stay text: a `nan` would not even equal itself.
    return tomllib.loads(text, parse_float=str)


def _edits(text: str) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text else "\n"
    for found in VALUE.finditer(text):
        yield text[: found.start("value")] + "true" + text[found.end("value") :]
    for found in IN_TABLE.finditer(text):
        yield _insert(text, found.end(), f"{newline}{KEY} = true")
    for found in INLINE.finditer(text):
        is_empty = found["rest"].endswith("}")
        entry = f" {KEY} = true" + (" " if is_empty else ",")
        yield _insert(text, found.start("rest"), entry)
    for found in DOTTED.finditer(text):
        yield _insert(text, found.start(), f"features.{KEY} = true{newline}")
    gap = newline * (0 if not text else 1 if text.endswith("\n") else 2)
    yield f"{text}{gap}{TABLE}{newline}{KEY} = true{newline}"


def _insert(text: str, place: int, more: str) -> str:
    # A match may end before the \r of its line: the new line goes in front of it.
    place -= text[:place].endswith("\r")
    return text[:place] + more + text[place:]


def _says(text: str, wanted: dict[str, object]) -> bool:
    try:
        return parse(text) == wanted
    except tomllib.TOMLDecodeError:
        return False
