"""The monitor's question to a project's own files, and the story a person means."""

from pathlib import Path

import pytest

from story_automator.errors import StoryAutomatorError
from story_automator.rules.keys import parse
from story_automator.watch.lookup import full_key, sprint_entry, story_file
from story_automator.watch.verifier import check_state_file, verification

SPRINT = """\
development_status:
  epic-1: in-progress
  1-1-login: done
  1-2-logout: review
  1-3-profile: review
  1-4-planned: backlog
  epic-2: done
  2-1-cart: done
  2-2-pay: Done
  3-1-one: done
  3-1-two: backlog
"""


@pytest.fixture
def artifacts(project: Path) -> Path:
    folder = project / "_bmad-output" / "implementation-artifacts"
    (folder / "sprint-status.yaml").write_text(SPRINT)
    (folder / "1-1-login.md").write_text("---\nstatus: done\n---\n")
    (folder / "1-2-logout.md").write_text("# Story 1.2\n\nStatus: review\n")
    (folder / "1-3-profile.md").write_text("# Story 1.3\n\nStatus: done\n")
    (folder / "1-10-late.md").write_text("Status: backlog\n")
    (folder / "2-2-pay-a.md").write_text("")
    (folder / "2-2-pay-b.md").write_text("")
    return folder


@pytest.mark.parametrize(
    ("workflow", "story", "passed", "reason", "because"),
    [
        ("dev", None, True, "normal_completion", "the session ended"),
        ("dev", "1.1", True, "normal_completion", "the session ended"),
        ("auto", "nonsense", True, "normal_completion", "the session ended"),
        ("create", "1.1", True, "verified_complete", "1 of 1 expected story file for _bmad-output"),
        ("create", "1-1-login", True, "verified_complete", "1-1-*.md"),
        ("create", "2.2", False, "unexpected_story_artifact_count", "2 of 1 expected"),
        ("create", "9.9", False, "unexpected_story_artifact_count", "0 of 1 expected"),
        ("create", None, False, "story_key_required", "create"),
        ("create", "", False, "story_key_required", "create"),
        ("create", "foo", False, "could_not_normalize_key", "'foo'"),
        ("review", "1.1", True, "verified_complete", "sprint-status.yaml says done"),
        ("review", "1.3", True, "verified_complete", "says review, the story file done"),
        ("review", "1.2", False, "workflow_not_complete", "says review, the story file review"),
        ("review", "2.2", True, "verified_complete", "sprint-status.yaml says Done"),
        ("review", "9.9", False, "workflow_not_complete", "says not_found, the story file unknown"),
        ("review", "3.1", False, "verifier_contract_invalid", "more than once: 3-1-one, 3-1-two"),
        ("review", "3-1-one", True, "verified_complete", "sprint-status.yaml says done"),
        ("review", None, False, "story_key_required", "review"),
        ("review", "1-2-../x", False, "could_not_normalize_key", "does not name a story"),
        ("retro", "2", True, "verified_complete", "2 of 2 stories of epic 2 are done"),
        ("retro", "2.1", True, "verified_complete", "2 of 2 stories of epic 2 are done"),
        ("retro", "1", False, "epic_incomplete", "1 of 4 stories of epic 1 are done"),
        ("retro", "9", False, "no_stories_found", "no story of epic 9"),
        ("retro", "epic-2", False, "could_not_normalize_key", "'epic-2'"),
        ("retro", None, False, "story_key_required", "retro"),
        ("dance", "1.1", False, "verifier_contract_invalid", "unknown step: dance"),
    ],
    ids=lambda value: str(value).replace(" ", "-") if isinstance(value, str | None) else "",
)
@pytest.mark.usefixtures("artifacts")
def test_a_workflow_passes_by_its_source_of_truth(
    workflow: str, story: str | None, passed: bool, reason: str, because: str, project: Path
) -> None:
    answer = verification(workflow, project, story, None)
    assert (answer.passed, answer.reason) == (passed, reason)
    assert because in answer.because


@pytest.mark.parametrize("workflow", ["review", "retro"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"1-1-a: \xff\n", "not UTF-8", id="not-utf-8"),
        pytest.param(b"1-1-a: done\n1-1-a: review\n", "stands twice", id="duplicate-key"),
        pytest.param(b"1-1-a: [\n", "not valid YAML", id="broken"),
        pytest.param(None, "is a directory", id="directory"),
    ],
)
def test_unreadable_facts_pass_nothing(
    workflow: str, content: bytes | None, said: str, project: Path
) -> None:
    path = project / "_bmad-output" / "implementation-artifacts" / "sprint-status.yaml"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    answer = verification(workflow, project, "1.1", None)
    assert (answer.passed, answer.reason) == (False, "verifier_contract_invalid")
    assert said in answer.because


def test_an_unreadable_story_file_passes_nothing(project: Path, artifacts: Path) -> None:
    (artifacts / "1-2-logout.md").write_bytes(b"Status: done\n\xff")
    answer = verification("review", project, "1.2", None)
    assert (answer.passed, answer.reason) == (False, "verifier_contract_invalid")
    assert "not UTF-8" in answer.because


@pytest.mark.parametrize("workflow", ["create", "review", "retro"])
@pytest.mark.parametrize("name", ["gone", "x" * 300], ids=["gone", "name-too-long-for-the-system"])
def test_a_project_that_is_not_there_passes_nothing(
    workflow: str, name: str, tmp_path: Path
) -> None:
    assert not verification(workflow, tmp_path / name, "1.1", None).passed


def test_a_bare_word_in_the_prose_does_not_finish_a_review(project: Path, artifacts: Path) -> None:
    (artifacts / "1-2-logout.md").write_text("# Story\n\nStatus: review\n\n## Log\nStatus: done\n")
    assert not verification("review", project, "1.2", None).passed


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        pytest.param("1.1", "1-1-login", id="named-like-its-file"),
        pytest.param("1.4", "1-4-planned", id="named-like-its-sprint-entry"),
        pytest.param("2.2", "2-2-pay-a", id="first-file-by-name"),
        pytest.param("1-1-other", "1-1-other", id="given-key-stands"),
        pytest.param("9.9", "9-9", id="prefix-when-nobody-knows-it"),
    ],
)
@pytest.mark.usefixtures("artifacts")
def test_full_key(asked: str, key: str, project: Path) -> None:
    story = parse(asked)
    assert story is not None
    assert full_key(project, story) == key


def test_a_sprint_key_that_climbs_out_names_no_story(project: Path) -> None:
    path = project / "_bmad-output" / "sprint-status.yaml"
    path.write_text("1-1-../../etc: done\n1-1-login: done\n")
    story = parse("1.1")
    assert story is not None
    assert full_key(project, story) == "1-1-login"


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        pytest.param("2.2", "2-2-pay-a.md", id="first-by-name"),
        pytest.param("2-2-pay-b", "2-2-pay-b.md", id="the-one-named-exactly-so"),
        pytest.param("1-1-renamed", "1-1-login.md", id="same-story-under-another-title"),
        pytest.param("9.9", None, id="none"),
    ],
)
@pytest.mark.usefixtures("artifacts")
def test_story_file(asked: str, name: str | None, project: Path) -> None:
    story = parse(asked)
    assert story is not None
    path = story_file(project, story)
    assert (path.name if path else None) == name


@pytest.mark.usefixtures("artifacts")
def test_an_ambiguous_number_is_refused_and_the_full_key_is_not(project: Path) -> None:
    with pytest.raises(StoryAutomatorError, match="more than once"):
        sprint_entry(project, "3.1")
    assert sprint_entry(project, "3-1-two") == ("3-1-two", "backlog")


def test_a_state_file_must_be_there_and_readable(tmp_path: Path) -> None:
    with pytest.raises(StoryAutomatorError, match=r"^state file unreadable: /nope$"):
        check_state_file("/nope")
    with pytest.raises(StoryAutomatorError, match="state file unreadable"):
        check_state_file(str(tmp_path))
    (tmp_path / "state.md").write_bytes(b"\xff")
    with pytest.raises(StoryAutomatorError, match="not UTF-8"):
        check_state_file(str(tmp_path / "state.md"))
    (tmp_path / "state.md").write_bytes(b"---\nepic: 1\n---\n")
    check_state_file(str(tmp_path / "state.md"))
