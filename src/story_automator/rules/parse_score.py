"""How often advice on labelled outputs is right, and where it would have gone on wrongly."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from story_automator.model.advice import Advice, ErrorClass, NextAction, ParsedStep, Status

TARGET = 0.95


@dataclass(frozen=True, slots=True)
class Truth:
    """An output and what really happened in its session."""

    file: str
    step: ParsedStep
    agent: str
    status: Status
    next_action: NextAction
    error_class: ErrorClass

    @classmethod
    def from_json(cls, value: object) -> Self:
        """A row of an index; a ValueError says what is wrong with it."""
        if not isinstance(value, Mapping):
            raise ValueError("a row is a JSON object")
        file = value.get("file")
        if not isinstance(file, str) or not file:
            raise ValueError("the row names no file")
        return cls(
            file=file,
            step=ParsedStep(str(value.get("step"))),
            agent=str(value.get("agent") or "unknown"),
            status=Status(str(value.get("status"))),
            next_action=NextAction(str(value.get("next_action"))),
            error_class=ErrorClass(str(value.get("error_class"))),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The advice that a parser gave on an output."""

    truth: Truth
    advice: Advice

    @property
    def right_action(self) -> bool:
        return self.advice.next_action is self.truth.next_action

    @property
    def right_status(self) -> bool:
        return self.advice.status is self.truth.status

    @property
    def right_class(self) -> bool:
        return self.advice.error_class is self.truth.error_class

    @property
    def wrong_proceed(self) -> bool:
        return self.advice.next_action is NextAction.PROCEED and not self.right_action


@dataclass(frozen=True)
class Score:
    """The figures of some answers."""

    answers: Sequence[Answer]

    @property
    def of(self) -> int:
        return len(self.answers)

    @property
    def right_action(self) -> int:
        return sum(answer.right_action for answer in self.answers)

    @property
    def right_status(self) -> int:
        return sum(answer.right_status for answer in self.answers)

    @property
    def right_class(self) -> int:
        return sum(answer.right_class for answer in self.answers)

    @cached_property
    def wrong_proceed(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.wrong_proceed]

    @cached_property
    def misses(self) -> list[Answer]:
        return [answer for answer in self.answers if not answer.right_action]

    @property
    def confusion(self) -> dict[str, dict[str, int]]:
        """For each true next action, what was advised how often."""
        counts = Counter(
            (answer.truth.next_action, answer.advice.next_action) for answer in self.answers
        )
        table = {
            truth.value: {said.value: counts[truth, said] for said in NextAction}
            for truth in NextAction
        }
        return {truth: row for truth, row in table.items() if any(row.values())}

    @property
    def met(self) -> bool:
        """An output that goes on wrongly is worse than any number of false alarms."""
        return self.of > 0 and not self.wrong_proceed and self.right_action >= TARGET * self.of


def by_step(answers: Iterable[Answer]) -> dict[str, Score]:
    return _grouped((answer.truth.step.value, answer) for answer in answers)


def by_agent(answers: Iterable[Answer]) -> dict[str, Score]:
    return _grouped((answer.truth.agent, answer) for answer in answers)


def _grouped(named: Iterable[tuple[str, Answer]]) -> dict[str, Score]:
    groups: dict[str, list[Answer]] = {}
    for name, answer in named:
        groups.setdefault(name, []).append(answer)
    return {name: Score(groups[name]) for name in sorted(groups)}
