"""One look at one session: what the status commands answer from."""

import time
from dataclasses import dataclass, replace

from story_automator.edges.events import ANY
from story_automator.edges.memory import store_memory
from story_automator.edges.processes import cpu_seconds, family, running_for
from story_automator.edges.tmux import Tmux
from story_automator.model.evidence import Evidence
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe
from story_automator.model.screen import Shape
from story_automator.model.verdict import Verdict, Verification
from story_automator.rules.decide import decide, over_because
from story_automator.watch.session import Watched

SESSION_END = Verification(True, "normal_completion", "")
RECHECK = 0.05
AT_A_PROMPT = (Shape.DONE, Shape.PROMPT, Shape.SHELL)


@dataclass(frozen=True, slots=True)
class Glance:
    """The evidence of one look and what the one mind concludes from it."""

    watched: Watched
    evidence: Evidence
    verdict: Verdict | None


def glance(watched: Watched, server: Tmux, policy: Policy) -> Glance:
    """Look once, remember what was seen, and leave everything as it is."""
    now = time.monotonic()
    watched.hear({ANY}, now)
    while watched.ending is not None and not watched.ending.settled(now):
        # The process is gone without a record: the record may be a moment behind.
        time.sleep(RECHECK)
        now = time.monotonic()
        watched.hear({ANY}, now)
    watched.tick(now)
    watched.want_screen()
    watched.see(server.look(), now)
    if watched.pane is not None and (not watched.pane.dead or watched.wants_last_screen):
        watched.see(server.look([watched.pane.pane]), now)
    if watched.session is Probe.ABSENT and watched.known.folder is None:
        watched.known.memory_file.unlink(missing_ok=True)
    else:
        store_memory(watched.known.memory_file, watched.memory)
    evidence = watched.evidence(now)
    if over_because(evidence):
        evidence = replace(evidence, verification=SESSION_END)
    return Glance(watched, evidence, decide(evidence, policy))


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The four columns of heartbeat-check."""

    status: str
    cpu: float
    pid: str
    prompt: bool


def heartbeat(seen: Glance) -> Heartbeat:
    """Whether the agent's process lives and works."""
    prompt = seen.watched.memory.shape in AT_A_PROMPT
    end = seen.evidence.end
    if end is not None:
        return Heartbeat("dead" if end.failed else "completed", 0.0, "", prompt)
    ending = seen.watched.ending
    pid = ending.started.agent_pid if ending and ending.started else 0
    if not pid and seen.watched.pane is not None:
        pid = family(seen.watched.pane.pid)[-1]
    if not pid:
        return Heartbeat("idle", 0.0, "", prompt)
    age = running_for(pid)
    cpu = 100 * cpu_seconds(family(pid)) / age if age > 0 else 0.0
    if seen.watched.known.folder is None and prompt:
        return Heartbeat("completed", cpu, str(pid), prompt)
    return Heartbeat("alive" if cpu > 0.1 else "idle", cpu, str(pid), prompt)
