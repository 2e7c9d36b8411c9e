"""Three spellings of one story, and what is none of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.rules.keys import StoryKey, dashed, is_safe, parse, same_story


@pytest.mark.parametrize(
    ("text", "story"),
    [
        pytest.param("1.2", StoryKey("1", "2"), id="id"),
        pytest.param("1-2", StoryKey("1", "2"), id="prefix"),
        pytest.param("1-2-user-login", StoryKey("1", "2", "user-login"), id="key"),
        pytest.param("01.020", StoryKey("01", "020"), id="leading-zeros-are-kept"),
        pytest.param("1-2-3-d", StoryKey("1", "2", "3-d"), id="title-may-start-with-a-digit"),
        pytest.param("1-2-größe", StoryKey("1", "2", "größe"), id="title-in-any-script"),
        pytest.param("1-2-A B", StoryKey("1", "2", "A B"), id="title-with-a-blank"),
        pytest.param("", None, id="nothing"),
        pytest.param("1", None, id="epic-alone"),
        pytest.param("foo", None, id="word"),
        pytest.param("epic-1", None, id="epic-key"),
        pytest.param("epic-1-retrospective", None, id="retrospective-key"),
        pytest.param("1-on-1 meeting", None, id="a-meeting-is-no-story"),
        pytest.param("1-2-", None, id="dash-without-a-title"),
        pytest.param("1.2.3", None, id="three-numbers"),
        pytest.param("1.2-login", None, id="dotted-with-a-title"),
        pytest.param("1.2a", None, id="number-with-a-letter"),
        pytest.param(" 1.2", None, id="leading-blank"),
        pytest.param("1.2\n", None, id="trailing-line-break"),
        pytest.param("1_2", None, id="underscore"),
        pytest.param("١.٢", None, id="digits-of-another-script"),
        pytest.param("1-2-../../../etc/passwd", None, id="title-that-climbs-out"),
        pytest.param("1-2-a\\b", None, id="title-with-a-backslash"),
        pytest.param("1-2-a\x00b", None, id="title-with-a-control-character"),
    ],
)
def test_a_text_names_a_story_or_none(text: str, story: StoryKey | None) -> None:
    assert parse(text) == story


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        pytest.param("1.2", ("1.2", "1-2", "1-2"), id="from-id"),
        pytest.param("1-2", ("1.2", "1-2", "1-2"), id="from-prefix"),
        pytest.param("1-2-login", ("1.2", "1-2", "1-2-login"), id="from-key"),
    ],
)
def test_one_spelling_gives_the_others(text: str, spellings: tuple[str, str, str]) -> None:
    story = parse(text)
    assert story is not None
    assert (story.id, story.prefix, story.key) == spellings


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("1.1", "1-1-login", True, id="id-and-key"),
        pytest.param("1-1-login", "1-1-logout", True, id="the-title-does-not-count"),
        pytest.param("1.1", "1.10", False, id="1.1-is-not-1.10"),
        pytest.param("1-1", "1-10-late", False, id="1-1-is-not-1-10"),
        pytest.param("1.1", "11.1", False, id="epic-1-is-not-epic-11"),
        pytest.param("1.1", "01.1", False, id="leading-zeros-count"),
        pytest.param("foo", "foo", False, id="no-story-is-never-the-same-story"),
    ],
)
def test_same_story(one: str, other: str, same: bool) -> None:
    assert same_story(one, other) is same
    assert same_story(other, one) is same


@given(st.from_regex(r"[0-9]{1,4}\.[0-9]{1,4}", fullmatch=True), st.text(min_size=1))
def test_every_spelling_of_a_story_reads_back_as_itself(story_id: str, title: str) -> None:
    story = parse(story_id)
    assert story is not None
    assert parse(story.id) == parse(story.prefix) == parse(story.key) == story
    titled = parse(f"{story.prefix}-{title}")
    assert (titled is not None) == is_safe(title)
    assert titled is None or titled.key == f"{story.prefix}-{title}"


@pytest.mark.parametrize("text", ["../x", "a/b", "a\\b", "a\nb", "a\x00", "a\x7f"])
def test_what_leads_out_of_a_folder_is_not_safe(text: str) -> None:
    assert not is_safe(text)


@pytest.mark.parametrize(("story_id", "prefix"), [("1.2", "1-2"), ("1-2", "1-2"), ("foo", "foo")])
def test_file_names_start_with_the_dashed_id(story_id: str, prefix: str) -> None:
    assert dashed(story_id) == prefix
