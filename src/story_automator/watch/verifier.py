"""Ask a step's source of truth: gather the facts, let the rules judge them."""

from pathlib import Path

from story_automator.edges import sprint, stories
from story_automator.edges.project import implementation_artifacts, read_project_file
from story_automator.errors import StoryAutomatorError
from story_automator.model.step import Step
from story_automator.model.verdict import Verification
from story_automator.rules import verify
from story_automator.rules.keys import is_safe, parse
from story_automator.rules.sprint import epic_count
from story_automator.watch.lookup import full_key, sprint_entry, story_file

ENDED_BY_EXIT = (Step.DEV, Step.AUTO)


def verification(
    workflow: str, root: Path, story_key: str | None, output_file: Path | None
) -> Verification:
    """The monitor's question. Never raises for what lies in the project."""
    try:
        step = known_step(workflow)
        if not story_key and step not in ENDED_BY_EXIT:
            return verify.story_required(workflow)
        output = str(output_file) if output_file else ""
        return verify.concluded(finding(step, root, story_key or "", output))
    except StoryAutomatorError as error:
        return verify.cannot_tell(error.message)
    except OSError as error:
        return verify.cannot_tell(f"cannot read the project: {error}")


def known_step(word: str) -> Step:
    try:
        return Step(word)
    except ValueError:
        raise StoryAutomatorError(f"unknown step: {word}") from None


def finding(step: Step, root: Path, story: str, output_file: str = "") -> verify.Finding:
    """The contract's answer for a step; `story` is what the caller typed."""
    if not is_safe(story):
        return verify.not_a_story(story)
    if step in ENDED_BY_EXIT:
        return verify.session_ended(story, output_file)
    if step is Step.RETRO:
        return _epic_finished(root, story)
    return _story_created(root, story) if step is Step.CREATE else _review_finished(root, story)


def check_state_file(path: str) -> None:
    """A state document that the caller names must be there and readable."""
    if not Path(path).is_file():
        raise StoryAutomatorError(f"state file unreadable: {path}")
    read_project_file(Path(path))


def _story_created(root: Path, story: str) -> verify.Finding:
    named = parse(story)
    if named is None:
        return verify.not_a_story(story)
    folder = implementation_artifacts(root)
    pattern = f"{folder.relative_to(root).as_posix()}/{named.prefix}-*.md"
    files = [str(path) for path in stories.story_files(folder, named.prefix)]
    return verify.story_created(full_key(root, named), pattern, files)


def _review_finished(root: Path, story: str) -> verify.Finding:
    named = parse(story)
    if named is None:
        return verify.not_a_story(story)
    _, in_sprint = sprint_entry(root, story)
    path = story_file(root, named)
    in_file = stories.read_story(path).status if path else ""
    return verify.review_finished(full_key(root, named), in_sprint, in_file or "unknown")


def _epic_finished(root: Path, story: str) -> verify.Finding:
    named = parse(story)
    epic = named.epic if named else story
    if not (epic.isascii() and epic.isdigit()):
        return verify.not_a_story(story)
    count = epic_count(sprint.statuses(root) or {}, epic)
    return verify.epic_finished(epic, story, count)
