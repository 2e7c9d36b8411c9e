"""`doctor`, in a world with agents that only know their version."""

import json
import subprocess
from pathlib import Path

import pytest

from story_automator.run.canary import Canary, remember
from story_automator.run.canary_stage import Tried
from tests.conftest import Run

KEY = "sk-ant-nobodys-key-0123456789abcdef"
SECRET = "nobodys-secret-token"


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of PATH, with a claude and a codex."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, said in (("claude", "2.1.197 (Claude Code)"), ("codex", "codex-cli 0.169.0")):
        (folder / name).write_text(f"#!/bin/sh\n[ $1 = --version ] && echo '{said}'\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


@pytest.fixture
def repository(project: Path) -> Path:
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)
    return project


def examined(cli: Run) -> tuple[int, dict[str, dict[str, str]]]:
    done = cli("doctor", "--json")
    assert done.stdout.count("\n") == 1, done.stderr
    answer = json.loads(done.stdout)
    assert list(answer) == ["ok", "findings"]
    assert answer["ok"] is (done.returncode == 0)
    for finding in answer["findings"]:
        assert list(finding) == ["check", "status", "message", "remedy"]
    return done.returncode, {finding["check"]: finding for finding in answer["findings"]}


def log_in(home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / ".credentials.json").write_text(SECRET)


@pytest.mark.usefixtures("agents")
def test_the_way_from_a_new_home_to_a_good_one(
    cli: Run, repository: Path, private_world: Path
) -> None:
    code, said = examined(cli)
    assert code == 1
    failing = {check for check, finding in said.items() if finding["status"] == "fail"}
    assert failing == {"claude onboarding", "claude trust", "claude login"}
    remedy = said["claude trust"]["remedy"]
    assert remedy == f"story-automator agent setup claude --project {repository}"
    assert cli(*remedy.split()[1:], "--yes").returncode == 0
    log_in(private_world)
    code, said = examined(cli)
    assert code == 0, said
    assert said["claude"]["message"] == "claude 2.1.197"
    assert said["codex"]["message"] == "codex 0.169.0"
    assert said["codex login"]["status"] == "warn"
    assert "no canary has tried it" in said["claude canary"]["message"]


@pytest.mark.usefixtures("agents", "repository")
@pytest.mark.parametrize(
    ("ended", "signals", "words"),
    [
        pytest.param(
            *(True, {"title": True}),
            "the canary went well with claude 2.1.197",
            id="all-is-well",
        ),
        pytest.param(
            *(True, {"title": False}),
            "claude 2.1.197 gives no title; the canary went well without",
            id="a-signal-is-lost",
        ),
        pytest.param(
            *(True, {"Stop": False}),
            "the canary does not trust claude 2.1.197: Stop did not arrive",
            id="a-primary-signal-is-lost",
        ),
        pytest.param(
            *(False, {}),
            "the canary does not trust claude 2.1.197: a trial ended otherwise than it should",
            id="a-verdict-is-wrong",
        ),
    ],
)
def test_a_canary_of_this_version_is_remembered(
    cli: Run, ended: bool, signals: dict[str, bool], words: str
) -> None:
    trial = Tried("turn", ended, "completed", "completed", "", signals, 1.0)
    remember(Canary("claude", "2.1.197", [trial]))
    _, said = examined(cli)
    assert said["claude canary"]["message"] == words


@pytest.mark.usefixtures("agents", "repository")
def test_a_new_key_has_to_be_approved_and_is_never_printed(
    cli: Run, private_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(private_world)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    _, said = examined(cli)
    assert said["claude login"]["status"] == "fail"
    cli("agent", "setup", "claude", "--yes")
    code, said = examined(cli)
    assert code == 0
    assert said["claude login"]["message"] == "claude uses ANTHROPIC_API_KEY"
    printed = json.dumps(said) + cli("doctor").stdout
    assert KEY[-5:] not in printed
    assert SECRET not in printed


@pytest.mark.parametrize(
    ("variable", "file", "content"),
    [
        pytest.param("CLAUDE_CODE_OAUTH_TOKEN", "", "", id="a-token"),
        pytest.param("ANTHROPIC_AUTH_TOKEN", "", "", id="a-gateway"),
        pytest.param("CLAUDE_CODE_USE_BEDROCK", "", "", id="another-service"),
        pytest.param("", ".claude/.credentials.json", SECRET, id="a-login"),
        pytest.param("", ".claude.json", '{"oauthAccount": {"a": "b"}}', id="an-account"),
        pytest.param("", ".claude/settings.json", '{"apiKeyHelper": "x"}', id="a-key-helper"),
    ],
)
@pytest.mark.usefixtures("agents", "repository")
def test_what_counts_as_a_login_of_claude(
    cli: Run,
    private_world: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    file: str,
    content: str,
) -> None:
    if variable:
        monkeypatch.setenv(variable, SECRET)
    if file:
        (private_world / ".claude").mkdir()
        (private_world / file).write_text(content)
    _, said = examined(cli)
    assert said["claude login"]["status"] == "ok"
    assert SECRET not in json.dumps(said)


@pytest.mark.usefixtures("agents", "repository")
def test_the_agent_in_use_is_the_one_that_may_fail(
    cli: Run, private_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AI_AGENT", "codex")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    code, said = examined(cli)
    assert code == 1
    failing = {check for check, finding in said.items() if finding["status"] == "fail"}
    assert failing == {"codex login"}, "codex does not look at OPENAI_API_KEY by itself"
    (private_world / ".codex").mkdir()
    (private_world / ".codex" / "auth.json").write_text(SECRET)
    assert examined(cli)[0] == 0


@pytest.mark.usefixtures("agents")
def test_codex_trusts_by_repository(cli: Run, repository: Path, private_world: Path) -> None:
    below = repository / "service" / ".codex"
    below.mkdir(parents=True)
    (below / "hooks.json").write_text("{}")
    inside = {"cwd": below.parent}
    said = cli("doctor", **inside).stdout
    assert f"codex does not trust {below.parent}" in said
    (private_world / ".codex").mkdir()
    (private_world / ".codex" / "config.toml").write_text(
        f'[projects."{repository}"]\ntrust_level = "trusted"\n'
    )
    assert f"codex trusts {below.parent}" in cli("doctor", **inside).stdout


@pytest.mark.usefixtures("agents", "repository")
def test_files_nobody_can_read_are_findings(cli: Run, private_world: Path) -> None:
    (private_world / ".claude.json").write_text('{"projects": []}')
    (private_world / ".codex").mkdir()
    (private_world / ".codex" / "config.toml").write_text("=")
    ours = private_world / ".config" / "story-automator" / "config.toml"
    ours.parent.mkdir(parents=True)
    ours.write_text("policy = 1")
    code, said = examined(cli)
    assert code == 1
    assert said["claude settings"]["status"] == "fail"
    assert said["codex trust"]["status"] == "warn"
    assert said["config"]["status"] == "fail"


@pytest.mark.usefixtures("agents", "repository")
def test_people_get_a_line_per_finding_and_the_remedy_below(cli: Run) -> None:
    done = cli("doctor")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    marks = [line[0] for line in lines if line[:1] in "✗!✓" and line]
    assert marks == sorted(marks, key="✗!✓".index)
    trust = next(number for number, line in enumerate(lines) if line.startswith("✗ claude trust"))
    assert lines[trust + 1].strip().startswith("→ story-automator agent setup claude")
    assert lines[-1] == "A run would fail; see ✗ above."


def test_without_anything_it_still_answers(
    cli: Run, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert project.is_dir()
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = examined(cli)
    assert code == 1
    for check in ("tmux", "git", "claude"):
        assert said[check]["status"] == "fail"
    assert said["codex"]["status"] == "ok"
