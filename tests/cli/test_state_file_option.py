"""--state-file: a relative one lies in the project, wherever the caller stands."""

from pathlib import Path

import pytest

from .conftest import Ask


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(("orchestrator-helper", "verify-step", "dev", "5.3"), id="verify-step"),
        pytest.param(("orchestrator-helper", "escalate", "nope", ""), id="escalate"),
        pytest.param(("validate-story-creation", "check", "5.3"), id="check"),
        pytest.param(("monitor-session", "nobody"), id="monitor-session"),
        pytest.param(("tmux-wrapper", "build-cmd", "auto", "5.3"), id="build-cmd"),
    ],
)
def test_it_is_found_in_the_project(
    ask: Ask, project: Path, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    (project / "state.md").write_text("---\nepic: 5\n---\n")
    (project / "elsewhere").mkdir()
    (project / "elsewhere" / "other.md").write_text("---\nepic: 5\n---\n")
    monkeypatch.setenv("PROJECT_ROOT", str(project))
    monkeypatch.chdir(project / "elsewhere")
    there = ask(*argv, "--state-file", "state.md")
    assert "state" not in there.out + there.err
    gone = ask(*argv, "--state-file", "other.md")
    assert "other.md" in gone.out + gone.err
