"""What `doctor` knows about a machine and a project, and what it finds there."""

from dataclasses import dataclass, field
from enum import StrEnum

from story_automator.model.probe import Probe


class Status(StrEnum):
    """Worst first."""

    FAIL = "fail"  # a run would fail
    WARN = "warn"  # a run may go wrong, or be worth less
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    status: Status
    message: str
    remedy: str = ""  # one line to paste into a shell


@dataclass(frozen=True, slots=True)
class Program:
    """A program asked for its version; unreachable: it is there, but gave no answer."""

    probe: Probe = Probe.ABSENT
    version: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What the last canary of an agent found."""

    version: str
    missing: tuple[str, ...] = ()  # signals that did not arrive
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Claude:
    program: Program = field(default_factory=Program)
    trouble: str = ""  # why its settings cannot be read
    onboarded: bool = False
    trusted: bool = False
    key: str = ""  # of ANTHROPIC_API_KEY: approved, rejected, new; empty: it is not in use
    login: str = ""  # what stands in for a key; empty: nothing does
    asks_by: str = ""  # a settings file whose rules make it ask, whatever the permission mode
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class Codex:
    program: Program = field(default_factory=Program)
    config: str = ""
    trouble: str = ""  # why its config cannot be read
    trusted: bool = False
    login: str = ""
    brings_settings: bool = False  # the project has settings that Codex reads only when it trusts
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    project: str
    agent: str  # the one the project uses; empty for a command of the user's own
    python: str
    is_mac: bool
    is_root: bool
    tmux: Program
    git: Program
    in_repository: bool
    permissions: str  # empty where the config cannot be read
    config: str  # our config file
    trouble: str = ""  # what is wrong with it
    claude: Claude = field(default_factory=Claude)
    codex: Codex = field(default_factory=Codex)
