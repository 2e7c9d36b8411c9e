"""Killing any of our processes at any time loses no event: the verdict is as without a kill."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.real.agents import World, needs, outcome

pytestmark = needs("claude")
DONE = ("completed", "normal_completion")


def kill_hook(world: World, monkeypatch: pytest.MonkeyPatch, event: str, step: str) -> None:
    """The hook for `event` is killed by the program that is its next step: date, cat or mv."""
    place = world.home.folder / "deadly"
    place.mkdir()
    (place / step).write_text(
        "#!/bin/sh\n"
        f"""if tr '\\0' ' ' </proc/$PPID/cmdline | grep -q '/hook .* {event} $'; then\n"""
        f"  [ {step} = cat ] && head -c 40\n"
        "  kill -9 $PPID; exit 9\n"
        "fi\n"
        f'exec /bin/{step} "$@"\n'
    )
    (place / step).chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("date", id="before-it-stores-anything"),
        pytest.param("cat", id="while-it-stores"),
        pytest.param("mv", id="before-it-is-put-in-place"),
    ],
)
@pytest.mark.parametrize(
    ("event", "trial", "expected"),
    [
        pytest.param("UserPromptSubmit", "turn", DONE, id="prompt"),
        pytest.param("Stop", "turn", DONE, id="stop"),
        pytest.param("StopFailure", "model", ("incomplete", "api_error"), id="failure"),
        pytest.param("PermissionRequest", "ask", ("stuck", "waiting_for_input"), id="dialog"),
    ],
)
def test_a_hook_is_killed(
    agents_world: World,
    monkeypatch: pytest.MonkeyPatch,
    event: str,
    trial: str,
    expected: tuple[str, str],
    step: str,
) -> None:
    kill_hook(agents_world, monkeypatch, event, step)
    session = agents_world.start(f"canary:{trial}")
    assert outcome(session.verdict()) == expected
    assert event not in session.events


@pytest.mark.parametrize(
    ("trial", "expected"),
    [
        pytest.param("steps:4", DONE, id="in-a-turn-of-many-steps"),
        pytest.param("model", ("incomplete", "api_error"), id="in-a-turn-that-fails"),
        pytest.param("ask", ("stuck", "waiting_for_input"), id="before-a-dialog"),
        pytest.param("background:2", DONE, id="beside-background-work"),
    ],
)
def test_the_watch_is_killed_again_and_again(
    agents_world: World, trial: str, expected: tuple[str, str]
) -> None:
    session = agents_world.start(f"canary:{trial}")
    for tenths in (1, 2, 4, 7):
        watch = session.watch().process
        try:
            watch.communicate(timeout=tenths / 10)
        except subprocess.TimeoutExpired:
            watch.kill()
            watch.communicate()
    assert outcome(session.verdict()) == expected


def test_the_wrapper_is_killed_after_the_turn(agents_world: World) -> None:
    session = agents_world.start("canary:turn")
    session.event("Stop")
    os.kill(_wrapper(session.folder), signal.SIGKILL)
    assert outcome(session.verdict()) == DONE


def test_the_wrapper_is_killed_in_mid_turn(agents_world: World) -> None:
    session = agents_world.start("canary:bash:30")
    session.event("PreToolUse")
    watch = session.watch()
    os.kill(_wrapper(session.folder), signal.SIGKILL)
    assert watch.verdict()["final_state"] == "crashed"
    assert "SessionEnd" in session.events


def _wrapper(folder: Path) -> int:
    return int(json.loads((folder / "started.json").read_text())["wrapper_pid"])
