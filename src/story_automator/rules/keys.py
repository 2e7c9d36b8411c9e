"""The three spellings of a story: id `1.2`, prefix `1-2`, key `1-2-user-login`."""

import re
from typing import NamedTuple

# A slug becomes part of a file name: no separators, no control characters.
SPELLINGS = re.compile(
    r"(?P<epic>[0-9]+)(?:\.(?P<dotted>[0-9]+)|-(?P<dashed>[0-9]+)(?:-(?P<slug>[^/\\\x00-\x1f\x7f]+))?)"
)
UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f]")


class StoryKey(NamedTuple):
    """A story as it was named; numbers stay text, so leading zeros are kept."""

    epic: str
    story: str
    slug: str = ""

    @property
    def id(self) -> str:
        return f"{self.epic}.{self.story}"

    @property
    def prefix(self) -> str:
        return f"{self.epic}-{self.story}"

    @property
    def key(self) -> str:
        return f"{self.prefix}-{self.slug}" if self.slug else self.prefix


def parse(text: str) -> StoryKey | None:
    """The story that `text` names, in any of the three spellings."""
    found = SPELLINGS.fullmatch(text)
    if found is None:
        return None
    return StoryKey(found["epic"], found["dotted"] or found["dashed"], found["slug"] or "")


def same_story(one: str, other: str) -> bool:
    """Whether both name the same story, whatever their spelling and title."""
    first, second = parse(one), parse(other)
    return first is not None and second is not None and first[:2] == second[:2]


def is_safe(text: str) -> bool:
    """Whether `text` can stand in a file name without leading out of its folder."""
    return not UNSAFE.search(text)


def dashed(story_id: str) -> str:
    """How the names of a story's files start, for any id a caller may give."""
    return story_id.replace(".", "-")
