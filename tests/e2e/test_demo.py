"""The demo as a user runs it: it works, it commits, and it leaves nothing behind."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.sessions import run


def children_of_nobody(marker: str) -> list[str]:
    """Processes whose environment names the demo's folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if marker.encode() in (entry / "environ").read_bytes():
                    found.append(entry.name)
            except OSError:
                continue
    return found


def test_the_demo_drives_a_story_to_a_commit_and_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "The User")
    done = run("demo", "--speed", "10", "--keep", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for step in ("create", "dev", "auto", "review", "tests", "commit", "cleanup"):
        assert f"✓ {step}" in done.stdout
    assert done.stdout.count("next_action: proceed") == 4
    (stage,) = tmp_path.glob("story-automator-demo-*")
    log = subprocess.run(
        ["git", "-C", str(stage / "greetings"), "log", "--format=%an %s"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert log[0].startswith("story-automator demo feat(story-1.1)")
    assert len(log) == 2
    assert children_of_nobody(str(stage)) == []
    assert not Path(os.environ["HOME"], ".local").exists()
    assert not Path(os.environ["HOME"], ".gitconfig").exists()


def test_without_keep_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    done = run("demo", "--speed", "10", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in tmp_path.iterdir() if "demo" in path.name] == []


@pytest.mark.parametrize("argv", [("--speed", "no"), ("--nonsense",), ("extra",)])
def test_bad_options_are_one_sentence_and_exit_2(argv: tuple[str, ...]) -> None:
    done = run("demo", *argv)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2
