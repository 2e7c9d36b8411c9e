"""The active run of a project: seen, claimed, kept alive and released through its marker."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from story_automator.edges import markers
from story_automator.errors import StoryAutomatorError
from story_automator.model.marker import Marker, Sighting
from story_automator.rules.marker import (
    holder,
    last_sign,
    understand,
    why_fresh,
    why_stale,
)

TIMESTAMP = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """A marker that exists, and what it is worth."""

    sighting: Sighting
    marker: Marker
    stale: bool
    because: str
    holder: str


def observe(path: Path, now: datetime) -> ActiveRun | None:
    """Whose run the marker tells of, and whether it still lives; None without a marker."""
    sighting = markers.look(path)
    if sighting is None:
        return None
    marker = understand(sighting.document)
    age = now - last_sign(marker, sighting.touched, now)
    alive = bool(marker.pid) and markers.is_alive(marker.pid, ours=sighting.ours)
    stale = sighting.trouble or why_stale(marker, alive=alive, age=age)
    because = stale or why_fresh(marker, age)
    return ActiveRun(sighting, marker, bool(stale), because, holder(marker, age))


def claim(path: Path, marker: Marker, now: datetime) -> str:
    """Write our marker; returns why one that was there counted for nothing.

    The fresh marker of another living process is never overwritten.
    """
    stamp = now.strftime(TIMESTAMP)
    with markers.guarded(path):
        found = observe(path, now)
        if found and not found.stale and found.marker.pid not in (0, marker.pid):
            raise StoryAutomatorError(
                f"another run is active in this project ({found.holder})",
                hint="wait until it ends, or stop it and run: orchestrator-helper marker remove",
            )
        mine = replace(marker, created_at=stamp, heartbeat=marker.heartbeat or stamp)
        markers.write(path, mine.to_json())
    return found.because if found and found.stale else ""


def beat(path: Path, now: datetime) -> str | None:
    """Renew the heartbeat and keep all else that stands in the marker; None without one."""
    if markers.look(path) is None:
        return None
    stamp = now.strftime(TIMESTAMP)
    with markers.guarded(path):
        found = markers.look(path)
        if found is None:
            return None
        if found.trouble:
            raise StoryAutomatorError(
                f"the marker {path} cannot be updated: {found.trouble}",
                hint="write a new one: orchestrator-helper marker create --epic E --story S "
                "--remaining N",
            )
        markers.write(path, {**found.document, "heartbeat": stamp})
    return stamp


def release(path: Path) -> None:
    """Remove the marker; none there is fine too."""
    if path.is_symlink() or path.exists():
        with markers.guarded(path):
            markers.remove(path)
