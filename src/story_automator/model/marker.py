"""The marker: the file that says a run is active in this project, and how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says. Its times stay text: other programs write this file too."""

    epic: str = ""
    story: str = ""
    remaining: int = 0
    state_file: str = ""
    created_at: str = ""
    heartbeat: str = ""
    pid: int = 0  # 0: not told, then only the heartbeat speaks
    slug: str = ""

    def to_json(self) -> dict[str, object]:
        return {
            "epic": self.epic,
            "currentStory": self.story,
            "storiesRemaining": self.remaining,
            "stateFile": self.state_file,
            "createdAt": self.created_at,
            "heartbeat": self.heartbeat,
            "pid": self.pid,
            "projectSlug": self.slug,
        }


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look at a marker file: its content, or why there is none to be had."""

    document: Mapping[str, object]
    trouble: str  # empty when the document could be read
    touched: datetime  # when the file was last written
    ours: bool  # the file belongs to this user
