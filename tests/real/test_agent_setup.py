"""Before `agent setup` a real agent asks a person at its start; afterwards it works."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from story_automator.run.agent_home import KEY
from tests.real.agents import World, needs, outcome
from tests.sessions import run

DONE = ("completed", "normal_completion")
ONBOARDED = {"hasCompletedOnboarding": True}
APPROVED = {"customApiKeyResponses": {"approved": [KEY[-20:]]}}
REJECTED = {"customApiKeyResponses": {"rejected": [KEY[-20:]]}}
# Trust is inherited, so that of the root is trust in every project.
TRUSTED = {"projects": {"/": {"hasTrustDialogAccepted": True}}}
MINE = {"mine": {"kept": [1, "é"]}}


def settings(world: World) -> Path:
    return world.home.folder / ".claude.json"


def set_up(agent: str, project: Path) -> str:
    done = run("agent", "setup", agent, "--project", str(project), "--yes")
    assert done.returncode == 0, done.stderr
    assert KEY[-8:] not in done.stdout
    return done.stdout


def complaints() -> dict[str, str]:
    """What doctor would have a run of this project fail for."""
    found = json.loads(run("doctor", "--json").stdout)["findings"]
    return {row["check"]: row["message"] for row in found if row["status"] == "fail"}


@pytest.mark.parametrize(
    ("before", "asked", "check"),
    [
        pytest.param(
            {**ONBOARDED, **TRUSTED}, "custom API key", "claude login", id="about-the-key"
        ),
        pytest.param({**ONBOARDED, **APPROVED}, "trust", "claude trust", id="about-trust"),
    ],
)
class TestClaudeAsks:
    pytestmark = needs("claude")

    def test_until_it_is_set_up(
        self, agents_world: World, before: dict[str, Any], asked: str, check: str
    ) -> None:
        settings(agents_world).write_text(json.dumps({**MINE, **before}))
        assert check in complaints()
        session = agents_world.start("canary:turn")
        assert outcome(session.verdict()) == ("stuck", "startup_dialog")
        assert asked in session.screen
        run("tmux-wrapper", "kill", session.name)
        set_up("claude", agents_world.project)
        assert complaints() == {}
        assert outcome(agents_world.start("canary:turn").verdict()) == DONE
        assert json.loads(settings(agents_world).read_text())["mine"] == MINE["mine"]


class TestClaude:
    pytestmark = needs("claude")

    def test_starts_in_a_home_where_it_never_was(self, agents_world: World) -> None:
        settings(agents_world).unlink()
        set_up("claude", agents_world.project)
        assert outcome(agents_world.start("canary:turn").verdict()) == DONE

    def test_uses_a_key_that_was_rejected_once(self, agents_world: World) -> None:
        settings(agents_world).write_text(json.dumps(REJECTED))
        set_up("claude", agents_world.project)
        assert outcome(agents_world.start("canary:turn").verdict()) == DONE

    def test_looks_where_we_wrote_when_its_folder_is_elsewhere(
        self, agents_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings(agents_world).unlink()
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
        set_up("claude", agents_world.project)
        assert outcome(agents_world.start("canary:turn").verdict()) == DONE
        assert not settings(agents_world).exists()

    def test_keeps_what_was_written_while_it_ran(self, agents_world: World, tmp_path: Path) -> None:
        other = tmp_path / "other"
        other.mkdir()
        session = agents_world.start("canary:bash:3")
        session.event("PreToolUse")
        set_up("claude", other)
        assert outcome(session.verdict()) == DONE
        run("tmux-wrapper", "kill", session.name)
        assert json.loads(settings(agents_world).read_text())["projects"][str(other)]
        assert "nothing to do" in set_up("claude", other)


class TestCodex:
    pytestmark = needs("codex")

    def test_exec_asks_nothing_in_a_repository_that_it_does_not_trust(
        self, agents_world: World
    ) -> None:
        config = agents_world.home.codex / "config.toml"
        config.write_text(config.read_text().partition("[projects.")[0])
        assert outcome(agents_world.start("canary:turn", "codex").verdict()) == DONE

    def test_exec_starts_in_no_other_folder(self, agents_world: World) -> None:
        shutil.rmtree(agents_world.project / ".git")
        session = agents_world.start("canary:turn", "codex")
        assert session.ended()["code"] == 1
        assert session.verdict()["final_state"] == "crashed"
