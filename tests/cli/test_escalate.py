"""`orchestrator-helper escalate`: always an answer, whatever the project looks like."""

from pathlib import Path

import pytest

from .conftest import Ask

POLICY = Path("_bmad/bmm/story-automator.policy.json")


def test_the_answer_is_one_line_and_exit_0(helper: Ask, project: Path) -> None:
    answer = helper("escalate", "review-loop", "cycles=5")
    reason = "Review loop exceeded max cycles (5/5)"
    assert answer == (0, f'{{"escalate":true,"reason":"{reason}"}}\n', "")
    assert helper("escalate", "session-crash", "retries=1").out == (
        '{"escalate":false,"action":"retry"}\n'
    )
    assert helper("escalate").out == '{"escalate":false,"reason":"Unknown trigger"}\n'


def test_words_may_come_without_quotes(helper: Ask, project: Path) -> None:
    assert helper("escalate", "review-loop", "story=5.3", "cycles=9").json["escalate"] is True


def test_the_environment_sets_limits(
    helper: Ask, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAX_REVIEW_CYCLES", "3")
    monkeypatch.setenv("MAX_CRASH_RETRIES", "7")
    assert helper("escalate", "review-loop", "cycles=3").json["escalate"] is True
    assert helper("escalate", "session-crash", "retries=5").json["escalate"] is False
    monkeypatch.setenv("MAX_REVIEW_CYCLES", "x")
    answer = helper("escalate", "review-loop", "cycles=0")
    assert (answer.code, answer.json["escalate"]) == (0, True)
    assert answer.json["reason"] == "MAX_REVIEW_CYCLES must be an integer"


def test_a_marker_without_a_state_file_changes_nothing(helper: Ask, project: Path) -> None:
    helper("marker", "create", "--epic", "5", "--story", "5.3", "--remaining", "2")
    assert helper("escalate", "review-loop", "cycles=1") == (0, '{"escalate":false}\n', "")


@pytest.mark.parametrize(
    "content", [b"[1]", b"\xff", b'{"stateFile": "gone.md"}', b'{"stateFile": 3}']
)
def test_no_marker_of_any_kind_breaks_it(helper: Ask, project: Path, content: bytes) -> None:
    marker = project / ".claude" / ".story-automator-active"
    marker.parent.mkdir()
    marker.write_bytes(content)
    assert helper("escalate", "review-loop", "cycles=1") == (0, '{"escalate":false}\n', "")


def test_the_policy_of_the_project_counts_and_the_environment_outranks_it(
    helper: Ask, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / POLICY).parent.mkdir(parents=True)
    (project / POLICY).write_text('{"workflow":{"repeat":{"review":{"maxCycles":3}}}}')
    assert helper("escalate", "review-loop", "cycles=3").json["escalate"] is True
    monkeypatch.setenv("MAX_REVIEW_CYCLES", "9")
    assert helper("escalate", "review-loop", "cycles=3").json["escalate"] is False


def test_a_pinned_policy_stands_whatever_the_environment_says(
    helper: Ask, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "snap.json").write_text('{"workflow":{"repeat":{"review":{"maxCycles":3}}}}')
    (project / "state.md").write_text('---\npolicySnapshotFile: "snap.json"\n---\n')
    helper("marker", "create", "--epic", "5", "--remaining", "2", "--state-file", "state.md")
    monkeypatch.setenv("MAX_REVIEW_CYCLES", "9")
    assert helper("escalate", "review-loop", "cycles=3").json["escalate"] is True
    helper("marker", "remove")
    assert helper("escalate", "review-loop", "cycles=3").json["escalate"] is False
    told = helper("escalate", "review-loop", "cycles=3", "--state-file", "state.md")
    assert told.json["escalate"] is True


def test_a_run_that_pinned_nothing_keeps_the_limits_it_started_with(
    helper: Ask, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "state.md").write_text("---\nepic: 5\n---\n")
    monkeypatch.setenv("MAX_REVIEW_CYCLES", "9")
    told = helper("escalate", "review-loop", "cycles=5", "--state-file", "state.md")
    assert told.json["reason"] == "Review loop exceeded max cycles (5/5)"


@pytest.mark.parametrize("value", [[], [""]])
def test_a_state_file_without_a_name_asks_a_person(
    helper: Ask, project: Path, value: list[str]
) -> None:
    told = helper("escalate", "review-loop", "cycles=0", "--state-file", *value)
    assert (told.code, told.json["reason"]) == (0, "--state-file requires a value")


def test_a_policy_that_cannot_be_read_asks_a_person(helper: Ask, project: Path) -> None:
    (project / POLICY).parent.mkdir(parents=True)
    (project / POLICY).write_text("{")
    answer = helper("escalate", "session-crash", "retries=0")
    assert answer.code == 0
    assert list(answer.json) == ["escalate", "reason"]
    assert answer.json["reason"] == f"policy json invalid: {project / POLICY}"
    told = helper("escalate", "review-loop", "cycles=0", "--state-file", "gone.md")
    assert told.json["reason"] == f"state file unreadable: {project / 'gone.md'}"


def test_an_unknown_option_is_one_sentence(helper: Ask, project: Path) -> None:
    answer = helper("escalate", "review-loop", "cycles=1", "--bogus")
    assert (answer.code, answer.out) == (1, "")
    assert "--bogus" in answer.err
