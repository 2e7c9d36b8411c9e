"""Which story is meant: its files first, then the sprint file."""

from pathlib import Path

from story_automator.edges import sprint, stories
from story_automator.edges.project import implementation_artifacts
from story_automator.errors import StoryAutomatorError
from story_automator.rules.keys import StoryKey, parse
from story_automator.rules.sprint import matching

NO_SPRINT_FILE = "unknown"
NOT_LISTED = "not_found"


def full_key(root: Path, story: StoryKey) -> str:
    """The key with its title: as given, as a story file is named, as the sprint file says."""
    if story.slug:
        return story.key
    files = stories.story_files(implementation_artifacts(root), story.prefix)
    if files:
        return files[0].stem
    listed = sprint.statuses(root) or {}
    titled = (key for key in listed if key.startswith(f"{story.prefix}-") and parse(key))
    return next(titled, story.prefix)


def story_file(root: Path, story: StoryKey) -> Path | None:
    """The story's file: the one named exactly so, else the first by name."""
    files = stories.story_files(implementation_artifacts(root), story.prefix)
    exact = [path for path in files if path.stem == story.key]
    return next(iter(exact or files), None)


def sprint_entry(root: Path, wanted: str) -> tuple[str, str]:
    """Key and status of a story in the sprint file; no key when it is not listed there."""
    listed = sprint.statuses(root)
    if listed is None:
        return "", NO_SPRINT_FILE
    keys = matching(listed, wanted)
    if not keys:
        return "", NOT_LISTED
    if len(keys) > 1:
        raise StoryAutomatorError(
            f"{sprint.FILE_NAME} lists {wanted} more than once: {', '.join(keys)}",
            hint="keep one of them, or name the full key",
        )
    return keys[0], listed[keys[0]] or "unknown"
