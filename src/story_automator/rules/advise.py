"""The deterministic parser: what a session's output comes to, by its facts alone."""

from story_automator.model.advice import Advice, ErrorClass, NextAction, ParsedStep, Status
from story_automator.model.facts import Facts, Severities
from story_automator.model.long_text import LongText
from story_automator.rules.facts import facts as facts_of
from story_automator.rules.findings import as_mapping
from story_automator.rules.step_evidence import REVIEWED, Obstacle, obstacle, support, talked_into

UNTOLD = Obstacle(
    Status.AMBIGUOUS,
    NextAction.ESCALATE,
    ErrorClass.UNKNOWN,
    "nothing in the output shows that the step did its work",
    0.5,
)


def advise(step: ParsedStep, text: LongText) -> Advice:
    """The same text always gives the same advice; nothing leaves the machine."""
    return advice_on(step, facts_of(text))


def advice_on(step: ParsedStep, facts: Facts) -> Advice:
    """Proceeds only on evidence for the step, with nothing against it."""
    against = obstacle(step, facts)
    reason = support(step, facts)
    if against is None and (why := talked_into(step, facts)):
        against = UNTOLD._replace(why=why)
    if against is None and reason is None:
        against = UNTOLD
    if against is None and reason is not None:
        status, action, kind = Status.SUCCESS, NextAction.PROCEED, ErrorClass.NONE
        why, confidence, _ = reason
    else:
        status, action, kind, why, confidence = against or UNTOLD
    return Advice(
        step=step,
        status=status,
        summary=f"{why[0].upper()}{why[1:]}.".replace("..", "."),
        next_action=action,
        own=own_fields(step, facts, succeeded=against is None),
        confidence=confidence,
        error_class=kind,
        questions=facts.questions,
        because=(why,),
        parser="rules",
    )


def own_fields(step: ParsedStep, facts: Facts, *, succeeded: bool) -> dict[str, object]:
    """The fields that the contract names for the step, as far as the facts fill them."""
    tests_pass = facts.tests.green if facts.tests else succeeded
    tests = {
        "tests_passed": tests_pass,
        "build_passed": facts.build_failed is None
        and (succeeded or facts.build_passed is not None or bool(tests_pass)),
    }
    found = facts.findings.found if facts.findings else Severities()
    review = {
        "issues_found": dict(as_mapping(found)),
        "all_fixed": facts.findings.all_fixed if facts.findings else succeeded,
    }
    match step:
        case ParsedStep.CREATE:
            return {
                "story_created": facts.story_file is not None,
                "story_file": facts.story_file.text if facts.story_file else None,
            }
        case ParsedStep.DEV:
            return dict(tests)
        case ParsedStep.AUTO:
            added = facts.tests_added or 0
            return {"tests_added": added, "coverage_improved": added > 0}
        case ParsedStep.RETRO:
            return {}
    return {**(tests if step is ParsedStep.BUILD else {}), **(review if step in REVIEWED else {})}
