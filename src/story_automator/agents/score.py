"""How often the classifier is right on labelled frames, and what each signal adds."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Self

from story_automator.agents.classify import Frame, classify
from story_automator.agents.look import State
from story_automator.agents.rows import tidy

HUNG = "hung"
TRUTHS = frozenset({state.value for state in State} - {State.UNKNOWN}) | {HUNG}
FINISHED = frozenset({State.IDLE_DONE, State.EXITED_OK})
ENDED_BADLY = frozenset({State.CRASHED, State.EXITED_ERROR})
NEEDS_PERSON = frozenset(
    {State.WAITING_INPUT, State.PERMISSION_PROMPT, State.TRUST_PROMPT, State.STARTUP_DIALOG}
)
BUSY = frozenset({State.WORKING, State.STARTING})
# Errors are left out: while the client retries, the turn runs.
AT_REST = FINISHED | ENDED_BADLY | NEEDS_PERSON | {State.IDLE_NOPROMPT}

# What frames of one situation may differ in: figures, the spinner's glyph, the width, the prompt.
FIGURES = re.compile(r"\d+(?:[hm] \d+)*")
SPINNER = re.compile(r"[⠀-⣿]")
SPACING = re.compile(r"[\s─]+")
PROMPT = re.compile(r"[❯›] \S| > \S")


class Signals(StrEnum):
    """What the classifier may look at; each member includes those before it."""

    SCREEN = "screen"
    TITLE = "+ title"
    SESSION_FILE = "+ session file"
    HOOKS = "+ hooks"

    def seen_of(self, frame: Frame) -> Frame:
        """The frame without what lies beyond these signals; pane facts always count."""
        hidden: dict[Signals, dict[str, object]] = {
            Signals.TITLE: {"pane_title": ""},
            Signals.SESSION_FILE: {"session_file": None},
            Signals.HOOKS: {"hooks": ()},
        }
        beyond = list(Signals)[list(Signals).index(self) + 1 :]
        changes = {key: value for each in beyond for key, value in hidden[each].items()}
        return replace(frame, **changes)  # type: ignore[arg-type]

    def carried_by(self, frame: Frame) -> bool:
        """Whether the frame holds anything of the last of these signals."""
        return {
            Signals.SCREEN: True,
            Signals.TITLE: bool(frame.pane_title),
            Signals.SESSION_FILE: bool(frame.session_file),
            Signals.HOOKS: bool(frame.hooks),
        }[self]


@dataclass(frozen=True, slots=True)
class Sample:
    """A frame and what was going on when it was taken."""

    name: str
    truth: str
    frame: Frame

    @classmethod
    def from_json(cls, value: object, read: Callable[[str], str]) -> Self:
        frame = Frame.from_json(value, read)
        row: Mapping[str, object] = value if isinstance(value, dict) else {}
        truth = row.get("state")
        if truth not in TRUTHS:
            raise ValueError(f"state {truth!r} is no word of the corpus")
        return cls(str(row.get("file") or "a screen without a file"), str(truth), frame)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the classifier said about a sample."""

    sample: Sample
    state: State
    because: str

    @property
    def right(self) -> bool:
        """One frame never shows `hung`: there, only a claim to be finished is wrong."""
        if self.sample.truth == HUNG:
            return self.state not in FINISHED
        return self.state == self.sample.truth or {self.state, self.sample.truth} <= ENDED_BADLY

    @property
    def false_crash(self) -> bool:
        """Of a pane that ended with a code or a signal, `exited_error` is never quite false."""
        frame = self.sample.frame
        failed = frame.pane_dead and (frame.pane_dead_signal or frame.pane_dead_status != "0")
        return self.state in ENDED_BADLY and self.sample.truth not in ENDED_BADLY and not failed


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @classmethod
    def where(cls, wrong: Callable[[Answer], bool], answers: Sequence[Answer]) -> Self:
        return cls(sum(map(wrong, answers)), len(answers))

    @property
    def rate(self) -> float | None:
        return self.count / self.of if self.of else None


@dataclass(frozen=True)
class Score:
    """The answers to a set of samples, counted."""

    signals: Signals
    answers: Sequence[Answer]

    @property
    def carried(self) -> int:
        """How many frames hold anything of the last signal; without any, it was not tried."""
        return sum(self.signals.carried_by(answer.sample.frame) for answer in self.answers)

    @property
    def right(self) -> Share:
        return Share.where(lambda answer: answer.right, self.answers)

    @cached_property
    def misses(self) -> Sequence[Answer]:
        return [answer for answer in self.answers if not answer.right]

    @cached_property
    def undecidable(self) -> Sequence[Answer]:
        """Misses whose evidence was also recorded with another truth, the one that was answered.

        No rule can name both rightly: what told them apart is not in the frame.
        """
        rightly: defaultdict[object, set[State]] = defaultdict(set)
        for answer in self.answers:
            if answer.right and answer.sample.truth != HUNG:
                rightly[_evidence(self.signals, answer.sample)].add(answer.state)
        return [
            miss
            for miss in self.misses
            if miss.state in rightly[_evidence(self.signals, miss.sample)]
        ]

    @property
    def right_of_decidable(self) -> Share:
        return Share(self.right.count, self.right.of - len(self.undecidable))

    @property
    def false_done(self) -> Share:
        """Called finished, of those that were not."""
        return self._share(lambda a: a.state in FINISHED, lambda truth: truth not in FINISHED)

    @property
    def false_busy(self) -> Share:
        """Called working or starting, of those at rest or gone."""
        return self._share(lambda a: a.state in BUSY, lambda truth: truth in AT_REST)

    @property
    def missed_person(self) -> Share:
        """Not called anything that needs a person, of those that did."""
        return self._share(
            lambda a: a.state not in NEEDS_PERSON, lambda truth: truth in NEEDS_PERSON
        )

    @property
    def false_crashed(self) -> Share:
        """Called crashed or exited with an error, of those that were neither."""
        return self._share(lambda a: a.false_crash, lambda truth: truth not in ENDED_BADLY)

    @property
    def confusion(self) -> Mapping[str, Mapping[str, int]]:
        """Truth, then answer, then how often; the most frequent truth and answer first."""
        by_truth: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for answer in self.answers:
            by_truth[answer.sample.truth][answer.state.value] += 1
        ordered = sorted(by_truth.items(), key=lambda item: (-item[1].total(), item[0]))
        return {truth: dict(counted.most_common()) for truth, counted in ordered}

    def _share(self, wrong: Callable[[Answer], bool], counts: Callable[[str], bool]) -> Share:
        return Share.where(wrong, [a for a in self.answers if counts(a.sample.truth)])


def score(samples: Iterable[Sample], signals: Signals) -> Score:
    """Ask the classifier about every sample, with these signals only."""
    answers = []
    for sample in samples:
        found = classify(signals.seen_of(sample.frame))
        answers.append(Answer(sample, found.state, found.because))
    return Score(signals, answers)


def _evidence(signals: Signals, sample: Sample) -> object:
    frame = signals.seen_of(sample.frame)
    rows = [row for row in tidy(frame.screen.split("\n")) if not PROMPT.match(row)]
    title = "" if frame.pane_dead else frame.pane_title
    drawn = FIGURES.sub("0", SPINNER.sub("⠿", SPACING.sub(" ", " ".join([title, *rows]))))
    status = (frame.session_file or {}).get("status")
    events = tuple(str(hook.get("event")) for hook in frame.hooks)
    ended = (frame.pane_dead, frame.pane_dead_status, frame.pane_dead_signal)
    return frame.agent, *ended, drawn, status, events
