"""The verifiers' answers: keys, their order, exit reasons."""

import json

import pytest

from story_automator.rules import verify
from story_automator.rules.sprint import EpicCount
from story_automator.rules.verify import Finding

ONE = "art/1-1-*.md"


@pytest.mark.parametrize(
    ("finding", "answer"),
    [
        pytest.param(
            verify.story_created("1-1-a", ONE, ["/p/art/1-1-a.md"]),
            '{"verified": true, "story": "1-1-a", "source": "artifact_glob", '
            '"pattern": "art/1-1-*.md", "expectedMatches": 1, "actualMatches": 1, '
            '"matches": ["/p/art/1-1-a.md"]}',
            id="create-with-one-file",
        ),
        pytest.param(
            verify.story_created("1-1", ONE, []),
            '{"verified": false, "story": "1-1", "source": "artifact_glob", '
            '"pattern": "art/1-1-*.md", "expectedMatches": 1, "actualMatches": 0, "matches": [], '
            '"reason": "unexpected_story_artifact_count"}',
            id="create-without-a-file",
        ),
        pytest.param(
            verify.session_ended("", ""),
            '{"verified": true, "source": "session_exit"}',
            id="session-end",
        ),
        pytest.param(
            verify.session_ended("1.1", "o.txt"),
            '{"verified": true, "source": "session_exit", "story": "1.1", "outputFile": "o.txt"}',
            id="session-end-with-story-and-output",
        ),
        pytest.param(
            verify.review_finished("1-1-a", "Done", "review"),
            '{"verified": true, "story": "1-1-a", "sprint_status": "Done", '
            '"story_file_status": "review", "source": "sprint-status.yaml"}',
            id="review-done-in-the-sprint-file",
        ),
        pytest.param(
            verify.review_finished("1-1-a", "review", "done"),
            '{"verified": true, "story": "1-1-a", "sprint_status": "review", '
            '"story_file_status": "done", "source": "story-file", '
            '"note": "sprint_status_not_updated"}',
            id="review-done-in-the-story-file",
        ),
        pytest.param(
            verify.review_finished("1-1-a", "review", "unknown"),
            '{"verified": false, "story": "1-1-a", "sprint_status": "review", '
            '"story_file_status": "unknown", "reason": "workflow_not_complete"}',
            id="review-not-done",
        ),
        pytest.param(
            verify.epic_finished("1", "1.2", EpicCount(("1-1-a", "1-2-b"), 2)),
            '{"verified": true, "epic": "1", "story": "1.2", "totalStories": 2, '
            '"doneStories": 2, "source": "sprint-status.yaml"}',
            id="retro-of-a-complete-epic",
        ),
        pytest.param(
            verify.epic_finished("1", "1", EpicCount(("1-1-a", "1-2-b"), 1)),
            '{"verified": false, "epic": "1", "story": "1", "totalStories": 2, '
            '"doneStories": 1, "source": "sprint-status.yaml", "reason": "epic_incomplete"}',
            id="retro-of-an-incomplete-epic",
        ),
        pytest.param(
            verify.epic_finished("9", "9", EpicCount((), 0)),
            '{"verified": false, "epic": "9", "reason": "no_stories_found", '
            '"source": "sprint-status.yaml"}',
            id="retro-of-an-unknown-epic",
        ),
        pytest.param(
            verify.not_a_story("foo"),
            '{"verified": false, "reason": "could_not_normalize_key", "input": "foo"}',
            id="no-story-key",
        ),
    ],
)
def test_a_finding_answers_in_the_contracts_words_and_order(finding: Finding, answer: str) -> None:
    assert json.dumps(finding.payload) == answer
    assert finding.because


@pytest.mark.parametrize(
    ("finding", "passed", "reason"),
    [
        pytest.param(verify.session_ended("", ""), True, "normal_completion", id="session-end"),
        pytest.param(
            verify.story_created("1-1-a", ONE, ["x"]), True, "verified_complete", id="create"
        ),
        pytest.param(
            verify.story_created("1-1", ONE, ["x", "y"]),
            False,
            "unexpected_story_artifact_count",
            id="two-files",
        ),
        pytest.param(
            verify.review_finished("1-1", "not_found", "unknown"),
            False,
            "workflow_not_complete",
            id="review-not-done",
        ),
        pytest.param(
            verify.epic_finished("1", "1", EpicCount(("1-1-a",), 0)),
            False,
            "epic_incomplete",
            id="epic-incomplete",
        ),
        pytest.param(
            verify.epic_finished("1", "1", EpicCount((), 0)), False, "no_stories_found", id="empty"
        ),
        pytest.param(verify.not_a_story("x"), False, "could_not_normalize_key", id="no-key"),
    ],
)
def test_a_finding_becomes_the_monitors_exit_reason(
    finding: Finding, passed: bool, reason: str
) -> None:
    concluded = verify.concluded(finding)
    assert (concluded.passed, concluded.reason) == (passed, reason)
    assert concluded.because == finding.because
    assert concluded.proven == (reason != "normal_completion")


@pytest.mark.parametrize(
    ("created", "reason"),
    [
        pytest.param(1, "Exactly 1 story file created as expected", id="one"),
        pytest.param(0, "No story file created - session may have failed", id="none"),
        pytest.param(-1, "Story files decreased (-1) - unexpected deletion", id="fewer"),
        pytest.param(3, "RUNAWAY CREATION: 3 files created instead of 1", id="too-many"),
    ],
)
def test_creation_is_told_in_the_contracts_sentence(created: int, reason: str) -> None:
    assert verify.creation_reason(created) == reason
