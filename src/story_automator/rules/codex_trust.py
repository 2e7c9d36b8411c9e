"""A project's trust in Codex's config.toml: one value changes, no comment does."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePath

from story_automator.rules.codex_config import is_trusted, parse

LEVEL = re.compile(r"""\btrust_level["']?[ \t]*=[ \t]*(?P<value>"[^"\n]*"|'[^'\n]*')""")
HEADER = re.compile(r"""^[ \t]*\[[ \t]*["']?projects\b[^\n]*$""", re.MULTILINE)
TRUSTED = 'trust_level = "trusted"'


def with_trust(text: str, project: PurePath) -> str:
    """The file saying that a person trusts the project; unchanged where it does so already.

    ValueError when the file is no TOML, or says it in a way that cannot be edited.
    """
    before = parse(text)
    if is_trusted(before, project):
        return text
    projects = before.get("projects", {})
    entry = projects.get(str(project), {}) if isinstance(projects, dict) else None
    if not isinstance(projects, dict) or not isinstance(entry, dict):
        raise ValueError("projects is not a table of tables")
    trusted = {**entry, "trust_level": "trusted"}
    after = {**before, "projects": {**projects, str(project): trusted}}
    # Strings may look like any of this, so only an edit that says exactly what it should is taken.
    for candidate in _edits(text, project):
        if _says(candidate, after):
            return candidate
    raise ValueError(f"the table of {project} is written in a way that cannot be edited")


def table_name(project: PurePath) -> str:
    return f"[projects.{json.dumps(str(project), ensure_ascii=False)}]"


def _edits(text: str, project: PurePath) -> Iterator[str]:
    newline = "\r\n" if "\r\n" in text else "\n"
    for found in LEVEL.finditer(text):
        yield text[: found.start("value")] + '"trusted"' + text[found.end("value") :]
    for found in HEADER.finditer(text):
        # A match may end before the \r of its line: the new line goes in front of it.
        place = found.end() - text[: found.end()].endswith("\r")
        yield text[:place] + newline + TRUSTED + text[place:]
    gap = newline * (0 if not text else 1 if text.endswith("\n") else 2)
    yield f"{text}{gap}{table_name(project)}{newline}{TRUSTED}{newline}"


def _says(text: str, wanted: dict[str, object]) -> bool:
    try:
        return parse(text) == wanted
    except tomllib.TOMLDecodeError:
        return False
