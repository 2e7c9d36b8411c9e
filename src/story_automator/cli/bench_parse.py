"""`story-automator bench parse`: how often the rules read a labelled output right."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from story_automator.cli.classify import sentence
from story_automator.edges.long_text import read_long_text
from story_automator.errors import StoryAutomatorError
from story_automator.rules.advice_check import checked
from story_automator.rules.advise import advice_on
from story_automator.rules.facts import facts
from story_automator.rules.parse_score import Answer, Score, Truth, by_agent, by_step

COLUMNS = 80


class Report:
    """All answers, and those of each step and agent."""

    def __init__(self, answers: Sequence[Answer], broken: Sequence[str]) -> None:
        self.broken = broken
        self.all = Score(answers)
        self.steps, self.agents = by_step(answers), by_agent(answers)

    @property
    def met(self) -> bool:
        return self.all.met

    def as_json(self) -> dict[str, object]:
        return {
            **_figures(self.all),
            "confusion": self.all.confusion,
            "steps": {name: _figures(score) for name, score in self.steps.items()},
            "agents": {name: _figures(score) for name, score in self.agents.items()},
            "misses": [_miss(answer) for answer in self.all.misses],
            "broken": list(self.broken),
            "met": self.met,
        }

    def in_words(self) -> Iterator[str]:
        yield f"{'':<12} {'outputs':>7} {'next_action':>17} {'status':>7} {'wrong proceed':>14}"
        for name, score in (*self.steps.items(), *self.agents.items(), ("all", self.all)):
            action = f"{score.right_action}/{score.of} {_percent(score)}"
            wrong = len(score.wrong_proceed)
            yield f"{name:<12} {score.of:>7} {action:>17} {score.right_status:>7} {wrong:>14}"
        yield ""
        yield "what was right, and what was advised"
        for truth, said in self.all.confusion.items():
            told = ", ".join(f"{action} {count}" for action, count in said.items() if count)
            yield f"  {truth:<10} {told}"
        if self.all.misses:
            yield ""
            yield f"missed: {len(self.all.misses)}"
        for answer in self.all.misses:
            yield f"  {'!' if answer.wrong_proceed else ' '} {answer.truth.file}"
            yield _cut(
                f"      was {answer.truth.next_action}, advised {answer.advice.next_action}: "
                + "; ".join(answer.advice.because)
            )
        yield ""
        yield f"95 % right next_action and no wrong proceed: {'met' if self.met else 'missed'}"
        if self.broken:
            yield ""
            yield f"left out, because they cannot be read: {len(self.broken)}"
            yield from (_cut(f"  {words}") for words in self.broken)


def report(folder: Path, lines: Sequence[bytes]) -> Report:
    """The rules on every output that the lines of an index name."""
    answers, broken = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            truth = Truth.from_json(json.loads(line))
            text = read_long_text(folder / truth.file)
        except (ValueError, OSError, RecursionError, StoryAutomatorError) as error:
            broken.append(f"line {number}: {sentence(error)}")
            continue
        found = facts(text)
        answers.append(Answer(truth, checked(advice_on(truth.step, found), found)))
    if not answers:
        raise StoryAutomatorError(
            "there is no output that can be read" + (f"; {broken[0]}" if broken else ""),
            hint="one JSON object per line: file, step, agent, status, next_action, error_class",
        )
    return Report(answers, broken)


def _figures(score: Score) -> dict[str, object]:
    return {
        "outputs": score.of,
        "right_next_action": score.right_action,
        "right_status": score.right_status,
        "right_error_class": score.right_class,
        "rate": round(score.right_action / score.of, 4),
        "wrong_proceed": [answer.truth.file for answer in score.wrong_proceed],
    }


def _miss(answer: Answer) -> dict[str, object]:
    return {
        "file": answer.truth.file,
        "truth": answer.truth.next_action.value,
        "advice": answer.advice.next_action.value,
        "status": answer.advice.status.value,
        "because": list(answer.advice.because),
        "wrong_proceed": answer.wrong_proceed,
    }


def _percent(score: Score) -> str:
    return f"{score.right_action / score.of * 100:.1f} %"


def _cut(words: str) -> str:
    return words if len(words) <= COLUMNS else f"{words[: COLUMNS - 1]}…"
