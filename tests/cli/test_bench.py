"""`story-automator bench detect`: the classifier, scored on a folder of labelled frames."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ask
from tests.conftest import CHECKOUT

CAPTURES = CHECKOUT / "fixtures" / "captures"
BLANK = {"agent": "claude", "file": "blank.txt", "state": "starting", "pane_title": "host"}


def corpus(folder: Path, *rows: object) -> str:
    (folder / "blank.txt").write_text("\n")
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "index.jsonl").write_text("\n".join(lines))
    return str(folder)


def rung(answer: Any, number: int) -> dict[str, Any]:
    found: dict[str, Any] = answer["all"][number]
    return found


def test_the_shipped_corpus_meets_the_targets(ask: Ask) -> None:
    done = ask("bench", "detect", str(CAPTURES), "--json", "--strict")
    assert (done.code, done.err) == (0, "")
    assert done.json["targets"]["met"]
    assert set(done.json["agents"]) == {"claude", "codex", "gemini", "opencode"}
    for each in done.json["all"]:
        if each["carried"]:
            assert (each["false_done"]["count"], each["false_crashed"]["count"]) == (0, 0)


def test_words_fit_a_terminal_of_80_columns(ask: Ask) -> None:
    done = ask("bench", "detect", str(CAPTURES))
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "all agents, " in done.out


def test_each_signal_is_scored_on_top_of_the_former(ask: Ask, tmp_path: Path) -> None:
    row = {
        **BLANK,
        "state": "idle_done",
        "pane_title": "⠂ x",
        "session_file": {"status": "busy"},
        "hooks": [{"event": "Stop"}],
    }
    answer = ask("bench", "detect", corpus(tmp_path, row), "--json").json
    assert [each["signals"] for each in answer["all"]] == [
        "screen",
        "+ title",
        "+ session file",
        "+ hooks",
    ]
    assert [each["carried"] for each in answer["all"]] == [1, 1, 1, 1]


def test_a_signal_that_no_frame_carries_has_no_figure(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, BLANK)
    answer = ask("bench", "detect", folder, "--json").json
    assert (rung(answer, 3)["carried"], rung(answer, 3)["right"]) == (0, None)
    assert "+ hooks         0 frames carry it" in ask("bench", "detect", folder).out


def test_a_confusion_is_told(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, BLANK, {**BLANK, "agent": "codex", "state": "working"})
    answer = ask("bench", "detect", folder, "--json").json
    assert answer["agents"]["codex"]["confusion"] == {"working": {"starting": 1}}
    assert answer["misses"] == [
        {
            "file": "blank.txt",
            "truth": "working",
            "answer": "starting",
            "because": "the screen is blank",
            "undecidable": False,
        }
    ]
    assert "was working, called starting" in ask("bench", "detect", folder).out


def test_a_frame_like_one_of_another_truth_is_set_apart(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, BLANK, {**BLANK, "state": "api_error"})
    answer = ask("bench", "detect", folder, "--json", "--strict")
    assert answer.code == 0
    assert rung(answer.json, 1)["right"] == {"count": 1, "of": 2, "rate": 0.5}
    assert rung(answer.json, 1)["right_of_decidable"] == {"count": 1, "of": 1, "rate": 1.0}
    words = ask("bench", "detect", folder).out
    assert "met *   50.0 %, 100.0 % without those marked *" in words
    assert "  * blank.txt" in words


def test_strict_tells_by_its_exit_code_that_a_target_is_missed(ask: Ask, tmp_path: Path) -> None:
    folder = corpus(tmp_path, {**BLANK, "state": "working"})
    assert ask("bench", "detect", folder).code == 0
    assert ask("bench", "detect", folder, "--strict").code == 1


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        pytest.param("{", "line 1: this is not JSON", id="broken"),
        pytest.param("[]", "line 1: a frame is a JSON object", id="no-object"),
        pytest.param(
            {**BLANK, "state": "fine"}, "line 1: state 'fine' is no word of the corpus", id="truth"
        ),
        pytest.param(
            {**BLANK, "file": "gone.txt"}, "line 1: cannot read the screen: ", id="no-screen"
        ),
    ],
)
def test_a_broken_row_is_named_and_the_rest_is_scored(
    ask: Ask, tmp_path: Path, bad: object, sentence: str
) -> None:
    folder = corpus(tmp_path, bad, BLANK)
    answer = ask("bench", "detect", folder, "--json")
    assert (answer.code, answer.json["frames"], len(answer.json["broken"])) == (0, 1, 1)
    assert answer.json["broken"][0].startswith(sentence)
    assert sentence in ask("bench", "detect", folder).out


class TestMistakes:
    def test_no_such_folder(self, ask: Ask, tmp_path: Path) -> None:
        done = ask("bench", "detect", str(tmp_path / "gone"))
        assert (done.code, done.out) == (1, "")
        assert "is no folder\n  next: " in done.err

    def test_no_index(self, ask: Ask, tmp_path: Path) -> None:
        done = ask("bench", "detect", str(tmp_path))
        assert (done.code, done.out) == (1, "")
        assert "index.jsonl: No such file or directory\n  next: " in done.err

    def test_nothing_but_broken_rows(self, ask: Ask, tmp_path: Path) -> None:
        done = ask("bench", "detect", corpus(tmp_path, "{"))
        assert (done.code, done.out) == (1, "")
        assert "holds no frame that can be read; line 1: this is not JSON" in done.err

    @pytest.mark.parametrize(
        "argv",
        [[], ["speed"], ["detect"], ["detect", "a", "b"], ["detect", "a", "--fast"]],
        ids=["nothing", "no-such-bench", "no-folder", "two-folders", "no-such-flag"],
    )
    def test_a_usage_error_is_one_sentence_and_exit_2(self, ask: Ask, argv: list[str]) -> None:
        done = ask("bench", *argv)
        assert (done.code, done.out) == (2, "")
        assert "Usage: story-automator bench detect DIR [--json] [--strict]" in done.err

    def test_help_is_a_usage_line(self, ask: Ask) -> None:
        assert ask("bench", "--help").out.startswith("Usage: story-automator bench detect DIR")
