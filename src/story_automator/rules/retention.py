"""Which old session records may go."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """One session's files on disk."""

    name: str
    modified: float  # seconds since the epoch
    size: int
    alive: bool


def expired(kept: Iterable[Kept], *, now: float, age: float, total: int, young: float) -> list[str]:
    """Names to remove: too old, or the oldest beyond the total size.

    Living sessions stay, and so do young ones: somebody is about to read them.
    """
    removable = sorted((k for k in kept if not k.alive), key=lambda k: k.modified, reverse=True)
    gone, used = [], 0
    for one in removable:
        used += one.size
        old = now - one.modified
        if old > age or (used > total and old > young):
            gone.append(one.name)
    return gone
