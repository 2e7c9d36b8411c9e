"""The loop that orchestrating scripts are written with: five calls in bash, jq between them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sessions import is_running, run, sessions, tmux

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")

LOOP = r"""
session_name=$("$scripts" tmux-wrapper spawn create 5 5.3 \
  --command "$("$scripts" tmux-wrapper build-cmd create 5.3)")

result=$("$scripts" monitor-session "$session_name" --verbose --json)

output_file=$(echo "$result" | jq -r '.output_file')
parsed=$("$scripts" orchestrator-helper parse-output "$output_file" create)

next_action=$(echo "$parsed" | jq -r '.next_action')

"$scripts" tmux-wrapper kill "$session_name"
"""
REPORT = r"""
killed=$?
jq -cn --arg session "$session_name" --argjson result "$result" --arg output "$output_file" \
  --arg next "$next_action" --arg killed "$killed" '$ARGS.named'
"""
STOP = """
event="$STORY_AUTOMATOR_EVENTS/.stop.$$"
echo '{"hook_event_name":"Stop"}' >"$event"
mv "$event" "$STORY_AUTOMATOR_EVENTS/1-Stop.json"
"""


def program(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH, with our tool as a user has it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("scripts", "story-automator")
    program(folder, "story-automator", f'exec {sys.executable} -m story_automator "$@"')
    return folder


@pytest.mark.parametrize(
    ("ending", "final_state"),
    [
        pytest.param(STOP, "completed", id="an-agent-that-tells-its-turn-is-over"),
        pytest.param("", "completed", id="an-agent-that-prints-and-exits"),
        pytest.param("exit 3", "crashed", id="an-agent-that-fails"),
    ],
)
def test_the_loop_reaches_its_end_and_leaves_nothing(
    project: Path, programs: Path, tmp_path: Path, ending: str, final_state: str
) -> None:
    skill = project / ".claude" / "skills" / "bmad-create-story" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("# create\n")
    words = 'printf "%s\\n" "$@" >"$HOME/told"; echo $$ >"$HOME/pid"; echo "the story is written"'
    program(programs, "claude", f"{words}\n{ending}")

    done = subprocess.run(
        ["bash", "-c", LOOP + REPORT], capture_output=True, text=True, timeout=90, check=False
    )

    assert "Traceback" not in done.stderr
    told = json.loads(done.stdout)
    assert told["session"].startswith("sa-shopapi-")
    assert told["session"].endswith("-e5-s5-3-create")
    assert told["result"]["final_state"] == final_state
    assert list(told["result"])[:5] == [
        *("final_state", "todos_done", "todos_total", "output_file", "exit_reason"),
    ]
    assert Path(told["output"]).read_text() == "the story is written\n"
    assert f"{told['session']}: {final_state}: " in done.stderr, "--verbose talks on stderr"
    home = Path(os.environ["HOME"])
    flag, prompt = (home / "told").read_text().split("\n", 1)
    assert flag == "--dangerously-skip-permissions"
    assert ".claude/skills/bmad-create-story/SKILL.md" in prompt
    assert told["killed"] == "0"
    assert run("tmux-wrapper", "list").stdout == "\n"
    assert tmux("list-sessions") == ""
    assert not is_running(int((home / "pid").read_text()))
