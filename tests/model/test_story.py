"""A status never goes backwards."""

from itertools import pairwise

import pytest

from story_automator.model.story import StoryStatus, goes_backwards


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(StoryStatus)))
def test_every_rung_stands_above_the_one_before(lower: StoryStatus, higher: StoryStatus) -> None:
    assert goes_backwards(higher, lower)
    assert not goes_backwards(lower, higher)


@pytest.mark.parametrize("old", ["", "optional", "contexted"])
def test_a_status_outside_the_ladder_may_become_any_of_it(old: str) -> None:
    assert not goes_backwards(old, StoryStatus.BACKLOG)


def test_the_case_of_a_status_does_not_count() -> None:
    assert goes_backwards("DONE", StoryStatus.REVIEW)
