"""Which messages, as agents write them, ask a person."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.message import asks_person


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("All is in place.\n\nShall I commit?", id="question"),
        pytest.param("Should the cache go? Please tell me how to proceed.", id="question-first"),
        pytest.param("Which one?\n\n1. SQLite\n2. PostgreSQL", id="options-after-a-question"),
        pytest.param("Which one?\n1. SQLite\n2. PostgreSQL\n", id="options-right-below"),
        pytest.param("What next?\n\n1. Go on\n2. Stop\n\nSelect an option:", id="menu"),
        pytest.param("Shall I run it like this?\n\n```sh\nmake\n```", id="code-after-a-question"),
        pytest.param("**Do you want me to go on?**", id="bold"),
        pytest.param("続けますか？", id="full-width"),
        pytest.param("Two ways are open. Which one? Let me know.", id="asked-to-answer"),
    ],
)
def test_asks(message: str) -> None:
    assert asks_person(message)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("", id="nothing"),
        pytest.param("Done. All 14 tests pass.", id="statement"),
        pytest.param("Why did it fail? A stale cache.\n\nIt is mended.", id="answered-above"),
        pytest.param("Why did it fail? A stale cache; it is mended.", id="answered-at-once"),
        pytest.param("It matches:\n\n```re\n^a? b?\n```", id="code"),
        pytest.param("The pattern is now `colou?r`, see `a ? b : c`.", id="inline-code"),
        pytest.param("It opens https://host/path? when asked.", id="address"),
        pytest.param("The user wrote:\n\n> Shall I?", id="quotation"),
        pytest.param("## What changed?\n\n1. The cache\n2. The tests", id="heading"),
        pytest.param("I did two things.\n\n1. The cache\n2. The tests", id="list"),
        pytest.param("Is it one?\n\n1. Yes.", id="one-option-is-no-choice"),
    ],
)
def test_does_not_ask(message: str) -> None:
    assert not asks_person(message)


@given(st.text(alphabet="?`>#1.) \n[](:ab~"))
def test_no_message_breaks_it(message: str) -> None:
    asks_person(message)
