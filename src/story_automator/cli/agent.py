"""`agent setup`: show what an agent's own files lack to start without a person, then write it."""

import os
import shlex
import sys
from enum import StrEnum
from typing import Annotated

from story_automator.cli.human import answer
from story_automator.errors import StoryAutomatorError

# What a person should know before saying yes, and what holds even if there is nothing to write.
CONSEQUENCE = {
    "claude": "With this you say that you trust the project: Claude may read, change and run it.",
    "codex": "With this you say that you trust the project: Codex may run the hooks it brings.",
}
BESIDES = {"codex": "`codex exec`, as story-automator starts it, asks nothing and needs no trust."}


class Action(StrEnum):
    SETUP = "setup"


class Agent(StrEnum):
    CLAUDE = "claude"
    CODEX = "codex"


def run(name: str, argv: list[str]) -> int:
    import typer

    def agent(
        _action: Annotated[Action, typer.Argument(metavar="setup", show_default=False)],
        agent: Annotated[Agent, typer.Argument(metavar="claude|codex", show_default=False)],
        project: Annotated[
            str, typer.Option(help="The project's folder; the current one unless told.")
        ] = "",
        yes: Annotated[bool, typer.Option("--yes", help="Write without asking.")] = False,
    ) -> int:
        """Let an agent start in a project without a person: show what its files lack, write it."""
        return set_up(agent, project, yes=yes)

    return answer(agent, name, argv)


def set_up(agent: str, project: str, *, yes: bool) -> int:
    from story_automator.edges.project import project_root
    from story_automator.run.agent_setup import plan

    root = project_root(project or None)
    planned = plan(agent, root, os.environ)
    if agent in BESIDES:
        print(BESIDES[agent])
    if not planned.lines:
        print(f"nothing to do: {planned.path} has all that {agent} needs in {root}")
        return 0
    print(f"{planned.path} would get:\n")
    for what, why in planned.lines:
        print(f"  {what}\n      {why}")
    print(f"\n{CONSEQUENCE[agent]}")
    if not yes:
        again = ["story-automator", "agent", "setup", agent, "--project", str(root), "--yes"]
        if not sys.stdin.isatty():
            raise StoryAutomatorError(
                "nothing was written: there is no terminal to ask on", hint=shlex.join(again)
            )
        if not _agreed():
            print("nothing was written")
            return 1
    planned.carry_out()
    print(f"written to {planned.path}")
    return 0


def _agreed() -> bool:
    try:
        return input("Write it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False
