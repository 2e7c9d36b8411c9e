"""The figures of the statusline's JSON."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.heartbeat import Allowance, Heartbeat
from tests.agents import recorded

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
KEYS = ("session_id", "model", "cost", "context_window", "rate_limits", "version")


def parsed(**told: Any) -> Heartbeat:
    beat = Heartbeat.parse(json.dumps(told))
    assert beat is not None
    return beat


def test_a_real_one() -> None:
    beat = Heartbeat.parse(recorded.lines("claude", "plain", "heartbeat.json")[0])
    assert beat == Heartbeat(
        conversation="df560f75-5eec-49e3-8282-fd87534e094f",
        transcript=(
            "/home/dev/.claude/projects/-home-dev-proj/df560f75-5eec-49e3-8282-fd87534e094f.jsonl"
        ),
        version="2.1.197",
        model="claude-opus-4-8[1m]",
        cost_usd=0.006349999999999999,
        context_pct=0.0,
        tokens=1214,
    )


@pytest.mark.parametrize("case", recorded.cases("claude", "heartbeat.json"))
def test_all_recordings_name_their_conversation(case: str) -> None:
    beat = Heartbeat.parse(recorded.lines("claude", case, "heartbeat.json")[0])
    assert beat
    assert beat.conversation
    assert beat.version


def test_before_the_first_message_the_context_is_untold() -> None:
    assert parsed(context_window={"used_percentage": None}).context_pct is None


def test_allowances_of_newer_clients() -> None:
    beat = parsed(
        rate_limits={
            "five_hour": {"used_percentage": 97.5, "resets_at": 1772625600},
            "seven_day": {"used_percentage": None},
            "odd": 3,
        }
    )
    assert beat.allowances == (
        Allowance("five_hour", 97.5, datetime(2026, 3, 4, 12, tzinfo=UTC)),
        Allowance("seven_day", None, None),
    )


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "[" * 100_000])
def test_no_heartbeat(text: str) -> None:
    assert Heartbeat.parse(text) is None


@pytest.mark.parametrize(
    "told",
    [
        {"session_id": 3, "transcript_path": None, "version": [], "model": "opus"},
        {"cost": None, "context_window": []},
        {"cost": {"total_cost_usd": True}, "context_window": {"used_percentage": "12"}},
        {"cost": {"total_cost_usd": float("nan")}, "context_window": {"total_input_tokens": 1.5}},
        {"rate_limits": {"five_hour": {}}},
    ],
)
def test_wrong_types_are_not_told(told: dict[str, Any]) -> None:
    assert parsed(**told) == Heartbeat()


@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_no_json_breaks_it(told: dict[str, Any]) -> None:
    assert Heartbeat.parse(json.dumps(told))
