"""Asking a program for its version."""

import os
import select
import time
from pathlib import Path

import pytest

from story_automator.edges.programs import version_of
from story_automator.model.probe import Probe


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"PATH": f"{tmp_path}:/usr/bin:/bin"}


def script(folder: Path, text: str) -> None:
    path = folder / "agent"
    path.write_text(text)
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("#!/bin/sh\necho 2.1.197 '(Claude Code)'\necho more", "2.1.197 (Claude Code)"),
        pytest.param("#!/bin/sh\nprintf '\\033[1m1.0\\r\\n'", "[1m1.0"),
    ],
    ids=["the-first-line", "without-what-a-terminal-would-obey"],
)
def test_its_answer(tmp_path: Path, environ: dict[str, str], text: str, answer: str) -> None:
    script(tmp_path, text)
    assert version_of("agent", "--version", environ) == (Probe.PRESENT, answer)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("#!/bin/sh\necho broken; exit 1", id="it-fails"),
        pytest.param("#!/bin/sh\n", id="it-prints-nothing"),
        pytest.param("#!/nowhere/at/all\n", id="it-cannot-start"),
    ],
)
def test_what_tells_nothing(tmp_path: Path, environ: dict[str, str], text: str) -> None:
    script(tmp_path, text)
    assert version_of("agent", "--version", environ) == (Probe.UNREACHABLE, "")


def test_what_is_not_there(environ: dict[str, str]) -> None:
    assert version_of("agent", "--version", environ) == (Probe.ABSENT, "")


def test_one_that_keeps_us_waiting_is_ended_with_its_children(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    script(tmp_path, f"#!/bin/sh\nsleep 300 &\necho $! > {tmp_path}/child\nwait")
    began = time.monotonic()
    assert version_of("agent", "--version", environ, limit=0.5) == (Probe.UNREACHABLE, "")
    assert time.monotonic() - began < 5
    child = int((tmp_path / "child").read_text())
    assert _ends(child)


def _ends(pid: int) -> bool:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with os.fdopen(handle) as process:
        return bool(select.select([process], [], [], 5)[0])
