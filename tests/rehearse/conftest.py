"""The stage of the scripted agent's tests, with nothing left on it afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rehearse.stage import Stage, end


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    pid = made.fact("pane_pid")
    dead = made.fact("pane_dead") == "1"
    made.tmux("kill-server")
    if pid and not dead:
        end(int(pid))
