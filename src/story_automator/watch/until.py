"""Watch sessions until their verdicts: opens everything a watch needs and closes it again."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from story_automator.edges.config import Settings
from story_automator.edges.events import event_source
from story_automator.model.verdict import Verification
from story_automator.watch.case import Limits
from story_automator.watch.monitor import Monitor
from story_automator.watch.outcome import Outcome, outcome
from story_automator.watch.servers import server
from story_automator.watch.session import Watched


def until(
    sessions: Sequence[Watched],
    *,
    limits: Limits,
    settings: Settings,
    environ: Mapping[str, str],
    verify: Callable[[Watched], Verification],
    say: Callable[[str], None] | None = None,
) -> Iterator[Outcome]:
    """Each session's outcome as soon as it is known; one process watches all."""
    sockets = {watched.known.socket for watched in sessions}
    servers = {socket: server(socket, environ, settings.policy) for socket in sockets}
    source = event_source()
    try:
        yield from Monitor(
            list(sessions),
            limits,
            settings.policy,
            source=source,
            servers=servers,
            verify=verify,
            finish=lambda done: outcome(done, servers[done.watched.known.socket]),
            say=say,
        ).run()
    finally:
        source.close()
