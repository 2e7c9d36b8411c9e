"""Where the project is, where BMAD keeps its artifacts, and how its files are read."""

import os
from functools import lru_cache
from pathlib import Path

from story_automator.edges.files import read_text
from story_automator.errors import StoryAutomatorError, UsageError

MOST_TEXT = 8 * 1024 * 1024


def project_root(argument: str | None = None) -> Path:
    """`--project-root`, else PROJECT_ROOT, else the current directory; symlinks resolved."""
    chosen = argument or os.environ.get("PROJECT_ROOT") or "."
    root = Path(chosen).expanduser()
    if argument and not root.is_dir():
        raise UsageError(f"no such project directory: {argument}")
    return root.resolve()


def implementation_artifacts(root: Path) -> Path:
    """The folder BMAD's configuration names, which must lie in the project; else its default."""
    default = root / "_bmad-output" / "implementation-artifacts"
    config = root / "_bmad" / "bmm" / "config.yaml"
    if not config.is_file():
        return default
    facts = config.stat()
    chosen = _configured(config, (facts.st_ino, facts.st_size, facts.st_mtime_ns))
    if not chosen:
        return default
    folder = Path(os.path.normpath(root / chosen.replace("{project-root}", str(root))))
    if "{" in chosen.replace("{project-root}", "") or not folder.is_relative_to(root):
        raise StoryAutomatorError(
            f"{config} puts implementation_artifacts outside the project: {chosen}",
            hint="name a folder below {project-root}",
        )
    return folder


@lru_cache(maxsize=8)
def _configured(config: Path, _version: tuple[int, int, int]) -> str:
    """One command asks several times; a file that changed is another version and read anew."""
    from story_automator.edges.yaml import scalar, yaml_map

    entry = yaml_map(read_project_file(config), config).get("implementation_artifacts")
    return scalar(entry[1]) if entry else ""


def read_project_file(path: Path) -> str:
    """The text of a file in the project; everything that keeps us from it is one sentence."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise StoryAutomatorError(f"{path} is not a regular file")
        if path.stat().st_size > MOST_TEXT:
            raise StoryAutomatorError(f"{path} is larger than {MOST_TEXT} bytes")
        return read_text(path)
    except OSError as error:
        raise StoryAutomatorError(f"cannot read {path}: {error.strerror}") from None
