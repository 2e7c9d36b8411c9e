"""Shipped files are found, and a prompt never has a hole."""

from pathlib import Path

import pytest

from story_automator.edges import resources
from story_automator.edges.prompts import render
from story_automator.errors import StoryAutomatorError


def test_text_is_filled_in_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.j2").write_text("{{ word }}!\n")
    assert render(tmp_path, "a.j2", {"word": "<b> & {{ word }}"}) == "<b> & {{ word }}!\n"


@pytest.mark.parametrize("template", ["{{ missing }}", "{% if missing %}x{% endif %}", "{% oops"])
def test_a_hole_in_a_prompt_is_one_sentence(tmp_path: Path, template: str) -> None:
    (tmp_path / "a.j2").write_text(template)
    with pytest.raises(StoryAutomatorError, match=r"prompt a\.j2 cannot be rendered"):
        render(tmp_path, "a.j2", {})


def test_a_template_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoryAutomatorError, match=r"prompt b\.j2 cannot be rendered"):
        render(tmp_path, "b.j2", {})


def test_a_checkout_has_its_prompts_at_the_top() -> None:
    recovery = resources.resource("prompts", "escalation", "stop-hook-recovery.md")
    assert recovery == resources.CHECKOUT / "prompts/escalation/stop-hook-recovery.md"
    assert "marker remove" in recovery.read_text()


def test_a_wheel_has_them_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_prompts" / "sprint").mkdir(parents=True)
    monkeypatch.setattr(resources, "PACKAGE", tmp_path)
    assert resources.resource("prompts", "sprint") == tmp_path / "_prompts/sprint"


def test_what_was_not_shipped_is_one_sentence() -> None:
    with pytest.raises(StoryAutomatorError, match="lacks prompts/sprint/nothing"):
        resources.resource("prompts", "sprint", "nothing")
