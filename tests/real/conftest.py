"""Two equal worlds, one for each tool; nothing of them is left afterwards."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.published import World, Worlds


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Worlds]:
    # Sockets have to lie on a short path.
    sockets = Path(tempfile.mkdtemp(prefix="beside-", dir="/tmp"))
    made = Worlds(*(World(who, tmp_path / who, sockets / who) for who in ("ours", "theirs")))
    yield made
    for world in made:
        world.end()
    shutil.rmtree(sockets, ignore_errors=True)
