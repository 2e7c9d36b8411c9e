"""Where the project is, and where BMAD keeps its artifacts in it."""

import os
from pathlib import Path

from story_automator.errors import UsageError


def project_root(argument: str | None = None) -> Path:
    """`--project-root`, else PROJECT_ROOT, else the current directory; symlinks resolved."""
    chosen = argument or os.environ.get("PROJECT_ROOT") or "."
    root = Path(chosen).expanduser()
    if argument and not root.is_dir():
        raise UsageError(f"no such project directory: {argument}")
    return root.resolve()


def implementation_artifacts(root: Path) -> Path:
    return root / "_bmad-output" / "implementation-artifacts"
