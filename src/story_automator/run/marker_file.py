"""Where the marker of a project lies. Kept light: every agent stop asks this."""

import os
from collections.abc import Mapping
from pathlib import Path

from story_automator.edges.skills import HOSTS, automator_root, runtime_provider

NAME = ".story-automator-active"
OVERRIDES = ("BMAD_STORY_AUTOMATOR_ACTIVE_MARKER", "STORY_AUTOMATOR_ACTIVE_MARKER")


def marker_file(root: Path, environ: Mapping[str, str]) -> Path:
    """The file told by the environment, else beside the project's skills, else the usual one."""
    for name in OVERRIDES:
        if told := environ.get(name, ""):
            return Path(os.path.normpath(root / Path(told).expanduser()))
    skills = automator_root(root, environ)
    if skills and skills.parent.name in HOSTS and skills.is_relative_to(root):
        return skills.parent / NAME
    return root / (".agents" if runtime_provider(root, environ) == "codex" else ".claude") / NAME
