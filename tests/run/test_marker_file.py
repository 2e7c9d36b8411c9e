"""Where the marker lies: told, beside the skills of the project, or at its usual place."""

from pathlib import Path

import pytest

from story_automator.run.marker_file import marker_file


@pytest.mark.parametrize(
    ("skills", "environ", "expected"),
    [
        pytest.param([], {}, ".claude", id="the-usual-place"),
        pytest.param([".agents"], {}, ".agents", id="beside-the-skills-of-agents"),
        pytest.param([".codex"], {}, ".codex", id="beside-the-skills-of-codex"),
        pytest.param([".claude", ".codex"], {}, ".claude", id="claude-before-codex"),
        pytest.param([".agents", ".claude"], {}, ".agents", id="agents-before-claude"),
        pytest.param([], {"BMAD_RUNTIME_PROVIDER": "codex"}, ".agents", id="codex-without-skills"),
        pytest.param(
            [".claude"], {"BMAD_RUNTIME_PROVIDER": "codex"}, ".claude", id="skills-before-provider"
        ),
        pytest.param([], {"BMAD_SKILLS_ROOT": "x/.codex/skills"}, "x/.codex", id="a-told-root"),
        pytest.param([], {"BMAD_SKILLS_ROOT": "sk"}, ".claude", id="a-told-root-of-no-agent"),
        pytest.param(
            [], {"BMAD_SKILLS_ROOT": "/o/.codex/skills"}, ".agents", id="a-root-outside-the-project"
        ),
    ],
)
def test_place(tmp_path: Path, skills: list[str], environ: dict[str, str], expected: str) -> None:
    for host in skills:
        (tmp_path / host / "skills" / "bmad-story-automator").mkdir(parents=True)
    assert marker_file(tmp_path, environ) == tmp_path / expected / ".story-automator-active"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "x/y"}, "{root}/x/y"),
        ({"STORY_AUTOMATOR_ACTIVE_MARKER": "/abs/y"}, "/abs/y"),
        ({"STORY_AUTOMATOR_ACTIVE_MARKER": "~/y"}, "{home}/y"),
        (
            {"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "a", "STORY_AUTOMATOR_ACTIVE_MARKER": "b"},
            "{root}/a",
        ),
        ({"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "../z"}, "{parent}/z"),
    ],
)
def test_a_told_file(
    tmp_path: Path, private_world: Path, environ: dict[str, str], expected: str
) -> None:
    place = expected.format(root=tmp_path, home=private_world, parent=tmp_path.parent)
    assert marker_file(tmp_path, environ) == Path(place)
