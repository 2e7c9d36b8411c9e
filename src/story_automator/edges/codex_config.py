"""The home of the user's own Codex: its config.toml, and whether a login lies in it."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from story_automator.edges.files import locked, read_text, write_atomic


def codex_home(environ: Mapping[str, str]) -> Path:
    told = environ.get("CODEX_HOME") or os.path.join(environ.get("HOME", "/"), ".codex")
    return Path(os.path.abspath(told))


def config_path(environ: Mapping[str, str]) -> Path:
    return codex_home(environ) / "config.toml"


def has_login(environ: Mapping[str, str]) -> bool:
    """A login is there; what it says is nobody's business."""
    try:
        return (codex_home(environ) / "auth.json").stat().st_size > 0
    except OSError:
        return False


def read(path: Path) -> str:
    """The text of the file; empty where there is none."""
    try:
        return read_text(path)
    except FileNotFoundError:
        return ""


def update(path: Path, edit: Callable[[str], str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(path):
        write_atomic(path, edit(read(path)))
