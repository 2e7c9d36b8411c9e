"""The figures of a parser's answers."""

import pytest

from story_automator.model.advice import Advice, ErrorClass, NextAction, ParsedStep, Status
from story_automator.rules.parse_score import Answer, Score, Truth, by_agent, by_step

PROCEED, RETRY, ESCALATE = NextAction.PROCEED, NextAction.RETRY, NextAction.ESCALATE
ROW = {
    "file": "a.txt",
    "step": "dev",
    "agent": "claude",
    "status": "SUCCESS",
    "next_action": "proceed",
    "error_class": "none",
}


def answer(
    truth: NextAction,
    said: NextAction,
    *,
    step: ParsedStep = ParsedStep.DEV,
    agent: str = "claude",
    status: Status = Status.SUCCESS,
) -> Answer:
    known = Truth("a.txt", step, agent, Status.SUCCESS, truth, ErrorClass.NONE)
    return Answer(known, Advice(step, status, "It went so.", said))


def test_a_row_is_read() -> None:
    assert Truth.from_json({**ROW, "note": "left alone"}) == Truth(
        "a.txt", ParsedStep.DEV, "claude", Status.SUCCESS, PROCEED, ErrorClass.NONE
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        pytest.param([], "a row is a JSON object", id="no-object"),
        pytest.param({**ROW, "file": ""}, "names no file", id="no-file"),
        pytest.param({**ROW, "step": "sing"}, "'sing' is not a valid ParsedStep", id="step"),
        pytest.param({**ROW, "status": "fine"}, "'fine' is not a valid Status", id="status"),
        pytest.param({**ROW, "next_action": None}, "not a valid NextAction", id="no-action"),
        pytest.param({**ROW, "error_class": "bad"}, "not a valid ErrorClass", id="class"),
    ],
)
def test_a_row_that_makes_no_sense_is_told(row: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Truth.from_json(row)


@pytest.mark.parametrize(
    ("truth", "said", "wrong"),
    [
        pytest.param(PROCEED, PROCEED, False, id="a-right-proceed-is-none"),
        pytest.param(RETRY, PROCEED, True, id="going-on-with-a-failure"),
        pytest.param(ESCALATE, PROCEED, True, id="going-on-past-a-person"),
        pytest.param(PROCEED, ESCALATE, False, id="a-false-alarm-is-only-a-miss"),
        pytest.param(RETRY, ESCALATE, False, id="the-wrong-kind-of-stop-is-only-a-miss"),
    ],
)
def test_a_wrong_proceed_is_set_apart(truth: NextAction, said: NextAction, *, wrong: bool) -> None:
    one = answer(truth, said)
    assert one.wrong_proceed is wrong
    assert Score([one]).wrong_proceed == ([one] if wrong else [])
    assert Score([one]).misses == ([] if truth is said else [one])


def test_status_and_action_are_counted_apart() -> None:
    score = Score([answer(PROCEED, PROCEED, status=Status.AMBIGUOUS), answer(PROCEED, RETRY)])
    assert (score.of, score.right_action, score.right_status, score.right_class) == (2, 1, 1, 2)


def test_the_confusion_has_a_row_for_each_truth_there_is() -> None:
    score = Score([answer(RETRY, RETRY), answer(RETRY, ESCALATE), answer(PROCEED, PROCEED)])
    assert score.confusion == {
        "proceed": {"proceed": 1, "retry": 0, "escalate": 0},
        "retry": {"proceed": 0, "retry": 1, "escalate": 1},
    }


@pytest.mark.parametrize(
    ("misses", "wrong", "met"),
    [
        pytest.param(0, 0, True, id="all-right"),
        pytest.param(1, 0, True, id="one-miss-in-twenty"),
        pytest.param(2, 0, False, id="two-misses-in-twenty"),
        pytest.param(0, 1, False, id="one-wrong-proceed-in-twenty"),
    ],
)
def test_the_bar(misses: int, wrong: int, *, met: bool) -> None:
    bad = [answer(PROCEED, RETRY)] * misses + [answer(RETRY, PROCEED)] * wrong
    assert Score([*bad, *[answer(RETRY, RETRY)] * (20 - len(bad))]).met is met


def test_nothing_meets_no_bar() -> None:
    assert not Score([]).met


def test_steps_and_agents_are_scored_on_their_own() -> None:
    answers = [
        answer(PROCEED, PROCEED, agent="codex"),
        answer(PROCEED, RETRY, step=ParsedStep.CREATE, agent="codex"),
        answer(PROCEED, PROCEED, step=ParsedStep.CREATE),
    ]
    assert {name: (s.right_action, s.of) for name, s in by_step(answers).items()} == {
        "create": (1, 2),
        "dev": (1, 1),
    }
    assert {name: (s.right_action, s.of) for name, s in by_agent(answers).items()} == {
        "claude": (1, 1),
        "codex": (1, 2),
    }
