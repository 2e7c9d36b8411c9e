"""The command that starts an agent: exact where the contract is, quoted everywhere."""

from pathlib import PurePosixPath

import pytest

from story_automator.agents import launch


def test_claude_starts_with_the_literal_of_the_contract() -> None:
    command = launch.claude_command("do it")
    assert command == "unset CLAUDECODE && claude --dangerously-skip-permissions 'do it'"


def test_codex_gets_a_private_home_and_a_linked_login() -> None:
    command = launch.codex_command(
        "do it", home=PurePosixPath("/s/my home"), login=PurePosixPath("/h/.codex/auth.json")
    )
    assert command == (
        "mkdir -p -m 700 '/s/my home' && "
        "if [ -f /h/.codex/auth.json ]; then "
        "ln -sf /h/.codex/auth.json '/s/my home/auth.json'; fi && "
        "CODEX_HOME='/s/my home' codex exec -s workspace-write -c 'approval_policy=\"never\"' "
        "-c 'model_reasoning_effort=\"high\"' --disable plugins --disable sqlite "
        "--disable shell_snapshot 'do it'"
    )


@pytest.mark.parametrize(
    ("told", "words"),
    [
        pytest.param("claude --model x", "claude --model x", id="plain-words"),
        pytest.param("claude; touch x", "'claude;' touch x", id="a-second-command-is-a-word"),
        pytest.param("claude $(id) `id`", "claude '$(id)' '`id`'", id="so-is-a-substitution"),
        pytest.param("A='b c' B= claude", "A='b c' B='' claude", id="variables-stay-variables"),
        pytest.param("claude A=1 'b c'", "claude A=1 'b c'", id="arguments-stay-arguments"),
        pytest.param("~/bin/claude -x", "/home/me/bin/claude -x", id="the-users-own-folder"),
    ],
)
def test_a_command_of_the_users_own_is_read_as_words(told: str, words: str) -> None:
    command = launch.custom_command(told, "do it", home="/home/me")
    assert command == f"unset CLAUDECODE && {words} 'do it'"


@pytest.mark.parametrize("told", ["A=1", "   ", "claude 'open"])
def test_what_is_no_command_line_is_refused(told: str) -> None:
    with pytest.raises(ValueError, match=r"program|quotation"):
        launch.custom_command(told, "do it", home="/home/me")


@pytest.mark.parametrize(
    ("agent", "cli", "prefix"),
    [
        ("claude", "claude --dangerously-skip-permissions", "bmad-"),
        ("codex", "codex exec", "none"),
    ],
)
def test_agent_words(agent: str, cli: str, prefix: str) -> None:
    assert (launch.agent_cli(agent), launch.skill_prefix(agent)) == (cli, prefix)


@pytest.mark.parametrize(
    ("told", "expected"),
    [("claude", "claude"), ("Codex", "codex"), ("weird", ""), ("", "")],
)
def test_only_agents_we_know_are_told(told: str, expected: str) -> None:
    assert launch.told_agent({"AI_AGENT": told}) == expected
