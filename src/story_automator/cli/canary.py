"""`canary`: does the installed agent still give the signals that the monitor goes by?"""

import os
import sys
from collections.abc import Callable, Iterator

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import StoryAutomatorError

USAGE = "story-automator canary [claude|codex] [--json]"
COLUMNS = 80

TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.run.canary import Canary
    from story_automator.run.canary_stage import Tried


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    from story_automator.run.canary import AGENTS, PACKAGES, installed_version, remember

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
    for agent in versions.keys() - installed.keys():
        print(f"{agent} is not installed, so it is not tried", file=sys.stderr)
    sing = _sing if given.json else _sing_aloud
    results = [sing(agent, version) for agent, version in installed.items()]
    ok = all(result.ok for result in results)
    if given.json:
        answers = list(map(_as_json, results))
        print(json_line(answers[0] if given.agent else {"ok": ok, "agents": answers}))
    for result in results:
        remember(result)
    return 0 if ok else 1


def _sing(agent: str, version: str, tell: "Callable[[Tried], None]" = lambda _: None) -> "Canary":
    from story_automator.run.canary import Canary, try_agent

    trials = []
    for tried in try_agent(agent, os.environ):
        trials.append(tried)
        tell(tried)
    return Canary(agent, version, trials)


def _sing_aloud(agent: str, version: str) -> "Canary":
    from story_automator.run.canary import in_words

    print(f"{agent} {version} against the loopback API, in a home of its own:", flush=True)
    result = _sing(agent, version, lambda tried: print("\n".join(_rows(tried)), flush=True))
    arrived = {name for tried in result.trials for name in tried.signals}.difference(result.missing)
    print("\n".join(_wrapped(f"arrived: {' '.join(sorted(arrived)) or 'nothing'}", "")))
    first, *rest = in_words(result)
    print("\n".join([first, *(line for words in rest for line in _wrapped(words, "  "))]))
    return result


def _rows(tried: "Tried") -> Iterator[str]:
    well = "LESS" if tried.missing else "ok"
    mark = well if tried.ok else "LOST" if tried.as_expected else "WRONG"
    came = f"{sum(tried.signals.values())} of {len(tried.signals)} signals"
    yield f"  {mark:<5} {tried.trial:<10} {tried.verdict:<29} {tried.seconds:5.1f} s  {came}"
    if not tried.as_expected:
        yield f"        expected: {tried.expected}"
    if tried.missing:
        yield from _wrapped(f"missing: {' '.join(tried.missing)}", " " * 8)


def _wrapped(words: str, indent: str) -> list[str]:
    import textwrap

    deeper = f"{indent}  "
    return textwrap.wrap(
        words,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=deeper,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _as_json(result: "Canary") -> dict[str, object]:
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
    head = {"agent": result.agent, "version": result.version, "ok": result.ok}
    return {**head, "missing": result.missing, "trials": rows}
