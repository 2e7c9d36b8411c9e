"""`story-automator bench`: how often the classifier or the rules are right on a labelled corpus."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from story_automator.agents.score import Sample, Score, Share, Signals, score
from story_automator.cli.classify import screen_in, sentence
from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import StoryAutomatorError, UsageError

USAGE = (
    "story-automator bench detect DIR [--json] [--strict]"
    " | story-automator bench parse DIR [--json] [--strict]"
)
EXAMPLES = {"detect": "captures, e.g. fixtures/captures", "parse": "outputs, e.g. fixtures/outputs"}
INDEX = "index.jsonl"
MISSES_SHOWN = 20
COLUMNS = 80
RATES = ("false_done", "false_busy", "missed_person", "false_crashed")
TARGET_WITH_TITLE, TARGET_SCREEN_ALONE = 0.99, 0.97


def run(name: str, argv: list[str]) -> int:  # noqa: ARG001 - every command has this shape
    if wants_help(argv, USAGE):
        return 0
    if not argv or argv[0] not in EXAMPLES:
        raise UsageError("say what to measure", hint=f"Usage: {USAGE}")
    parser = Parser(USAGE)
    parser.add_argument("dir", metavar="DIR")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--strict", action="store_true")
    wanted = parser.parse_args(argv[1:])
    measure = _detected if argv[0] == "detect" else _parsed
    folder = Path(wanted.dir)
    report = measure(folder, _lines(folder, EXAMPLES[argv[0]]))
    print(json_line(report.as_json()) if wanted.json else "\n".join(report.in_words()))
    return 1 if wanted.strict and not report.met else 0


def _parsed(folder: Path, lines: Sequence[bytes]) -> "ParseReport":
    from story_automator.cli import bench_parse

    return bench_parse.report(folder, lines)


def _detected(folder: Path, lines: Sequence[bytes]) -> "Report":
    samples, broken = _samples(folder, lines)
    if not samples:
        raise StoryAutomatorError(
            f"{folder / INDEX} holds no frame that can be read"
            + (f"; {broken[0]}" if broken else ""),
            hint="one JSON object per line: agent, file, state and the pane's facts",
        )
    return Report(samples, broken)


class Report:
    """Every agent's frames, scored with each set of signals."""

    def __init__(self, samples: Sequence[Sample], broken: Sequence[str]) -> None:
        self.broken = broken
        self.all = _ladder(samples)
        agents = sorted({sample.frame.agent for sample in samples})
        self.by_agent = {
            agent: _ladder([sample for sample in samples if sample.frame.agent == agent])
            for agent in agents
        }

    @property
    def targets(self) -> dict[str, bool]:
        screen, title = self.all[0], self.all[1]
        return {
            "no_false_done": not any(each.false_done.count for each in self.all),
            "no_false_crashed": not any(each.false_crashed.count for each in self.all),
            "title_99": _reaches(title.right, TARGET_WITH_TITLE),
            "screen_97": _reaches(screen.right, TARGET_SCREEN_ALONE),
            "title_99_decidable": _reaches(title.right_of_decidable, TARGET_WITH_TITLE),
            "screen_97_decidable": _reaches(screen.right_of_decidable, TARGET_SCREEN_ALONE),
        }

    @property
    def met(self) -> bool:
        """A frame that looks like one of another truth can be no target."""
        raw = ("title_99", "screen_97")
        return all(reached for target, reached in self.targets.items() if target not in raw)

    def as_json(self) -> dict[str, object]:
        best = self.all[-1]
        return {
            "frames": best.right.of,
            "broken": list(self.broken),
            "all": [_score_json(each) for each in self.all],
            "agents": {
                agent: {
                    "signals": [_score_json(each) for each in ladder],
                    "confusion": ladder[-1].confusion,
                }
                for agent, ladder in self.by_agent.items()
            },
            "misses": [
                {
                    "file": miss.sample.name,
                    "truth": miss.sample.truth,
                    "answer": miss.state.value,
                    "because": miss.because,
                    "undecidable": miss in best.undecidable,
                }
                for miss in best.misses
            ],
            "targets": {**self.targets, "met": self.met},
        }

    def in_words(self) -> Iterator[str]:
        several = len(self.by_agent) > 1
        for agent, ladder in self.by_agent.items():
            yield from _ladder_in_words(agent, ladder)
            yield ""
            yield from _confusion_in_words(ladder[-1])
            yield ""
        if several:
            yield from _ladder_in_words("all agents", self.all)
            yield ""
        yield from _misses_in_words(self.all[-1])
        yield from _targets_in_words(self)
        if self.broken:
            yield ""
            yield f"left out, because they cannot be read: {len(self.broken)}"
            yield from (f"  {sentence}" for sentence in self.broken)


def _ladder(samples: Sequence[Sample]) -> list[Score]:
    return [score(samples, signals) for signals in Signals]


def _reaches(share: Share, target: float) -> bool:
    return share.rate is not None and share.rate >= target


def _score_json(each: Score) -> dict[str, object]:
    tried = each.carried > 0
    return {
        "signals": each.signals.value,
        "carried": each.carried,
        "right": _share_json(each.right) if tried else None,
        "undecidable": len(each.undecidable) if tried else None,
        "right_of_decidable": _share_json(each.right_of_decidable) if tried else None,
        **{name: _share_json(getattr(each, name)) if tried else None for name in RATES},
    }


def _share_json(share: Share) -> dict[str, object]:
    rate = None if share.rate is None else round(share.rate, 4)
    return {"count": share.count, "of": share.of, "rate": rate}


def _ladder_in_words(agent: str, ladder: Sequence[Score]) -> Iterator[str]:
    yield f"{agent}, {ladder[0].right.of} frames"
    heads = ("right", "", "done?", "busy?", "person?", "crash?")
    yield f"  {'signals':<15} {heads[0]:>9} {heads[1]:>7}  " + " ".join(
        f"{head:>9}" for head in heads[2:]
    )
    for each in ladder:
        if not each.carried:
            yield f"  {each.signals:<15} 0 frames carry it"
            continue
        rates = " ".join(f"{_of(getattr(each, name)):>9}" for name in RATES)
        yield f"  {each.signals:<15} {_of(each.right):>9} {_percent(each.right):>7}  {rates}"


def _confusion_in_words(each: Score) -> Iterator[str]:
    yield "  what it was, and what it was called"
    for truth, answers in each.confusion.items():
        said = ", ".join(f"{answer} {count}" for answer, count in answers.items())
        yield f"  {truth:<18} {sum(answers.values()):>4}  {said}"


def _misses_in_words(best: Score) -> Iterator[str]:
    blind = len(best.undecidable)
    if not best.misses:
        return
    yield f"missed with all signals: {len(best.misses)}"
    if blind:
        yield f"  {blind} of them (marked *) look like frames of another truth, so that no rule"
        yield f"  can tell them apart; without them, {_of(best.right_of_decidable)} are right"
    for miss in best.misses[:MISSES_SHOWN]:
        mark = "*" if miss in best.undecidable else " "
        yield f"  {mark} {miss.sample.name}"
        told = f"      was {miss.sample.truth}, called {miss.state.value}: {miss.because}"
        yield told if len(told) <= COLUMNS else f"{told[: COLUMNS - 1]}…"
    if (more := len(best.misses) - MISSES_SHOWN) > 0:
        yield f"  and {more} more (--json names them all)"
    yield ""


def _targets_in_words(report: Report) -> Iterator[str]:
    screen, title = report.all[0], report.all[1]
    reached = report.targets
    wanted = (
        ("no false done", _met(reached["no_false_done"]), ""),
        ("no false crashed", _met(reached["no_false_crashed"]), ""),
        (
            "99 % with title and screen",
            _met(reached["title_99"], reached["title_99_decidable"]),
            _both(title),
        ),
        (
            "97 % with the screen alone",
            _met(reached["screen_97"], reached["screen_97_decidable"]),
            _both(screen),
        ),
    )
    yield "targets"
    for target, met, figures in wanted:
        yield f"  {target:<27} {met:<7} {figures}".rstrip()
    yield ""
    yield "  done? called finished of those that were not; busy? called busy of those"
    yield "  at rest; person? not seen to need a person; crash? called crashed in error"


def _met(reached: bool, reached_of_decidable: bool = False) -> str:
    return "met" if reached else "met *" if reached_of_decidable else "missed"


def _both(each: Score) -> str:
    raw, decidable = _percent(each.right), _percent(each.right_of_decidable)
    return raw if not each.undecidable else f"{raw}, {decidable} without those marked *"


def _of(share: Share) -> str:
    return f"{share.count}/{share.of}"


def _percent(share: Share) -> str:
    return "-" if share.rate is None else f"{share.rate * 100:.1f} %"


def _samples(folder: Path, lines: Sequence[bytes]) -> tuple[list[Sample], list[str]]:
    samples, broken = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            samples.append(
                Sample.from_json(json.loads(line), lambda file: screen_in(folder / file))
            )
        except (ValueError, OSError, RecursionError) as error:
            broken.append(f"line {number}: {sentence(error)}")
    return samples, broken


def _lines(folder: Path, example: str) -> list[bytes]:
    if not folder.is_dir():
        raise StoryAutomatorError(f"{folder} is no folder", hint=f"name a folder of {example}")
    try:
        return (folder / INDEX).read_bytes().splitlines()
    except OSError as error:
        raise StoryAutomatorError(
            f"cannot read {folder / INDEX}: {error.strerror}",
            hint=f"name a folder of {example}",
        ) from error


TYPE_CHECKING = False
if TYPE_CHECKING:
    from story_automator.cli.bench_parse import Report as ParseReport
