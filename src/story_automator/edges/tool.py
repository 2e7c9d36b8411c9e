"""Our own program, as somebody else has to call it."""

import os
import sys
from pathlib import Path

NAME = "story-automator"
CHECKOUT = Path(__file__).resolve().parent.parent.parent.parent


def own_command() -> list[str]:
    """Absolute words that start this very installation, whatever PATH says later."""
    script = CHECKOUT / "bin" / NAME
    if (CHECKOUT / "pyproject.toml").is_file() and os.access(script, os.X_OK):
        return [str(script)]
    started = Path(sys.argv[0])
    if started.name == NAME and os.access(started, os.X_OK):
        return [os.path.abspath(started)]
    beside = Path(sys.executable).with_name(NAME)
    if os.access(beside, os.X_OK):
        return [str(beside)]
    return [sys.executable, "-m", "story_automator"]
