"""Records: old ones load for ever, broken ones are recognised."""

import json
from pathlib import Path

import pytest

from story_automator.model.memory import Memory
from story_automator.model.session import Ended, SessionRecord, Started, Stored

STORED = Path(__file__).resolve().parents[2] / "fixtures" / "records"
KINDS: dict[str, type[Stored]] = {
    "record": SessionRecord,
    "started": Started,
    "ended": Ended,
    "memory": Memory,
}
FILES = sorted(STORED.glob("v*/*.json"))


def kind_of(path: Path) -> str:
    """`record-conversation.json` is a record that came to hold a conversation."""
    return path.stem.partition("-")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_what_a_release_left_behind_loads(path: Path) -> None:
    stored = json.loads(path.read_text())
    loaded = KINDS[kind_of(path)].from_json(stored)
    assert loaded.to_json() | stored == loaded.to_json(), "fields may come, what is stored stays"


def test_every_kind_has_a_stored_example() -> None:
    assert {kind_of(path) for path in FILES} == set(KINDS)


def test_every_field_stands_in_an_example() -> None:
    for kind, loads in KINDS.items():
        stored = [json.loads(path.read_text()) for path in FILES if kind_of(path) == kind]
        assert set(loads.__annotations__) <= set().union(*stored), kind


def test_a_session_from_before_conversations_had_ids_has_none() -> None:
    stored = json.loads((STORED / "v1" / "record.json").read_text())
    assert "conversation" not in stored
    assert SessionRecord.from_json(stored).conversation == ""


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"version": 2}, id="a-version-from-the-future"),
        pytest.param({"code": "0"}, id="text-for-a-number"),
        pytest.param({"code": True}, id="a-truth-for-a-number"),
        pytest.param({"hangup": 1}, id="a-number-for-a-truth"),
        pytest.param({"at": None}, id="nothing"),
    ],
)
def test_a_record_with_a_wrong_field_is_refused(change: dict[str, object]) -> None:
    good = json.loads((STORED / "v1" / "ended.json").read_text())
    with pytest.raises(ValueError, match=r"type|version"):
        Ended.from_json({**good, **change})


@pytest.mark.parametrize("stored", [[], "text", None, {"version": 1}])
def test_what_is_no_record_is_refused(stored: object) -> None:
    with pytest.raises(ValueError):
        Ended.from_json(stored)


def test_unknown_fields_are_ignored() -> None:
    good = json.loads((STORED / "v1" / "ended.json").read_text())
    assert Ended.from_json({**good, "colour": "red"}).signal == 15
