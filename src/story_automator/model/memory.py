"""What a watch remembers of one session between looks; small enough to be stored after each."""

from dataclasses import dataclass

from story_automator.model.evidence import ClockGate
from story_automator.model.session import Stored


@dataclass(frozen=True, slots=True)
class Memory(Stored):
    """All instants are seconds on the monotonic clock of boot `boot`."""

    boot: str = ""
    looks: int = 0
    ever_active: bool = False
    clock: str = ""  # the last one actually read; a look without a clock does not erase it
    clock_at: float = 0.0
    gate: str = ClockGate.ABSENT.value
    body: str = ""  # a digest of the last screen without its statusline
    shape: str = ""
    shape_since: float = 0.0  # since when shape and body have been the same
    shape_looks: int = 0  # agreeing looks, far enough apart
    shape_because: str = ""
    need: str = ""
    trouble: str = ""
    todos_done: int = 0
    todos_total: int = 0
    task: str = ""
    output: int = 0  # bytes of log
    events: int = 0  # hook events
    transcript: int = 0  # bytes of the agent's own record of the conversation
    neighbours: int = 0  # other sessions on the same tmux server, when it was last reached
    cpu: float = 0.0
    cpu_at: float = 0.0
    progress_at: float = 0.0
    silent_since: float = 0.0  # 0: not silent
    silent_looks: int = 0
