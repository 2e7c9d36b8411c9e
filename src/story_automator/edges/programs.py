"""Other programs: whether they are installed, and which version they say they are."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping

from story_automator.model.probe import Probe

LIMIT = 2.0


def version_of(
    name: str, flag: str, environ: Mapping[str, str], *, limit: float = LIMIT
) -> tuple[Probe, str]:
    """The first line that `name flag` prints. One that fails or keeps us waiting told nothing."""
    path = shutil.which(name, path=environ.get("PATH", os.defpath))
    if path is None:
        return Probe.ABSENT, ""
    try:
        # A session of its own: some of them are launchers, and the real program has to end, too.
        process = subprocess.Popen(
            [path, flag],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return Probe.UNREACHABLE, ""
    with process:
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return Probe.UNREACHABLE, ""
    first = out.decode(errors="replace").partition("\n")[0]
    line = "".join(letter for letter in first if letter.isprintable()).strip()
    if process.returncode or not line:
        return Probe.UNREACHABLE, ""
    return Probe.PRESENT, line
