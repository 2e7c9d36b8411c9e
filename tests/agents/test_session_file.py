"""What Claude Code writes about its own process."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from story_automator.agents.session_file import SessionFile, Status
from tests.agents import recorded


def test_a_real_one() -> None:
    last = recorded.lines("claude", "limit", "session_file.jsonl")[-1]
    assert SessionFile.parse(last) == SessionFile(
        pid=11724,
        conversation="63692eb1-6f47-497a-9959-1223bd375330",
        status=Status.WAITING,
        waiting_for="dialog open",
        status_at=datetime(2026, 11, 18, 15, 2, 58, 309000, tzinfo=UTC),
        started="1290453",
    )


@pytest.mark.parametrize(
    ("case", "statuses"),
    [
        ("plain", ["idle", "busy", "idle"]),
        ("permission", ["", "idle", "busy", "waiting", "busy", "idle"]),
        ("bashbg", ["", "busy", "shell", "busy", "idle"]),
        ("agentbg", ["", "idle", "busy", "idle"]),
        ("kill9", ["idle", "busy"]),
        ("hangmid", ["idle", "busy"]),
    ],
)
def test_the_statuses_of_a_recording(case: str, statuses: list[str]) -> None:
    read = [
        SessionFile.parse(line) for line in recorded.lines("claude", case, "session_file.jsonl")
    ]
    assert [file.status for file in read if file] == statuses


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pid": "1"}', '{"pid": true}', '{"pid": 1'])
def test_no_such_file(text: str) -> None:
    assert SessionFile.parse(text) is None


@pytest.mark.parametrize(
    "told",
    [
        {"status": "meditating"},
        {"status": None, "statusUpdatedAt": None},
        {"status": 3, "statusUpdatedAt": "now", "waitingFor": {}},
        {"statusUpdatedAt": 1e17},
    ],
)
def test_what_is_not_understood_is_not_told(told: dict[str, Any]) -> None:
    assert SessionFile.parse(json.dumps({"pid": 7, **told})) == SessionFile(7)
