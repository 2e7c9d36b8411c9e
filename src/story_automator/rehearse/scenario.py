"""Scenario files: read strictly, so that a typing error is told with its file and act."""

import dataclasses
import math
import re
import tomllib
import typing
from collections.abc import Mapping
from pathlib import Path

from story_automator.edges.files import read_text
from story_automator.edges.resources import resource
from story_automator.errors import StoryAutomatorError
from story_automator.rehearse import dialogs, edits, pace, talk, trouble
from story_automator.rehearse.show import Act
from story_automator.rehearse.story import WORDS

ACTS: dict[str, type[Act]] = {
    kind.__name__.lower(): kind
    for room in (talk, pace, dialogs, edits, trouble)
    for kind in vars(room).values()
    if isinstance(kind, type) and kind.__module__ == room.__name__
}
MODES = ("tui", "print")
PLACEHOLDER = re.compile(r"\{(" + "|".join(WORDS) + r")\}")


@dataclasses.dataclass(frozen=True, slots=True)
class Scenario:
    """What the scripted agent plays, and how."""

    about: str
    acts: tuple[Act, ...]
    mode: str = "tui"
    hooks: bool = True
    title: str = "Rehearsal"  # of the pane; empty: it is left alone
    frame: float = 0.12  # seconds between two pictures of the spinner

    def __post_init__(self) -> None:
        pace.one_of("mode", self.mode, MODES)


def scenario_names() -> list[str]:
    return sorted(path.stem for path in resource("fixtures", "scenarios").glob("*.toml"))


def scenario_file(name: str) -> Path:
    """A bundled scenario by its name, or a file by its path."""
    if "/" in name or name.endswith(".toml"):
        return Path(name)
    path = resource("fixtures", "scenarios") / f"{name}.toml"
    if not path.is_file():
        raise StoryAutomatorError(
            f"there is no scenario {name}", hint=f"choose one of {', '.join(scenario_names())}"
        )
    return path


def read_scenario(path: Path, words: Mapping[str, str]) -> Scenario:
    """The scenario in `path`, its placeholders filled from `words`."""
    try:
        raw = tomllib.loads(read_text(path))
    except FileNotFoundError:
        raise StoryAutomatorError(f"there is no scenario file {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise StoryAutomatorError(f"{path}: {error}") from None
    acts = raw.pop("acts", None)
    if not isinstance(acts, list) or not acts:
        raise StoryAutomatorError(f"{path}: a scenario needs a list of acts")
    played = tuple(_act(f"{path}, act {n + 1}", act, words) for n, act in enumerate(acts))
    return _build(str(path), Scenario, {**raw, "acts": played})


def _act(where: str, raw: object, words: Mapping[str, str]) -> Act:
    if not isinstance(raw, dict):
        raise StoryAutomatorError(f"{where}: an act is a table with a `do`")
    settings = {key: value for key, value in raw.items() if key != "do"}
    name = raw.get("do")
    if not isinstance(name, str) or name not in ACTS:
        raise StoryAutomatorError(
            f"{where}: there is no act {name!r}", hint=f"the acts are {', '.join(sorted(ACTS))}"
        )
    where = f"{where} ({name})"
    return _build(where, ACTS[name], {k: _filled(where, v, words) for k, v in settings.items()})


def _filled(where: str, value: object, words: Mapping[str, str]) -> object:
    if isinstance(value, list):
        return tuple(_filled(where, item, words) for item in value)
    if not isinstance(value, str):
        return value

    def word(found: re.Match[str]) -> str:
        if found[1] not in words:
            raise StoryAutomatorError(f"{where}: the prompt names no story for {found[0]}")
        return words[found[1]]

    return PLACEHOLDER.sub(word, value)


Built = typing.TypeVar("Built")


def _build(where: str, kind: type[Built], settings: Mapping[str, object]) -> Built:
    """A value of `kind` from settings whose names and types were checked."""
    hints = typing.get_type_hints(kind)
    for name, value in settings.items():
        if name not in hints:
            raise StoryAutomatorError(f"{where}: unknown setting {name!r}")
        if not _fits(value, hints[name]):
            raise StoryAutomatorError(f"{where}: {name} cannot be {value!r}")
    try:
        return kind(**settings)
    except (TypeError, ValueError) as error:
        reason = re.sub(r"^.*__init__\(\) ", "", str(error))
        raise StoryAutomatorError(f"{where}: {reason}") from None


def _fits(value: object, kind: object) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not (isinstance(value, bool) or math.isnan(value))
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind in (str, bool):
        return isinstance(value, typing.cast("type", kind))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(item, parts[0]) for item in value)
    return isinstance(value, Mapping) if origin is Mapping else True
