"""Where skills are looked for, and what their place says about the agent."""

from pathlib import Path

import pytest

from story_automator.edges.skills import find_skill, runtime_provider, skill_roots


def install(folder: Path, name: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").touch()
    return folder / name


def test_the_roots_in_their_order(tmp_path: Path) -> None:
    environ = {"HOME": "/h", "BMAD_SKILLS_ROOT": "own"}
    assert skill_roots(tmp_path, environ) == [
        tmp_path / "own",
        tmp_path / ".agents/skills",
        tmp_path / ".claude/skills",
        tmp_path / ".codex/skills",
        Path("/h/.codex/skills"),
        Path("/h/.claude/skills"),
    ]


def test_each_skill_is_found_in_the_first_root_that_holds_it(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    install(far, "bmad-dev-story")
    (near / "bmad-dev-story").mkdir(parents=True)  # without SKILL.md it is no skill
    found = install(far, "bmad-code-review")
    assert find_skill(["bmad-dev-story"], [near, far]) == far / "bmad-dev-story"
    assert find_skill(["missing", "bmad-code-review"], [near, far]) == found
    assert find_skill(["missing"], [near, far]) is None


@pytest.mark.parametrize(
    ("host", "environ", "expected"),
    [
        pytest.param("", {}, "claude", id="claude-unless-something-speaks-for-another"),
        pytest.param(".claude", {}, "claude", id="skills-of-claude"),
        pytest.param(".agents", {}, "codex", id="skills-of-agents"),
        pytest.param(".codex", {}, "codex", id="skills-of-codex"),
        pytest.param(".claude", {"BMAD_RUNTIME_PROVIDER": "Codex"}, "codex", id="told-codex"),
        pytest.param(".agents", {"BMAD_RUNTIME_PROVIDER": "claude"}, "claude", id="told-claude"),
        pytest.param("", {"STORY_AUTOMATOR_RUNTIME_PROVIDER": "codex"}, "codex", id="second-name"),
        pytest.param(
            "",
            {"BMAD_RUNTIME_PROVIDER": "claude", "STORY_AUTOMATOR_RUNTIME_PROVIDER": "codex"},
            "claude",
            id="the-first-name-wins",
        ),
        pytest.param(".agents", {"BMAD_RUNTIME_PROVIDER": "weird"}, "codex", id="unknown-words"),
        pytest.param("", {"BMAD_SKILLS_ROOT": "x/.codex/skills"}, "codex", id="a-told-root"),
    ],
)
def test_runtime_provider(
    tmp_path: Path, host: str, environ: dict[str, str], expected: str
) -> None:
    if host:
        install(tmp_path / host / "skills", "bmad-story-automator")
    assert runtime_provider(tmp_path, environ) == expected
