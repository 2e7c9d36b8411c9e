"""The user's config file: what it says about agents, and one sentence for what it cannot say."""

from datetime import timedelta

import pytest

from story_automator.edges.config import config_file, settings
from story_automator.errors import StoryAutomatorError
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions
from story_automator.model.parser_settings import ParserKind, ParserSettings


def config(text: str) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text(text)


def test_without_a_file_agents_are_started_as_ever() -> None:
    assert settings().agents == DEFAULT


def test_the_agents_table_is_read() -> None:
    config('[agents]\npermissions = "allowlist"\nallow = ["Edit"]\nrefresh_interval = 2\n')
    assert settings().agents == AgentSettings(Permissions.ALLOWLIST, ("Edit",), 2)


def test_the_parser_table_is_read() -> None:
    config('[parser]\nkind = "cli"\nbudget_tokens = 4000\n')
    assert settings().parser == ParserSettings(ParserKind.CLI, budget_tokens=4000)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("agents = 1", "agents and parser must be tables", id="no-table"),
        pytest.param("parser = 'api'", "parser must be tables", id="no-table-of-the-parser"),
        pytest.param('[parser]\nkind = "magic"', r"\[parser\] kind must be", id="no-parser"),
        pytest.param('[agents]\npermissions = "all"', r"\[agents\] permissions", id="no-mode"),
        pytest.param(
            "[agents]\nrefresh_interval = 6\n[policy]\nheartbeat_stands = 17",
            "heartbeat_stands must be at least 3 times refresh_interval",
            id="a-heartbeat-judged-before-it-can-beat",
        ),
    ],
)
def test_a_bad_table_is_one_sentence_that_names_the_file(text: str, complaint: str) -> None:
    config(text)
    with pytest.raises(StoryAutomatorError, match=complaint) as refusal:
        settings()
    assert refusal.value.message.startswith(str(config_file()))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        pytest.param("", 15, id="by-default"),
        pytest.param("[agents]\nrefresh_interval = 1", 15, id="quick-beats-are-not-judged-sooner"),
        pytest.param("[agents]\nrefresh_interval = 20", 60, id="slow-beats-are-judged-later"),
        pytest.param("[policy]\nheartbeat_stands = 16", 16, id="as-told"),
    ],
)
def test_a_heartbeat_stands_after_three_missed_beats(text: str, seconds: int) -> None:
    config(text)
    assert settings().policy.heartbeat_stands == timedelta(seconds=seconds)
