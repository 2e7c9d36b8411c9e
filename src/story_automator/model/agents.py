"""How agents are started: what they may do without asking, and how often they show life."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

MODES = "bypass, acceptEdits or allowlist"


class Permissions(StrEnum):
    """What an agent may do in an unattended run."""

    BYPASS = "bypass"  # everything, and nobody is asked
    ACCEPT_EDITS = "acceptEdits"  # edits in the project; the rest waits for a person
    ALLOWLIST = "allowlist"  # the listed tools; the rest is refused, and nobody is asked


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The `[agents]` table of the config file."""

    permissions: Permissions = Permissions.BYPASS
    allow: tuple[str, ...] = ()  # tools of the allowlist: Edit, Bash(npm test:*)
    refresh_interval: int = 5  # seconds between two heartbeats

    def __post_init__(self) -> None:
        if (self.permissions is Permissions.ALLOWLIST) != bool(self.allow):
            raise ValueError("allow and permissions = allowlist need each other")
        if self.refresh_interval < 1:
            raise ValueError("refresh_interval must be 1 second or more")


DEFAULT = AgentSettings()


def agent_settings_from(table: Mapping[str, object]) -> AgentSettings:
    """The defaults with this table on top; ValueError names what is wrong with it."""
    if unknown := table.keys() - {field.name for field in fields(AgentSettings)}:
        raise ValueError(f"unknown setting {min(unknown)}")
    told = table.get("permissions", DEFAULT.permissions)
    if told not in list(Permissions):
        raise ValueError(f"permissions must be {MODES}, not {told!r}")
    interval = table.get("refresh_interval", DEFAULT.refresh_interval)
    if type(interval) is not int:
        raise ValueError("refresh_interval must be a whole number of seconds")
    return AgentSettings(Permissions(str(told)), _tools(table.get("allow", [])), interval)


def _tools(allow: object) -> tuple[str, ...]:
    if not isinstance(allow, list):
        raise ValueError("allow must be a list of tools")
    for tool in allow:
        # An option in the place of a tool would be obeyed.
        if not isinstance(tool, str) or not tool.strip() or tool.startswith("-"):
            raise ValueError(f"allow holds {tool!r}, which is no tool")
    return tuple(allow)
