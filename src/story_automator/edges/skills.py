"""BMAD skills: where they are installed, and for which agent the project installed them."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

HOSTS = (".agents", ".claude", ".codex")
AUTOMATOR = "bmad-story-automator"
PROVIDERS = ("claude", "codex")


def skill_roots(root: Path, environ: Mapping[str, str]) -> list[Path]:
    """Every folder that may hold skills, the first one wins."""
    told = _told(root, environ)
    home = Path(environ.get("HOME") or "~").expanduser()
    return [
        *([told] if told else []),
        *(root / host / "skills" for host in HOSTS),
        *(home / host / "skills" for host in (".codex", ".claude")),
    ]


def find_skill(names: Iterable[str], roots: Iterable[Path]) -> Path | None:
    """The folder of the first of these skills that is installed anywhere."""
    folders = list(roots)
    for name in names:
        for folder in folders:
            if (folder / name / "SKILL.md").is_file():
                return folder / name
    return None


def files_of(skill: Path) -> frozenset[str]:
    return frozenset(entry.name for entry in os.scandir(skill) if entry.is_file())


def automator_root(root: Path, environ: Mapping[str, str]) -> Path | None:
    """The skills folder that holds the automator skill of this project, if one does."""
    if told := _told(root, environ):
        return told
    for host in HOSTS:
        folder = root / host / "skills"
        if (folder / AUTOMATOR).is_dir():
            return folder
    return None


def runtime_provider(root: Path, environ: Mapping[str, str]) -> str:
    """The agent that the project's own skills run in: told, else read from where they lie."""
    for name in ("BMAD_RUNTIME_PROVIDER", "STORY_AUTOMATOR_RUNTIME_PROVIDER"):
        if (told := environ.get(name, "").strip().lower()) in PROVIDERS:
            return told
    folder = automator_root(root, environ)
    in_codex = folder is not None and folder.parent.name in (".agents", ".codex")
    return "codex" if in_codex else "claude"


def _told(root: Path, environ: Mapping[str, str]) -> Path | None:
    told = environ.get("BMAD_SKILLS_ROOT", "")
    return Path(os.path.normpath(root / Path(told).expanduser())) if told else None
