"""The policy of a project: its own overrides, or the snapshot that a state document pins."""

import hashlib
from pathlib import Path

import pytest

from story_automator.edges.policy import OVERRIDES, own_policy, pinned_policy
from story_automator.errors import StoryAutomatorError

SNAPSHOT = '{"workflow": {"crash": {"maxRetries": 9}}}'


def pin(root: Path, *, digest: str = "") -> Path:
    (root / "snap.json").write_text(SNAPSHOT)
    digest = digest or hashlib.md5(SNAPSHOT.encode()).hexdigest()[:8]
    (root / "state.md").write_text(
        '---\nepic: 5\npolicySnapshotFile: "snap.json"\n'
        f"policySnapshotHash: '{digest}'\n---\npolicySnapshotFile: prose.json\n"
    )
    return Path("state.md")


def test_a_project_without_overrides_has_an_empty_policy(tmp_path: Path) -> None:
    assert own_policy(tmp_path) == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("{", "policy json invalid"), ("[]", "policy json must be an object")],
)
def test_broken_overrides_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / OVERRIDES).parent.mkdir(parents=True)
    (tmp_path / OVERRIDES).write_text(text)
    with pytest.raises(StoryAutomatorError, match=complaint):
        own_policy(tmp_path)


def test_a_pinned_snapshot_is_read(tmp_path: Path) -> None:
    assert pinned_policy(tmp_path, pin(tmp_path)) == {"workflow": {"crash": {"maxRetries": 9}}}


@pytest.mark.parametrize("text", ["", "---\nepic: 5\n---\n", "no front matter"])
def test_a_state_document_may_pin_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "state.md").write_text(text)
    assert pinned_policy(tmp_path, Path("state.md")) is None


def test_a_changed_snapshot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoryAutomatorError, match="hash mismatch: expected 00000000, got "):
        pinned_policy(tmp_path, pin(tmp_path, digest="00000000"))


def test_a_lost_snapshot_is_named(tmp_path: Path) -> None:
    state = pin(tmp_path)
    (tmp_path / "snap.json").unlink()
    with pytest.raises(StoryAutomatorError, match=r"policy snapshot missing: .*snap\.json"):
        pinned_policy(tmp_path, state)


@pytest.mark.parametrize("name", ["missing.md", "."])
def test_a_state_document_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoryAutomatorError, match="state file unreadable"):
        pinned_policy(tmp_path, Path(name))
