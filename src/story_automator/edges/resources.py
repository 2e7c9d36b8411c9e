"""What we ship beside the code: prompts and fixtures, in a checkout or in an installed wheel."""

from pathlib import Path
from typing import Literal

from story_automator.errors import StoryAutomatorError

PACKAGE = Path(__file__).resolve().parent.parent
CHECKOUT = PACKAGE.parent.parent


def resource(kind: Literal["prompts", "fixtures"], *parts: str) -> Path:
    """The path of a shipped file or folder; a wheel carries them inside the package."""
    packed = PACKAGE / f"_{kind}"
    path = (packed if packed.is_dir() else CHECKOUT / kind).joinpath(*parts)
    if not path.exists():
        raise StoryAutomatorError(
            f"this installation lacks {'/'.join((kind, *parts))}",
            hint="install story-automator again",
        )
    return path
