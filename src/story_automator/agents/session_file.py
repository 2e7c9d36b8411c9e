"""What Claude Code writes about its own process: `~/.claude/sessions/<pid>.json`."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self

from story_automator.agents.fields import instant, json_object, number, text, whole


class Status(StrEnum):
    """What the client says it is doing."""

    BUSY = "busy"  # also while it hangs, retries, or a sub-agent works in the background
    IDLE = "idle"  # also before the first prompt
    WAITING = "waiting"  # a dialog is open
    SHELL = "shell"  # idle, but a background shell runs
    UNTOLD = ""  # not yet, or a word we do not know


STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One reading. It outlives a killed process: check the pid and when that was started."""

    pid: int
    conversation: str = ""
    status: Status = Status.UNTOLD
    waiting_for: str = ""
    status_at: datetime | None = None
    started: str = ""  # the process's start time, in ticks since boot

    @classmethod
    def parse(cls, written: str) -> Self | None:
        """None when the text is not such a file."""
        told = json_object(written)
        pid = whole(told, "pid") if told else None
        if told is None or pid is None:
            return None
        changed = number(told, "statusUpdatedAt")
        return cls(
            pid=pid,
            conversation=text(told, "sessionId"),
            status=STATUSES.get(text(told, "status"), Status.UNTOLD),
            waiting_for=text(told, "waitingFor"),
            status_at=instant(changed / 1000) if changed is not None else None,
            started=text(told, "procStart"),
        )
