"""The worlds of these suites: two equal ones for two tools, and one for a real agent."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real import agents
from tests.real.published import World, Worlds

pytest_runtest_protocol = agents.second_try


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Worlds]:
    # Sockets have to lie on a short path.
    sockets = Path(tempfile.mkdtemp(prefix="beside-", dir="/tmp"))
    made = Worlds(*(World(who, tmp_path / who, sockets / who) for who in ("ours", "theirs")))
    yield made
    for world in made:
        world.end()
    shutil.rmtree(sockets, ignore_errors=True)


@pytest.fixture
def agents_world(
    project: Path, private_world: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[agents.World]:
    """A project, a home and a loopback API for real agents; afterwards nothing of it runs."""
    with agents.world(project, private_world, monkeypatch) as world:
        yield world
