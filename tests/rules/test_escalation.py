"""The contract's triggers, limit by limit."""

import pytest

from story_automator.rules.escalation import Limits, escalation, limits_from, limits_told

NO = {"escalate": False}
RETRY = {"escalate": False, "action": "retry"}
UNKNOWN = {"escalate": False, "reason": "Unknown trigger"}


def yes(reason: str) -> dict[str, object]:
    return {"escalate": True, "reason": reason}


@pytest.mark.parametrize(
    ("trigger", "context", "expected"),
    [
        pytest.param(
            "review-loop",
            "cycles=5",
            yes("Review loop exceeded max cycles (5/5)"),
            id="the-fifth-review-cycle-escalates",
        ),
        pytest.param("review-loop", "cycles=4", NO, id="the-fourth-does-not"),
        pytest.param(
            "review-loop",
            "story=5.3, cycles=12.",
            yes("Review loop exceeded max cycles (12/5)"),
            id="the-number-is-found-in-free-text",
        ),
        pytest.param("review-loop", "", NO, id="a-number-not-told-is-zero"),
        pytest.param("review-loop", "cycles=x", NO, id="a-word-is-no-number"),
        pytest.param("review-loop", "cycles=-3", NO, id="nor-is-a-negative-one"),
        pytest.param(
            "review-loop",
            "review_cycles=5",
            yes("Review loop exceeded max cycles (5/5)"),
            id="a-longer-key-tells-it-as-well",
        ),
        pytest.param(
            "review-loop",
            "cycles=" + "9" * 5000,
            yes("Review loop exceeded max cycles (999999999/5)"),
            id="an-endless-number-is-cut",
        ),
        pytest.param(
            "session-crash",
            "retries=2",
            yes("Session crashed after 2 retries"),
            id="two-crash-retries-escalate",
        ),
        pytest.param("session-crash", "retries=1", RETRY, id="one-is-tried-again"),
        pytest.param("session-crash", "", RETRY, id="the-first-crash-is-tried-again"),
        pytest.param(
            "story-validation", "created=0", yes("No story file created"), id="no-story-file"
        ),
        pytest.param(
            "story-validation", "", yes("No story file created"), id="no-count-is-no-story-file"
        ),
        pytest.param(
            "story-validation",
            "created=3",
            yes("Runaway creation: 3 files"),
            id="more-than-one-story-file",
        ),
        pytest.param("story-validation", "created=1", NO, id="exactly-one-story-file"),
        pytest.param("weather", "rain=9", UNKNOWN, id="an-unknown-trigger"),
        pytest.param("", "", UNKNOWN, id="no-trigger"),
    ],
)
def test_trigger(trigger: str, context: str, expected: dict[str, object]) -> None:
    answer = escalation(trigger, context, Limits())
    assert answer == expected
    assert list(answer) == list(expected)


def test_a_policy_sets_the_limits() -> None:
    policy = {"workflow": {"repeat": {"review": {"maxCycles": 3}}, "crash": {"maxRetries": 9}}}
    assert limits_from(policy, Limits()) == Limits(3, 9)
    assert limits_from({"workflow": {}}, Limits()) == Limits(5, 2)


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        ({"workflow": 3}, "workflow must be an object"),
        (
            {"workflow": {"repeat": {"review": {"maxCycles": "x"}}}},
            "workflow.repeat.review.maxCycles must be an integer",
        ),
        (
            {"workflow": {"crash": {"maxRetries": True}}},
            "workflow.crash.maxRetries must be an integer",
        ),
        ({"nap": 1, "tea": 2}, "unknown top-level policy keys: nap, tea"),
        ({"steps": {"nap": {}}}, "unknown step names: nap"),
    ],
)
def test_a_broken_policy_is_named(policy: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        limits_from(policy, Limits())


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param({}, Limits(3, 4), id="nothing-told"),
        pytest.param({"MAX_REVIEW_CYCLES": "7"}, Limits(7, 4), id="review-cycles"),
        pytest.param({"MAX_CRASH_RETRIES": "0"}, Limits(3, 0), id="crash-retries"),
        pytest.param({"MAX_REVIEW_CYCLES": ""}, Limits(3, 4), id="empty-is-not-told"),
    ],
)
def test_the_environment_overrides(environ: dict[str, str], expected: Limits) -> None:
    assert limits_told(environ, Limits(3, 4)) == expected


def test_a_limit_that_is_no_number_is_named() -> None:
    with pytest.raises(ValueError, match="MAX_REVIEW_CYCLES must be an integer"):
        limits_told({"MAX_REVIEW_CYCLES": "many"}, Limits())
