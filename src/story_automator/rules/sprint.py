"""Look-ups over the sprint's ordered map from key to status."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from story_automator.rules.keys import same_story

DONE_VALUES = ("done",)


class EpicCount(NamedTuple):
    """The stories of one epic and how many of them are done."""

    stories: tuple[str, ...]
    done: int

    @property
    def complete(self) -> bool:
        return bool(self.stories) and self.done == len(self.stories)


def is_done(status: str) -> bool:
    return status.lower() in DONE_VALUES


def matching(keys: Collection[str], wanted: str) -> list[str]:
    """The keys that `wanted` may mean: itself, else every one of the same story."""
    if wanted in keys:
        return [wanted]
    return [key for key in keys if same_story(key, wanted)]


def epic_count(statuses: Mapping[str, str], epic: str) -> EpicCount:
    """Count an epic's stories: `1-2-x` and `1-2a-x` belong to epic 1, `11-1-x` and `1-on-1` not."""
    if not re.fullmatch("[0-9]+", epic):
        return EpicCount((), 0)
    stories = tuple(key for key in statuses if re.match(rf"{epic}[.-][0-9]", key))
    return EpicCount(stories, sum(is_done(statuses[key]) for key in stories))
