"""The family's door."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from story_automator.cli.orchestrator_helper import ACTIONS

from .conftest import Ask

Run = Callable[..., CompletedProcess[str]]


def test_help_is_an_answer(helper: Ask) -> None:
    for flag in ("-h", "--help"):
        code, out, err = helper(flag)
        assert (code, err) == (0, "")
        assert out.startswith("Usage: orchestrator-helper <action> [args]\n\nActions:\n")
        assert [line.split()[0] for line in out.splitlines()[3:]] == list(ACTIONS)


@pytest.mark.parametrize("argv", [(), ("nope",), ("parse-outputs", "x")], ids=lambda a: " ".join(a))
def test_anything_unknown_is_answered_with_the_usage(argv: tuple[str, ...], helper: Ask) -> None:
    code, out, err = helper(*argv)
    assert (code, out) == (1, "")
    assert err.startswith("Usage: orchestrator-helper <action> [args]\n")


@pytest.mark.parametrize("module", sorted({module for module, _ in ACTIONS.values()}))
def test_every_action_has_its_module(module: str) -> None:
    assert importlib.util.find_spec(f"story_automator.cli.{module}") is not None


@pytest.mark.parametrize("action", ["sprint-status", "normalize-key", "story-file-status"])
def test_every_action_explains_itself(action: str, helper: Ask) -> None:
    code, out, err = helper(action, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: orchestrator-helper {action} ")


def test_a_real_process_answers_on_stdout_and_by_its_exit_code(project: Path, cli: Run) -> None:
    found = cli("orchestrator-helper", "normalize-key", "1.1", cwd=project)
    assert found.stdout == '{"ok":true,"id":"1.1","prefix":"1-1","key":"1-1"}\n'
    assert (found.returncode, found.stderr) == (0, "")
    refused = cli("orchestrator-helper", "normalize-key", "foo", cwd=project)
    assert (refused.returncode, refused.stderr) == (1, "")
    mistaken = cli("orchestrator-helper", "normalize-key", "1.1", "--bogus", cwd=project)
    assert (mistaken.returncode, mistaken.stdout) == (1, "")
    assert "unrecognized arguments: --bogus" in mistaken.stderr


@pytest.mark.parametrize(
    "argv",
    [
        ("orchestrator-helper", "normalize-key", "1.1", "--to", "id"),
        ("orchestrator-helper", "normalize-key", "1.1"),
        ("orchestrator-helper", "sprint-status", "get", "1.1"),
        ("orchestrator-helper", "sprint-status", "exists"),
        ("orchestrator-helper", "verify-step", "create", "1.1"),
        ("validate-story-creation", "count", "1.1"),
    ],
    ids=" ".join,
)
def test_without_yaml_to_read_no_yaml_library_is_loaded(
    argv: tuple[str, ...], project: Path, cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project / "_bmad-output" / "implementation-artifacts"
    (folder / "1-1-a.md").write_text("Status: done\n")
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    done = cli(*argv, cwd=project)
    assert done.returncode == 0
    assert "story_automator.cli" in done.stderr
    assert "ruamel" not in done.stderr
