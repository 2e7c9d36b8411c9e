"""`demo`: one story of a sample project through its steps, live, on embedded parts."""

import os
import sys
from datetime import timedelta
from typing import Annotated

from story_automator.cli.human import answer

STORY = "1.1"
STEP_LIMIT = timedelta(minutes=2)
Row = tuple[bool, str, str, str, str, str]  # well, step, verdict, next action, time, why


def run(name: str, argv: list[str]) -> int:
    import typer

    def demo(
        keep: Annotated[
            bool, typer.Option("--keep", help="Keep the sample project afterwards.")
        ] = False,
        speed: Annotated[
            float, typer.Option(help="How many times faster than life.", min=0.1, max=20)
        ] = 1.0,
    ) -> int:
        """Drive one story of a bundled sample project through its steps, with a scripted agent."""
        return perform(keep=keep, speed=speed)

    return answer(demo, name, argv)


def perform(*, keep: bool, speed: float) -> int:
    from story_automator.errors import NoAdvice
    from story_automator.model.advice import NextAction
    from story_automator.model.step import Step
    from story_automator.model.verdict import FinalState
    from story_automator.run.cycle import cycle
    from story_automator.run.demonstration import left_behind, stage

    live = Live()
    rows: list[Row] = []
    with stage(tempo=1 / speed, keep=keep) as made:
        print(
            f"Story {STORY} of the sample project, with the scripted agent in real tmux sessions."
        )
        for step in (Step.CREATE, Step.DEV, Step.AUTO, Step.REVIEW):
            live.begin(f"{step}: starting")
            result = cycle(
                step,
                STORY,
                root=made.project,
                settings=made.settings,
                environ=made.environ,
                deadline=STEP_LIMIT,
                say=lambda words, step=step: live.show(f"{step}: {words.partition(': ')[2]}"),  # type: ignore[misc]
            )
            ended, advice = result.outcome, result.advice
            verdict, took = ended.concluded.verdict, f"{ended.duration:.1f}s"
            following = "-" if isinstance(advice, NoAdvice) else str(advice.next_action)
            # The verdict rests on the source of truth; what the output says may only hold it up.
            well = verdict.state is FinalState.COMPLETED and following == NextAction.PROCEED
            rows.append((well, str(step), str(verdict.state), following, took, verdict.because))
            live.end(f"{step}: {verdict.state} after {took}, next_action: {following}")
            if not well:
                break
        else:
            passed, words = made.tests_passed()
            rows.append((passed, "tests", "passed" if passed else "failed", "", "", words))
            message = f"feat(story-{STORY}): what the sample's first story asks for"
            commit = made.repository.commit_all(message) if passed else ""
            rows.append((bool(commit), "commit", commit or "none", "", "", message))
        remaining = left_behind(made)
        words = "no session or process is left"
        rows.append((not remaining, "cleanup", f"{remaining} left", "", "", words))
        _table(rows)
        if keep:
            print(f"kept: {made.project}")
    well = all(row[0] for row in rows)
    print("All of it worked." if well else "The demo did not work on this machine; see above.")
    return 0 if well else 1


def _table(rows: list[Row]) -> None:
    import shutil

    width = shutil.get_terminal_size((200, 24)).columns
    print(f"\n  {'STEP':<8} {'VERDICT':<11} {'NEXT':<8} {'TIME':>6}  WHY")
    for well, step, state, following, took, why in rows:
        line = f"{'✓' if well else '✗'} {step:<8} {state:<11} {following:<8} {took:>6}  {why}"
        print(line if len(line) <= width else f"{line[: width - 1]}…")
    print()


class Live:
    """One line that changes on a terminal; plain lines, one per step, anywhere else."""

    def __init__(self) -> None:
        self._moving = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def begin(self, words: str) -> None:
        self._draw(words) if self._moving else print(words, flush=True)

    def show(self, words: str) -> None:
        if self._moving:
            self._draw(words)

    def end(self, words: str) -> None:
        if self._moving:
            print("\r\033[K", end="")
        print(words, flush=True)

    def _draw(self, words: str) -> None:
        width = os.get_terminal_size().columns if self._moving else 80
        print(f"\r\033[K▶ {words}"[: width + 4], end="", flush=True)
