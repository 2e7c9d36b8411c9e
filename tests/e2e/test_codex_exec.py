"""How a run of `codex exec --json` is judged: by what it printed and how it exited, together."""

import os
from pathlib import Path

import pytest

from tests.sessions import sessions, spawn, verdict

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")

DONE = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
FAILED = '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}'
LONG = '{"type":"item.completed","item":{"type":"command_execution","output":"%s"}}' % (
    "x" * 3_000_000
)


@pytest.mark.parametrize(
    ("printed", "code", "state", "reason"),
    [
        pytest.param(DONE, 0, "completed", "normal_completion", id="done-and-well"),
        pytest.param(FAILED, 0, "incomplete", "auth_error", id="failed-though-it-exits-with-0"),
        pytest.param(DONE, 1, "crashed", "exit_code_1", id="done-though-it-exits-with-1"),
        pytest.param(f"{DONE}\n{FAILED}", 1, "incomplete", "auth_error", id="the-last-turn-counts"),
        pytest.param(f"\033[0m{FAILED}", 0, "incomplete", "auth_error", id="after-a-colour"),
        pytest.param(f"a warning\n{LONG}\n{FAILED}", 0, "incomplete", "auth_error", id="long-line"),
        pytest.param(f"quoted: {FAILED}\n{DONE}", 0, "completed", "", id="words-about-a-failure"),
    ],
)
def test_codex(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    printed: str,
    code: int,
    state: str,
    reason: str,
) -> None:
    (tmp_path / "printed").write_text(f'{{"type":"turn.started"}}\n{printed}\n')
    program = tmp_path / "codex"
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/printed\nexit {code}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    answer = verdict(spawn("codex exec --json Go", step="auto"), "--workflow", "auto")
    assert answer["final_state"] == state
    assert answer["exit_reason"].startswith(reason)
