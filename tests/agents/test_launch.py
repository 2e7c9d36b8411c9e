"""The command that starts an agent: exact where the contract is, quoted everywhere."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import pytest

from story_automator.agents import launch
from story_automator.agents.dialects import agent_of, mode_of
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions

ALLOWED = AgentSettings(Permissions.ALLOWLIST, ("Bash(npm test:*)", "Edit"))
IN_A_SESSION = {
    "STORY_AUTOMATOR_SETTINGS": "/state/it's here/settings.json",
    "STORY_AUTOMATOR_CONVERSATION": "6b70711a",
    "STORY_AUTOMATOR_SESSION": "sa-shop",
    "STORY_AUTOMATOR_EVENTS": "/state/it's here/events",
    "STORY_AUTOMATOR_LAST_MESSAGE": "/state/it's here/last",
}
# Those a session may run in, and one that people paste into: zsh does not split words.
SHELLS = [("bash",), ("bash", "--posix"), ("dash",), ("busybox", "sh")]
PEOPLES_SHELLS = [*SHELLS, ("zsh", "-f")]


@pytest.fixture
def argv_of(tmp_path: Path) -> Callable[..., list[str]]:
    """What an agent is started with when this shell runs the command."""
    for name in ("claude", "codex"):
        (tmp_path / name).write_text('#!/bin/sh\nprintf "%s\\0" "$@" >"$ARGV_FILE"\n')
        (tmp_path / name).chmod(0o755)
    kept = tmp_path / "argv"
    world = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ARGV_FILE": str(kept)}

    def run(command: str, shell: Sequence[str], environ: dict[str, str]) -> list[str]:
        if shutil.which(shell[0]) is None:
            pytest.skip(f"{shell[0]} is not installed")
        subprocess.run([*shell, "-euc", command], env=world | environ, check=True, timeout=30)
        return kept.read_text().split("\0")[:-1]

    return run


def test_claude_starts_with_the_literal_of_the_contract() -> None:
    command = launch.claude_command("do it", DEFAULT)
    assert command == (
        "unset CLAUDECODE && claude --dangerously-skip-permissions "
        '${STORY_AUTOMATOR_SETTINGS:+--settings "$STORY_AUTOMATOR_SETTINGS" '
        '--session-id "$STORY_AUTOMATOR_CONVERSATION" --name "$STORY_AUTOMATOR_SESSION"} '
        "'do it'"
    )


@pytest.mark.parametrize("shell", PEOPLES_SHELLS, ids=" ".join)
class TestPastedIntoAPlainShell:
    def test_claude_gets_the_words_of_the_contract(
        self, argv_of: Callable[..., list[str]], shell: Sequence[str]
    ) -> None:
        command = launch.claude_command("it's $(x)", DEFAULT)
        assert argv_of(command, shell, {}) == ["--dangerously-skip-permissions", "it's $(x)"]

    def test_codex_gets_the_words_of_the_contract(
        self, argv_of: Callable[..., list[str]], shell: Sequence[str], tmp_path: Path
    ) -> None:
        command = launch.codex_command("it's $(x)", home=tmp_path / "a home", own={})
        assert argv_of(command, shell, {}) == ["exec", *launch.CODEX_OPTIONS, "it's $(x)"]

    def test_a_prompt_that_looks_like_an_option_is_none(
        self, argv_of: Callable[..., list[str]], shell: Sequence[str], tmp_path: Path
    ) -> None:
        for command in (
            launch.claude_command("-p", DEFAULT),
            launch.codex_command("-p", home=tmp_path / "home", own={}),
        ):
            assert argv_of(command, shell, {})[-2:] == ["--", "-p"]


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
class TestInASession:
    def test_claude_is_told_which_one(
        self, argv_of: Callable[..., list[str]], shell: Sequence[str]
    ) -> None:
        assert argv_of(launch.claude_command("do it", DEFAULT), shell, IN_A_SESSION) == [
            "--dangerously-skip-permissions",
            *("--settings", "/state/it's here/settings.json"),
            *("--session-id", "6b70711a"),
            *("--name", "sa-shop"),
            "do it",
        ]

    def test_codex_tells_its_events_and_leaves_its_last_message(
        self, argv_of: Callable[..., list[str]], shell: Sequence[str], tmp_path: Path
    ) -> None:
        command = launch.codex_command("do it", home=tmp_path / "a home", own={})
        assert argv_of(command, shell, IN_A_SESSION) == [
            "exec",
            *launch.CODEX_OPTIONS,
            "--dangerously-bypass-hook-trust",
            *("-c", "shell_environment_policy.set.STORY_AUTOMATOR_EVENTS="),
            *("-c", "shell_environment_policy.set.STORY_AUTOMATOR_LAST_MESSAGE="),
            *("--json", "-o", "/state/it's here/last"),
            "do it",
        ]


@pytest.mark.parametrize(
    ("choice", "flags"),
    [
        pytest.param(DEFAULT, "--dangerously-skip-permissions", id="everything-by-default"),
        pytest.param(
            AgentSettings(Permissions.ACCEPT_EDITS),
            "--permission-mode acceptEdits",
            id="edits-only",
        ),
        pytest.param(
            ALLOWED,
            "--allowedTools 'Bash(npm test:*)' Edit --permission-mode dontAsk",
            id="a-list-that-ends-before-the-prompt",
        ),
    ],
)
def test_the_permission_mode_is_a_choice(choice: AgentSettings, flags: str) -> None:
    assert launch.claude_cli(choice) == f"claude {flags}"
    assert launch.claude_command("x", choice).startswith(f"unset CLAUDECODE && claude {flags} $")


@pytest.mark.parametrize("choice", [DEFAULT, AgentSettings(Permissions.ACCEPT_EDITS), ALLOWED])
def test_the_commands_are_recognised(choice: AgentSettings) -> None:
    claude = launch.claude_command("let codex exec and claude -p rest", choice)
    assert (agent_of(claude), mode_of(claude, "claude")) == ("claude", "tui")
    codex = launch.codex_command("ask claude", home=PurePosixPath("/s/claude"), own={})
    assert (agent_of(codex), mode_of(codex, "codex")) == ("codex", "print")


def test_codex_gets_a_private_home_with_the_users_own_files_linked() -> None:
    own = {"auth.json": PurePosixPath("/h/auth"), "config.toml": PurePosixPath("/h/my config")}
    command = launch.codex_command("do it", home=PurePosixPath("/s/my home"), own=own)
    assert command.startswith(
        "mkdir -p -m 700 '/s/my home' && "
        "if [ -f /h/auth ]; then ln -sf /h/auth '/s/my home/auth.json'; fi && "
        "if [ -f '/h/my config' ]; then ln -sf '/h/my config' '/s/my home/config.toml'; fi && "
        "CODEX_HOME='/s/my home' codex exec -s workspace-write -c 'approval_policy=\"never\"' "
        "-c 'model_reasoning_effort=\"high\"' --disable plugins --disable sqlite "
        "--disable shell_snapshot ${STORY_AUTOMATOR_LAST_MESSAGE:+"
    )
    assert command.endswith(" --json -o \"$STORY_AUTOMATOR_LAST_MESSAGE\"} 'do it'")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        pytest.param("mine --model x", "mine --model x", id="plain-words"),
        pytest.param("claude; touch x", "'claude;' touch x", id="a-second-command-is-a-word"),
        pytest.param("mine $(id) `id`", "mine '$(id)' '`id`'", id="so-is-a-substitution"),
        pytest.param("A='b c' B= mine", "A='b c' B='' mine", id="variables-stay-variables"),
        pytest.param("mine A=1 'b c'", "mine A=1 'b c'", id="arguments-stay-arguments"),
        pytest.param("~/bin/mine -x", "/home/me/bin/mine -x", id="the-users-own-folder"),
        pytest.param("codex exec -x", "codex exec -x", id="codex-without-our-home-has-no-hooks"),
        *(
            pytest.param(f"claude {own}", f"claude {own}", id=f"claude-with-its-own-{own}")
            for own in ("--settings=x", "--session-id 1", "-c", "--resume x", "--bare")
        ),
    ],
)
def test_a_command_of_the_users_own_is_read_as_words(told: str, words: str) -> None:
    command = launch.custom_command(told, "do it", home="/home/me")
    assert command == f"unset CLAUDECODE && {words} 'do it'"


@pytest.mark.parametrize("told", ["claude --model x", "A=1 /opt/claude -p", "~/bin/claude"])
def test_a_claude_of_the_users_own_is_told_of_its_session(told: str) -> None:
    command = launch.custom_command(told, "do it", home="/home/me")
    assert command.endswith(f" {launch.CLAUDE_SESSION} 'do it'")
    assert agent_of(command) == "claude"


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
    assert (launch.agent_cli(agent, DEFAULT), launch.skill_prefix(agent)) == (cli, prefix)


@pytest.mark.parametrize(
    ("told", "expected"),
    [("claude", "claude"), ("Codex", "codex"), ("weird", ""), ("", "")],
)
def test_only_agents_we_know_are_told(told: str, expected: str) -> None:
    assert launch.told_agent({"AI_AGENT": told}) == expected
