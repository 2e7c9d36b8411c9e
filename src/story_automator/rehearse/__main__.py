"""The scripted agent: `python -m story_automator.rehearse [--scenario NAME|FILE] [PROMPT…]`."""

import os
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from story_automator.errors import StoryAutomatorError, UsageError
from story_automator.rehearse.hooks import VARIABLE, Hooks
from story_automator.rehearse.scenario import Scenario, read_scenario, scenario_file
from story_automator.rehearse.show import Curtain, Show
from story_automator.rehearse.story import step_scenario, story_words
from story_automator.rehearse.terminal import Paper, Terminal

NAMED_IN_PROMPT = re.compile(r"\bSCENARIO:([\w./-]+)")
# Flags of the agent it stands in for that take a value; all other flags are accepted and ignored.
TAKE_A_VALUE = frozenset(
    "--add-dir --allowedTools --append-system-prompt --disallowedTools --effort --fallback-model"
    " --input-format --json-schema --max-budget-usd --max-turns --mcp-config --model --name"
    " --output-format --permission-mode --resume --scenario --session-id --setting-sources"
    " --settings --system-prompt --tools -n -r".split()
)
# As the real agent leaves: told to end, it says 128 + n as its code; an interrupt is a clean end.
LEAVES_WITH = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 0}


@dataclass(frozen=True, slots=True)
class Call:
    """The command line, as far as a scripted agent cares."""

    prompt: str
    scenario: str
    session_id: str
    print_mode: bool


def read_call(argv: list[str]) -> Call:
    values: dict[str, str] = {}
    words: list[str] = []
    print_mode = False
    rest = iter(argv)
    for word in rest:
        if word == "--":
            words += rest
        elif word in TAKE_A_VALUE:
            values[word] = next(rest, "")
        elif word.startswith("-") and len(word) > 1:
            flag, _, value = word.partition("=")
            values[flag] = value
            print_mode = print_mode or word in ("-p", "--print")
        else:
            words.append(word)
    return Call(
        prompt=" ".join(words),
        scenario=values.get("--scenario", ""),
        session_id=values.get("--session-id", ""),
        print_mode=print_mode,
    )


def chosen_scenario(call: Call) -> str:
    """By flag, environment, a word in the prompt, or the step that the prompt asks for."""
    named = NAMED_IN_PROMPT.search(call.prompt)
    return (
        call.scenario
        or os.environ.get("STORY_AUTOMATOR_SCENARIO", "")
        or (named[1] if named else "")
        or step_scenario(call.prompt)
        or "hello"
    )


def tempo() -> float:
    text = os.environ.get("STORY_AUTOMATOR_TEMPO", "1")
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise UsageError(f"STORY_AUTOMATOR_TEMPO must be a number above 0, not {text!r}")
    return value


def perform(call: Call, scenario: Scenario) -> int:
    directory = os.environ.get(VARIABLE) if scenario.hooks else None
    hooks = Hooks(Path(directory) if directory else None, call.session_id)
    plain = call.print_mode or scenario.mode == "print"
    terminal = Paper() if plain else Terminal()
    show = Show(terminal, hooks, tempo=tempo(), title=scenario.title, frame=scenario.frame)
    show.prompt = call.prompt or "Go on."
    for number in LEAVES_WITH:
        if not (plain and number == signal.SIGINT):
            signal.signal(number, _leave)
    farewell = ""
    try:
        show.play(scenario.acts)
        return 0
    except Curtain as curtain:
        if curtain.reason:
            show.emit("SessionEnd", reason=curtain.reason)
            farewell = f"\nResume this session with:\nclaude --resume {hooks.session_id}\n"
        return curtain.code
    finally:
        terminal.close(farewell)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    for known in LEAVES_WITH:
        signal.signal(known, signal.SIG_IGN)
    raise Curtain(LEAVES_WITH[signal.Signals(number)], "other")


def main(argv: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        call = read_call(argv)
        words = story_words(call.prompt, Path.cwd())
        return perform(call, read_scenario(scenario_file(chosen_scenario(call)), words))
    except StoryAutomatorError as error:
        print(f"scripted agent: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  next: {error.hint}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
