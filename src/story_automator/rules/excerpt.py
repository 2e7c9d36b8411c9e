"""Chooses from an output what a model gets to read, within a budget of characters."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from story_automator.model.long_text import LongText
from story_automator.rules.drawn import Line, shortened
from story_automator.rules.result_lines import result_in
from story_automator.rules.told import told

TOKENS = 6_000  # for the whole text of a request
CHARACTERS_PER_TOKEN = 3.5

# Of what the last line and the last message leave; what one part does not need goes to the others.
TAIL_SHARE, RESULTS_SHARE, HEAD_SHARE = 0.55, 0.3, 0.15
LONGEST_RESULT, END_OF_RESULT = 300, 100
MARK = len("… 1,000,000,000,000 lines …\n")
LEFT_OUT = "… the first {:,} characters of the last message are left out …\n"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the excerpt: rows `first` to `last` of the file (0: not of the file), and why."""

    kind: str  # message | tail | result | head
    first: int
    last: int
    chars: int
    why: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What leaves the machine, and what it is made of."""

    text: str
    parts: tuple[Part, ...]


def room(tokens: int, *fixed: str) -> int:
    """How many characters `tokens` leave beside the fixed texts of a request."""
    return max(int(tokens * CHARACTERS_PER_TOKEN) - sum(map(len, fixed)), 0)


def excerpt(text: LongText, budget: int) -> Excerpt:
    """At most `budget` characters; the end of the last line and of the last message among them."""
    lines, message = told(text)
    choice = Choice(lines, budget)
    choice.take_ends(message)
    choice.fill()
    chosen = choice.drawn()
    # Only a budget too small for both ends is cut here.
    return Excerpt(chosen[max(len(chosen) - budget, 0) :], tuple(choice.parts()))


class Choice:
    """Which lines are taken, for which reason, and what they leave of the budget."""

    def __init__(self, lines: list[Line], budget: int) -> None:
        self._lines = lines
        self._budget = self._left = budget
        self._taken: dict[int, tuple[str, str]] = {}

    def take_ends(self, message: int | None) -> None:
        """The last line of the file and the last message, or as much of their ends as fits."""
        texts = [at for at, line in enumerate(self._lines) if line.text and at != message]
        if texts and (message is None or texts[-1] > message or not self._lines[message].first):
            self._shorten(texts[-1], max(self._budget // 3, 2), self._budget // 6)
            self._take(texts[-1], "tail", "the last line")
        if message is not None:
            why = self._fit_message(message, self._left - MARK - 1)
            self._take(message, "message", why)

    def _fit_message(self, at: int, space: int) -> str:
        said = self._lines[at].text
        if len(said) <= space:
            return "the last message, whole"
        note = LEFT_OUT.format(len(said))
        if len(note) < space // 2:
            space -= len(note)
            note = LEFT_OUT.format(len(said) - space)
        else:
            note = ""
        self._lines[at] = self._lines[at]._replace(text=note + said[-max(space, 1) :])
        return "the end of the last message, which is longer than the budget"

    def fill(self) -> None:
        """First each part its share, then whoever needs more, in the order of importance."""
        ahead, results = range(len(self._lines)), self._results()
        shares = (TAIL_SHARE, RESULTS_SHARE, HEAD_SHARE), (1.0, 1.0, 1.0)
        for tail, result, head in shares:
            space = self._left
            self._take_on(reversed(ahead), int(space * tail), "tail", "the end of the output")
            allowed = min(int(space * result), self._left)
            for at, why in results:
                if at not in self._taken:
                    self._shorten(at, LONGEST_RESULT, END_OF_RESULT)
                    if self._cost(at) <= allowed:
                        allowed -= self._cost(at)
                        self._take(at, "result", why)
            self._take_on(ahead, int(space * head), "head", "the beginning of the output")

    def drawn(self) -> str:
        """The taken lines in the order of the file, and what is left out between them."""
        shown: list[str] = []
        before, last = -1, 0
        for at in sorted(self._taken):
            line = self._lines[at]
            missing = line.first - last - 1
            if missing > 0 and self._leaves_out(before + 1, at):
                shown.append(f"… {missing:,} line{'s' * (missing > 1)} …")
            shown.append(line.text)
            before, last = at, line.last
        return "\n".join(shown)

    def parts(self) -> Iterator[Part]:
        """What was taken, neighbours of one kind as one."""
        last: Part | None = None
        before = -2
        for at, (kind, why) in sorted(self._taken.items()):
            line = self._lines[at]
            if last and at == before + 1 and (last.kind, last.why) == (kind, why):
                last = replace(last, last=line.last, chars=last.chars + len(line.text) + 1)
            else:
                if last:
                    yield last
                last = Part(kind, line.first, line.last, len(line.text), why)
            before = at
        if last:
            yield last

    def _results(self) -> list[tuple[int, str]]:
        """Of lines with the same words only the newest; the best kind first, then the newest."""
        newest = {line.text: at for at, line in enumerate(self._lines)}
        found = ((result_in(text), at) for text, at in newest.items())
        ranked = sorted((result[0], -at, result[1]) for result, at in found if result)
        return [(-at, why) for _, at, why in ranked]

    def _take_on(self, order: Iterable[int], allowed: int, kind: str, why: str) -> None:
        """Line by line, as long as they fit."""
        allowed = min(allowed, self._left)
        for at in order:
            if at not in self._taken:
                allowed -= self._cost(at)
                if allowed < 0:
                    return
                self._take(at, kind, why)

    def _take(self, at: int, kind: str, why: str) -> None:
        self._left -= self._cost(at)
        self._taken[at] = kind, why

    def _cost(self, at: int) -> int:
        """A line beside a taken one needs no mark of its own."""
        is_beside = at - 1 in self._taken or at + 1 in self._taken
        return len(self._lines[at].text) + 1 + (0 if is_beside else MARK)

    def _shorten(self, at: int, most: int, end: int) -> None:
        line = self._lines[at]
        self._lines[at] = line._replace(text=shortened(line.text, most, end))

    def _leaves_out(self, begin: int, at: int) -> bool:
        between = self._lines[begin:at]
        return self._lines[at].after_gap or any(line.text or line.after_gap for line in between)
