"""No advice passes that its own fields forbid, or that facts in the output contradict."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite

from story_automator.model.advice import Advice, ErrorClass, NextAction, Status
from story_automator.model.facts import Facts
from story_automator.rules.step_evidence import SHOWN, obstacle, support, talked_into

# A field with this value says that the step did not do its work.
FORBIDDING = (
    ("tests_passed", "its tests did not pass"),
    ("build_passed", "its build did not pass"),
    ("story_created", "no story was created"),
)


def checked(advice: Advice, facts: Facts) -> Advice:
    """The advice, lowered where it may not stand; never raised."""
    advice = replace(
        advice,
        confidence=min(max(advice.confidence, 0.0), 1.0) if isfinite(advice.confidence) else 0.0,
        summary=advice.summary.strip() or "No summary was given.",
    )
    if advice.next_action is not NextAction.PROCEED and advice.status is not Status.SUCCESS:
        return advice
    own, against = tuple(_forbidden(advice)), tuple(_contradicted(advice, facts))
    if not own and not against:
        return advice
    kinds = [*(kind for kind, _ in against), advice.error_class]
    unnamed = (ErrorClass.UNKNOWN, ErrorClass.NONE)
    kind = next((kind for kind in kinds if kind not in unnamed), ErrorClass.UNKNOWN)
    return replace(
        advice,
        status=Status.FAILURE if advice.status is Status.FAILURE else Status.AMBIGUOUS,
        next_action=NextAction.ESCALATE,
        confidence=min(advice.confidence, 0.5),
        error_class=kind,
        questions=advice.questions or facts.questions,
        because=(*advice.because, *own, *(why for _, why in against)),
    )


def _forbidden(advice: Advice) -> Iterator[str]:
    """What the advice says itself that does not go with going on."""
    if advice.status is not Status.SUCCESS:
        yield f"{advice.status} may not proceed"
    for field, why in FORBIDDING:
        if advice.own.get(field) is False:
            yield f"the advice says that {why}"
    found = advice.own.get("issues_found")
    if isinstance(found, Mapping) and advice.own.get("all_fixed") is not True:
        open_ones = [name for name in ("critical", "high") if _count(found.get(name)) > 0]
        if open_ones:
            yield f"the advice leaves {' and '.join(open_ones)} findings open"
    if advice.questions:
        yield "somebody is asked a question"


def _count(value: object) -> float:
    return value if isinstance(value, (int, float)) else 0


def _contradicted(advice: Advice, facts: Facts) -> Iterator[tuple[ErrorClass, str]]:
    if against := obstacle(advice.step, facts):
        yield against.error_class, f"the output says otherwise: {against.why}"
    if advice.step in SHOWN and support(advice.step, facts) is None:
        yield ErrorClass.UNKNOWN, "nothing in the output shows that the step did its work"
    if why := talked_into(advice.step, facts):
        yield ErrorClass.UNKNOWN, why
