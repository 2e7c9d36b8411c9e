"""What Claude's own settings must say before it starts without a person, and nothing besides."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

# As much of a key as Claude remembers when a person approves it.
KEY_SHOWN = 20
ONBOARDED = "hasCompletedOnboarding"
TRUSTED = "hasTrustDialogAccepted"
KEYS = "customApiKeyResponses"


@dataclass(frozen=True, slots=True)
class Change:
    """One value of the file: where it stands, how it is told to a person, and why it is needed."""

    where: tuple[str, ...]
    value: object = field(repr=False)  # may hold the end of a key
    shown: str
    why: str


def key_end(key: str) -> str:
    return key[-KEY_SHOWN:]


def missing(config: object, project: PurePath, end: str) -> list[Change]:
    """What has to change so that no dialog stands in the way; `end` is empty without a key.

    ValueError says what in the file is not as Claude writes it.
    """
    return list(_missing(_table(config, "the file"), project, end))


def applied(config: object, changes: list[Change]) -> dict[str, object]:
    """The settings with these changes; all other values and their order stay."""
    wanted = copy.deepcopy(dict(_table(config, "the file")))
    for change in changes:
        *parents, last = change.where
        table = wanted
        for name in parents:
            table = table.setdefault(name, {})  # type: ignore[assignment]
        table[last] = change.value
    return wanted


def is_onboarded(config: Mapping[str, object]) -> bool:
    return _flag(config, ONBOARDED, ONBOARDED)


def is_trusted(config: Mapping[str, object], project: PurePath) -> bool:
    """Trust is inherited: that of any folder above the project counts."""
    projects = _table(config.get("projects", {}), "projects")
    return any(
        _flag(_table(projects.get(str(folder), {}), _entry(folder)), TRUSTED, _entry(folder))
        for folder in (project, *project.parents)
    )


def key_answer(config: Mapping[str, object], end: str) -> str:
    """What a person said about this key: approved, rejected, or empty for nothing yet."""
    answers = _table(config.get(KEYS, {}), KEYS)
    known = [said for said in ("approved", "rejected") if end in _list(answers, said)]
    return known[0] if known else ""


def _missing(config: Mapping[str, object], project: PurePath, end: str) -> Iterator[Change]:
    if not is_onboarded(config):
        yield Change(
            (ONBOARDED,),
            True,
            f"{ONBOARDED} = true",
            "else Claude opens with its welcome, and exits where api.anthropic.com is out of reach",
        )
    if not is_trusted(config, project):
        yield Change(
            ("projects", str(project), TRUSTED),
            True,
            f"{_entry(project)}.{TRUSTED} = true",
            "else Claude asks whether you trust this folder, and waits for the answer",
        )
    if end and (said := key_answer(config, end)) != "approved":
        answers = _table(config.get(KEYS, {}), KEYS)
        yield Change(
            (KEYS, "approved"),
            [*_list(answers, "approved"), end],
            f"{KEYS}.approved gets the end of ANTHROPIC_API_KEY",
            "else Claude asks whether to use this key, and goes on without it",
        )
        if said == "rejected":
            yield Change(
                (KEYS, "rejected"),
                [other for other in _list(answers, "rejected") if other != end],
                f"{KEYS}.rejected loses the end of ANTHROPIC_API_KEY",
                "you told Claude once not to use this key; this takes it back",
            )


def _entry(folder: PurePath) -> str:
    return f'projects["{folder}"]'


def _table(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a JSON object")
    return value


def _list(table: Mapping[str, object], name: str) -> list[object]:
    value = table.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{KEYS}.{name} is not a JSON list")
    return value


def _flag(table: Mapping[str, object], name: str, where: str) -> bool:
    value = table.get(name, False)
    if not isinstance(value, bool):
        raise ValueError(f"{where} is neither true nor false")
    return value
