"""The user's settings: `$XDG_CONFIG_HOME/story-automator/config.toml`, all of it optional."""

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from story_automator.errors import StoryAutomatorError
from story_automator.model.agents import DEFAULT, AgentSettings, agent_settings_from
from story_automator.model.policy import Policy, policy_from

MISSED_BEATS = 3  # one may be late and one lost


@dataclass(frozen=True, slots=True)
class Settings:
    """What the config file and the environment say."""

    policy: Policy
    socket: str  # a path, a name, or empty for the user's own tmux server
    environment: tuple[str, ...] = ()  # what agents may inherit besides the usual
    agents: AgentSettings = DEFAULT


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
    policy, tmux, agents = (stored.get(name, {}) for name in ("policy", "tmux", "agents"))
    if not (isinstance(policy, dict) and isinstance(tmux, dict) and isinstance(agents, dict)):
        raise StoryAutomatorError(f"{path}: policy, tmux and agents must be tables")
    try:
        numbers = policy_from(policy)
    except ValueError as error:
        raise StoryAutomatorError(f"{path}: {error}") from None
    try:
        choice = agent_settings_from(agents)
    except ValueError as error:
        raise StoryAutomatorError(f"{path}: [agents] {error}") from None
    beats = timedelta(seconds=MISSED_BEATS * choice.refresh_interval)
    if "heartbeat_stands" not in policy:
        numbers = replace(numbers, heartbeat_stands=max(numbers.heartbeat_stands, beats))
    elif numbers.heartbeat_stands < beats:
        raise StoryAutomatorError(
            f"{path}: heartbeat_stands must be at least {MISSED_BEATS} times refresh_interval"
        )
    socket = os.environ.get("STORY_AUTOMATOR_TMUX_SOCKET") or str(tmux.get("socket", ""))
    return Settings(numbers, socket, _names(stored.get("environment", {}), path), choice)


def _names(table: object, path: Path) -> tuple[str, ...]:
    allow = table.get("allow", []) if isinstance(table, dict) else None
    if not isinstance(allow, list) or not all(isinstance(name, str) for name in allow):
        raise StoryAutomatorError(f"{path}: environment.allow must be a list of names")
    return tuple(allow)
