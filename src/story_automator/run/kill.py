"""End sessions of ours: the whole process tree, then the tmux session. Nobody else's, ever."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from story_automator.edges.processes import Identity, end
from story_automator.edges.state import SessionFolder, all_session_folders, session_folder
from story_automator.edges.tmux import Look, Tmux
from story_automator.errors import StoryAutomatorError
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe


@dataclass(slots=True)
class Target:
    """One session to end: what tmux shows of it, what we recorded of it, or both."""

    name: str
    attempt: str
    session_ids: set[str] = field(default_factory=set)
    folder: SessionFolder | None = None

    def members(self) -> list[Identity]:
        started = self.folder.started() if self.folder else None
        if started is None:
            return []
        return [
            Identity(started.wrapper_pid, started.wrapper_start),
            Identity(started.agent_pid, started.agent_start),
        ]


def find(name: str, tmux: Tmux) -> Target | None:
    """The session of this name, also after it was renamed; refuses one that is not ours."""
    folder = session_folder(name)
    record = folder.record() if folder else None
    look = _reachable(tmux)
    panes = look.panes
    if record is not None:
        ids = {pane.session_id for pane in panes if pane.attempt == record.attempt}
        return Target(name, record.attempt, ids, folder)
    named = [pane for pane in panes if pane.session == name]
    if not named:
        return None
    if not named[0].attempt:
        raise StoryAutomatorError(
            f"{name} was not started by story-automator; nothing was done",
            hint=f"end it yourself: tmux kill-session -t '={name}'",
        )
    return Target(name, named[0].attempt, {named[0].session_id}, folder)


def find_all(tmux: Tmux, project: Path | None) -> list[Target]:
    """Every living session of ours on this server, of one project (by its full path) or of all."""
    targets: dict[str, Target] = {}
    for pane in _reachable(tmux).panes:
        if pane.attempt and (project is None or pane.project == str(project)):
            target = targets.setdefault(pane.attempt, Target(pane.session, pane.attempt))
            target.session_ids.add(pane.session_id)
    for folder in all_session_folders() if targets else []:
        record = folder.record()
        if record is not None and record.attempt in targets:
            targets[record.attempt].folder = folder
    return list(targets.values())


def kill(targets: Iterable[Target], tmux: Tmux, policy: Policy) -> list[int]:
    """End these sessions together; return the pids that would not go."""
    targets = list(targets)
    for target in targets:
        if target.folder is not None:
            target.folder.mark_killed()
    members = [member for target in targets for member in target.members()]
    attempts = {target.attempt for target in targets}
    survivors = end(members, attempts, policy.kill_grace.total_seconds())
    for target in targets:
        for session_id in target.session_ids:
            tmux.kill_session(session_id)
    return survivors


def _reachable(tmux: Tmux) -> Look:
    look = tmux.look()
    if look.server is Probe.UNREACHABLE:
        raise StoryAutomatorError(f"{look.problem}; nothing was ended", hint="try again")
    return look
