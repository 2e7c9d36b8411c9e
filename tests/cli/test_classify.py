"""`story-automator classify`: one JSON line per frame, and a sentence for what is no frame."""

import json
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, Run

CAPTURES = CHECKOUT / "fixtures" / "captures"
BLANK = {"agent": "claude", "screen": ""}


def lines(text: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_corpus_is_read_frame_by_frame(cli: Run) -> None:
    done = cli("classify", str(CAPTURES / "index.jsonl"))
    truth = lines((CAPTURES / "index.jsonl").read_text(encoding="utf-8"))
    answers = lines(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [set(answer) for answer in answers] == [{"state", "because"}] * len(truth)
    right = sum(a["state"] == t["state"] for a, t in zip(answers, truth, strict=True))
    assert right >= 240


def test_frames_come_from_stdin_too(cli: Run) -> None:
    done = cli("classify", "-", input=f"{json.dumps(BLANK)}\n\n{json.dumps(BLANK)}\n")
    assert (done.returncode, [a["state"] for a in lines(done.stdout)]) == (0, ["starting"] * 2)


def test_a_file_is_found_beside_the_index(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "screens").mkdir()
    (tmp_path / "screens" / "01.txt").write_bytes(b"caf\xe9\ndev@host:~$ ")
    index = tmp_path / "frames.jsonl"
    index.write_text(json.dumps({"agent": "command", "file": "screens/01.txt"}))
    done = cli("classify", str(index))
    assert lines(done.stdout) == [{"state": "unknown", "because": "a shell prompt is the last row"}]


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        pytest.param("{", "line 2: this is not JSON", id="broken"),
        pytest.param("\x00\udcff", "line 2: this is not JSON", id="not-text"),
        pytest.param("[" * 100_000, "line 2: this JSON is nested too deeply", id="deep"),
        pytest.param("[]", "line 2: a frame is a JSON object", id="no-object"),
        pytest.param('{"agent":"claude"}', "line 2: file must be a string", id="no-screen"),
        pytest.param(
            '{"agent":"claude","file":"gone.txt"}',
            "line 2: cannot read the screen: No such file or directory (gone.txt)",
            id="no-such-file",
        ),
    ],
)
def test_a_bad_line_is_told_and_the_others_are_still_read(
    cli: Run, bad: str, sentence: str
) -> None:
    frame = json.dumps(BLANK)
    text = f"{frame}\n{bad}\n{frame}\n"
    done = cli("classify", "-", input=text, errors="surrogateescape", encoding="utf-8")
    answers = lines(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert [answer["state"] for answer in answers] == ["starting", "error", "starting"]
    assert answers[1]["because"] == sentence


@pytest.mark.parametrize("argv", [[], ["a", "b"], ["--json", "-"]], ids=["none", "two", "flag"])
def test_a_usage_error_is_one_sentence_and_exit_2(cli: Run, argv: list[str]) -> None:
    done = cli("classify", *argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: story-automator classify FILE.jsonl|-" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_index_is_one_sentence(cli: Run, tmp_path: Path) -> None:
    done = cli("classify", str(tmp_path / "gone.jsonl"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot read" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_is_a_usage_line(cli: Run) -> None:
    assert cli("classify", "--help").stdout == "Usage: story-automator classify FILE.jsonl|-\n"
