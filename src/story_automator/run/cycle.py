"""One step of a story, once: spawn → monitor → parse → cleanup. Every way out cleans up."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from story_automator.edges.config import Settings
from story_automator.errors import NoAdvice, StoryAutomatorError
from story_automator.model.advice import Advice, ParsedStep
from story_automator.model.step import Step
from story_automator.run.command import build_command
from story_automator.run.kill import find, kill
from story_automator.run.parse import Parsing, parse
from story_automator.run.spawn import Attempt, spawn
from story_automator.watch.case import Limits
from story_automator.watch.outcome import Outcome
from story_automator.watch.servers import server
from story_automator.watch.subjects import subject
from story_automator.watch.until import until
from story_automator.watch.verifier import verification

LOOK_EVERY = timedelta(seconds=0.5)


@dataclass(frozen=True, slots=True)
class Cycle:
    """How a step ended, and what its output comes to. No advice is no fault of the story."""

    outcome: Outcome
    advice: Advice | NoAdvice


def cycle(
    step: Step,
    story: str,
    *,
    root: Path,
    settings: Settings,
    environ: Mapping[str, str],
    deadline: timedelta,
    say: Callable[[str], None] | None = None,
) -> Cycle:
    """Run one step in a session of its own and return how it ended; the session is gone then."""
    command = build_command(
        step, story, root=root, agent="", extra="", environ=environ, choice=settings.agents
    )
    epic = story.partition(".")[0]
    name = spawn(Attempt(step, epic, story, command), root, settings, environ)
    try:
        watched = subject(name, agent="", socket=settings.socket, policy=settings.policy)
        (result,) = until(
            [watched],
            limits=Limits(deadline=deadline, poll_every=LOOK_EVERY),
            settings=settings,
            environ=environ,
            verify=lambda _: verification(step, root, story, None),
            say=say,
        )
        advice = _advice(result, step, settings, environ)
    except BaseException:
        # What went wrong first is what a person must hear of.
        with contextlib.suppress(StoryAutomatorError):
            _clean_up(name, settings, environ)
        raise
    _clean_up(name, settings, environ)
    return Cycle(result, advice)


def _advice(
    result: Outcome, step: Step, settings: Settings, environ: Mapping[str, str]
) -> Advice | NoAdvice:
    parsing = Parsing(settings.parser, environ, settings.environment)
    try:
        return parse(Path(result.output_file), ParsedStep(step), parsing)
    except NoAdvice as silence:
        return silence


def _clean_up(name: str, settings: Settings, environ: Mapping[str, str]) -> None:
    tmux = server(settings.socket, environ, settings.policy)
    target = find(name, tmux)
    if target is not None:
        kill([target], tmux, settings.policy)
