"""Only the model's own, whole and consistent object becomes advice."""

import json
from typing import Any

import pytest
from anthropic import transform_schema
from hypothesis import given
from hypothesis import strategies as st

from story_automator.edges.reply_schema import advice_from, model_for, schema_for
from story_automator.errors import ReplyInvalid
from story_automator.model.advice import ErrorClass, NextAction, ParsedStep, Status
from tests.parser_http import GOOD

COMMON = {key: GOOD[key] for key in GOOD if key not in ("tests_passed", "build_passed")}
NONE_FOUND = {"critical": 0, "high": 0, "medium": 0, "low": 0}
OWN: dict[ParsedStep, dict[str, Any]] = {
    ParsedStep.CREATE: {"story_created": True, "story_file": "stories/1-2.md"},
    ParsedStep.DEV: {"tests_passed": True, "build_passed": False},
    ParsedStep.AUTO: {"tests_added": 4, "coverage_improved": True},
    ParsedStep.REVIEW: {"issues_found": {**NONE_FOUND, "low": 2}, "all_fixed": True},
    ParsedStep.RETRO: {},
    ParsedStep.BUILD: {"tests_passed": True, "build_passed": True, "story_file": None},
}
ESCALATE = {**GOOD, "status": "AMBIGUOUS", "next_action": "escalate"}


def dev(text: str) -> NextAction:
    return advice_from(ParsedStep.DEV, text).next_action


def problem(text: str, step: ParsedStep = ParsedStep.DEV) -> str:
    with pytest.raises(ReplyInvalid) as caught:
        advice_from(step, text)
    return caught.value.message


def reply(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


@pytest.mark.parametrize("step", ParsedStep)
class TestEveryStep:
    def test_keeps_the_fields_of_the_contract(self, step: ParsedStep) -> None:
        advice = advice_from(step, json.dumps({**COMMON, **OWN[step]}))
        assert advice.own == OWN[step]
        assert (advice.status, advice.confidence) == (Status.SUCCESS, 0.9)
        assert (advice.error_class, advice.questions) == (ErrorClass.NONE, ())

    def test_needs_every_field(self, step: ParsedStep) -> None:
        whole = {**COMMON, **OWN[step]}
        for missing in whole:
            rest = {key: value for key, value in whole.items() if key != missing}
            assert missing in problem(json.dumps(rest), step)

    def test_has_a_schema_that_the_provider_takes_as_it_is(self, step: ParsedStep) -> None:
        schema = schema_for(step)
        assert set(schema["required"]) == set(schema["properties"]) == {*COMMON, *OWN[step]}
        assert schema["additionalProperties"] is False
        taken = json.dumps(transform_schema(schema))
        for unsupported in ("minimum", "maximum", "minLength", "maxLength", "default", "pattern"):
            assert unsupported not in taken
            assert unsupported not in json.dumps(schema)
        assert model_for(step).model_json_schema() == schema


class TestRow83:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(reply(), id="bare"),
            pytest.param(json.dumps(GOOD, indent=2), id="pretty"),
            pytest.param(f"```json\n{json.dumps(GOOD, indent=4)}\n```", id="fenced"),
            pytest.param(f"```\n{reply()}\n```\n", id="fenced-without-a-language"),
            pytest.param(f"Here you are:\n\n{reply()}\n\nAnything else?", id="prose-around"),
            pytest.param(f'The 5" screen works: {reply()}', id="lone-quote-before"),
            pytest.param(reply().replace("\n", "\r\n") + "\r\n", id="crlf"),
            pytest.param("\ufeff" + reply(), id="byte-order-mark"),
            pytest.param(reply(summary='it printed {"status": "x"} and }'), id="braces-in-a-text"),
        ],
    )
    def test_fenced_pretty_and_wrapped_json_is_read(self, text: str) -> None:
        assert dev(text) is NextAction.PROCEED


class TestRow84:
    QUOTED = reply()
    OWN = json.dumps(ESCALATE)

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(f"It printed {QUOTED}\nMy answer: {OWN}", id="in-prose"),
            pytest.param(f"```json\n{QUOTED}\n```\n\n{OWN}", id="in-a-fence"),
            pytest.param(f"```\n{QUOTED}\n```\n```json\n{OWN}\n```", id="both-fenced"),
            pytest.param(f"{QUOTED}\n{OWN}", id="line-after-line"),
            pytest.param(f"{OWN}\n> {QUOTED}\n", id="quoted-after-it"),
            pytest.param(f'{OWN[:-1]}, "log": {QUOTED}}}', id="inside-the-own-object"),
            pytest.param(f"{{ not json, {QUOTED} }} {OWN}", id="inside-a-broken-one"),
        ],
    )
    def test_of_two_objects_the_models_own_counts(self, text: str) -> None:
        assert dev(text) is NextAction.ESCALATE

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(f'{{"summary": "it said {QUOTED}"}}', id="unescaped-in-a-text"),
            pytest.param(f'{{"log": {QUOTED}', id="never-closed"),
            pytest.param(f'{{"log": {QUOTED},}}', id="trailing-comma"),
            pytest.param(f"{QUOTED} {{oops}}", id="followed-by-a-broken-one"),
            pytest.param(f"> {QUOTED}", id="only-quoted"),
        ],
    )
    def test_a_quoted_object_never_stands_in_for_a_broken_one(self, text: str) -> None:
        assert problem(text)


def test_row_86_a_failure_that_proceeds_is_refused() -> None:
    assert "FAILURE cannot go with next_action proceed" in problem(reply(status="FAILURE"))


def test_row_87_an_unknown_next_action_is_refused() -> None:
    said = problem(reply(next_action="commit"))
    assert said == "next_action: Input should be 'proceed', 'retry' or 'escalate'"


class TestRow88:
    @pytest.mark.parametrize(("said", "meant"), [("true", True), (" FALSE ", False), (True, True)])
    def test_a_boolean_may_be_a_text(self, said: object, meant: bool) -> None:
        advice = advice_from(ParsedStep.DEV, reply(tests_passed=said))
        assert advice.own["tests_passed"] is meant

    @pytest.mark.parametrize("said", ["yes", "1", "", 1, 0, 1.0, None, [], {}, [True]])
    def test_nothing_else_is_a_boolean(self, said: object) -> None:
        assert problem(reply(tests_passed=said)) == "tests_passed: must be true or false"

    @pytest.mark.parametrize(("said", "meant"), [("3", 3), (" 12 ", 12), (0, 0)])
    def test_a_number_may_be_a_text(self, said: object, meant: int) -> None:
        text = json.dumps({**COMMON, "tests_added": said, "coverage_improved": True})
        assert advice_from(ParsedStep.AUTO, text).own["tests_added"] == meant

    @pytest.mark.parametrize(
        "said", [-1, "-1", 1.5, "1.5", True, None, "many", 10**9, "²", "9" * 50]
    )
    def test_nothing_else_is_a_number(self, said: object) -> None:
        text = json.dumps({**COMMON, "tests_added": said, "coverage_improved": True})
        assert "whole number" in problem(text, ParsedStep.AUTO)


class TestRow89:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(reply().replace("{", '{"next_action": "proceed", ', 1), id="outside"),
            pytest.param(
                json.dumps({**COMMON, "issues_found": NONE_FOUND, "all_fixed": True}).replace(
                    '"critical": 0', '"critical": 3, "critical": 0'
                ),
                id="inside",
            ),
        ],
    )
    def test_a_duplicate_key_is_refused(self, text: str) -> None:
        assert "twice" in problem(text, ParsedStep.REVIEW)

    def test_an_extra_key_is_dropped(self) -> None:
        advice = advice_from(ParsedStep.DEV, reply(cmd="rm -rf /", parser="rules", own={"x": 1}))
        assert set(advice.own) == {"tests_passed", "build_passed"}
        assert advice.parser == ""


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        pytest.param({"status": "success"}, "status", id="status-in-small-letters"),
        pytest.param({"summary": ""}, "summary", id="no-summary"),
        pytest.param({"summary": " \x07\n"}, "summary", id="invisible-summary"),
        pytest.param({"summary": 7}, "summary", id="summary-is-a-number"),
        pytest.param({"confidence": 90}, "confidence", id="confidence-in-percent"),
        pytest.param({"confidence": "nan"}, "confidence", id="confidence-is-no-number"),
        pytest.param({"confidence": float("nan")}, "NaN", id="confidence-is-nan"),
        pytest.param({"confidence": float("inf")}, "Infinity", id="confidence-is-infinite"),
        pytest.param({"confidence": True}, "confidence", id="confidence-is-a-boolean"),
        pytest.param({"error_class": "weather"}, "error_class", id="unknown-error-class"),
        pytest.param({"questions": "which?"}, "questions", id="questions-are-no-list"),
        pytest.param({"questions": [1]}, "questions.0", id="question-is-no-text"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(changes: dict[str, object], named: str) -> None:
    assert named in problem(reply(**changes))


class TestRow94:
    def test_a_text_beyond_the_bound_is_refused_unread(self) -> None:
        assert "longer" in problem(reply() + " " * 1_000_000)

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param('{"a":' * 100_000, id="objects"),
            pytest.param('{"a":' + "[" * 100_000, id="lists"),
        ],
    )
    def test_depth_is_bounded(self, text: str) -> None:
        assert "deep" in problem(text)

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param('{"' + '\\"' * 490_000, id="text-that-never-ends"),
            pytest.param('{"' + '\\"' * 490_000 + "\\", id="and-ends-in-an-escape"),
            pytest.param("{}" * 490_000, id="many-objects"),
            pytest.param('{"a": ' + "9" * 900_000 + "}", id="many-digits"),
            pytest.param(" \t" * 490_000 + ">", id="many-blanks"),
        ],
    )
    def test_a_hostile_text_is_refused_and_costs_little(self, text: str) -> None:
        assert problem(text)

    def test_what_is_kept_is_bounded_and_printable(self) -> None:
        text = reply(summary="a\x1b[31m\n\ud800" + "b" * 9_000, questions=["", "x" * 9_000] * 50)
        advice = advice_from(ParsedStep.DEV, text)
        assert advice.summary.startswith("a [31m b")
        assert len(advice.summary) == 2_000
        assert [len(question) for question in advice.questions] == [2_000] * 20


@given(st.text())
def test_any_text_is_advice_or_a_sentence(text: str) -> None:
    assert problem(text).count("\n") == 0


@given(st.text(alphabet='{}[]":,\\>\n `a1', max_size=60))
def test_no_litter_before_the_own_object_turns_it_round(litter: str) -> None:
    try:
        found = dev(f"{litter}\n{json.dumps(ESCALATE)}")
    except ReplyInvalid:
        return
    assert found is NextAction.ESCALATE
