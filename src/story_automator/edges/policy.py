"""Policy documents of a project: its own overrides, or the snapshot a state document pins."""

import json
import re
from pathlib import Path

from story_automator.edges.files import read_text
from story_automator.errors import StoryAutomatorError

OVERRIDES = Path("_bmad", "bmm", "story-automator.policy.json")
PINNED = re.compile(r"""(policySnapshotFile|policySnapshotHash):[ \t]*["']?([^"'\r\n]*?)["']?\s*""")


def own_policy(root: Path) -> dict[str, object]:
    """What the project overrides; empty when it overrides nothing."""
    path = root / OVERRIDES
    return _document(path) if path.exists() else {}


def pinned_policy(root: Path, state_file: Path) -> dict[str, object] | None:
    """The policy that a state document was started with; None when it pins none."""
    try:
        lines = read_text(root / state_file).splitlines()
    except (OSError, StoryAutomatorError):
        raise StoryAutomatorError(f"state file unreadable: {root / state_file}") from None
    end = lines.index("---", 1) if "---" in lines[1:] else len(lines)
    pinned = {
        found[1]: found[2] for line in lines[:end] if (found := PINNED.fullmatch(line)) is not None
    }
    name, expected = pinned.get("policySnapshotFile"), pinned.get("policySnapshotHash")
    if not name:
        return None
    snapshot = root / name
    if not snapshot.is_file():
        raise StoryAutomatorError(f"policy snapshot missing: {snapshot}")
    if expected and expected != (actual := _short_hash(snapshot)):
        raise StoryAutomatorError(
            f"policy snapshot hash mismatch: expected {expected}, got {actual}"
        )
    return _document(snapshot)


def _document(path: Path) -> dict[str, object]:
    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError):
        raise StoryAutomatorError(f"policy json invalid: {path}") from None
    if not isinstance(document, dict):
        raise StoryAutomatorError(f"policy json must be an object: {path}")
    return document


def _short_hash(path: Path) -> str:
    import hashlib

    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()[:8]
