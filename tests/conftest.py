"""Every test gets a private HOME, a private state directory and, when it asks, a private tmux."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
KEPT_FROM_THE_CALLER = ("PATH", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")


@pytest.fixture(autouse=True)
def private_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No test sees the caller's HOME, project, agents, keys or tmux server."""
    home = tmp_path / "home"
    home.mkdir()
    for name in list(os.environ):
        if name not in KEPT_FROM_THE_CALLER and not name.startswith(("PYTEST_", "COV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT / "src"))
    # The path of a socket may not be long, and the one of a test's folder may be.
    with tempfile.TemporaryDirectory(prefix="sa-", dir="/tmp") as short:
        monkeypatch.setenv("STORY_AUTOMATOR_TMUX_SOCKET", f"{short}/tmux")
        yield home


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty BMAD project that is also the current directory."""
    root = tmp_path / "shop-api"
    (root / "_bmad-output" / "implementation-artifacts").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def cli() -> Run:
    """Run one command line as a user would, in its own process."""

    def call(*argv: str, **options: Any) -> subprocess.CompletedProcess[str]:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [sys.executable, "-m", "story_automator", *argv],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            **options,
        )
        return done

    return call
