"""Claude Code's own files about a running conversation: where they lie, and what is new in them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from story_automator.edges.files import read_bounded

LARGEST_SESSION_FILE = 65_536
# A conversation with pasted pictures has lines of megabytes; one beyond this tells us nothing.
LONGEST_LINE = 50_000_000
CHUNK = 1 << 20


def config_of_transcript(transcript: Path) -> Path:
    """`<config>/projects/<key>/<id>.jsonl`: the client itself says where its files are."""
    return transcript.parents[2]


def session_text(config: Path, pids: Iterable[int]) -> str:
    """The session file of the first of these processes that has one; empty: none has."""
    for pid in pids:
        try:
            path = config / "sessions" / f"{pid}.json"
            return read_bounded(path, LARGEST_SESSION_FILE).decode(errors="replace")
        except OSError:
            continue
    return ""


def transcript_of(config: Path, conversation: str) -> Path | None:
    """The project folder's name cannot be computed back, so the id is looked for in all."""
    if not conversation or "/" in conversation:
        return None
    return next(iter((config / "projects").glob(f"*/{conversation}.jsonl")), None)


class Lines:
    """The lines of a growing file, each handed out once, when it is whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0
        self._rest = b""
        self._skipping = False

    def new(self) -> Iterator[str]:
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                while chunk := file.read(CHUNK):
                    self._offset += len(chunk)
                    yield from self._whole(chunk)
        except OSError:
            return

    def _whole(self, chunk: bytes) -> Iterator[str]:
        *whole, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest
        if len(rest) > LONGEST_LINE:
            self._rest, self._skipping = b"", True
        for line in whole:
            if self._skipping:
                self._skipping = False
            elif line.strip():
                yield line.decode(errors="replace")
