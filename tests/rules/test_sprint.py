"""Finding stories and counting epics in the sprint's map."""

import pytest

from story_automator.rules.sprint import EpicCount, epic_count, is_done, matching

STATUSES = {
    "epic-1": "in-progress",
    "1-1-login": "done",
    "1-2-logout": "Done",
    "1-10-late": "backlog",
    "1-on-1 meeting": "done",
    "epic-1-retrospective": "optional",
    "epic-11": "backlog",
    "11-1-other": "done",
    "2.1": "done",
    "2.10": "review",
    "3-1-a": "done",
    "3-1-b": "backlog",
    "4-1-a": "",
    "4-2b-inserted": "review",
}


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        pytest.param("1-1-login", ["1-1-login"], id="exact-key"),
        pytest.param("1.1", ["1-1-login"], id="id"),
        pytest.param("1-1", ["1-1-login"], id="prefix"),
        pytest.param("1-1-renamed", ["1-1-login"], id="another-title-of-the-same-story"),
        pytest.param("1.10", ["1-10-late"], id="1.10-is-not-1.1"),
        pytest.param("2-1", ["2.1"], id="dotted-key-by-its-prefix"),
        pytest.param("2.1", ["2.1"], id="dotted-key-exactly"),
        pytest.param("epic-1", ["epic-1"], id="epic-key-exactly"),
        pytest.param("3.1", ["3-1-a", "3-1-b"], id="two-stories-with-one-number"),
        pytest.param("3-1-b", ["3-1-b"], id="the-full-key-tells-them-apart"),
        pytest.param("1", [], id="epic-number-alone"),
        pytest.param("9.9", [], id="not-listed"),
        pytest.param("", [], id="nothing"),
        pytest.param("1-1-../x", [], id="unsafe"),
    ],
)
def test_keys_that_a_word_may_mean(wanted: str, keys: list[str]) -> None:
    assert matching(STATUSES, wanted) == keys


@pytest.mark.parametrize(
    ("epic", "stories", "done", "complete"),
    [
        pytest.param(
            "1", ("1-1-login", "1-2-logout", "1-10-late"), 2, False, id="not-11-no-meeting"
        ),
        pytest.param("11", ("11-1-other",), 1, True, id="11-is-not-1"),
        pytest.param("2", ("2.1", "2.10"), 1, False, id="dotted-keys"),
        pytest.param("4", ("4-1-a", "4-2b-inserted"), 0, False, id="an-inserted-story-counts"),
        pytest.param("9", (), 0, False, id="no-stories-is-not-complete"),
        pytest.param("epic-1", (), 0, False, id="a-key-is-no-epic-number"),
        pytest.param("1-1", (), 0, False, id="a-story-is-no-epic-number"),
        pytest.param("", (), 0, False, id="nothing"),
        pytest.param("1.*", (), 0, False, id="no-pattern"),
    ],
)
def test_stories_of_an_epic(epic: str, stories: tuple[str, ...], done: int, complete: bool) -> None:
    count = epic_count(STATUSES, epic)
    assert count == EpicCount(stories, done)
    assert count.complete is complete


@pytest.mark.parametrize(("status", "done"), [("done", True), ("DONE", True), ("undone", False)])
def test_statuses_are_compared_in_lower_case(status: str, done: bool) -> None:
    assert is_done(status) is done
