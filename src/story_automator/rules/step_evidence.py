"""What speaks against a step, and what for it."""

from typing import NamedTuple

from story_automator.model.advice import ErrorClass, NextAction, ParsedStep, Status
from story_automator.model.facts import Facts, Weight

# Words of an output may be long; a summary is not.
LONGEST_QUOTE = 120
TESTED = frozenset({ParsedStep.DEV, ParsedStep.AUTO, ParsedStep.BUILD})
REVIEWED = frozenset({ParsedStep.REVIEW, ParsedStep.BUILD})
RETRIED = frozenset({ErrorClass.API, ErrorClass.LIMIT})


class Obstacle(NamedTuple):
    """Why a step may not go on."""

    status: Status
    next_action: NextAction
    error_class: ErrorClass
    why: str
    confidence: float = 0.9


class Support(NamedTuple):
    """Why a step may go on."""

    why: str
    confidence: float


def obstacle(step: ParsedStep, facts: Facts) -> Obstacle | None:
    """The first thing that stands in the way; the order is the precedence."""
    return (
        _trouble(facts)
        or _open_question(facts)
        or _red(facts)
        or _undone(step, facts)
        or _open_findings(step, facts)
        or _cut_short(facts)
    )


def _trouble(facts: Facts) -> Obstacle | None:
    trouble = facts.trouble
    if trouble is None:
        return None
    why = f"{trouble.kind} trouble: {quoted(trouble.text)}"
    if trouble.kind is ErrorClass.UNKNOWN:
        return Obstacle(Status.AMBIGUOUS, NextAction.RETRY, trouble.kind, why, 0.6)
    action = NextAction.RETRY if trouble.kind in RETRIED else NextAction.ESCALATE
    return Obstacle(Status.FAILURE, action, trouble.kind, why)


def _open_question(facts: Facts) -> Obstacle | None:
    if facts.questions:
        why = f"it ends with a question: {quoted(facts.questions[-1])}"
    elif facts.status and facts.status.text == "blocked":
        why = "the story is blocked"
    else:
        return None
    return Obstacle(Status.AMBIGUOUS, NextAction.ESCALATE, ErrorClass.QUESTION, why, 0.8)


def _red(facts: Facts) -> Obstacle | None:
    """A check that failed at its last run; an agent that calls this done cannot be believed."""
    if facts.tests and facts.tests.red:
        kind, why = ErrorClass.TEST_FAILURE, f"tests failed: {quoted(facts.tests.text)}"
    elif facts.build_failed:
        kind, why = ErrorClass.BUILD_FAILURE, f"the build failed: {quoted(facts.build_failed.text)}"
    elif facts.exit_code:
        kind, why = ErrorClass.UNKNOWN, f"the last command ended with exit code {facts.exit_code}"
    else:
        return None
    if facts.complete and not facts.admitted:
        why = f"it says it is done, but {why}"
        return Obstacle(Status.AMBIGUOUS, NextAction.ESCALATE, kind, why, 0.7)
    return Obstacle(Status.FAILURE, NextAction.RETRY, kind, why)


def _undone(step: ParsedStep, facts: Facts) -> Obstacle | None:
    said = facts.undone
    if said is None and step is not ParsedStep.CREATE and facts.status:
        said = facts.status if facts.status.text == "in-progress" else None
    if said is None:
        return None
    why = f"the work is left undone: {quoted(said.text)}"
    return Obstacle(Status.FAILURE, NextAction.RETRY, ErrorClass.UNKNOWN, why, 0.7)


def _open_findings(step: ParsedStep, facts: Facts) -> Obstacle | None:
    if step not in REVIEWED or facts.findings is None or not facts.findings.left.serious:
        return None
    left = facts.findings.left
    why = f"findings are left open: {left.critical} critical, {left.high} high"
    return Obstacle(Status.FAILURE, NextAction.RETRY, ErrorClass.UNKNOWN, why, 0.8)


def _cut_short(facts: Facts) -> Obstacle | None:
    if not facts.broken_off:
        return None
    why = "it broke off in the middle of the work"
    return Obstacle(Status.AMBIGUOUS, NextAction.RETRY, ErrorClass.UNKNOWN, why, 0.6)


def support(step: ParsedStep, facts: Facts) -> Support | None:
    """The evidence that the step did its work."""
    match step:
        case ParsedStep.CREATE:
            return _story_written(facts)
        case ParsedStep.REVIEW:
            return _reviewed(facts)
        case ParsedStep.RETRO:
            return _retrospective(facts)
    return _tested(facts)


def _story_written(facts: Facts) -> Support | None:
    written = facts.story_file
    if written is None:
        return None
    if written.weight is Weight.RUN:
        return Support(f"the story file {written.text} was written", 0.95)
    return Support(f"it says that the story file {written.text} is written", 0.7)


def _tested(facts: Facts) -> Support | None:
    run = facts.tests
    done = 0.1 if facts.complete else 0.0
    if run and run.green and run.weight > Weight.CLAIM:
        trust = 0.85 if run.weight is Weight.RUN else 0.7
        return Support(f"the last test run is green: {quoted(run.text)}", trust + done)
    built = facts.build_passed
    if built and built.weight > Weight.CLAIM and facts.complete and run is None:
        return Support(f"it is done and its build passes: {quoted(built.text)}", 0.6)
    return None


def _reviewed(facts: Facts) -> Support | None:
    found = facts.findings
    if found and (facts.complete or found.all_fixed or facts.status):
        return Support(f"no serious finding is left open: {quoted(found.text)}", 0.85)
    if facts.status and facts.status.text == "done" and facts.complete:
        return Support("the review says that the story is done", 0.7)
    return None


def _retrospective(facts: Facts) -> Support | None:
    if facts.document:
        trust = 0.95 if facts.document.weight is Weight.RUN else 0.75
        return Support(f"the retrospective {facts.document.text} is written", trust)
    if facts.complete and "retro" in facts.complete.text.lower():
        return Support(f"it says: {quoted(facts.complete.text)}", 0.6)
    return None


def quoted(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_QUOTE else f"{words[: LONGEST_QUOTE - 1]}…"
