"""One call of a program: text goes in, at most so much comes out, and nothing of it stays."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PIECE = 65_536
LOOK_EVERY = 0.2  # seconds until a program is noticed that ended and left its pipe to another


@dataclass(frozen=True, slots=True)
class Done:
    """How the call ended. `code` is None when it did not end by itself."""

    code: int | None
    out: bytes
    err: bytes
    overflowed: bool = False  # it said more than was wanted, and was ended for it


def bounded_call(
    argv: Sequence[str],
    text: str,
    *,
    environ: Mapping[str, str],
    folder: Path,
    limit: float,
    most: int,
) -> Done:
    """Run `argv` in `folder` with `text` on its standard input, for `limit` seconds.

    A text on a command line would be seen by everybody on the machine, and may be too long for
    one. OSError when the program cannot be started.
    """
    with tempfile.TemporaryFile(dir=folder) as given:
        given.write(text.encode(errors="replace"))
        given.seek(0)
        # A session of its own: what the program starts has to end with it.
        process = subprocess.Popen(
            argv,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
        )
    with process:
        heard = _Heard(process, most)
        try:
            heard.listen(time.monotonic() + limit)
        finally:
            if not heard.all:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    code = process.returncode if heard.ended else None
    return Done(code, bytes(heard.out), bytes(heard.err), heard.overflowed)


class _Heard:
    """What a program has said so far."""

    def __init__(self, process: subprocess.Popen[bytes], most: int) -> None:
        self._process, self._most = process, most
        self.out, self.err = bytearray(), bytearray()
        self.all = self.ended = self.overflowed = False

    def listen(self, until: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe(self._process.stdout), selectors.EVENT_READ, self.out)
            selector.register(self._pipe(self._process.stderr), selectors.EVENT_READ, self.err)
            while selector.get_map() and not self.overflowed:
                left = until - time.monotonic()
                if left <= 0:
                    return
                ready = selector.select(min(left, LOOK_EVERY))
                for key, _ in ready:
                    if piece := os.read(key.fd, PIECE):
                        self._take(key.data, piece)
                    else:
                        selector.unregister(key.fileobj)
                if not ready and self._process.poll() is not None:
                    self.ended = True
                    return
            if self.overflowed:
                return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(until - time.monotonic(), 0))
            self.all = self.ended = True

    def _take(self, said: bytearray, piece: bytes) -> None:
        said += piece[: self._most - len(said)]
        self.overflowed = said is self.out and len(said) >= self._most

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None
        return stream
