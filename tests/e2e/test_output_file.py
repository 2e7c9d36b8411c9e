"""The output file of a whole session: from the agent's own record, or from its pane."""

import json
import os
import signal
from pathlib import Path

import pytest

from story_automator.run.parse import last_message
from tests.sessions import (
    Watch,
    agent,
    session_folder,
    sessions,
    spawn,
    started,
    verdict,
    wait_until,
)

__all__ = ["sessions"]
pytestmark = pytest.mark.usefixtures("sessions")

RECORDINGS = Path(__file__).parents[2] / "fixtures" / "agents"


def said(words: str) -> dict[str, object]:
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": words}]}}


def hook(name: str, number: int, event: str, **content: object) -> None:
    folder = session_folder(name) / "events"
    (folder / ".tmp").write_text(json.dumps(content))
    (folder / ".tmp").rename(folder / f"{number}-{event}.json")


def speaker(tmp_path: Path, *lines: dict[str, object]) -> str:
    """A session that draws something else than it records, as far as it got."""
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    name = spawn("echo 'drawn in the pane'; exec sleep 300")
    started(name)
    log = session_folder(name) / "output.log"
    wait_until(lambda: "drawn in the pane" in log.read_text())
    hook(name, 1, "UserPromptSubmit", transcript_path=str(transcript))
    hook(name, 2, "SessionStart", transcript_path=str(transcript), source="startup")
    return name


def output(answer: dict[str, object]) -> str:
    return Path(str(answer["output_file"])).read_text()


def test_the_transcript_and_the_message_it_lacks_are_the_output(tmp_path: Path) -> None:
    name = speaker(tmp_path, said("Working on it."))
    hook(name, 3, "Stop", last_assistant_message="**All done.**\n\nEvery test passes.")
    assert output(verdict(name)) == "Working on it.\n\n**All done.**\n\nEvery test passes.\n"


def test_what_it_said_last_is_kept_for_whoever_parses_the_output(tmp_path: Path) -> None:
    name = speaker(tmp_path, said("Working on it."))
    hook(name, 3, "Stop", last_assistant_message="API_KEY=abcdef0123456789 is all I found")
    answer = verdict(name)
    stored = session_folder(name) / "agent" / "last-message.txt"
    assert stored.read_text() == "API_KEY=*** is all I found"
    assert stored.stat().st_mode & 0o777 == 0o600
    assert last_message(Path(str(answer["output_file"]))) == stored.read_text()


def test_an_agent_that_dies_in_mid_turn_leaves_what_it_drew(tmp_path: Path) -> None:
    name = speaker(tmp_path, said("Working on it."))
    watch = Watch(name)
    os.kill(started(name)["agent_pid"], signal.SIGKILL)
    answer = watch.verdict()
    assert answer["final_state"] == "crashed"
    recorded, _, drawn = output(answer).partition("── the end of the screen ──\n")
    assert recorded == "Working on it.\n\n"
    assert "drawn in the pane" in drawn


def test_the_boxes_of_the_record_are_counted(tmp_path: Path) -> None:
    todos = [{"content": word, "status": "completed"} for word in ("Read", "Write")]
    given = {"todos": [*todos, {"content": "Test", "status": "pending"}]}
    call = {"type": "tool_use", "id": "t", "name": "TodoWrite", "input": given}
    name = speaker(tmp_path, {"type": "assistant", "message": {"content": [call]}})
    hook(name, 3, "Stop", last_assistant_message="Two of three.")
    answer = verdict(name)
    assert (answer["todos_done"], answer["todos_total"]) == (2, 3)


def test_codex_is_read_from_its_events(tmp_path: Path) -> None:
    program = tmp_path / "codex"
    log = RECORDINGS / "codex" / "output-recordings" / "steps.log"
    program.write_text(f"#!/bin/sh\ntr -d '\\r' <'{log}'\n")
    program.chmod(0o755)
    answer = verdict(spawn(f"{program} exec --json work", "--agent", "codex"))
    assert answer["final_state"] == "completed"
    assert output(answer) == log.with_suffix(".txt").read_text()


def test_without_a_transcript_the_pane_is_the_output() -> None:
    answer = verdict(spawn(agent("hello", "Say hello", tempo=0.2)))
    assert "● Hello. The request is answered." in output(answer)
