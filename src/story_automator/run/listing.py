"""Which sessions there are, and on which tmux server a session lives."""

from collections.abc import Mapping
from pathlib import Path

from story_automator.edges.config import settings
from story_automator.edges.state import session_folder
from story_automator.edges.tmux import Look, Tmux, project_tag
from story_automator.errors import StoryAutomatorError
from story_automator.model.probe import Probe
from story_automator.rules.names import project_slug
from story_automator.watch.servers import server

PREFIX = "sa-"


def server_of(name: str, environ: Mapping[str, str]) -> Tmux:
    """The server a recorded session was started on; else the one of the settings."""
    chosen = settings()
    folder = session_folder(name) if name else None
    record = folder.record() if folder else None
    socket = record.socket if record else chosen.socket
    return server(socket, environ, chosen.policy)


def session_names(tmux: Tmux, project: Path | None = None, prefix: str = PREFIX) -> list[str]:
    """Names that begin like ours. For one project: tagged ones by its full path."""
    look = _reached(tmux)
    untagged = f"{PREFIX}{project_slug(project)}-" if project else prefix
    found: dict[str, None] = {}
    for pane in look.panes:
        if pane.attempt:
            mine = project is None or pane.project == project_tag(str(project))
            wanted = mine and pane.session.startswith(prefix)
        else:
            wanted = pane.session.startswith(untagged)
        if wanted:
            found[pane.session] = None
    return list(found)


def exists(name: str, tmux: Tmux) -> bool:
    """Whether a session of exactly this name is there (a renamed one counts by its tag)."""
    folder = session_folder(name)
    record = folder.record() if folder else None
    attempt = record.attempt if record else None
    return any(
        pane.session == name or (attempt is not None and pane.attempt == attempt)
        for pane in _reached(tmux).panes
    )


def _reached(tmux: Tmux) -> Look:
    look = tmux.look()
    if look.server is Probe.UNREACHABLE:
        raise StoryAutomatorError(look.problem, hint="try again")
    return look
