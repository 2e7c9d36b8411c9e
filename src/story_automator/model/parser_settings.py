"""Who reads a session's output, and how much of it may be sent."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum


class ParserKind(StrEnum):
    """Who may be asked what an output comes to."""

    AUTO = "auto"  # the first of the others that is there
    API = "api"  # a model, over its API, with a key
    CLI = "cli"  # a model, through `claude -p`, with a subscription
    RULES = "rules"  # nobody: nothing leaves the machine


KINDS = "auto, api, cli or rules"
LEAST_BUDGET = 2_000  # the fixed words of a request alone are a thousand


@dataclass(frozen=True, slots=True)
class ParserSettings:
    """The `[parser]` table of the config file."""

    kind: ParserKind = ParserKind.AUTO
    model: str = "claude-haiku-4-5"
    budget_tokens: int = 6_000  # for the whole text of a request
    timeout: int = 60  # seconds for everything; a CLI, which has to start first, gets twice that

    def __post_init__(self) -> None:
        # An option in the place of a model would be obeyed.
        if not self.model.strip() or self.model.startswith("-"):
            raise ValueError(f"model must be the name of a model, not {self.model!r}")
        if self.budget_tokens < LEAST_BUDGET:
            raise ValueError(f"budget_tokens must be {LEAST_BUDGET} or more")
        if self.timeout < 1:
            raise ValueError("timeout must be 1 second or more")


DEFAULT = ParserSettings()


def parser_settings_from(table: Mapping[str, object]) -> ParserSettings:
    """The defaults with this table on top; ValueError names what is wrong with it."""
    if unknown := table.keys() - {field.name for field in fields(ParserSettings)}:
        raise ValueError(f"unknown setting {min(unknown)}")
    kind = parser_kind(table.get("kind", DEFAULT.kind))
    model = table.get("model", DEFAULT.model)
    if not isinstance(model, str):
        raise ValueError(f"model must be the name of a model, not {model!r}")
    numbers = [_whole(table, name) for name in ("budget_tokens", "timeout")]
    return ParserSettings(kind, model, *numbers)


def parser_kind(told: object) -> ParserKind:
    if told not in list(ParserKind):
        raise ValueError(f"kind must be {KINDS}, not {told!r}")
    return ParserKind(str(told))


def _whole(table: Mapping[str, object], name: str) -> int:
    told = table.get(name, getattr(DEFAULT, name))
    if type(told) is not int:
        raise ValueError(f"{name} must be a whole number")
    return told
