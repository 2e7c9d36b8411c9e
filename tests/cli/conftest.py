"""Ask a command in this process; its wiring into a real process is tested on its own."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from story_automator.cli.app import run


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1, "one JSON document on one line"
        return json.loads(self.out)


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def call(*argv: str) -> Answer:
        code = run(argv)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Answer(code, out, err)

    return call


@pytest.fixture
def helper(ask: Ask) -> Ask:
    """`orchestrator-helper …`."""
    return lambda *argv: ask("orchestrator-helper", *argv)
