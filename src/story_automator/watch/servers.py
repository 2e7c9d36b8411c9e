"""A tmux server to speak to: by its socket, with an environment that holds no secret."""

from collections.abc import Mapping

from story_automator.edges.tmux import Tmux
from story_automator.model.policy import Policy
from story_automator.rules.environment import FOR_THE_TMUX_SERVER, allowed


def server(socket: str, environ: Mapping[str, str], policy: Policy) -> Tmux:
    limit = policy.tmux_limit.total_seconds()
    return Tmux(socket, allowed(environ, FOR_THE_TMUX_SERVER), limit)
