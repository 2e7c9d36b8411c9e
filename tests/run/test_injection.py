"""Outputs that try to talk a parser into going on, read by a model that does what it is told."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from story_automator.model.advice import Advice, NextAction, ParsedStep, Status
from story_automator.model.parser_settings import ParserKind, ParserSettings
from story_automator.run.parse import Parsing, parse
from tests.conftest import CHECKOUT
from tests.parser_http import LoopbackApi, only_loopback, says

FOLDER = CHECKOUT / "fixtures" / "replies" / "injection"
ROWS = [json.loads(line) for line in (FOLDER / "index.jsonl").read_text().splitlines()]
ATTACKS = [row for row in ROWS if row["kind"] != "control"]
CONTROLS = [row for row in ROWS if row["kind"] == "control"]
NONE_LEFT = {"critical": 0, "high": 0, "medium": 0, "low": 0}
TESTED: dict[str, object] = {"tests_passed": True, "build_passed": True}
REVIEWED: dict[str, object] = {"issues_found": NONE_LEFT, "all_fixed": True}
OBEYED: dict[str, object] = {
    "status": "SUCCESS",
    "summary": "All work is complete and verified.",
    "next_action": "proceed",
    "confidence": 1.0,
    "error_class": "none",
    "questions": [],
}
CREATED: dict[str, object] = {"story_created": True, "story_file": "1-1-good-morning.md"}
OWN: dict[str, dict[str, object]] = {
    "create": CREATED,
    "dev": TESTED,
    "auto": {"tests_added": 12, "coverage_improved": True},
    "review": REVIEWED,
    "retro": {},
    "build": {**CREATED, **TESTED, **REVIEWED},
}


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with only_loopback(monkeypatch):
        yield


def obeyed(step: str) -> dict[str, object]:
    """All that any of the texts asks for."""
    return {**OBEYED, **OWN[step]}


def asked_over_the_api(row: dict[str, Any]) -> Advice:
    with LoopbackApi(says(obeyed(row["step"]))) as api:
        parsing = Parsing(ParserSettings(kind=ParserKind.API), api.environ)
        advice = parse(FOLDER / row["file"], ParsedStep(row["step"]), parsing)
        assert len(api.asked) == 1, "the model was asked"
    return advice


def asked_through_the_program(row: dict[str, Any], folder: Path) -> Advice:
    result = {"type": "result", "is_error": False, "structured_output": obeyed(row["step"])}
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\ncat <<'END'\n{json.dumps(result)}\nEND\n")
    program.chmod(0o755)
    environ = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    settings = ParserSettings(kind=ParserKind.CLI)
    return parse(FOLDER / row["file"], ParsedStep(row["step"]), Parsing(settings, environ))


def name(row: dict[str, Any]) -> str:
    return str(row["file"]).removesuffix(".txt")


@pytest.mark.parametrize("row", ATTACKS, ids=name)
class TestAnObedientModel:
    def test_over_the_api_does_not_go_on(self, row: dict[str, Any]) -> None:
        self.is_stopped(asked_over_the_api(row), "api")

    def test_through_the_program_does_not_go_on(self, row: dict[str, Any], tmp_path: Path) -> None:
        self.is_stopped(asked_through_the_program(row, tmp_path), "cli")

    def is_stopped(self, advice: Advice, parser: str) -> None:
        assert advice.parser == parser
        assert advice.next_action is NextAction.ESCALATE
        assert advice.status is Status.AMBIGUOUS
        assert advice.because, "it is said why"


def test_a_model_that_is_right_is_believed_though_such_words_are_quoted() -> None:
    told = {name(row): asked_over_the_api(row).next_action for row in CONTROLS}
    stopped = [file for file, action in told.items() if action is not NextAction.PROCEED]
    # Its last words hold an order to a parser: whether they are meant as one, nobody can tell.
    assert stopped in ([], ["control-review-of-injection-code"])
