"""`tmux-wrapper`: start, name, list and end sessions; the words a workflow needs around them."""

import contextlib
import os
import sys
from collections.abc import Callable

from story_automator.cli.usage import Parser, something, usage_failure, wants_help
from story_automator.edges.project import project_root
from story_automator.errors import UsageError
from story_automator.rules import names

FORMS = {
    "spawn": '<step> <epic> <story_id> --command "..." [--cycle N] [--agent A]',
    "name": "<step> <epic> <story_id> [--cycle N]",
    "build-cmd": "<step> <story_id> [--agent A] [--state-file F] [extra words]",
    "list": "[--project-only]",
    "kill": "<session_name>",
    "kill-all": "[--project-only]",
    "exists": "<session_name>",
    "project-slug": "",
    "project-hash": "",
    "story-suffix": "<story_id>",
    "agent-type": "",
    "agent-cli": "",
    "skill-prefix": "",
}
USAGE = "\n".join(
    [
        "tmux-wrapper <action> [args...]",
        "",
        "Actions:",
        *(f"  {action} {form}".rstrip() for action, form in FORMS.items()),
    ]
)


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    action = ACTIONS.get(argv[0]) if argv else None
    if action is None:
        return usage_failure(USAGE)
    if wants_help(argv[1:], USAGE):
        return 0
    return action(argv[1:])


def spawn(argv: list[str]) -> int:
    parser = _parser("spawn")
    _add_story(parser)
    parser.add_argument("--command")
    parser.add_argument("--cycle", default="")
    parser.add_argument("--agent", default="")
    given = parser.parse_args(argv)
    if not given.command or not given.command.strip():
        print("--command is required", file=sys.stderr)
        return 1
    from story_automator.agents.dialects import agent_of
    from story_automator.edges.config import settings
    from story_automator.run.prune import prune
    from story_automator.run.spawn import Attempt, needs_sandbox_word, spawn

    attempt = Attempt(given.step, given.epic, given.story, given.command, given.cycle, given.agent)
    chosen = settings()
    made = spawn(attempt, project_root(), chosen, os.environ)
    if needs_sandbox_word(agent_of(given.command)) and "IS_SANDBOX" not in os.environ:
        print("running as root: IS_SANDBOX=1 is set for claude", file=sys.stderr)
    print(made, flush=True)
    with contextlib.suppress(OSError):  # The session runs; old records can wait.
        prune(chosen.policy)
    return 0


def name(argv: list[str]) -> int:
    parser = _parser("name")
    _add_story(parser)
    parser.add_argument("positional_cycle", nargs="?", default="")
    parser.add_argument("--cycle", default="")
    given = parser.parse_args(argv)
    from datetime import UTC, datetime

    made = names.session_name(
        names.project_slug(project_root()),
        datetime.now(UTC).astimezone(),
        epic=given.epic,
        story=given.story,
        step=given.step,
        cycle=given.cycle or given.positional_cycle,
    )
    if why := names.why_unusable(made):
        raise UsageError(f"{why}: {made[:80]!r}")
    print(made)
    return 0


def list_sessions(argv: list[str]) -> int:
    only = _project_only("list", argv)
    from story_automator.run.listing import session_names

    print("\n".join(session_names(_tmux(), project_root() if only else None)))
    return 0


def kill(argv: list[str]) -> int:
    parser = _parser("kill")
    parser.add_argument("session", type=something)
    session = parser.parse_args(argv).session
    from story_automator.edges.config import settings
    from story_automator.run.kill import find, kill

    tmux = _tmux(session)
    target = find(session, tmux)
    if target is None:
        print(f"{session} is already gone", file=sys.stderr)
        return 0
    survivors = kill([target], tmux, settings().policy)
    if target.problem:
        print(f"{target.problem}; the processes were ended, the session may stay", file=sys.stderr)
        return 1
    return _report(survivors)


def kill_all(argv: list[str]) -> int:
    only = _project_only("kill-all", argv)
    from story_automator.edges.config import settings
    from story_automator.run.kill import find_all, kill

    tmux = _tmux()
    targets = find_all(tmux, project_root() if only else None)
    survivors = kill(targets, tmux, settings().policy)
    print(f"Killed {len(targets)} sessions")
    return _report(survivors)


def exists(argv: list[str]) -> int:
    parser = _parser("exists")
    parser.add_argument("session")
    session = parser.parse_args(argv).session
    from story_automator.run.listing import exists

    found = exists(session, _tmux(session))
    print("true" if found else "false")
    return 0 if found else 1


def build_cmd(argv: list[str]) -> int:
    parser = _parser("build-cmd")
    parser.add_argument("step")
    parser.add_argument("story")
    parser.add_argument("extra", nargs="*")
    parser.add_argument("--agent", type=something)
    parser.add_argument("--state-file", type=something)
    given = parser.parse_intermixed_args(argv)
    from story_automator.edges.config import settings
    from story_automator.run.command import build_command
    from story_automator.watch.verifier import check_state_file

    root = project_root()
    if given.state_file:
        check_state_file(str(root / given.state_file))
    command = build_command(
        given.step,
        given.story,
        root=root,
        agent=given.agent or "",
        extra=" ".join(given.extra),
        environ=os.environ,
        choice=settings().agents,
    )
    print(command)
    return 0


def word(argv: list[str], action: str) -> int:
    """The one-word answers about the project and the agent."""
    parser = _parser(action)
    if action == "story-suffix":
        parser.add_argument("story")
    given = parser.parse_args(argv)
    if action == "story-suffix":
        print(names.story_suffix(given.story))
    elif action == "project-slug":
        print(names.project_slug(project_root()))
    elif action == "project-hash":
        print(names.project_hash(project_root()))
    else:
        from story_automator.edges.config import settings
        from story_automator.run.command import agent_cli, agent_type, skill_prefix

        root = project_root()
        agent = agent_type(os.environ, root)
        words = {"agent-type": agent, "skill-prefix": skill_prefix(agent)}
        print(words.get(action) or agent_cli(os.environ, root, settings().agents))
    return 0


def _parser(action: str) -> Parser:
    return Parser(f"tmux-wrapper {action} {FORMS[action]}".rstrip())


def _add_story(parser: Parser) -> None:
    for argument in ("step", "epic", "story"):
        parser.add_argument(argument)


def _project_only(action: str, argv: list[str]) -> bool:
    parser = _parser(action)
    parser.add_argument("--project-only", action="store_true")
    return bool(parser.parse_args(argv).project_only)


def _tmux(session: str = "") -> "Tmux":
    from story_automator.run.listing import server_of

    return server_of(session, os.environ)


def _report(survivors: list[int]) -> int:
    if sys.platform != "linux":
        print("detached children cannot be found on this system", file=sys.stderr)
    if not survivors:
        return 0
    print(f"still running after KILL: {' '.join(map(str, survivors))}", file=sys.stderr)
    return 1


ACTIONS: dict[str, Callable[[list[str]], int]] = {
    "spawn": spawn,
    "name": name,
    "list": list_sessions,
    "kill": kill,
    "kill-all": kill_all,
    "exists": exists,
    "build-cmd": build_cmd,
    **{
        action: (lambda argv, action=action: word(argv, action))  # type: ignore[misc]
        for action in (
            "project-slug",
            "project-hash",
            "story-suffix",
            "agent-type",
            "agent-cli",
            "skill-prefix",
        )
    },
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.edges.tmux import Tmux
