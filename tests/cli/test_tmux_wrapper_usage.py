"""tmux-wrapper: what it says about itself, and which words it refuses."""

from pathlib import Path

import pytest

from story_automator.cli.tmux_wrapper import ACTIONS, FORMS

from .conftest import Ask


def test_every_action_is_told_and_answers_a_call_for_help(ask: Ask) -> None:
    assert FORMS.keys() == ACTIONS.keys()
    usage = ask("tmux-wrapper", "--help")
    assert (usage.code, usage.err) == (0, "")
    assert usage.out.startswith("Usage: tmux-wrapper <action> [args...]\n")
    assert all(f"\n  {action}" in usage.out for action in ACTIONS)
    assert "--command" in usage.out
    assert all(ask("tmux-wrapper", action, "--help") == usage for action in ACTIONS)


def test_an_unknown_action_shows_the_usage(ask: Ask) -> None:
    for argv in ([], ["nope"]):
        answer = ask("tmux-wrapper", *argv)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith("Usage: tmux-wrapper <action> [args...]\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(["--agent", ""], "--agent", id="an-agent-without-a-name"),
        pytest.param(["--state-file", ""], "--state-file", id="a-state-file-without-a-name"),
        pytest.param(["--state-file", "gone.md"], "gone.md", id="a-state-file-that-is-not-there"),
        pytest.param(["--agent", "nobody"], "unknown agent: nobody", id="an-agent-nobody-knows"),
        pytest.param(["--bogus"], "--bogus", id="an-unknown-flag"),
    ],
)
def test_build_cmd_refuses(ask: Ask, project: Path, words: list[str], complaint: str) -> None:
    skill = project / ".claude" / "skills" / "bmad-dev-story" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("# dev\n")
    assert ask("tmux-wrapper", "build-cmd", "dev", "5.3").code == 0
    answer = ask("tmux-wrapper", "build-cmd", "dev", "5.3", *words)
    assert (answer.code, answer.out) == (1, "")
    assert complaint in answer.err
