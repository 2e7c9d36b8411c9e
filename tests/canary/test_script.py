"""A model that plays a file: words up to the next tool call, then what another behaviour does."""

from pathlib import Path

import pytest

from story_automator.canary.acts import Answer, Failure, Heard, Reply, Run, Say, Use, WriteFile
from story_automator.canary.api import Api
from story_automator.canary.directives import Directive, directive
from story_automator.canary.script import played

RED_THEN_GREEN = """
[[acts]]
say = "I begin."
[[acts]]
run = "python -m unittest"
[[acts]]
write = "a.py"
text = "a = 1\\n"
[[acts]]
use = "Read"
input = { file_path = "a.py" }
[[acts]]
say = "First word."
[[acts]]
say = "Last word."
"""
BREAKS_OFF = """
[[acts]]
run = "true"
[[acts]]
say = "Then"
[[acts]]
behave = "limit:60:weekly"
"""
CALLS_AGAIN = """
[[acts]]
run = "true"
[[acts]]
behave = "bash:7"
"""


def play(folder: Path, text: str, step: int) -> Answer:
    (folder / "dev-red.toml").write_text(text)
    return played(folder, Directive("script", ("dev-red",), step), 1)


@pytest.mark.parametrize(
    ("step", "acts"),
    [
        pytest.param(0, (Say("I begin."), Run("python -m unittest")), id="words-and-one-call"),
        pytest.param(1, (WriteFile("a.py", "a = 1\n"),), id="a-result-brings-the-next-call"),
        pytest.param(2, (Use("Read", {"file_path": "a.py"}),), id="a-tool-by-its-own-name"),
        pytest.param(3, (Say("First word."), Say("Last word.")), id="words-end-it"),
        pytest.param(9, (), id="nothing-is-left-to-say"),
    ],
)
def test_a_reply_goes_up_to_the_next_call(
    tmp_path: Path, step: int, acts: tuple[object, ...]
) -> None:
    assert play(tmp_path, RED_THEN_GREEN, step) == Reply(acts)  # type: ignore[arg-type]


def test_another_behaviour_takes_over_where_it_is_named(tmp_path: Path) -> None:
    assert play(tmp_path, BREAKS_OFF, 0) == Reply((Run("true"),))
    end = play(tmp_path, BREAKS_OFF, 1)
    assert isinstance(end, Failure)
    assert (end.status, end.limit) == (429, "weekly")


def test_the_other_behaviour_counts_its_own_steps(tmp_path: Path) -> None:
    replies = [play(tmp_path, CALLS_AGAIN, step) for step in (1, 2)]
    assert [isinstance(r, Reply) and r.calls_tools for r in replies] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("acts = [", id="no-toml"),
        pytest.param("about = 1", id="no-acts"),
        pytest.param("acts = [{ sing = 'x' }]", id="no-such-act"),
        pytest.param("acts = [1]", id="no-table"),
    ],
)
def test_a_script_that_makes_no_sense_is_a_bad_request(tmp_path: Path, text: str) -> None:
    given = play(tmp_path, text, 0)
    assert isinstance(given, Failure)
    assert given.status == 400
    assert "cannot play 'dev-red'" in given.message


def test_a_missing_script_is_a_bad_request(tmp_path: Path) -> None:
    assert isinstance(played(tmp_path, Directive("script", ("gone",)), 1), Failure)


def test_the_name_of_a_script_may_have_dashes() -> None:
    asked = directive(Heard(said=("Do canary:script:dev-red now",)))
    assert asked == Directive("script", ("dev-red",))


def test_the_api_plays_from_the_folder_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "hi.toml").write_text("acts = [{ say = 'Played.' }]")
    said = [{"role": "user", "content": "canary:script:hi"}]
    body = {"messages": said, "tools": [{"name": "Bash"}]}
    sheet = Api(scripts=tmp_path).receive("POST", "/v1/messages", body)
    assert isinstance(sheet.content, dict)
    assert sheet.content["content"] == [{"type": "text", "text": "Played."}]
    assert Api().receive("POST", "/v1/messages", body).status == 400
