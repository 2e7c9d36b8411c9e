"""The canary's folder: claimed while it sings, cleared afterwards – by the next one if need be."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from story_automator.errors import StoryAutomatorError
from story_automator.model.policy import Policy
from story_automator.run.agent_home import records_kept_in, state_in
from story_automator.run.kill import find_all, kill
from story_automator.run.signals import awaited
from story_automator.watch.servers import server

PREFIX = "sa-canary-"
HOME, SOCKET = "h", "s"
SHORT = 20
PATIENCE = 5.0  # whoever was killed may still be writing


@contextlib.contextmanager
def place() -> Iterator[Path]:
    """A new folder; whatever ends the block, no session, process or file of it is left.

    A canary that is itself killed cannot see to that: the next one does.
    """
    temporary = tempfile.gettempdir()
    # There are sockets in it, and their paths may not be long.
    parent = Path(temporary if len(temporary) <= SHORT else "/tmp")  # noqa: S108
    for left in parent.glob(f"{PREFIX}*"):
        _clear_if_left(left)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    claim = _claimed(folder)
    try:
        yield folder
    finally:
        _clear(folder)
        if claim is not None:
            os.close(claim)


def _clear_if_left(folder: Path) -> None:
    # One without a home is being made, and not yet claimed.
    if not (folder / HOME).is_dir() or folder.lstat().st_uid != os.geteuid():
        return
    claim = _claimed(folder)
    if claim is not None:
        _clear(folder)
        os.close(claim)


def _claimed(folder: Path) -> int | None:
    """A lock that dies with its process; None where somebody else holds it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _clear(folder: Path) -> None:
    policy = Policy()
    tmux = server(str(folder / SOCKET), os.environ, policy)
    with (
        records_kept_in(state_in(folder / HOME)),
        contextlib.suppress(StoryAutomatorError, OSError),
    ):
        kill(find_all(tmux, None), tmux, policy)
        tmux.call("kill-server")

    def is_gone() -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    awaited(is_gone, PATIENCE)
