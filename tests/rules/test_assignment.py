"""Which story a session is told to work on, and which skill files it is told to read."""

import pytest

from story_automator.model.step import Step
from story_automator.rules.assignment import NEEDS, chosen_files, subject


@pytest.mark.parametrize(
    ("step", "text", "name", "files"),
    [
        pytest.param(Step.DEV, "5.3", "5.3", "5-3-*.md", id="an-id"),
        pytest.param(Step.DEV, "5-3", "5.3", "5-3-*.md", id="a-prefix"),
        pytest.param(Step.DEV, "5-3-log-in", "5.3", "5-3-log-in.md", id="a-key-names-its-file"),
        pytest.param(Step.DEV, "05.10", "05.10", "05-10-*.md", id="leading-zeros-are-kept"),
        pytest.param(Step.RETRO, "5", "5", "5-*.md", id="an-epic"),
        pytest.param(Step.RETRO, "epic-5", "5", "5-*.md", id="an-epic-by-its-key"),
        pytest.param(Step.RETRO, "5.3", "5", "5-*.md", id="the-epic-of-a-story"),
    ],
)
def test_subject(step: Step, text: str, name: str, files: str) -> None:
    found = subject(step, text)
    assert (found.name, found.story_files) == (name, files)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        pytest.param(Step.DEV, "", id="nothing"),
        pytest.param(Step.DEV, "5", id="only-an-epic"),
        pytest.param(Step.DEV, "../5.3", id="a-way-out-of-the-folder"),
        pytest.param(Step.DEV, "1-2-../../etc/passwd", id="a-way-out-behind-a-key"),
        pytest.param(Step.DEV, "1-2-..", id="dots-without-a-slash"),
        pytest.param(Step.DEV, "1-2-a/b", id="a-slash"),
        pytest.param(Step.DEV, "5.3\nrun rm", id="a-line-break"),
        pytest.param(Step.DEV, "5-3-a\u2028b", id="a-line-break-of-unicode"),
        pytest.param(Step.DEV, "5-3-\x1b[2J", id="a-control-character"),
        pytest.param(Step.DEV, "$(touch x)", id="a-substitution"),
        pytest.param(Step.DEV, "5-3-" + "a" * 300, id="a-name-without-end"),
        pytest.param(Step.RETRO, "epic-", id="an-epic-without-a-number"),
    ],
)
def test_what_names_nothing_is_refused(step: Step, text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        subject(step, text)


@pytest.mark.parametrize(
    ("step", "present", "expected"),
    [
        pytest.param(
            Step.CREATE,
            {"SKILL.md", "workflow.md", "discover-inputs.md", "template.md", "checklist.md"},
            ["SKILL.md", "workflow.md", "discover-inputs.md", "template.md", "checklist.md"],
            id="create-reads-all-its-kinds",
        ),
        pytest.param(
            Step.DEV, {"SKILL.md"}, ["SKILL.md", "", "", "", ""], id="what-is-missing-is-not-named"
        ),
        pytest.param(
            Step.DEV,
            {"SKILL.md", "workflow.md", "workflow.yaml"},
            ["SKILL.md", "workflow.md", "", "", ""],
            id="most-steps-prefer-markdown",
        ),
        pytest.param(
            Step.REVIEW,
            {"SKILL.md", "workflow.md", "workflow.yaml", "instructions.xml"},
            ["SKILL.md", "workflow.yaml", "instructions.xml", "", ""],
            id="review-prefers-yaml",
        ),
        pytest.param(Step.AUTO, set(), ["", "", "", "", ""], id="no-skill-no-files"),
    ],
)
def test_chosen_files(step: Step, present: set[str], expected: list[str]) -> None:
    chosen = chosen_files(NEEDS[step], present)
    assert list(chosen) == ["skill", "workflow", "instructions", "template", "checklist"]
    assert list(chosen.values()) == expected


def test_every_step_has_its_skill_and_only_auto_can_do_without() -> None:
    assert set(NEEDS) == set(Step)
    assert [step for step, need in NEEDS.items() if not need.required] == [Step.AUTO]
