"""What one session is told to do: which skill files it reads, for which story or epic."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from story_automator.model.step import Step
from story_automator.rules.keys import parse

LONGEST_STORY = 200
EPIC = re.compile(r"(?:epic-)?([0-9]+)")
WORKFLOWS = ("workflow.md", "workflow.yaml")


@dataclass(frozen=True, slots=True)
class SkillNeed:
    """The skill of a step, best first, and which of its files a prompt may name."""

    names: tuple[str, ...]
    install: str
    required: bool = True
    workflow: tuple[str, ...] = WORKFLOWS
    instructions: tuple[str, ...] = ()
    template: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ("checklist.md",)


SHIMS = "npx bmad-method install --modules bmm --shims"
MODULE = "npx bmad-method install --modules bmm"
NEEDS = {
    Step.CREATE: SkillNeed(
        ("bmad-create-story",),
        SHIMS,
        instructions=("discover-inputs.md",),
        template=("template.md",),
    ),
    Step.DEV: SkillNeed(("bmad-dev-story",), SHIMS),
    Step.AUTO: SkillNeed(("bmad-qa-generate-e2e-tests",), MODULE, required=False),
    Step.REVIEW: SkillNeed(
        ("bmad-story-automator-review", "bmad-code-review"),
        MODULE,
        workflow=("workflow.yaml", "workflow.md"),
        instructions=("instructions.xml",),
    ),
    Step.RETRO: SkillNeed(("bmad-retrospective",), MODULE, checklist=()),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """The story or epic a session works on."""

    name: str  # as people say it: 5.3, or 5 for an epic
    story_files: str  # the name pattern of its story file


def subject(step: Step, text: str) -> Subject:
    """What `text` names for this step; ValueError says why it names nothing."""
    if len(text) > LONGEST_STORY or ".." in text or not text.isprintable():
        raise ValueError(f"not a story id: {text[:40]!r}")
    story = parse(text)
    if step is Step.RETRO:
        epic = EPIC.fullmatch(text)
        if epic is None and story is None:
            raise ValueError(f"not an epic number: {text[:40]!r}")
        name = epic[1] if epic else story.epic if story else ""
        return Subject(name, f"{name}-*.md")
    if story is None:
        raise ValueError(f"not a story id: {text[:40]!r}")
    return Subject(story.id, f"{story.key}.md" if story.slug else f"{story.prefix}-*.md")


def chosen_files(need: SkillNeed, present: Collection[str]) -> dict[str, str]:
    """For each kind of skill file the best one that exists; empty where there is none."""
    kinds = {
        "skill": ("SKILL.md",),
        "workflow": need.workflow,
        "instructions": need.instructions,
        "template": need.template,
        "checklist": need.checklist,
    }
    return {
        kind: next((name for name in candidates if name in present), "")
        for kind, candidates in kinds.items()
    }
