"""What speaks against a step, and what for it."""

import re
from typing import NamedTuple

from story_automator.model.advice import ErrorClass, NextAction, ParsedStep, Status
from story_automator.model.facts import Facts, Weight

# Words of an output may be long; a summary is not.
LONGEST_QUOTE = 120
TESTED = frozenset({ParsedStep.DEV, ParsedStep.AUTO, ParsedStep.BUILD})
CHECKED = frozenset({*TESTED, ParsedStep.REVIEW})  # others may tell of past failures
SHOWN = frozenset({*TESTED, ParsedStep.CREATE})  # what they do shows in more than words
REVIEWED = frozenset({ParsedStep.REVIEW, ParsedStep.BUILD})
DECISION = re.compile(
    r"decision|intent|unclear|ambigu|question|clarif|conflicts with", re.IGNORECASE
)
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
    weight: Weight


def obstacle(step: ParsedStep, facts: Facts) -> Obstacle | None:
    """The first thing that stands in the way; the order is the precedence."""
    return (
        _trouble(facts)
        or _open_question(facts)
        or _red(step, facts)
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
        return Obstacle(Status.AMBIGUOUS, NextAction.ESCALATE, trouble.kind, why, 0.8)
    action = NextAction.RETRY if trouble.kind in RETRIED else NextAction.ESCALATE
    return Obstacle(Status.FAILURE, action, trouble.kind, why)


def _open_question(facts: Facts) -> Obstacle | None:
    if facts.blocked and not DECISION.search(facts.blocked.text):
        why = f"the story is blocked: {quoted(facts.blocked.text)}"
        return Obstacle(Status.FAILURE, NextAction.ESCALATE, ErrorClass.UNKNOWN, why)
    if facts.questions:
        why = f"it ends with a question: {quoted(facts.questions[-1])}"
    elif facts.blocked:
        why = f"the story is blocked: {quoted(facts.blocked.text)}"
    else:
        return None
    return Obstacle(Status.AMBIGUOUS, NextAction.ESCALATE, ErrorClass.QUESTION, why, 0.8)


def _red(step: ParsedStep, facts: Facts) -> Obstacle | None:
    """A check that failed at its last run; an agent that calls this done cannot be believed."""
    told_only = facts.tests and not facts.tests.weight and step not in CHECKED
    if facts.tests and facts.tests.red and not told_only:
        kind, why = ErrorClass.TEST_FAILURE, f"tests failed: {quoted(facts.tests.text)}"
    elif facts.build_failed:
        kind, why = ErrorClass.BUILD_FAILURE, f"the build failed: {quoted(facts.build_failed.text)}"
    elif facts.exit_code:
        kind, why = ErrorClass.UNKNOWN, f"the last command ended with exit code {facts.exit_code}"
    else:
        return None
    told_what_to_say = facts.addressed is not None and facts.addressed.weight is Weight.SHOWN
    if facts.says_well and not facts.admitted and not told_what_to_say:
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
    if written is None or not written.weight:
        return None
    trust = 0.95 if written.weight is Weight.RUN else 0.75
    return Support(f"the story file {written.text} was written", trust, written.weight)


def _tested(facts: Facts) -> Support | None:
    run = facts.tests
    done = 0.1 if facts.complete else 0.0
    if run and run.green and run.weight > Weight.CLAIM:
        trust = 0.85 if run.weight is Weight.RUN else 0.7
        why = f"the last test run is green: {quoted(run.text)}"
        return Support(why, trust + done, run.weight)
    built = facts.build_passed
    if built and built.weight > Weight.CLAIM and facts.complete and run is None:
        why = f"it is done and its build passes: {quoted(built.text)}"
        return Support(why, 0.6, built.weight)
    return None


def _reviewed(facts: Facts) -> Support | None:
    found, status = facts.findings, facts.status
    if facts.unseen:
        return None
    weight = max(
        (one.weight for one in (facts.tests, status) if one is not None), default=Weight.CLAIM
    )
    if found and (facts.complete or found.all_fixed or status):
        why = f"no serious finding is left open: {quoted(found.text)}"
        return Support(why, 0.85, weight)
    if status and status.text == "done" and (facts.complete or status.weight is Weight.RUN):
        return Support("the review set the story to done", 0.75, weight)
    return None


def _retrospective(facts: Facts) -> Support | None:
    document = facts.document
    if document and document.weight:
        trust = 0.95 if document.weight is Weight.RUN else 0.75
        return Support(f"the retrospective {document.text} is written", trust, document.weight)
    if facts.complete and "retro" in facts.complete.text.lower() and not facts.unseen:
        return Support(f"it says: {quoted(facts.complete.text)}", 0.6, Weight.CLAIM)
    return None


def talked_into(step: ParsedStep, facts: Facts) -> str:
    """Why the good words of an output that speaks to its readers do not count; empty if they do."""
    spoken = facts.addressed
    if spoken is None:
        return ""
    if spoken.weight is not Weight.RUN:
        return "the output speaks to its parser"
    reason = support(step, facts)
    if reason is None or not reason.weight:
        return "a text that was read gives orders, and only words show that the step did its work"
    return ""


def quoted(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_QUOTE else f"{words[: LONGEST_QUOTE - 1]}…"
