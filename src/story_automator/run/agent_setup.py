"""Make an agent start without a person: what its own files lack, and putting it there."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from story_automator.edges import claude_config, codex_config
from story_automator.errors import StoryAutomatorError
from story_automator.rules import agent_setup, codex_trust

# Where one of these is set, Claude talks to another service and asks about no key.
OTHER_SERVICES = (
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be written into one file, told to a person as (what, why)."""

    path: Path
    lines: tuple[tuple[str, str], ...]
    carry_out: Callable[[], None] = field(repr=False)


def plan(agent: str, project: Path, environ: Mapping[str, str]) -> Plan:
    """What `agent` lacks to start in `project`; nothing is written yet."""
    if not _is_text(project):
        raise StoryAutomatorError(
            f"{os.fsencode(project)!r} is not UTF-8, so the agent's settings cannot name it"
        )
    return (_codex if agent == "codex" else _claude)(project, environ)


def end_of_key(environ: Mapping[str, str]) -> str:
    """The part of the key that Claude asks about; empty where it asks about none."""
    if any(environ.get(name) for name in OTHER_SERVICES):
        return ""
    return agent_setup.key_end(environ.get("ANTHROPIC_API_KEY", ""))


def _claude(project: Path, environ: Mapping[str, str]) -> Plan:
    path, end = claude_config.config_path(environ), end_of_key(environ)

    def lacks(config: object) -> list[agent_setup.Change]:
        try:
            return agent_setup.missing(config, project, end)
        except ValueError as error:
            raise _refusal(path, error) from None

    def completed(config: object) -> dict[str, object]:
        return agent_setup.applied(config, lacks(config))

    changes = lacks(claude_config.read(path))
    told = tuple((change.shown, change.why) for change in changes)
    return Plan(path, told, lambda: claude_config.update(path, completed))


def _codex(project: Path, environ: Mapping[str, str]) -> Plan:
    path = codex_config.config_path(environ)

    def trusting(text: str) -> str:
        try:
            return codex_trust.with_trust(text, project)
        except ValueError as error:
            raise _refusal(path, error) from None

    before = codex_config.read(path)
    name = f"{codex_trust.table_name(project)} {codex_trust.TRUSTED}"
    why = "else Codex's own screen asks whether you trust this folder, and leaves its hooks out"
    told = () if trusting(before) == before else ((name, why),)
    return Plan(path, told, lambda: codex_config.update(path, trusting))


def _refusal(path: Path, error: ValueError) -> StoryAutomatorError:
    return StoryAutomatorError(f"{path} stays as it is: {error}", hint="look at the file yourself")


def _is_text(path: Path) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in str(path))
