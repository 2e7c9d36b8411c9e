"""What the lines of a conversation amount to, in whatever order they come."""

import json
import random
from datetime import UTC, datetime, timedelta, timezone
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.claude_transcript import RECENT, Conversation, Ending, take
from tests.agents import recorded

LIMIT = "You've hit your session limit · resets 3pm (UTC)"


def fold(lines: list[str]) -> Conversation:
    return reduce(take, lines, Conversation())


def line(kind: str, second: float, **told: Any) -> str:
    at = datetime.fromtimestamp(1_772_625_600 + second, UTC).isoformat().replace("+00:00", "Z")
    return json.dumps({"type": kind, "timestamp": at, "isSidechain": False, **told})


def said(
    second: float, text: str = "", name: str = "m1", stop: str = "end_turn", **told: Any
) -> str:
    content = [{"type": "text", "text": text}] if text else [{"type": "tool_use", "name": "Bash"}]
    usage = {"input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 1}
    message = {"id": name, "content": content, "stop_reason": stop, "usage": usage}
    return line("assistant", second, message=message, **told)


def heard(second: float, content: Any = "go", **told: Any) -> str:
    return line("user", second, message={"role": "user", "content": content}, **told)


def result(second: float, text: str) -> str:
    return heard(second, [{"type": "tool_result", "content": [{"type": "text", "text": text}]}])


class TestRealTranscripts:
    @pytest.mark.parametrize(
        ("case", "ending", "reason"),
        [
            ("plain", Ending.FINISHED, None),
            ("question", Ending.FINISHED, None),
            ("empty", Ending.FINISHED, None),
            ("bash", Ending.FINISHED, None),
            ("agent", Ending.FINISHED, None),
            ("bashbg", Ending.FINISHED, None),
            ("agentbg", Ending.FINISHED, None),
            ("permission", Ending.FINISHED, None),
            ("compact", Ending.FINISHED, None),
            ("limit", Ending.FAILED, "usage_limit"),
            ("limit_week", Ending.FAILED, "usage_limit"),
            ("limit_key", Ending.FAILED, "rate_limited"),
            ("e429", Ending.FAILED, "rate_limited"),
            ("e401", Ending.FAILED, "auth_error"),
            ("e403", Ending.FAILED, "auth_error"),
            ("e404", Ending.FAILED, "api_error"),
            ("e529", Ending.FAILED, "api_error"),
            ("credit", Ending.FAILED, "auth_error"),
            ("toolong", Ending.FAILED, "context_limit"),
            ("maxtok", Ending.FAILED, "context_limit"),
            ("refusal", Ending.FAILED, "turn_failed"),
            ("interrupt", Ending.INTERRUPTED, None),
            ("interrupt_tool", Ending.INTERRUPTED, None),
            ("refused", Ending.INTERRUPTED, None),
            ("kill9", Ending.OPEN, None),
            ("hangmid", Ending.OPEN, None),
        ],
    )
    def test_end_as(self, case: str, ending: Ending, reason: str | None) -> None:
        told = fold(recorded.lines("claude", case, "transcript.jsonl"))
        assert told.ending is ending
        assert (told.failure.reason if told.failure else None) == reason
        assert told.since is not None

    @pytest.mark.parametrize("case", recorded.cases("claude", "transcript.jsonl"))
    def test_tell_the_last_message_that_the_hook_told(self, case: str) -> None:
        told = [row for row in recorded.hooks("claude", case) if row[0] in ("Stop", "StopFailure")]
        if not told or case == "clear":
            return
        message = fold(recorded.lines("claude", case, "transcript.jsonl")).message
        assert message == told[-1][1].get("last_assistant_message", "")

    @pytest.mark.parametrize("case", recorded.cases("claude", "transcript.jsonl"))
    def test_the_order_of_the_lines_does_not_matter(self, case: str) -> None:
        lines = recorded.lines("claude", case, "transcript.jsonl")
        told = fold(lines)
        for seed in range(5):
            mixed = random.Random(seed).sample(lines, len(lines))
            other = fold(mixed)
            assert (other.ending, other.since) == (told.ending, told.since)
            assert (other.failure, other.tokens) == (told.failure, told.tokens)
            if case != "maxtok":  # two messages of one millisecond: only the file orders them
                assert other.message == told.message

    def test_a_limit_tells_when_it_ends(self) -> None:
        told = fold(recorded.lines("claude", "limit_week", "transcript.jsonl"))
        assert told.failure
        assert told.failure.resets_at == datetime(2026, 11, 20, 22, 40, tzinfo=UTC)

    def test_tokens_count_each_message_once(self) -> None:
        assert fold(recorded.lines("claude", "bash", "transcript.jsonl")).tokens == 2 * 1200 + 15


class TestMessage:
    def test_its_blocks_are_joined_in_the_order_of_time(self) -> None:
        told = fold([said(2, "second", uuid="b"), said(1, "first", uuid="a"), said(3)])
        assert told.message == "first\nsecond"

    def test_an_older_one_that_comes_late_is_not_the_last(self) -> None:
        assert fold([said(5, "new", "m2"), said(1, "old", "m1")]).message == "new"

    def test_a_line_that_comes_twice_counts_once(self) -> None:
        assert fold([said(1, "once", uuid="a")] * 2).message == "once"

    def test_a_tool_call_says_nothing(self) -> None:
        assert fold([said(1, "words", "m1"), said(2, "", "m2")]).message == "words"

    def test_a_sub_agents_words_are_not_ours(self) -> None:
        told = fold([said(1, "ours"), said(2, "theirs", "m2", isSidechain=True)])
        assert (told.message, told.tokens) == ("ours", 111)


class TestEnding:
    @pytest.mark.parametrize(
        ("lines", "ending"),
        [
            pytest.param([], Ending.NONE, id="nothing-yet"),
            pytest.param([heard(1)], Ending.OPEN, id="prompt"),
            pytest.param([heard(1), said(2, stop="tool_use")], Ending.OPEN, id="tool"),
            pytest.param([heard(1), said(2, "x", stop="max_tokens")], Ending.OPEN, id="cut-off"),
            pytest.param([heard(1), said(2, "x")], Ending.FINISHED, id="end-of-turn"),
            pytest.param([said(2, "x"), heard(1)], Ending.FINISHED, id="answer-before-its-prompt"),
            pytest.param([heard(1), said(2, "x"), heard(3)], Ending.OPEN, id="second-prompt"),
            pytest.param(
                [heard(1), said(2, "x"), heard(3, "<command-name>/compact</command-name>")],
                Ending.FINISHED,
                id="a-command-of-the-client",
            ),
            pytest.param(
                [heard(1), said(2, "x"), heard(3, isMeta=True)], Ending.FINISHED, id="a-meta-line"
            ),
            pytest.param(
                [heard(1), said(2, "x"), heard(3, isCompactSummary=True)],
                Ending.FINISHED,
                id="the-summary-of-a-compaction",
            ),
            pytest.param(
                [heard(1), line("system", 2, subtype="turn_duration")],
                Ending.FINISHED,
                id="an-empty-reply",
            ),
            pytest.param(
                [
                    heard(1),
                    said(2, LIMIT, isApiErrorMessage=True, error="rate_limit"),
                    line("system", 3, subtype="turn_duration"),
                ],
                Ending.FAILED,
                id="the-duration-of-a-failure-ends-no-better",
            ),
            pytest.param(
                [heard(1), result(2, "[Request interrupted by user]")],
                Ending.OPEN,
                id="an-interruption-that-a-tool-printed",
            ),
            pytest.param(
                [heard(1), heard(2, "Why does it print [Request interrupted by user]?")],
                Ending.OPEN,
                id="an-interruption-that-a-person-speaks-of",
            ),
            pytest.param(
                [heard(1), result(2, LIMIT)], Ending.OPEN, id="a-limit-that-a-tool-printed"
            ),
            pytest.param([heard(1), said(2, LIMIT)], Ending.FINISHED, id="a-limit-quoted"),
            pytest.param(
                [heard(1), said(2, LIMIT, isSidechain=True, isApiErrorMessage=True)],
                Ending.OPEN,
                id="a-sub-agents-failure",
            ),
        ],
    )
    def test_after(self, lines: list[str], ending: Ending) -> None:
        assert fold(lines).ending is ending

    @pytest.mark.parametrize(
        ("told", "reason"),
        [
            ({"error": "rate_limit", "apiErrorStatus": 429}, "usage_limit"),
            ({"error": "rate_limit"}, "usage_limit"),
            ({"error": "rate_limit", "apiErrorStatus": 500}, "rate_limited"),
            ({"error": "server_error", "apiErrorStatus": 429}, "api_error"),
            ({"error": "unknown", "apiErrorStatus": 503}, "api_error"),
            ({"error": "unknown", "apiErrorStatus": 401}, "auth_error"),
            ({"apiErrorStatus": "429"}, "turn_failed"),
        ],
    )
    def test_a_limit_needs_its_class_and_its_status(
        self, told: dict[str, Any], reason: str
    ) -> None:
        why = fold([said(1, LIMIT, isApiErrorMessage=True, **told)]).failure
        assert why
        assert why.reason == reason
        assert (why.resets_at is not None) is (reason == "usage_limit")


def test_usage_may_grow_within_a_message() -> None:
    first, second = json.loads(said(1, "a")), json.loads(said(2, "b"))
    second["message"]["usage"]["output_tokens"] = 50
    assert fold([json.dumps(first), json.dumps(second)]).tokens == 160


def test_memory_stays_small() -> None:
    told = fold([said(n, f"text {n}", f"m{n}") for n in range(1_000)])
    assert told.tokens == 111_000
    assert len(told.counted) == RECENT
    assert len(told.blocks) == 1


def test_a_clock_that_names_no_zone_is_read_in_the_readers() -> None:
    words = "You've hit your session limit · resets 3pm"
    limit = said(0, words, isApiErrorMessage=True, error="rate_limit", apiErrorStatus=429)
    told = take(Conversation(), limit, timezone(timedelta(hours=2)))
    assert told.failure is not None
    assert told.failure.resets_at == datetime(2026, 3, 4, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "{",
        "[]",
        '{"type":"assistant"}',
        '{"type":"assistant","timestamp":"yesterday","message":{}}',
        '{"type":"user","timestamp":"2026-03-04T12:00:00","message":{"content":"no zone"}}',
    ],
)
def test_a_broken_line_changes_nothing(broken: str) -> None:
    assert take(Conversation(), broken) == Conversation()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)


@given(
    st.sampled_from(["user", "assistant", "system"]),
    st.dictionaries(
        st.sampled_from(["message", "uuid", "error", "apiErrorStatus", "subtype", "isMeta"]), JSON
    ),
)
def test_no_line_breaks_it(kind: str, told: dict[str, Any]) -> None:
    take(Conversation(), line(kind, 1, **told))
