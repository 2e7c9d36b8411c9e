"""`monitor-session NAME…`: watch until the verdict is known, print it, exit 0."""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from story_automator.cli.render import csv_line, json_line
from story_automator.cli.usage import (
    Parser,
    minutes,
    seconds,
    usage_failure,
    wants_help,
    whole_number,
)
from story_automator.edges.project import project_root
from story_automator.errors import UsageError

USAGE = (
    "monitor-session <session_name>... [--timeout MIN=60] [--max-polls N] [--poll-interval S=60] "
    "[--initial-wait S] [--agent A] [--workflow W] [--story-key K] [--state-file F] "
    "[--project-root P] [--verbose] [--json]"
)
CODEX_TAKES_LONGER = 1.5


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    if not argv:
        return usage_failure(USAGE)
    given = _parse(argv)
    from story_automator.edges.config import settings
    from story_automator.watch.case import Limits
    from story_automator.watch.subjects import subject
    from story_automator.watch.until import until

    chosen = settings()
    # Not refused when it is missing: the verdict on a session does not hang on it.
    named = Path(given.project_root).absolute() if given.project_root else None
    agent = "" if given.agent == "auto" else given.agent
    sessions = [
        subject(name, agent=agent, socket=chosen.socket, policy=chosen.policy)
        for name in dict.fromkeys(given.session)
    ]
    codex = all(watched.known.agent == "codex" for watched in sessions)
    limits = Limits(
        deadline=timedelta(minutes=_minutes(given.timeout, codex=codex)),
        poll_every=timedelta(seconds=max(given.poll_interval, 0.1)),
        polls=given.max_polls,
        settle=timedelta(seconds=given.initial_wait),
    )
    for result in until(
        sessions,
        limits=limits,
        settings=chosen,
        environ=os.environ,
        verify=lambda watched: _verify(watched, named, given),
        say=_say if given.verbose else None,
    ):
        if given.verbose:
            verdict = result.concluded.verdict
            _say(f"{result.name}: {verdict.state}: {verdict.because}")
        print(_rendered(result, as_json=given.json, named=len(sessions) > 1), flush=True)
    return 0


def _minutes(given: float, *, codex: bool) -> float:
    """Codex gets half as much again, in whole minutes where whole minutes were asked for."""
    if not codex:
        return given
    longer = given * CODEX_TAKES_LONGER
    return int(longer) if given >= 1 else longer


def _verify(watched: "Watched", named: Path | None, given: "Namespace") -> "Verification":
    """The project of the session is asked, unless the caller names another."""
    from story_automator.watch.verifier import verification

    record = watched.known.record
    root = named or (Path(record.project) if record else project_root())
    return verification(given.workflow, root, given.story_key, None)


def _parse(argv: list[str]) -> "Namespace":
    parser = Parser(USAGE)
    parser.add_argument("session", nargs="+")
    parser.add_argument("--timeout", type=minutes, default=60.0)
    parser.add_argument("--max-polls", type=whole_number)
    parser.add_argument("--poll-interval", type=seconds, default=60.0)
    parser.add_argument("--initial-wait", type=seconds, default=0.0)
    parser.add_argument("--agent", default="")
    parser.add_argument("--workflow", default="dev")
    parser.add_argument("--story-key")
    parser.add_argument("--state-file")
    parser.add_argument("--project-root")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_intermixed_args(argv)
    if given.state_file and not (project_root(given.project_root) / given.state_file).is_file():
        raise UsageError(f"no such state file: {given.state_file}")
    for name in given.session:
        if not name or "/" in name or not name.isprintable():
            raise UsageError(f"not a session name: {name!r}")
    return given


def _rendered(result: "Outcome", *, as_json: bool, named: bool) -> str:
    verdict = result.concluded.verdict
    answer: dict[str, object] = {
        "final_state": verdict.state.value,
        "todos_done": result.todos_done,
        "todos_total": result.todos_total,
        "output_file": result.output_file,
        "exit_reason": verdict.reason,
        "output_verified": verdict.verified,
    }
    if not as_json:
        row = list(answer.values())[:5]
        return csv_line([*row, result.name] if named else row)
    end = result.end
    answer |= {
        "evidence": verdict.because,
        "exit_code": end.code if end else None,
        "signal": end.signal if end else None,
        "duration_s": round(result.duration, 3),
        "session": result.name,
        **_told(result),
    }
    return json_line(answer)


def _told(result: "Outcome") -> dict[str, object]:
    """The agent's own figures; null where it told none."""
    from story_automator.rules.masking import mask

    told, resets_at = result.told, result.concluded.verdict.resets_at
    return {
        "session_id": told.session_id or None,
        "transcript": told.transcript or None,
        "last_message": mask(told.last_message) or None,
        "tokens": told.tokens,
        "cost_usd": told.cost_usd,
        "context_pct": told.context_pct,
        "resets_at": resets_at.strftime("%Y-%m-%dT%H:%M:%SZ") if resets_at else None,
    }


def _say(words: str) -> None:
    print(f"[{datetime.now(UTC).astimezone():%H:%M:%S}] {words}", file=sys.stderr, flush=True)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from story_automator.model.verdict import Verification
    from story_automator.watch.outcome import Outcome
    from story_automator.watch.session import Watched
