"""The user's config file: what it says about agents, and one sentence for what it cannot say."""

import pytest

from story_automator.edges.config import config_file, settings
from story_automator.errors import StoryAutomatorError
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions


def config(text: str) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text(text)


def test_without_a_file_agents_are_started_as_ever() -> None:
    assert settings().agents == DEFAULT


def test_the_agents_table_is_read() -> None:
    config('[agents]\npermissions = "allowlist"\nallow = ["Edit"]\nrefresh_interval = 2\n')
    assert settings().agents == AgentSettings(Permissions.ALLOWLIST, ("Edit",), 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("agents = 1", "agents must be tables", id="no-table"),
        pytest.param('[agents]\npermissions = "all"', r"\[agents\] permissions", id="no-mode"),
    ],
)
def test_a_bad_table_is_one_sentence_that_names_the_file(text: str, complaint: str) -> None:
    config(text)
    with pytest.raises(StoryAutomatorError, match=complaint) as refusal:
        settings()
    assert refusal.value.message.startswith(str(config_file()))
