"""The loop that orchestrating scripts are written with: five calls in bash, jq between them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fake_claude import failed, result
from tests.parser_http import GOOD, LoopbackApi, says
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
PLACE = "_bmad-output/implementation-artifacts/5-3-pay.md"
WRITTEN = f"""\
● Write({PLACE})
  ⎿  Wrote 17 lines to {PLACE}

● Story 5.3 is written to {PLACE} and ready for development.
"""
NOT_LOGGED_IN = failed("Not logged in · Please run /login")
RETRY = {
    **GOOD,
    "status": "FAILURE",
    "next_action": "retry",
    "story_created": False,
    "story_file": None,
}
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


@pytest.fixture
def skill(project: Path) -> None:
    skill = project / ".claude" / "skills" / "bmad-create-story" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("# create\n")


def claude(programs: Path, *, ending: str = "", reply: object = NOT_LOGGED_IN) -> None:
    """An agent that writes a story; asked with -p, it is the model that reads what agents wrote."""
    (programs / "written.txt").write_text(WRITTEN)
    (programs / "reply.json").write_text(json.dumps(reply))
    code = int(reply is NOT_LOGGED_IN)
    program(
        programs,
        "claude",
        f"""if [ "$1" = -p ]; then cat >"$HOME/read"; cat {programs}/reply.json; exit {code}; fi
printf "%s\\n" "$@" >"$HOME/told"; echo $$ >"$HOME/pid"; cat {programs}/written.txt
{ending}""",
    )


def loop() -> tuple[dict[str, Any], str]:
    """What came out at the end of the loop, and what was said meanwhile."""
    done = subprocess.run(
        ["bash", "-c", LOOP + REPORT], capture_output=True, text=True, timeout=90, check=False
    )
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.usefixtures("skill")
@pytest.mark.parametrize(
    ("ending", "final_state"),
    [
        pytest.param(STOP, "completed", id="an-agent-that-tells-its-turn-is-over"),
        pytest.param("", "completed", id="an-agent-that-prints-and-exits"),
        pytest.param("exit 3", "crashed", id="an-agent-that-fails"),
    ],
)
def test_the_loop_reaches_its_end_and_leaves_nothing(
    programs: Path, ending: str, final_state: str
) -> None:
    claude(programs, ending=ending)

    told, talk = loop()

    assert told["session"].startswith("sa-shopapi-")
    assert told["session"].endswith("-e5-s5-3-create")
    assert told["result"]["final_state"] == final_state
    assert list(told["result"])[:5] == [
        *("final_state", "todos_done", "todos_total", "output_file", "exit_reason"),
    ]
    assert Path(told["output"]).read_text() == WRITTEN
    assert f"{told['session']}: {final_state}: " in talk, "--verbose talks on stderr"
    home = Path(os.environ["HOME"])
    flag, prompt = (home / "told").read_text().split("\n", 1)
    assert flag == "--dangerously-skip-permissions"
    assert ".claude/skills/bmad-create-story/SKILL.md" in prompt
    assert told["killed"] == "0"
    assert run("tmux-wrapper", "list").stdout == "\n"
    assert tmux("list-sessions") == ""
    assert not is_running(int((home / "pid").read_text()))


@pytest.mark.usefixtures("skill")
class TestEachParserEndsTheLoop:
    def test_the_rules_where_nobody_is_logged_in(self, programs: Path) -> None:
        claude(programs)
        told, talk = loop()
        assert told["next"] == "proceed"
        assert "parser: rules (claude -p: Not logged in" in talk

    def test_the_cli_where_somebody_is(self, programs: Path) -> None:
        claude(programs, reply=result(structured_output=RETRY))
        told, talk = loop()
        assert told["next"] == "retry"
        assert "parser: cli (" in talk
        read = Path(os.environ["HOME"], "read").read_text()
        assert "5-3-pay.md" in read, "the model reads what the agent wrote"

    def test_the_api_where_a_key_is_set(
        self, programs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        claude(programs)
        with LoopbackApi(says(RETRY)) as api:
            for name, value in api.environ.items():
                monkeypatch.setenv(name, value)
            told, talk = loop()
            (asked,) = api.asked
        assert told["next"] == "retry"
        assert "parser: api (ANTHROPIC_API_KEY is set)" in talk
        assert "5-3-pay.md" in json.dumps(asked)
