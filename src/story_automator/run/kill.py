"""End sessions of ours: the whole process tree, then the tmux session. Nobody else's, ever."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from story_automator.edges.processes import Identity, end, identify, members
from story_automator.edges.state import SessionFolder, all_session_folders, session_folder
from story_automator.edges.tmux import Look, Pane, Tmux, project_tag
from story_automator.errors import StoryAutomatorError
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe


@dataclass(slots=True)
class Target:
    """One session to end: what tmux shows of it, what we recorded of it, or both."""

    name: str
    attempt: str
    panes: list[Pane] = field(default_factory=list)
    folder: SessionFolder | None = None
    problem: str = ""  # why tmux could not be asked: its session may stay

    def members(self) -> list[Identity]:
        leaders = [who for pane in self.panes if (who := identify(pane.pid))]
        return [*members(self.folder.started() if self.folder else None), *leaders]


def find(name: str, tmux: Tmux) -> Target | None:
    """The session of this name, also after it was renamed; refuses one that is not ours."""
    folder = session_folder(name)
    record = folder.record() if folder else None
    look = tmux.look()
    if record is not None:
        panes = [pane for pane in look.panes if pane.attempt == record.attempt]
        return Target(name, record.attempt, panes, folder, look.problem)
    named = [pane for pane in _reached(look).panes if pane.session == name]
    if not named:
        return None
    if not named[0].attempt:
        raise StoryAutomatorError(
            f"{name} was not started by story-automator; nothing was done",
            hint=f"end it yourself: tmux kill-session -t '={name}'",
        )
    return Target(name, named[0].attempt, named, folder)


def find_all(tmux: Tmux, project: Path | None) -> list[Target]:
    """Every living session of ours on this server, of one project (by its full path) or of all."""
    targets: dict[str, Target] = {}
    wanted = project_tag(str(project)) if project else ""
    for pane in _reached(tmux.look()).panes:
        if pane.attempt and (not wanted or pane.project == wanted):
            target = targets.setdefault(pane.attempt, Target(pane.session, pane.attempt))
            target.panes.append(pane)
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
    everybody = [member for target in targets for member in target.members()]
    attempts = {target.attempt for target in targets}
    survivors = end(everybody, attempts, policy.kill_grace.total_seconds())
    for target in targets:
        for session_id in {pane.session_id for pane in target.panes}:
            tmux.kill_session(session_id, target.attempt)
    return survivors


def _reached(look: Look) -> Look:
    if look.server is Probe.UNREACHABLE:
        raise StoryAutomatorError(f"{look.problem}; nothing was ended", hint="try again")
    return look
