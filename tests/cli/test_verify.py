"""orchestrator-helper verify-step and verify-code-review."""

from pathlib import Path

import pytest

from .conftest import Ask

ARTIFACTS = "_bmad-output/implementation-artifacts"


@pytest.fixture
def folder(project: Path) -> Path:
    folder = project / ARTIFACTS
    (folder / "sprint-status.yaml").write_text(
        "1-1-login: done\n1-2-logout: review\n2-1-cart: done\n"
    )
    (folder / "1-1-login.md").write_text("Status: done\n")
    (folder / "1-2-logout.md").write_text("Status: review\n")
    return folder


@pytest.mark.parametrize(
    ("step", "story", "answer"),
    [
        pytest.param(
            "create",
            "1.1",
            '{"verified":true,"story":"1-1-login","source":"artifact_glob",'
            f'"pattern":"{ARTIFACTS}/1-1-*.md","expectedMatches":1,"actualMatches":1,'
            '"matches":["FOLDER/1-1-login.md"]}',
            id="create",
        ),
        pytest.param(
            "create",
            "2.1",
            '{"verified":false,"story":"2-1-cart","source":"artifact_glob",'
            f'"pattern":"{ARTIFACTS}/2-1-*.md","expectedMatches":1,"actualMatches":0,'
            '"matches":[],"reason":"unexpected_story_artifact_count"}',
            id="create-without-a-file",
        ),
        pytest.param(
            "create",
            "foo",
            '{"verified":false,"reason":"could_not_normalize_key","input":"foo"}',
            id="create-for-no-story",
        ),
        pytest.param(
            "dev", "1.1", '{"verified":true,"source":"session_exit","story":"1.1"}', id="dev"
        ),
        pytest.param(
            "auto", "foo", '{"verified":true,"source":"session_exit","story":"foo"}', id="auto"
        ),
        pytest.param("dev", "", '{"verified":true,"source":"session_exit"}', id="dev-no-story"),
        pytest.param(
            "dev",
            "../x",
            '{"verified":false,"reason":"could_not_normalize_key","input":"../x"}',
            id="dev-for-a-path",
        ),
        pytest.param(
            "review",
            "1.1",
            '{"verified":true,"story":"1-1-login","sprint_status":"done",'
            '"story_file_status":"done","source":"sprint-status.yaml"}',
            id="review",
        ),
        pytest.param(
            "review",
            "1.2",
            '{"verified":false,"story":"1-2-logout","sprint_status":"review",'
            '"story_file_status":"review","reason":"workflow_not_complete"}',
            id="review-not-done",
        ),
        pytest.param(
            "retro",
            "2",
            '{"verified":true,"epic":"2","story":"2","totalStories":1,"doneStories":1,'
            '"source":"sprint-status.yaml"}',
            id="retro",
        ),
        pytest.param(
            "retro",
            "1.2",
            '{"verified":false,"epic":"1","story":"1.2","totalStories":2,"doneStories":1,'
            '"source":"sprint-status.yaml","reason":"epic_incomplete"}',
            id="retro-incomplete",
        ),
        pytest.param(
            "retro",
            "9",
            '{"verified":false,"epic":"9","reason":"no_stories_found",'
            '"source":"sprint-status.yaml"}',
            id="retro-unknown-epic",
        ),
    ],
)
def test_a_step_is_answered_with_exit_0_whatever_the_answer(
    step: str, story: str, answer: str, folder: Path, helper: Ask
) -> None:
    expected = answer.replace("FOLDER", str(folder))
    assert helper("verify-step", step, story) == (0, f"{expected}\n", "")


@pytest.mark.usefixtures("folder")
def test_the_output_file_is_echoed(helper: Ask) -> None:
    assert helper("verify-step", "dev", "1.1", "--output-file", "./o.txt").out == (
        '{"verified":true,"source":"session_exit","story":"1.1","outputFile":"./o.txt"}\n'
    )


@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        pytest.param((), '{"verified":false,"reason":"step_and_story_required"}', id="nothing"),
        pytest.param(
            ("dev",), '{"verified":false,"reason":"step_and_story_required"}', id="step-alone"
        ),
        pytest.param(
            ("dance", "1.1"),
            '{"verified":false,"step":"dance","input":"1.1",'
            '"reason":"verifier_contract_invalid","error":"unknown step: dance"}',
            id="unknown-step",
        ),
        pytest.param(
            ("dev", "1.1", "--state-file", "/nope"),
            '{"verified":false,"step":"dev","input":"1.1",'
            '"reason":"verifier_contract_invalid","error":"state file unreadable: /nope"}',
            id="state-file-not-there",
        ),
        pytest.param(
            ("dev", "1.1", "--state-file"),
            '{"verified":false,"step":"dev","input":"1.1",'
            '"reason":"verifier_contract_invalid","error":"--state-file requires a value"}',
            id="state-file-without-a-value",
        ),
        pytest.param(
            ("dev", "1.1", "--output-file"),
            '{"verified":false,"step":"dev","input":"1.1",'
            '"reason":"verifier_contract_invalid","error":"--output-file requires a value"}',
            id="output-file-without-a-value",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_step_that_cannot_be_verified(argv: tuple[str, ...], answer: str, helper: Ask) -> None:
    assert helper("verify-step", *argv) == (1, f"{answer}\n", "")


@pytest.mark.parametrize(
    ("argv", "code", "answer"),
    [
        pytest.param(
            ("1.1",),
            0,
            '{"verified":true,"story":"1-1-login","sprint_status":"done",'
            '"story_file_status":"done","source":"sprint-status.yaml"}',
            id="done",
        ),
        pytest.param(
            ("1.2",),
            1,
            '{"verified":false,"story":"1-2-logout","sprint_status":"review",'
            '"story_file_status":"review","reason":"workflow_not_complete"}',
            id="not-done",
        ),
        pytest.param(
            ("foo",),
            1,
            '{"verified":false,"reason":"could_not_normalize_key","input":"foo"}',
            id="no-story",
        ),
        pytest.param((), 1, '{"verified":false,"reason":"story_key_required"}', id="nothing"),
        pytest.param(
            ("1.1", "--state-file", "/nope"),
            1,
            '{"verified":false,"reason":"review_contract_invalid","input":"1.1",'
            '"error":"state file unreadable: /nope"}',
            id="state-file-not-there",
        ),
        pytest.param(
            ("1.1", "--state-file"),
            1,
            '{"verified":false,"reason":"review_contract_invalid","input":"1.1",'
            '"error":"--state-file requires a value"}',
            id="state-file-without-a-value",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_review_tells_by_its_exit_code(
    argv: tuple[str, ...], code: int, answer: str, helper: Ask
) -> None:
    assert helper("verify-code-review", *argv) == (code, f"{answer}\n", "")


def test_a_bare_done_line_finishes_a_review_the_sprint_file_forgot(
    folder: Path, helper: Ask
) -> None:
    (folder / "1-2-logout.md").write_text("# Story 1.2\n\nStatus: done\n\n## Story\n")
    answer = (
        '{"verified":true,"story":"1-2-logout","sprint_status":"review",'
        '"story_file_status":"done","source":"story-file","note":"sprint_status_not_updated"}\n'
    )
    assert helper("verify-code-review", "1.2") == (0, answer, "")


def test_without_a_sprint_file_the_status_is_unknown(project: Path, helper: Ask) -> None:
    answer = helper("verify-step", "review", "1.1").json
    assert (answer["sprint_status"], answer["story_file_status"]) == ("unknown", "unknown")


def test_a_readable_state_file_changes_nothing(folder: Path, helper: Ask) -> None:
    state = folder / "orchestration-1.md"
    state.write_text("---\nepic: 1\n---\n")
    plain = helper("verify-step", "review", "1.1")
    assert helper("verify-step", "review", "1.1", "--state-file", str(state)) == plain
    assert helper("verify-step", "--state-file", str(state), "review", "1.1") == plain
    assert helper("verify-step", "review", "--state-file", str(state), "1.1") == plain


@pytest.mark.parametrize("content", [b"1-1-a: \xff", b"1-1-a: 1\n1-1-a: 2", b"1-1-a: ["])
def test_unreadable_facts_are_one_clear_answer(content: bytes, folder: Path, helper: Ask) -> None:
    (folder / "sprint-status.yaml").write_bytes(content)
    step = helper("verify-step", "review", "1.1")
    assert (step.code, step.json["reason"]) == (1, "verifier_contract_invalid")
    assert "sprint-status.yaml" in step.json["error"]
    review = helper("verify-code-review", "1.1")
    assert (review.code, review.json["reason"]) == (1, "review_contract_invalid")


@pytest.mark.parametrize("action", ["verify-step", "verify-code-review"])
def test_what_is_not_understood_is_a_usage_error(action: str, helper: Ask) -> None:
    code, out, err = helper(action, "dev", "--bogus")
    assert (code, out) == (1, "")
    assert "unrecognized arguments: --bogus" in err
    assert helper(action, "--help").out.startswith(f"Usage: orchestrator-helper {action} <")
