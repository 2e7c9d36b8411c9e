"""The built wheel, not only the checkout: prompts, sample project and commands are in it."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The wheel, built from a copy of the sources and unpacked where nothing else of ours is."""
    copy = tmp_path / "sources"
    left_out = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".real")
    shutil.copytree(CHECKOUT, copy, ignore=left_out)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=copy,
        check=True,
        capture_output=True,
    )
    shutil.rmtree(copy)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def run(site: Path, *argv: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    world = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, "-m", "story_automator", *argv],
        cwd=cwd,
        env=world,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def test_the_wheel_works_on_its_own(installed: Path, tmp_path: Path) -> None:
    where = subprocess.run(
        [sys.executable, "-c", "import story_automator; print(story_automator.__file__)"],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(installed))
    project = tmp_path / "copy"
    shutil.copytree(installed / "story_automator" / "_fixtures" / "projects" / "sample", project)
    built = run(installed, "tmux-wrapper", "build-cmd", "dev", "1.1", cwd=project)
    assert built.stdout.startswith("unset CLAUDECODE && claude --dangerously-skip-permissions ")
    assert "bmad-dev-story/SKILL.md" in built.stdout
    scripts = installed / "story_automator" / "edges" / "scripts"
    assert sorted(path.name for path in scripts.iterdir()) == ["hook.sh", "statusline.sh"]
    demo = run(installed, "demo", "--speed", "10", cwd=tmp_path)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "All of it worked." in demo.stdout
    entries = next(installed.glob("*.dist-info")) / "entry_points.txt"
    assert entries.read_text().split() == [
        "[console_scripts]",
        "orchestrator-helper",
        "=",
        "story_automator.__main__:orchestrator_helper",
        "story-automator",
        "=",
        "story_automator.__main__:main",
    ]
