"""`agent setup`, as a person and as a script calls it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

KEY = "sk-ant-nobodys-key-0123456789abcdef"


@pytest.fixture
def file(private_world: Path) -> Path:
    return private_world / ".claude.json"


def on_a_terminal(answer: str, *argv: str) -> tuple[int, str]:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "story_automator", *argv],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.write(ours, answer.encode())
    out, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    return process.returncode, out


def test_without_a_terminal_it_only_shows_and_names_the_next_step(
    cli: Run, project: Path, file: Path
) -> None:
    done = cli("agent", "setup", "claude", "--project", str(project), stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert "hasCompletedOnboarding" in done.stdout
    assert f'projects["{project}"].hasTrustDialogAccepted' in done.stdout
    assert "customApiKeyResponses" not in done.stdout
    assert f"agent setup claude --project {project} --yes" in done.stderr
    assert not file.exists()


def test_yes_writes_exactly_that_and_a_second_time_there_is_nothing_to_do(
    cli: Run, project: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    done = cli("agent", "setup", "claude", "--yes")
    assert done.returncode == 0, done.stderr
    assert KEY[-6:] not in done.stdout + done.stderr
    assert "the end of ANTHROPIC_API_KEY" in done.stdout
    written = file.read_bytes()
    assert json.loads(written) == {
        "hasCompletedOnboarding": True,
        "projects": {str(project): {"hasTrustDialogAccepted": True}},
        "customApiKeyResponses": {"approved": [KEY[-20:]]},
    }
    again = cli("agent", "setup", "claude", stdin=subprocess.DEVNULL)
    assert again.returncode == 0
    assert again.stdout.startswith("nothing to do")
    assert file.read_bytes() == written


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        pytest.param("y\n", 0, id="yes-writes"),
        pytest.param("\n", 1, id="enter-is-no"),
        pytest.param("n\n", 1, id="no-is-no"),
        pytest.param("\x04", 1, id="end-of-input-is-no"),
    ],
)
@pytest.mark.usefixtures("project")
def test_on_a_terminal_it_asks(file: Path, answer: str, code: int) -> None:
    returned, said = on_a_terminal(answer, "agent", "setup", "claude")
    assert returned == code, said
    assert "[y/N]" in said
    assert file.exists() is (code == 0)


@pytest.mark.usefixtures("project")
def test_a_key_for_another_service_is_not_asked_about(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("CLAUDE_CODE_USE_BEDROCK", "1")
    assert "ANTHROPIC_API_KEY" not in cli("agent", "setup", "claude", "--yes").stdout


@pytest.mark.usefixtures("project")
def test_an_unknown_shape_is_one_sentence_and_stays(cli: Run, file: Path) -> None:
    file.write_text('{"projects": []}')
    done = cli("agent", "setup", "claude", "--yes")
    assert done.returncode == 1
    assert "stays as it is: projects is not a JSON object" in done.stderr
    assert file.read_text() == '{"projects": []}'


def test_codex_exec_needs_nothing_and_that_is_said(
    cli: Run, project: Path, private_world: Path
) -> None:
    config = private_world / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text('model = "o" # mine\n')
    done = cli("agent", "setup", "codex", "--yes")
    assert done.returncode == 0, done.stderr
    assert "asks nothing and needs no trust" in done.stdout
    assert config.read_text() == (
        f'model = "o" # mine\n\n[projects."{project}"]\ntrust_level = "trusted"\n'
    )
    again = cli("agent", "setup", "codex", stdin=subprocess.DEVNULL)
    assert again.returncode == 0
    assert "nothing to do" in again.stdout


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param((), id="nothing"),
        pytest.param(("setup",), id="no-agent"),
        pytest.param(("setup", "gpt"), id="an-unknown-agent"),
        pytest.param(("build", "claude"), id="an-unknown-action"),
        pytest.param(("setup", "claude", "--project", "/nowhere/at/all"), id="no-such-project"),
        pytest.param(("setup", "claude", "--force"), id="an-unknown-flag"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(cli: Run, argv: tuple[str, ...]) -> None:
    done = cli("agent", *argv)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_project_that_json_cannot_name_is_refused(cli: Run, tmp_path: Path, agent: str) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    done = cli("agent", "setup", agent, "--project", os.fsdecode(folder), "--yes")
    assert done.returncode == 1
    assert "not UTF-8" in done.stderr
