"""Where the scenarios and sample projects lie: in the wheel, or in a checkout."""

from pathlib import Path

from story_automator.errors import StoryAutomatorError

PACKAGE = Path(__file__).resolve().parent.parent


def bundled(kind: str) -> Path:
    """The folder of the bundled `scenarios` or `projects`."""
    for folder in (PACKAGE / "_fixtures" / kind, PACKAGE.parent.parent / "fixtures" / kind):
        if folder.is_dir():
            return folder
    raise StoryAutomatorError(
        f"the bundled {kind} are missing", hint="install story-automator again"
    )
