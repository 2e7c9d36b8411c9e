"""Which dialect reads a screen, which agent a command starts, and the smaller dialects."""

import pytest

from story_automator.agents.dialects import agent_of, mode_of, read_screen
from story_automator.agents.look import State
from story_automator.model.screen import Shape
from tests.agents.conftest import Draw

STAGE = "python -m story_automator.rehearse"


@pytest.mark.parametrize(
    ("command", "agent", "mode"),
    [
        ("claude 'do it'", "claude", "tui"),
        ("unset CLAUDECODE && FOO=1 claude --x 'y'", "claude", "tui"),
        ("unset CLAUDECODE && claude --dangerously-skip-permissions 'a -p b'", "claude", "tui"),
        ("IS_SANDBOX=1 /opt/bin/claude --print 'y'", "claude", "print"),
        ("claude -p 'y' | tee log", "claude", "print"),
        ("mkdir -p out && claude 'y'", "claude", "tui"),
        ("bash -lc 'cd x && exec claude -p hi'", "claude", "print"),
        ("env -u CLAUDECODE nice -n 5 claude 'y'", "claude", "tui"),
        ("cd proj\nclaude 'y'", "claude", "tui"),
        ("if true; then claude 'y'; fi", "claude", "tui"),
        ("claude 'never closed", "claude", "tui"),
        ("codex exec --json 'use claude -p'", "codex", "print"),
        ("CODEX_HOME=/x codex -m gpt-5 exec 'y'", "codex", "print"),
        ("codex 'y'", "codex", "tui"),
        ("gemini -p 'y'", "gemini", "print"),
        ("gemini -i 'y'", "gemini", "tui"),
        ("opencode run 'y'", "opencode", "print"),
        ("opencode", "opencode", "tui"),
        (f"{STAGE} --scenario plain -- 'y'", "scripted", "tui"),
        ("/venv/bin/python3.11 -m story_automator.rehearse -- y", "scripted", "tui"),
        ("python -m http.server", "command", "command"),
        ("sleep 8; echo claude", "command", "command"),
        ("./claude.sh", "command", "command"),
        ("echo 'run claude now'", "command", "command"),
        ("", "command", "command"),
    ],
)
def test_a_command_names_its_agent_and_its_mode(command: str, agent: str, mode: str) -> None:
    assert agent_of(command) == agent
    assert mode_of(command, agent) == mode


def test_a_wrapper_script_takes_its_mode_from_the_agent_it_is_said_to_be() -> None:
    assert mode_of("./my-claude 'y'", "claude") == "tui"
    assert mode_of("./my-claude -p 'y'", "claude") == "print"


@pytest.mark.parametrize("agent", ["claude", "Claude", "scripted"])
def test_claude_and_the_scripted_agent_speak_alike(agent: str, draw: Draw) -> None:
    screen = draw("❯ go", "", "● Done.", "", "✻ Baked for 2s")
    assert read_screen(agent, screen).shape is Shape.DONE


class TestAnyOtherProgram:
    def test_is_never_called_done(self, draw: Draw) -> None:
        screen = draw("❯ go", "", "● Done.", "", "✻ Baked for 2s")
        reading = read_screen("command", screen)
        assert (reading.shape, reading.clock) == (Shape.UNCLEAR, "07:46:52")

    def test_may_not_have_drawn_anything(self) -> None:
        assert read_screen("command", ["", ""]).shape is Shape.STARTING

    def test_may_be_gone(self) -> None:
        assert read_screen("make", ["ok", "dev@host:~$ "]).shape is Shape.SHELL


class TestGemini:
    COMPOSER = ("─" * 40, " YOLO Ctrl+Y", "", " *   Type your message or @path/to/file")

    def screen(self, *above: str) -> list[str]:
        return [" > Do it", "", *above, "", "⚠  Warning: no true color", "", *self.COMPOSER]

    def test_works_while_its_title_says_so(self) -> None:
        assert read_screen("gemini", self.screen("✦ Hi"), "✦  Working… (x)").shape is Shape.WORKING

    def test_is_done_when_its_title_says_ready_below_a_reply(self) -> None:
        assert read_screen("gemini", self.screen("✦ Hi"), "◇  Ready (x)").shape is Shape.DONE

    def test_is_not_done_by_its_screen_alone(self) -> None:
        assert read_screen("gemini", self.screen("✦ Hi")).shape is Shape.PROMPT

    def test_is_not_done_before_it_replied(self) -> None:
        assert read_screen("gemini", self.screen(), "◇  Ready (x)").shape is Shape.PROMPT
        assert read_screen("gemini", list(self.COMPOSER)).state is State.IDLE_NOPROMPT

    def test_may_be_gone(self) -> None:
        assert read_screen("gemini", ["bye", "dev@host:~$"]).shape is Shape.SHELL


class TestOpencode:
    def screen(
        self, *above: str, typed: str = "", last: str = "  /proj   ctrl+p commands"
    ) -> list[str]:
        bar = ["  ┃", f"  ┃  {typed}".rstrip(), "  ┃", "  ┃  Build · Some Model"]
        return ["  ┃  Do it", "", *above, "", *bar, f"  ╹{'▀' * 30}", last]

    def test_is_done_when_the_turn_is_closed_with_its_duration(self) -> None:
        screen = self.screen("     Hi", "", "     ▣  Build · Some Model · 1m 3.2s")
        assert read_screen("opencode", screen).shape is Shape.DONE

    def test_is_not_done_while_text_is_typed(self) -> None:
        screen = self.screen("     ▣  Build · Some Model · 3.2s", typed="and then")
        assert read_screen("opencode", screen).shape is Shape.UNCLEAR

    def test_works_while_it_can_be_interrupted(self) -> None:
        screen = self.screen("     ▣  Build · Some Model · 3.2s", last="   ■■⬝⬝  esc interrupt")
        assert read_screen("opencode", screen).shape is Shape.WORKING

    def test_may_be_gone(self) -> None:
        assert read_screen("opencode", ["bye", "dev@host:~$"]).shape is Shape.SHELL
