"""The user's settings: `$XDG_CONFIG_HOME/story-automator/config.toml`, all of it optional."""

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from story_automator.errors import StoryAutomatorError
from story_automator.model.agents import DEFAULT, AgentSettings, agent_settings_from
from story_automator.model.parser_settings import DEFAULT as PARSER
from story_automator.model.parser_settings import ParserSettings, parser_settings_from
from story_automator.model.policy import Policy, policy_from

TABLES = ("policy", "tmux", "agents", "parser")
MISSED_BEATS = 3  # one may be late and one lost


@dataclass(frozen=True, slots=True)
class Settings:
    """What the config file and the environment say."""

    policy: Policy
    socket: str  # a path, a name, or empty for the user's own tmux server
    environment: tuple[str, ...] = ()  # what agents may inherit besides the usual
    agents: AgentSettings = DEFAULT
    parser: ParserSettings = PARSER


def config_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.environ.get("HOME", "/"), ".config")
    return Path(base, "story-automator", "config.toml")


def settings() -> Settings:
    path = config_file()
    stored: dict[str, object] = {}
    if path.exists():
        import tomllib

        try:
            stored = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise StoryAutomatorError(f"{path} is not valid TOML: {error}") from None
    policy, tmux, agents, parser = (_table(stored, name, path) for name in TABLES)
    try:
        numbers = policy_from(policy)
    except ValueError as error:
        raise StoryAutomatorError(f"{path}: {error}") from None
    try:
        choice = agent_settings_from(agents)
    except ValueError as error:
        raise StoryAutomatorError(f"{path}: [agents] {error}") from None
    try:
        reader = parser_settings_from(parser)
    except ValueError as error:
        raise StoryAutomatorError(f"{path}: [parser] {error}") from None
    beats = timedelta(seconds=MISSED_BEATS * choice.refresh_interval)
    if "heartbeat_stands" not in policy:
        numbers = replace(numbers, heartbeat_stands=max(numbers.heartbeat_stands, beats))
    elif numbers.heartbeat_stands < beats:
        raise StoryAutomatorError(
            f"{path}: heartbeat_stands must be at least {MISSED_BEATS} times refresh_interval"
        )
    socket = os.environ.get("STORY_AUTOMATOR_TMUX_SOCKET") or str(tmux.get("socket", ""))
    inherited = _names(stored.get("environment", {}), path)
    return Settings(numbers, socket, inherited, choice, reader)


def _table(stored: dict[str, object], name: str, path: Path) -> dict[str, object]:
    table = stored.get(name, {})
    if not isinstance(table, dict):
        raise StoryAutomatorError(
            f"{path}: {', '.join(TABLES[:-1])} and {TABLES[-1]} must be tables"
        )
    return table


def _names(table: object, path: Path) -> tuple[str, ...]:
    allow = table.get("allow", []) if isinstance(table, dict) else None
    if not isinstance(allow, list) or not all(isinstance(name, str) for name in allow):
        raise StoryAutomatorError(f"{path}: environment.allow must be a list of names")
    return tuple(allow)
