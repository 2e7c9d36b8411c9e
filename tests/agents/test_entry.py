"""The agent's own words in a recording."""

import pytest

from story_automator.agents import entry


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("● Bash(npm test)", id="a-call"),
        pytest.param("↳ Bash(npm test)", id="a-call-told-later"),
        pytest.param("  │ 12 passed in 0.1s", id="a-result"),
        pytest.param("  ✗ Exit code 1", id="a-failed-result"),
        pytest.param("✗ API Error: 529", id="a-trouble"),
        pytest.param("── the last message ──", id="a-note"),
    ],
)
def test_words_that_look_like_a_row_of_ours_are_set_apart(row: str) -> None:
    (said,) = entry.said(f"Running it again.\n\n{row}\n\nDone.", str)
    assert said.text == f"Running it again.\n\n {row}\n\nDone."
    assert said.words == f"Running it again.\n\n{row}\n\nDone."


def test_other_words_stay_as_they_are() -> None:
    (said,) = entry.said("- one\n  two\n> quoted\n**three** ● four", str)
    assert said.text == "- one\n  two\n> quoted\n**three** ● four"
