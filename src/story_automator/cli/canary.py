"""`canary`: does the installed agent still give the signals that the monitor goes by?"""

import os

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import StoryAutomatorError

USAGE = "canary [claude|codex] [--json]"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    from story_automator.run.canary import AGENTS, PACKAGES, installed_version

    parser = Parser(USAGE)
    parser.add_argument("agent", nargs="?", choices=AGENTS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    wanted = (given.agent,) if given.agent else AGENTS
    versions = {agent: installed_version(agent, os.environ) for agent in wanted}
    installed = {agent: version for agent, version in versions.items() if version}
    if not installed:
        raise StoryAutomatorError(
            f"{wanted[0]} is not installed" if given.agent else "no agent is installed",
            hint=f"npm install --global {PACKAGES[wanted[0]]}",
        )
    show = _show_json if given.json else _show_table
    results = [show(agent, version) for agent, version in installed.items()]
    return 0 if all(results) else 1


def _show_table(agent: str, version: str) -> bool:
    from story_automator.run.canary import Canary, in_words, remember, try_agent

    print(f"{agent} {version} against the loopback API, in a home of its own:", flush=True)
    trials: list[Tried] = []
    for tried in try_agent(agent, os.environ):
        trials.append(tried)
        print(_row(tried), flush=True)
    result = Canary(agent, version, trials)
    remember(result)
    print(in_words(result), flush=True)
    return result.ok


def _show_json(agent: str, version: str) -> bool:
    from story_automator.run.canary import Canary, remember, try_agent

    result = Canary(agent, version, list(try_agent(agent, os.environ)))
    remember(result)
    rows = [
        {
            "trial": tried.trial,
            "ok": tried.ok,
            "expected": tried.expected,
            "final_state": tried.final_state,
            "exit_reason": tried.exit_reason,
            "signals": tried.signals,
            "missing": tried.missing,
            "seconds": tried.seconds,
        }
        for tried in result.trials
    ]
    answer = {"agent": agent, "version": version, "ok": result.ok, "trials": rows}
    print(json_line(answer), flush=True)
    return result.ok


def _row(tried: "Tried") -> str:
    mark = "ok" if tried.ok else "LOST" if tried.missing else "WRONG"
    arrived = " ".join(name for name, came in tried.signals.items() if came)
    words = f"  {mark:<5} {tried.trial:<10} {tried.verdict:<29} {tried.seconds:5.1f} s  {arrived}"
    if tried.missing:
        words += f"; missing: {' '.join(tried.missing)}"
    return words if tried.as_expected else f"{words}; expected: {tried.expected}"


TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.run.canary_stage import Tried
