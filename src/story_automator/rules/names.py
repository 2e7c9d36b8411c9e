"""Names of projects and sessions, and which of them tmux can carry unchanged."""

import re
from datetime import datetime
from pathlib import PurePath

SLUG_LENGTH = 8
LONGEST_NAME = 160
SAFE_NAME = re.compile(r"[A-Za-z0-9_-]+")


def project_slug(root: PurePath | str) -> str:
    """The base name in lower case, letters and digits only, eight at most."""
    name = PurePath(root).name.lower()
    kept = "".join(c for c in name if c.isascii() and c.isalnum())
    return kept[:SLUG_LENGTH] or "project"


def project_hash(root: PurePath | str) -> str:
    """Eight hex digits of the path: a label for people, never the key of anything."""
    import hashlib

    return hashlib.md5(str(root).encode(), usedforsecurity=False).hexdigest()[:8]


def story_suffix(story_id: str) -> str:
    return story_id.replace(".", "-")


def session_name(
    slug: str, moment: datetime, *, epic: str, story: str, step: str, cycle: str = ""
) -> str:
    """`sa-<slug>-<yymmdd-HHMMSS>-e<E>-s<N-M>-<step>[-rC]`, dots written as dashes."""
    name = f"sa-{slug}-{moment:%y%m%d-%H%M%S}-e{story_suffix(epic)}-s{story_suffix(story)}-{step}"
    return f"{name}-r{cycle}" if cycle else name


def why_unusable(name: str) -> str:
    """Why tmux would not keep this name as it is; empty when it would."""
    if len(name) > LONGEST_NAME:
        return f"session name is longer than {LONGEST_NAME} characters"
    if not SAFE_NAME.fullmatch(name):
        return "a session name may hold letters, digits, '-' and '_' only"
    return ""
