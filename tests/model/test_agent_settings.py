"""The [agents] table: three ways to trust an agent, and nothing that is half meant."""

import pytest

from story_automator.model.agents import DEFAULT, AgentSettings, Permissions, agent_settings_from


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param({}, DEFAULT, id="bypass-by-default"),
        pytest.param(
            {"permissions": "acceptEdits"}, AgentSettings(Permissions.ACCEPT_EDITS), id="edits"
        ),
        pytest.param(
            {"permissions": "allowlist", "allow": ["Edit", "Bash(npm test:*)"]},
            AgentSettings(Permissions.ALLOWLIST, ("Edit", "Bash(npm test:*)")),
            id="a-list-of-tools",
        ),
        pytest.param({"refresh_interval": 1}, AgentSettings(refresh_interval=1), id="each-second"),
    ],
)
def test_what_can_be_said(table: dict[str, object], expected: AgentSettings) -> None:
    assert agent_settings_from(table) == expected


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        pytest.param({"permission": "bypass"}, "unknown setting permission", id="a-typing-error"),
        pytest.param({"permissions": "yolo"}, "must be bypass, acceptEdits or", id="another-mode"),
        pytest.param({"permissions": 1}, "must be bypass, acceptEdits or", id="a-number"),
        pytest.param({"permissions": ["bypass"]}, "must be bypass", id="a-list"),
        pytest.param({"permissions": "allowlist"}, "need each other", id="a-list-without-tools"),
        pytest.param({"allow": ["Edit"]}, "need each other", id="tools-that-would-be-ignored"),
        pytest.param({"allow": "Edit"}, "must be a list", id="one-tool-is-no-list"),
        pytest.param({"allow": ["--model"]}, "which is no tool", id="an-option"),
        pytest.param({"allow": [" "]}, "which is no tool", id="a-blank"),
        pytest.param({"allow": [1]}, "which is no tool", id="a-number-for-a-tool"),
        pytest.param({"refresh_interval": 0}, "1 second or more", id="no-interval"),
        pytest.param({"refresh_interval": 0.5}, "whole number", id="half-a-second"),
        pytest.param({"refresh_interval": True}, "whole number", id="a-truth"),
    ],
)
def test_what_cannot(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        agent_settings_from(table)
