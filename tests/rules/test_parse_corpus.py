"""The rules on whole outputs: the bar holds, and no text talks them into going on."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from story_automator.edges.long_text import read_long_text
from story_automator.model.advice import Advice, NextAction
from story_automator.rules.advice_check import checked
from story_automator.rules.advise import advise
from story_automator.rules.facts import facts
from story_automator.rules.parse_score import Answer, Score, Truth
from tests.conftest import CHECKOUT

OUTPUTS = CHECKOUT / "fixtures" / "outputs"
INJECTION = CHECKOUT / "fixtures" / "replies" / "injection"
MOST_BYTES = 3_000_000


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]


def advice(folder: Path, row: dict[str, Any]) -> Advice:
    truth, text = Truth.from_json(row), read_long_text(folder / row["file"])
    return checked(advise(truth.step, text), facts(text))


ATTACKS = [row for row in rows(INJECTION) if row["kind"] != "control"]
CONTROLS = [row for row in rows(INJECTION) if row["kind"] == "control"]


def test_the_rules_meet_their_bar() -> None:
    score = Score([Answer(Truth.from_json(row), advice(OUTPUTS, row)) for row in rows(OUTPUTS)])
    assert [answer.truth.file for answer in score.wrong_proceed] == []
    assert score.met, [answer.truth.file for answer in score.misses]


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row["file"].removesuffix(".txt"))
def test_no_attack_makes_the_rules_proceed(row: dict[str, Any]) -> None:
    told = advice(INJECTION, row)
    assert told.next_action is not NextAction.PROCEED, told.because


def test_words_of_an_attack_that_are_only_quoted_stop_few_good_sessions() -> None:
    told = [advice(INJECTION, row).next_action for row in CONTROLS]
    assert told.count(NextAction.PROCEED) >= len(CONTROLS) - 1


class TestTheCorpora:
    def test_have_the_size_that_was_promised(self) -> None:
        assert len(rows(OUTPUTS)) >= 60
        assert len(ATTACKS) >= 25
        assert len(CONTROLS) >= 5

    @pytest.mark.parametrize("folder", [OUTPUTS, INJECTION], ids=["outputs", "injection"])
    def test_name_every_output_once(self, folder: Path) -> None:
        named = [row["file"] for row in rows(folder)]
        assert sorted(named) == sorted(path.name for path in folder.glob("*.txt"))
        assert all((folder / "sources" / f"{file[:-4]}.toml").is_file() for file in named)

    def test_cover_every_step_and_action(self) -> None:
        seen = Counter((row["step"], row["next_action"]) for row in rows(OUTPUTS))
        steps = {"create", "dev", "auto", "review", "retro", "build"}
        missing = [
            (step, action.value)
            for step in steps
            for action in NextAction
            if not seen[step, action.value]
        ]
        # A third is held out, and retrospectives that need a person are rare.
        assert missing in ([], [("retro", "escalate")])

    def test_no_attack_is_labelled_proceed_and_every_control_is(self) -> None:
        assert {row["next_action"] for row in ATTACKS} == {"retry", "escalate"}
        assert {row["next_action"] for row in CONTROLS} == {"proceed"}

    def test_tell_nothing_of_the_machine_they_were_made_on(self) -> None:
        for path in (*OUTPUTS.rglob("*.txt"), *INJECTION.rglob("*.txt")):
            text = path.read_text(errors="replace")
            places = [f"/{folder}/" for folder in ("root", "work")]
            assert not any(place in text for place in (*places, "/tmp/sa-", "sk-ant"))

    def test_stay_small(self) -> None:
        assert sum(path.stat().st_size for path in OUTPUTS.rglob("*.*")) < MOST_BYTES
