"""`orchestrator-helper marker`: the contract's lines, keys and exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Ask

KEYS = [
    "epic",
    "currentStory",
    "storiesRemaining",
    "stateFile",
    "createdAt",
    "heartbeat",
    "pid",
    "projectSlug",
]
USAGE = "Usage: orchestrator-helper marker <path|create|remove|check|heartbeat> [args]\n"


@pytest.fixture
def marker(project: Path) -> Path:
    return project / ".claude" / ".story-automator-active"


def test_the_life_of_a_marker(helper: Ask, marker: Path) -> None:
    assert helper("marker", "check") == (0, '{"exists":false}\n', "")
    assert helper("marker", "heartbeat") == (1, "No marker file to update\n", "")
    created = helper("marker", "create", "--epic", "5", "--story", "5.3", "--remaining", "2")
    assert created == (0, f"Marker created: {marker}\n", "")
    stored = marker.read_text()
    assert list(json.loads(stored)) == KEYS
    assert stored == json.dumps(json.loads(stored), indent=2) + "\n"
    code, out, err = helper("marker", "heartbeat")
    assert (code, err) == (0, "")
    assert out == f"Heartbeat updated: {json.loads(marker.read_text())['heartbeat']}\n"
    assert helper("marker", "remove") == (0, "Marker removed\n", "")
    assert helper("marker", "remove") == (0, "Marker removed\n", "")
    assert not marker.exists()


def test_check_is_one_document_with_the_keys_of_the_marker(helper: Ask, marker: Path) -> None:
    helper("marker", "create", "--epic", "5", "--story", "5.3", "--remaining", "2")
    answer = helper("marker", "check").json
    assert list(answer) == ["exists", "file", *KEYS, "stale", "because"]
    assert answer["exists"] is True
    assert answer["file"] == str(marker)
    assert answer["storiesRemaining"] == 2
    assert answer["stale"] is False


@pytest.mark.parametrize(
    ("content", "because"),
    [
        pytest.param(b"[]", "it is not a JSON object", id="an-array"),
        pytest.param(b"\xff", "it is not UTF-8", id="other-bytes"),
        pytest.param(
            b'{"heartbeat":"2020-01-01T00:00:00Z"}', "its last heartbeat is", id="an-old-heartbeat"
        ),
    ],
)
def test_check_says_why_a_marker_is_stale(
    helper: Ask, marker: Path, content: bytes, because: str
) -> None:
    marker.parent.mkdir()
    marker.write_bytes(content)
    answer = helper("marker", "check").json
    assert answer["stale"] is True
    assert answer["because"].startswith(because)
    replaced = helper("marker", "create", "--epic", "6")
    assert replaced.code == 0
    assert replaced.err.startswith(f"replaced a stale marker: {because}")


def test_a_marker_cannot_lie_about_its_file(helper: Ask, marker: Path) -> None:
    marker.parent.mkdir()
    marker.write_text('{"exists": false, "file": "/elsewhere", "stale": "no"}')
    answer = helper("marker", "check").json
    assert (answer["exists"], answer["file"], answer["stale"]) == (True, str(marker), False)


def test_all_options_are_stored(helper: Ask, marker: Path) -> None:
    pid = str(os.getpid())
    options = ["--state-file", "s.md", "--project-slug", "shop", "--pid", pid, "--heartbeat", "now"]
    helper("marker", "create", "--epic", "E 5", "--story", "5.3", "--remaining", "2", *options)
    stored = json.loads(marker.read_text())
    del stored["createdAt"]
    assert stored == {
        "epic": "E 5",
        "currentStory": "5.3",
        "storiesRemaining": 2,
        "stateFile": "s.md",
        "heartbeat": "now",
        "pid": os.getpid(),
        "projectSlug": "shop",
    }


def test_a_second_start_is_refused_and_names_the_holder(helper: Ask, marker: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        helper("marker", "create", "--epic", "5", "--story", "5.3", "--pid", str(other.pid))
        refused = helper("marker", "create", "--epic", "6", "--pid", str(os.getpid()))
        other.terminate()
    assert (refused.code, refused.out) == (1, "")
    first, second = refused.err.splitlines()
    assert f"(pid {other.pid}, epic 5, story 5.3, last heartbeat " in first
    assert second.startswith("  next: ")
    assert json.loads(marker.read_text())["epic"] == "5"


@pytest.mark.parametrize(
    ("environ", "file", "entry"),
    [
        ({}, "{root}/.claude/.story-automator-active", ".claude/.story-automator-active"),
        ({"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "x/y"}, "{root}/x/y", "x/y"),
        ({"STORY_AUTOMATOR_ACTIVE_MARKER": "/abs/y"}, "/abs/y", "/abs/y"),
    ],
)
def test_path(
    helper: Ask,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    environ: dict[str, str],
    file: str,
    entry: str,
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    answer = helper("marker", "path").json
    assert list(answer.items()) == [("file", file.format(root=project)), ("entry", entry)]


@pytest.mark.parametrize("argv", [[], ["bogus"]])
def test_usage(helper: Ask, project: Path, argv: list[str]) -> None:
    assert helper("marker", *argv) == (1, "", USAGE)


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(["create", "--remaining", "lots"], id="a-count-that-is-a-word"),
        pytest.param(["create", "--remaining", "-1"], id="a-count-below-zero"),
        pytest.param(["create", "--pid", "x"], id="a-pid-that-is-a-word"),
        pytest.param(["create", "--bogus"], id="an-unknown-option"),
        pytest.param(["create", "--epic"], id="an-option-without-its-value"),
        pytest.param(["check", "extra"], id="a-word-too-many"),
        pytest.param(["remove", "--force"], id="an-option-remove-does-not-have"),
    ],
)
def test_mistakes_are_one_sentence_and_write_nothing(
    helper: Ask, project: Path, argv: list[str]
) -> None:
    answer = helper("marker", *argv)
    assert (answer.code, answer.out) == (1, "")
    assert len(answer.err.splitlines()) == 1
    assert not (project / ".claude").exists()


def test_heartbeat_on_a_corrupt_marker_is_one_sentence(helper: Ask, marker: Path) -> None:
    marker.parent.mkdir()
    marker.write_text("{")
    answer = helper("marker", "heartbeat")
    assert (answer.code, answer.out) == (1, "")
    assert "cannot be updated: it is not valid JSON" in answer.err


@pytest.mark.parametrize("action", ["create", "remove"])
def test_a_directory_in_its_place_is_left_alone(helper: Ask, marker: Path, action: str) -> None:
    marker.mkdir(parents=True)
    answer = helper("marker", action)
    assert answer.code == 1
    assert "is a directory" in answer.err
    assert marker.is_dir()


def test_a_project_that_does_not_exist_is_not_made(
    helper: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROJECT_ROOT", str(tmp_path / "typo"))
    answer = helper("marker", "create", "--epic", "5")
    assert answer.code == 1
    assert "no such project directory" in answer.err
    assert not (tmp_path / "typo").exists()
