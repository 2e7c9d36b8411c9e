"""Real agents started with our commands: what they may do, whom they tell, and in whose name."""

import os
import shlex
from pathlib import Path

import pytest

from tests.real.agents import Session, World, needs
from tests.sessions import tmux, wait_until

AGENTS = [pytest.param(agent, marks=needs(agent), id=agent) for agent in ("claude", "codex")]
claude, codex = (needs(agent) for agent in ("claude", "codex"))
SONG = "The canary sang."


def permit(world: World, *lines: str) -> None:
    world.configure()
    path = world.home.folder / ".config" / "story-automator" / "config.toml"
    table = "\n".join(("[agents]", *lines))
    path.write_text(
        path.read_text().replace('permissions = "bypass"\n', "").replace("[agents]", table)
    )


def over(session: Session) -> list[str]:
    session.event("Stop")
    return session.events


class TestPermissions:
    pytestmark = claude

    def test_what_is_on_the_list_is_done_unasked(self, agents_world: World) -> None:
        permit(agents_world, 'permissions = "allowlist"', 'allow = ["Bash(touch:*)", "Write"]')
        assert "PermissionRequest" not in over(agents_world.start("canary:permission"))
        assert (agents_world.project / "canary-permission.txt").exists()
        assert "PermissionRequest" not in over(agents_world.start("canary:write"))
        assert (agents_world.project / "hello.txt").exists()

    @pytest.mark.parametrize("trial", ["permission", "ask"])
    def test_what_is_not_is_refused_and_nobody_is_asked(
        self, agents_world: World, trial: str
    ) -> None:
        permit(agents_world, 'permissions = "allowlist"', 'allow = ["Bash(npm test:*)"]')
        events = over(agents_world.start(f"canary:{trial}"))
        assert "PreToolUse" in events
        assert not {"PermissionRequest", "PostToolUse"} & set(events)
        assert not (agents_world.project / "canary-permission.txt").exists()

    def test_accepted_edits_are_made_unasked(self, agents_world: World) -> None:
        agents_world.configure(permissions="acceptEdits")
        assert "PermissionRequest" not in over(agents_world.start("canary:write"))
        assert (agents_world.project / "hello.txt").exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_the_command_works_in_a_plain_shell(
    agents_world: World, agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There nobody but the user answers what Claude asks about bypass.
    agents_world.user_settings({"skipDangerousModePermissionPrompt": True})
    monkeypatch.setenv("IS_SANDBOX", "1")
    script, shown = tmp_path / "pasted.sh", tmp_path / "shown"
    script.write_text(agents_world.command("canary:turn", agent))
    shell = shlex.join(("dash", "-u", str(script)))
    tmux("new-session", "-d", "-s", "plain", "-x", "150", "-c", str(agents_world.project), shell)
    tmux("pipe-pane", "-t", "plain", f"cat >{shlex.quote(str(shown))}")
    agents_world.asked("turn")

    def sung() -> bool:
        # A TUI may draw its words in pieces; what only prints leaves nothing on a screen.
        screen = tmux("capture-pane", "-p", "-t", "plain")
        return SONG in screen or SONG in shown.read_text(errors="replace")

    wait_until(sung)


class TestCodex:
    pytestmark = codex

    def test_every_event_is_told_and_the_log_is_json_lines(self, agents_world: World) -> None:
        session = agents_world.start("canary:bash:1", "codex")
        assert session.ended()["code"] == 0
        for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
            session.event(event)
        assert (session.folder / "agent" / "last-message.txt").read_text() == "The command has run."
        assert '{"type":"turn.completed"' in (session.folder / "output.log").read_text()

    def test_what_its_commands_start_cannot_speak_in_its_name(self, agents_world: World) -> None:
        session = agents_world.start("canary:bash:5", "codex")
        session.event("PreToolUse")
        inherited = wait_until(lambda: environment_of("time.sleep", agents_world.project))
        assert inherited["STORY_AUTOMATOR_SESSION"] == session.name
        assert (
            inherited["STORY_AUTOMATOR_EVENTS"] == inherited["STORY_AUTOMATOR_LAST_MESSAGE"] == ""
        )

    def test_the_users_files_are_read_and_never_written(self, agents_world: World) -> None:
        own = agents_world.home.folder / ".codex"
        before = {path.name: path.read_bytes() for path in own.iterdir() if path.is_file()}
        session = agents_world.start("canary:turn", "codex")
        assert session.ended()["code"] == 0
        assert {path.name: path.read_bytes() for path in own.iterdir() if path.is_file()} == before

    def test_hooks_of_a_project_that_is_not_trusted_stay_off(self, agents_world: World) -> None:
        config = agents_world.home.folder / ".codex" / "config.toml"
        config.write_text(config.read_text().replace('trust_level = "trusted"', ""))
        hooks = agents_world.project / ".codex" / "hooks.json"
        hooks.parent.mkdir()
        command = '{"type": "command", "command": "touch hooked"}'
        hooks.write_text(f'{{"hooks": {{"Stop": [{{"hooks": [{command}]}}]}}}}')
        session = agents_world.start("canary:turn", "codex")
        assert session.ended()["code"] == 0
        assert "Stop" in session.events
        assert not (agents_world.project / "hooked").exists()


def environment_of(words: str, folder: Path) -> dict[str, str]:
    """The variables of a python that runs these words in a folder; empty if there is none."""
    for entry in Path("/proc").iterdir():
        try:
            program, *arguments = (entry / "cmdline").read_bytes().decode().split("\0")
            runs = "python" in program and any(words in each for each in arguments)
            if runs and os.readlink(entry / "cwd") == str(folder):
                pairs = (entry / "environ").read_bytes().decode().split("\0")
                return dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        except OSError:
            continue  # Not a process, not ours, or gone.
    return {}
