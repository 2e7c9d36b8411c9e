"""The canary: does the installed agent still give every signal, and do the verdicts stand?"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from story_automator.edges.files import private_directory, read_bounded, write_atomic
from story_automator.edges.state import state_root
from story_automator.errors import StoryAutomatorError
from story_automator.model.probe import Probe
from story_automator.run.trials import FALLBACKS, PRIMARY, SCRIPTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.run.canary_stage import Tried

AGENTS = tuple(SCRIPTS)
NAMES = {"claude": "Claude Code", "codex": "Codex"}
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex"}
# The versions that this release was made with.
KNOWN = {"claude": "2.1.197", "codex": "0.169.0"}
NUMBER = re.compile(r"\d+(?:\.\d+)+\S*")
VERSION_LIMIT = 20.0
LARGEST_RECORD = 100_000
RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Canary:
    """All trials of one version of an agent."""

    agent: str
    version: str
    trials: "Sequence[Tried]"

    @property
    def ok(self) -> bool:
        return all(tried.ok for tried in self.trials)

    @property
    def missing(self) -> list[str]:
        """Signals that a trial did without; it may be ok all the same."""
        return sorted({signal for tried in self.trials for signal in tried.missing})


@dataclass(frozen=True, slots=True)
class LastCanary:
    """What is remembered of the last canary of an agent."""

    agent: str
    version: str
    when: datetime
    ok: bool
    missing: tuple[str, ...]


def installed_version(agent: str, environ: Mapping[str, str]) -> str:
    """The version on the PATH; empty when the agent is not installed."""
    from story_automator.edges.programs import version_of

    answer, line = version_of(agent, "--version", environ, limit=VERSION_LIMIT)
    if answer is Probe.ABSENT:
        return ""
    found = NUMBER.search(line)
    if found is None:
        raise StoryAutomatorError(
            f"{agent} --version does not tell a version",
            hint=f"npm install --global {PACKAGES[agent]}",
        )
    return found[0]


def try_agent(agent: str, environ: Mapping[str, str]) -> "Iterator[Tried]":
    """Each trial as it ends; afterwards nothing of the canary is left."""
    from story_automator.run.canary_stage import stage

    _record(agent)  # Where nothing can be remembered, that is told before the trials take time.
    with stage(environ) as made:
        for trials, limit in SCRIPTS[agent]:
            yield from made.run(agent, trials, limit)


def remember(result: Canary) -> None:
    """Keep what came out, for the next start of this version."""
    stored = {
        "version": RECORD_VERSION,
        "agent": result.agent,
        "agent_version": result.version,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "ok": result.ok,
        "missing": result.missing,
    }
    write_atomic(_record(result.agent), json.dumps(stored), mode=0o600)


def last_canary(agent: str) -> LastCanary | None:
    """What the last canary of this agent found; None when there was none that can be read."""
    try:
        stored = json.loads(read_bounded(_record(agent), LARGEST_RECORD))
        if stored["version"] != RECORD_VERSION:
            return None
        when = datetime.fromisoformat(stored["when"])
        missing = tuple(map(str, stored["missing"]))
        return LastCanary(agent, str(stored["agent_version"]), when, stored["ok"] is True, missing)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_new(agent: str, version: str) -> bool:
    """Whether no canary has tried this version yet."""
    last = last_canary(agent)
    return last is None or last.version != version


def in_words(result: Canary) -> list[str]:
    """All is well; or what is lost, what the monitor goes by instead, and whether that will do."""
    name = f"{NAMES[result.agent]} {result.version}"
    wrong = [
        f"{tried.trial} ended as {tried.verdict} instead of {tried.expected}"
        for tried in result.trials
        if not tried.as_expected
    ]
    lost = [
        f"{signal} is lost, which leaves {FALLBACKS[signal]}"
        for signal in result.missing
        if result.ok or signal in PRIMARY
    ]
    if not result.ok:
        known = f"npm install --global {PACKAGES[result.agent]}@{KNOWN[result.agent]}"
        return [f"{name} is not to be trusted with a night:", *wrong, *lost, f"next: {known}"]
    if lost:
        return [f"{name} will do: every trial ended as it should, but", *lost]
    return [f"all signals arrive with {name}"]


def _record(agent: str) -> Path:
    return private_directory(state_root() / "canary") / f"{agent}.json"
