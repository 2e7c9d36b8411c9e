"""`story-automator bench parse`: the rules, scored on a folder of labelled outputs."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ask
from tests.conftest import CHECKOUT

OUTPUTS = CHECKOUT / "fixtures" / "outputs"
RED = "● Bash(pytest)\n  ✗ Exit code 1\n  │ 2 failed, 1 passed in 0.1s\n\nTwo tests still fail.\n"
ROW = {
    "file": "red.txt",
    "step": "dev",
    "agent": "claude",
    "status": "FAILURE",
    "next_action": "retry",
    "error_class": "test_failure",
}


def corpus(folder: Path, *rows: object) -> str:
    (folder / "red.txt").write_text(RED)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "index.jsonl").write_text("\n".join(lines))
    return str(folder)


def test_the_shipped_corpus_meets_the_bar(ask: Ask) -> None:
    done = ask("bench", "parse", str(OUTPUTS), "--json", "--strict")
    assert (done.code, done.err) == (0, "")
    assert done.json["met"]
    assert done.json["wrong_proceed"] == []
    assert done.json["outputs"] >= 60
    assert set(done.json["steps"]) == {"create", "dev", "auto", "review", "retro", "build"}
    assert {"claude", "codex", "opencode", "plain"} <= set(done.json["agents"])


def test_words_fit_a_terminal_of_80_columns(ask: Ask) -> None:
    done = ask("bench", "parse", str(OUTPUTS))
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "95 % right next_action and no wrong proceed: met" in done.out


def test_a_right_answer_counts_in_every_figure(ask: Ask, tmp_path: Path) -> None:
    answer = ask("bench", "parse", corpus(tmp_path, ROW), "--json").json
    assert (answer["outputs"], answer["right_next_action"], answer["right_status"]) == (1, 1, 1)
    assert (answer["right_error_class"], answer["rate"], answer["misses"]) == (1, 1.0, [])
    assert answer["confusion"] == {"retry": {"proceed": 0, "retry": 1, "escalate": 0}}


def test_a_miss_is_named_with_the_reason_of_the_rules(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, {**ROW, "next_action": "proceed"})
    (miss,) = ask("bench", "parse", folder, "--json").json["misses"]
    assert (miss["file"], miss["truth"], miss["advice"]) == ("red.txt", "proceed", "retry")
    assert miss["because"]
    assert not miss["wrong_proceed"]
    assert "was proceed, advised retry: " in ask("bench", "parse", folder).out


def test_strict_tells_by_its_exit_code_that_the_bar_is_missed(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, {**ROW, "next_action": "proceed"})
    assert ask("bench", "parse", folder).code == 0
    assert ask("bench", "parse", folder, "--strict").code == 1


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        pytest.param("{", "line 1: this is not JSON", id="broken"),
        pytest.param("[]", "line 1: a row is a JSON object", id="no-object"),
        pytest.param({**ROW, "step": "sing"}, "line 1: 'sing' is not a valid", id="no-such-step"),
        pytest.param({**ROW, "file": "gone.txt"}, "line 1: output file not found", id="no-output"),
    ],
)
def test_a_broken_row_is_named_and_the_rest_is_scored(
    ask: Ask, tmp_path: Path, bad: object, sentence: str
) -> None:
    folder = corpus(tmp_path, bad, "", ROW)
    answer = ask("bench", "parse", folder, "--json")
    assert (answer.code, answer.json["outputs"], len(answer.json["broken"])) == (0, 1, 1)
    assert answer.json["broken"][0].startswith(sentence)
    assert sentence in ask("bench", "parse", folder).out


class TestMistakes:
    def test_no_such_folder(self, ask: Ask, tmp_path: Path) -> None:
        done = ask("bench", "parse", str(tmp_path / "gone"))
        assert (done.code, done.out) == (1, "")
        assert "is no folder\n  next: name a folder of outputs" in done.err

    def test_nothing_but_broken_rows(self, ask: Ask, tmp_path: Path) -> None:
        done = ask("bench", "parse", corpus(tmp_path, "{"))
        assert (done.code, done.out) == (1, "")
        assert "no output that can be read; line 1: this is not JSON" in done.err

    def test_a_usage_error_names_both_benches(self, ask: Ask) -> None:
        done = ask("bench", "parse")
        assert (done.code, done.out) == (2, "")
        assert "story-automator bench parse DIR [--json] [--strict]" in done.err
