"""How far a story is."""

from enum import StrEnum


class StoryStatus(StrEnum):
    """The ladder of sprint-status.yaml, lowest rung first."""

    BACKLOG = "backlog"  # only planned
    DRAFTED = "drafted"  # a story file exists (older projects)
    READY = "ready-for-dev"  # the story file may be implemented
    IN_PROGRESS = "in-progress"  # being implemented
    REVIEW = "review"  # implemented, not yet reviewed
    DONE = "done"  # reviewed


def goes_backwards(old: str, new: StoryStatus) -> bool:
    """Whether `new` stands below `old`; a status outside the ladder stands below all of it."""
    ladder = list(StoryStatus)
    known = old.lower() in ladder
    return known and ladder.index(new) < ladder.index(StoryStatus(old.lower()))
