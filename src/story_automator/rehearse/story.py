"""Which story and step a prompt is about, and the words scenarios may use for it."""

import re
from pathlib import Path

from story_automator.edges.project import implementation_artifacts

WORDS = ("story_id", "story_key", "prefix", "epic", "title", "module", "artifacts")
# Story ids, not versions: 1.1 and 1-1, but neither 2.1.197 nor the 1.1 in 1.10.
STORY_ID = re.compile(r"(?<![\w.])(\d+)[.-](\d+)(?!\.?\d|\w)")
NAMED_STORY = re.compile(rf"\bstory\s+{STORY_ID.pattern}", re.IGNORECASE)
EPIC = re.compile(r"\bepic[ -](\d+)\b", re.IGNORECASE)
STEPS = {
    "bmad-create-story": "sprint-create",
    "bmad-dev-story": "sprint-dev",
    "bmad-qa-generate-e2e-tests": "sprint-auto",
    "bmad-story-automator-review": "sprint-review",
    "bmad-retrospective": "sprint-retro",
}


def step_scenario(prompt: str) -> str:
    """The scenario for the skill that a prompt names first; empty when it names none."""
    named = [(prompt.index(skill), name) for skill, name in STEPS.items() if skill in prompt]
    return min(named)[1] if named else ""


def story_words(prompt: str, project: Path) -> dict[str, str]:
    """The placeholders for the story that a prompt names; of an epic alone, what can be said."""
    artifacts = implementation_artifacts(project)
    words = {"artifacts": str(artifacts.relative_to(project))}
    found = NAMED_STORY.search(prompt) or STORY_ID.search(prompt)
    if not found:
        epic = EPIC.search(prompt)
        return {**words, "epic": epic[1]} if epic else words
    prefix = f"{found[1]}-{found[2]}"
    key = _story_key(prefix, artifacts)
    slug = key.removeprefix(prefix).strip("-") or f"story-{prefix}"
    return {
        **words,
        "story_id": f"{found[1]}.{found[2]}",
        "story_key": key,
        "prefix": prefix,
        "epic": found[1],
        "title": slug.replace("-", " ").capitalize(),
        "module": slug.replace("-", "_"),
    }


def _story_key(prefix: str, artifacts: Path) -> str:
    """The key as the sprint file has it, else as a story file is named, else the bare prefix."""
    try:
        sprint = (artifacts / "sprint-status.yaml").read_text(encoding="utf-8")
    except OSError:
        sprint = ""
    listed = re.search(rf"^\s+({prefix}-[\w-]+):", sprint, re.MULTILINE)
    if listed:
        return listed[1]
    files = sorted(artifacts.glob(f"{prefix}-*.md"))
    return files[0].stem if files else prefix
