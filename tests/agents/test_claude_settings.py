"""The settings of a session: what Claude is asked to tell, in words its shell understands."""

import shlex
from pathlib import PurePosixPath
from typing import Any

import pytest

from story_automator.agents.claude_settings import EVENTS, claude_settings
from story_automator.agents.codex_hooks import codex_hooks
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions
from story_automator.rehearse import hooks as stage

ODD = PurePosixPath('/home/o\'neil/a "b" $(touch x)/s')


def settings(choice: AgentSettings = DEFAULT) -> dict[str, Any]:
    return claude_settings(
        choice,
        hook=ODD / "hook",
        events=ODD / "events",
        statusline=ODD / "statusline",
        heartbeat=ODD / "heartbeat.json",
    )


def commands(hooks: dict[str, Any]) -> dict[str, list[str]]:
    """Event → the words of the one command that hears it."""
    found = {}
    for event, ((group,),) in ((event, (groups,)) for event, groups in hooks.items()):
        assert list(group) == ["hooks"], "a matcher would leave something out"
        (hook,) = group["hooks"]
        assert hook["type"] == "command"
        found[event] = shlex.split(hook["command"])
    return found


def test_every_event_has_one_hook_that_stores_it() -> None:
    expected = ["/bin/sh", str(ODD / "hook"), str(ODD / "events")]
    assert commands(settings()["hooks"]) == {event: [*expected, event] for event in EVENTS}
    assert EVENTS == stage.EVENTS, "the scripted agent tells what the real one is asked for"


@pytest.mark.parametrize("seconds", [1, 5])
def test_the_statusline_is_a_heartbeat(seconds: int) -> None:
    line = settings(AgentSettings(refresh_interval=seconds))["statusLine"]
    assert (line["type"], line["refreshInterval"]) == ("command", seconds)
    expected = ["/bin/sh", str(ODD / "statusline"), str(ODD / "heartbeat.json")]
    assert shlex.split(line["command"]) == expected


@pytest.mark.parametrize(
    ("choice", "skips"),
    [
        pytest.param(DEFAULT, True, id="bypass"),
        pytest.param(AgentSettings(Permissions.ACCEPT_EDITS), False, id="acceptEdits"),
        pytest.param(AgentSettings(Permissions.ALLOWLIST, ("Edit",)), False, id="allowlist"),
    ],
)
def test_only_bypass_answers_the_warning_about_bypass(choice: AgentSettings, skips: bool) -> None:
    assert settings(choice).get("skipDangerousModePermissionPrompt", False) is skips


def test_a_nested_agent_knows_nothing_of_the_session() -> None:
    assert settings()["env"] == {
        "STORY_AUTOMATOR_EVENTS": "",
        "STORY_AUTOMATOR_SETTINGS": "",
        "STORY_AUTOMATOR_CONVERSATION": "",
        "STORY_AUTOMATOR_LAST_MESSAGE": "",
    }


def test_codex_tells_its_events_to_whatever_session_it_runs_in() -> None:
    told = codex_hooks(ODD / "hook")
    assert list(told) == ["hooks"]
    found = commands(told["hooks"])  # type: ignore[arg-type]
    expected = ["/bin/sh", str(ODD / "hook"), "$STORY_AUTOMATOR_EVENTS"]
    assert found["Stop"] == [*expected, "Stop"]
    assert set(EVENTS) - set(found) == {"StopFailure", "Notification"}
