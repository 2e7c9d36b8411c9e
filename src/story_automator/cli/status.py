"""`tmux-status-check`, `codex-status-check` and `heartbeat-check`: one look, one CSV line."""

import os

from story_automator.cli.render import csv_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import UsageError

STATUS_USAGE = "{name} <session_name> [--full] [--project-root P] [--agent A]"
HEARTBEAT_USAGE = "heartbeat-check <session_name> [--agent A]"


def run(name: str, argv: list[str]) -> int:
    return _heartbeat(argv) if name == "heartbeat-check" else _status(name, argv)


def _status(name: str, argv: list[str]) -> int:
    usage = STATUS_USAGE.format(name=name)
    if wants_help(argv, usage):
        return 0
    if not argv or not argv[0]:
        print(csv_line(("error", 0, 0, "no_session", 30, "error")))
        return 1 if name == "tmux-status-check" else 0
    parser = Parser(usage)
    parser.add_argument("session")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--project-root")
    parser.add_argument("--agent", default="codex" if name == "codex-status-check" else "")
    given = parser.parse_args(argv)
    _check_name(given.session)
    from story_automator.rules.status import status
    from story_automator.watch.outcome import save_output, todos
    from story_automator.watch.telling import told

    seen, server = _look(given.session, given.agent)
    watched = seen.watched
    answer = status(
        seen.evidence,
        watched.memory,
        seen.verdict,
        agent=watched.known.agent,
        ours=watched.known.folder is not None,
        started=watched.ending is not None and watched.ending.started is not None,
    )
    done, total, fourth = answer.todos_done, answer.todos_total, answer.task
    if answer.is_over:
        path = save_output(watched, told(watched), server)
        done, total = todos(watched, path, finished=answer.state == "completed")
        fourth = str(path) if given.full and path else ""
    print(csv_line((answer.status, done, total, fourth, answer.number, answer.state)))
    return 0


def _heartbeat(argv: list[str]) -> int:
    if wants_help(argv, HEARTBEAT_USAGE):
        return 0
    if not argv or not argv[0]:
        print("error,0.0,,no_session")
        return 0
    parser = Parser(HEARTBEAT_USAGE)
    parser.add_argument("session")
    parser.add_argument("--agent", default="")
    given = parser.parse_args(argv)
    _check_name(given.session)
    from story_automator.model.verdict import FinalState
    from story_automator.watch.glance import heartbeat

    seen, _ = _look(given.session, given.agent)
    if seen.verdict is not None and seen.verdict.state is FinalState.NOT_FOUND:
        print("error,0.0,,session_not_found")
        return 0
    beat = heartbeat(seen)
    prompt = "true" if beat.prompt else "false"
    print(csv_line((beat.status, f"{beat.cpu:.1f}", beat.pid, prompt)))
    return 0


def _look(name: str, agent: str) -> "tuple[Glance, Tmux]":
    from story_automator.edges.config import settings
    from story_automator.watch.glance import glance
    from story_automator.watch.servers import server
    from story_automator.watch.subjects import subject

    chosen = settings()
    agent = "" if agent == "auto" else agent
    watched = subject(name, agent=agent, socket=chosen.socket, policy=chosen.policy)
    tmux = server(watched.known.socket, os.environ, chosen.policy)
    return glance(watched, tmux, chosen.policy), tmux


def _check_name(name: str) -> None:
    if "/" in name or not name.isprintable():
        raise UsageError(f"not a session name: {name!r}")


TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.edges.tmux import Tmux
    from story_automator.watch.glance import Glance
