"""`stop-hook`: blocks while a live run has stories left, and never gets in the way otherwise."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from .conftest import Ask

Put = Callable[[bytes | dict[str, object]], Path]


def stamp(minutes_ago: float) -> str:
    moment = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def put(project: Path) -> Put:
    """Write a marker of any content; a heartbeat in minutes is counted back from this moment."""

    def write(content: bytes | dict[str, object]) -> Path:
        if isinstance(content, dict) and isinstance(ago := content.get("heartbeat"), int):
            content = {**content, "heartbeat": stamp(ago)}
        path = project / ".claude" / ".story-automator-active"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


def test_without_a_marker_every_stop_is_allowed(ask: Ask, project: Path) -> None:
    assert ask("stop-hook") == (0, "", "")
    assert list(project.rglob("*active*")) == []


@pytest.mark.parametrize(
    ("content", "remaining"),
    [
        pytest.param({"storiesRemaining": 3}, 3, id="a-bare-count"),
        pytest.param({"storiesRemaining": "2"}, 2, id="a-count-as-text"),
        pytest.param({"storiesRemaining": 1, "heartbeat": 29}, 1, id="half-an-hour-ago"),
        pytest.param({"storiesRemaining": 1, "pid": os.getpid()}, 1, id="its-process-lives"),
        pytest.param({"storiesRemaining": 1, "heartbeat": "soon"}, 1, id="a-heartbeat-in-words"),
    ],
)
def test_a_live_run_blocks(ask: Ask, put: Put, content: dict[str, object], remaining: int) -> None:
    put(content)
    code, out, err = ask("stop-hook")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert out == json.dumps(answer, indent=2) + "\n"
    assert list(answer) == ["decision", "reason"]
    assert answer["decision"] == "block"
    start = f"Story Automator active ({remaining} stories remaining). Read "
    assert answer["reason"].startswith(start)
    assert "marker check" in answer["reason"]
    assert "marker remove" in answer["reason"]
    recovery = answer["reason"].removeprefix(start).split(" and ")[0]
    assert recovery.endswith("/stop-hook-recovery.md")
    assert Path(recovery).is_file()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({"storiesRemaining": 0}, id="nothing-left"),
        pytest.param({}, id="no-count"),
        pytest.param({"storiesRemaining": -1}, id="less-than-nothing"),
        pytest.param({"storiesRemaining": "some"}, id="a-count-in-words"),
        pytest.param({"storiesRemaining": None}, id="a-count-of-null"),
    ],
)
def test_nothing_left_to_do_allows(ask: Ask, put: Put, content: dict[str, object]) -> None:
    put(content)
    assert ask("stop-hook") == (0, "", "")


@pytest.mark.parametrize(
    ("content", "because"),
    [
        pytest.param(b"[1]", "it is not a JSON object", id="an-array"),
        pytest.param(b'"text"', "it is not a JSON object", id="a-string"),
        pytest.param(b"{", "it is not valid JSON", id="half-an-object"),
        pytest.param(b"", "it is not valid JSON", id="nothing"),
        pytest.param(b"\xff\xfe", "it is not UTF-8", id="other-bytes"),
        pytest.param(b"[" * 200_000, "it is not valid JSON", id="endless-brackets"),
        pytest.param(
            {"storiesRemaining": 1, "heartbeat": 31},
            "its last heartbeat is 31 min old",
            id="a-heartbeat-31-minutes-old",
        ),
        pytest.param(
            {"storiesRemaining": 1, "heartbeat": 0, "pid": 2**22 + 1},
            f"its process {2**22 + 1} is gone",
            id="a-process-that-is-gone",
        ),
    ],
)
def test_a_marker_that_is_worth_nothing_allows_and_is_reported(
    ask: Ask, put: Put, content: bytes | dict[str, object], because: str
) -> None:
    path = put(content)
    code, out, err = ask("stop-hook")
    assert (code, out) == (0, "")
    assert err == f"stop-hook: the marker {path} is ignored: {because}\n"


def test_a_directory_or_a_pipe_in_its_place_allows(ask: Ask, put: Put) -> None:
    path = put(b"")
    path.unlink()
    os.mkfifo(path)
    assert ask("stop-hook")[:2] == (0, "")
    path.unlink()
    path.mkdir()
    assert ask("stop-hook")[:2] == (0, "")


@pytest.mark.parametrize(("told", "blocks"), [("true", False), ("TRUE", False), ("1", True)])
def test_a_session_of_ours_is_never_held(
    ask: Ask, put: Put, monkeypatch: pytest.MonkeyPatch, told: str, blocks: bool
) -> None:
    put({"storiesRemaining": 3})
    monkeypatch.setenv("STORY_AUTOMATOR_CHILD", told)
    assert bool(ask("stop-hook").out) is blocks


def test_an_unknown_option_is_one_sentence(ask: Ask, project: Path) -> None:
    answer = ask("stop-hook", "--bogus")
    assert (answer.code, answer.out) == (1, "")
    assert "unrecognized arguments: --bogus" in answer.err


def test_what_the_agent_tells_is_taken_to_its_end(put: Put) -> None:
    put({"storiesRemaining": 3})
    told = json.dumps({"stop_hook_active": True, "last_assistant_message": "x" * 1_000_000})
    command = [sys.executable, "-m", "story_automator", "stop-hook"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as hook:
        assert hook.stdin
        assert hook.stdout
        hook.stdin.write(told)  # a closed pipe would raise here
        hook.stdin.close()
        assert json.loads(hook.stdout.read())["decision"] == "block"


def test_an_agent_that_never_closes_its_end_is_not_waited_for(project: Path) -> None:
    command = [sys.executable, "-m", "story_automator", "stop-hook"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as hook:
        assert hook.wait(timeout=30) == 0


def test_the_usual_answer_imports_next_to_nothing(project: Path) -> None:
    script = (
        "import sys; from story_automator.cli.app import run; run(['stop-hook']);"
        "print(*sorted({'argparse', 'dataclasses', 'json', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
