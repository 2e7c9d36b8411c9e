"""What is recorded about one session: how it was started, what runs in it, how it ended."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

VERSION = 1


class Stored:
    """A persisted value: carries a version, ignores fields it does not know."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        return {"version": VERSION, **asdict(self)}  # type: ignore[call-overload]

    @classmethod
    def from_json(cls, stored: object) -> Self:
        """Read a stored record back; ValueError when it cannot be one."""
        if not isinstance(stored, Mapping):
            raise ValueError("a record must be a JSON object")
        if stored.get("version") != VERSION:
            raise ValueError(f"unknown record version {stored.get('version')!r}")
        known: dict[str, Any] = {}
        for name, kind in cls.__annotations__.items():
            if name not in stored:
                continue
            value = stored[name]
            if kind is float and type(value) is int:
                value = float(value)
            if type(value) is not kind:
                raise ValueError(f"{name} has the wrong type")
            known[name] = value
        try:
            return cls(**known)
        except TypeError as error:
            raise ValueError(str(error)) from None


@dataclass(frozen=True, slots=True)
class SessionRecord(Stored):
    """Written once, before the session starts."""

    name: str
    attempt: str
    project: str
    socket: str  # the path of the tmux server's socket
    agent: str
    mode: str  # tui | print | command
    step: str
    epic: str
    story: str
    cycle: str
    created: float  # seconds since the epoch: events before this are somebody else's
    conversation: str = ""  # the id the agent was told to give its conversation


@dataclass(frozen=True, slots=True)
class Started(Stored):
    """Written by the wrapper: who runs. A pid alone is nobody, so start time and boot are kept."""

    wrapper_pid: int
    wrapper_start: str
    agent_pid: int
    agent_start: str
    boot: str


@dataclass(frozen=True, slots=True)
class Ended(Stored):
    """Written by the wrapper: how the agent ended. `signal` 0 means that it exited by itself."""

    code: int
    signal: int
    hangup: bool  # the terminal was taken away before the agent ended
    at: float
