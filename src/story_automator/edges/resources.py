"""What we ship beside the code: prompts, fixtures and scripts, in a checkout or in a wheel."""

from pathlib import Path
from typing import Literal

from story_automator.errors import StoryAutomatorError

PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent.parent
SCRIPTS = PACKAGE / "edges" / "scripts"


def resource(kind: Literal["prompts", "fixtures"], *parts: str) -> Path:
    """The path of a shipped file or folder; a wheel carries them inside the package."""
    packed = PACKAGE / f"_{kind}"
    path = (packed if packed.is_dir() else CHECKOUT / kind).joinpath(*parts)
    if not path.exists():
        raise _incomplete("/".join((kind, *parts)))
    return path


def script(name: Literal["hook", "statusline"]) -> bytes:
    """A script that agents run: to be copied, for a session outlives an upgrade of the package."""
    try:
        return (SCRIPTS / f"{name}.sh").read_bytes()
    except FileNotFoundError:
        raise _incomplete(f"scripts/{name}.sh") from None


def _incomplete(lacking: str) -> StoryAutomatorError:
    return StoryAutomatorError(
        f"this installation lacks {lacking}", hint="install story-automator again"
    )
