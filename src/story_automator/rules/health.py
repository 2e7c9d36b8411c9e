"""Would a run work here? Each check looks at the facts and says one thing, with its remedy."""

import re
import shlex
from collections.abc import Callable

from story_automator.model.health import Facts, Finding, Status
from story_automator.model.probe import Probe
from story_automator.rules import agent_health

Check = Callable[[Facts], Finding | None]

OLDEST_TMUX = (3, 2)


def findings(facts: Facts) -> list[Finding]:
    """What every check says, worst first."""
    said = [finding for check in CHECKS if (finding := check(facts))]
    return sorted(said, key=lambda finding: list(Status).index(finding.status))


def would_run(said: list[Finding]) -> bool:
    return all(finding.status is not Status.FAIL for finding in said)


def tmux(f: Facts) -> Finding:
    if f.tmux.probe is Probe.ABSENT:
        return Finding("tmux", Status.FAIL, "tmux is not installed", _install(f, "tmux"))
    number = re.search(r"(\d+)\.(\d+)", f.tmux.version)
    if number is None or "openbsd" in f.tmux.version:
        return Finding("tmux", Status.WARN, "tmux does not tell its version", "tmux -V")
    if (int(number[1]), int(number[2])) < OLDEST_TMUX:
        message = f"{f.tmux.version} is too old: 3.2 is the first with what is needed"
        return Finding("tmux", Status.FAIL, message, _install(f, "tmux"))
    return Finding("tmux", Status.OK, f.tmux.version)


def python(f: Facts) -> Finding:
    return Finding("python", Status.OK, f"python {f.python}")


def git(f: Facts) -> Finding:
    if f.git.probe is Probe.ABSENT:
        return Finding("git", Status.FAIL, "git is not installed", _install(f, "git"))
    if f.git.probe is Probe.UNREACHABLE:
        return Finding("git", Status.WARN, "git does not tell its version", "git --version")
    return Finding("git", Status.OK, f.git.version)


def repository(f: Facts) -> Finding:
    if f.in_repository:
        return Finding("repository", Status.OK, f"{f.project} is in a git repository")
    start = f"git init {shlex.quote(f.project)}"
    if f.agent == "codex":
        message = f"{f.project} is in no git repository, and codex exec starts nowhere else"
        return Finding("repository", Status.FAIL, message, start)
    message = f"{f.project} is in no git repository: nothing an agent does there can be taken back"
    return Finding("repository", Status.WARN, message, start)


def config(f: Facts) -> Finding | None:
    if not f.trouble:
        return None
    return Finding("config", Status.FAIL, f.trouble, _edit(f.config))


def permissions(f: Facts) -> Finding | None:
    messages = {
        "bypass": (Status.OK, "bypass: agents run what they decide to, and ask nobody"),
        "acceptEdits": (
            Status.WARN,
            "acceptEdits: the first command that needs permission waits for a person",
        ),
        "allowlist": (Status.OK, "allowlist: what is not on the list is refused, nobody is asked"),
    }
    if f.permissions not in messages:
        return None
    status, message = messages[f.permissions]
    return Finding("permissions", status, message, _edit(f.config) if status is Status.WARN else "")


def root(f: Facts) -> Finding | None:
    if not f.is_root or f.agent != "claude":
        return None
    message = "running as root: claude refuses that, so its sessions get IS_SANDBOX=1"
    return Finding("root", Status.OK, message)


def agent(f: Facts) -> Finding:
    if not f.agent:
        return Finding("agent", Status.OK, "AI_COMMAND starts the agent; it is not looked at")
    return Finding("agent", Status.OK, f"this project uses {f.agent}")


# A new check is a function, and a row here.
CHECKS: tuple[Check, ...] = (
    tmux,
    python,
    git,
    repository,
    config,
    permissions,
    root,
    agent,
    *agent_health.CHECKS,
)


def _install(f: Facts, name: str) -> str:
    return f"brew install {name}" if f.is_mac else f"sudo apt-get install {name}"


def _edit(path: str) -> str:
    return f"${{EDITOR:-vi}} {shlex.quote(path)}"
