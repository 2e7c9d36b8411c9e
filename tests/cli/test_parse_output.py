"""parse-output as a caller sees it: one line of JSON, the contract's reasons, and the exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from story_automator.edges.config import config_file
from tests.fake_claude import Claude, claude, failed, result
from tests.parser_http import GOOD, LoopbackApi, says
from tests.sessions import wait_until

from .conftest import Ask

__all__ = ["claude"]

Run = Callable[..., CompletedProcess[str]]
GREEN = "● Bash(pytest)\n  ⎿  ===== 12 passed in 0.31s =====\n\n● All tasks are done.\n"
OWN = {
    "create": ["story_created", "story_file"],
    "dev": ["tests_passed", "build_passed"],
    "auto": ["tests_added", "coverage_improved"],
    "review": ["issues_found", "all_fixed"],
    "retro": [],
}
REST = ["summary", "next_action", "confidence", "error_class", "questions", "parser", "model"]
HANGS = "import signal\nopen('pid', 'w').write(str(os.getpid()))\nsignal.pause()"


@pytest.fixture
def output(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An output in a project, on a machine without any model."""
    (project / "bin").mkdir()
    monkeypatch.setenv("PATH", str(project / "bin"))
    path = project / "session.txt"
    path.write_text(GREEN)
    return path


@pytest.mark.parametrize("step", OWN)
def test_the_answer_is_one_line_with_the_contract_s_keys_first(
    helper: Ask, output: Path, step: str
) -> None:
    answer = helper("parse-output", str(output), step)
    assert answer.code == 0
    assert list(answer.json) == ["status", *OWN[step], *REST]
    assert answer.out == json.dumps(answer.json, separators=(",", ":")) + "\n"
    assert answer.err.startswith("parse-output: parser: rules (")


def test_a_whole_story_in_one_session_can_be_parsed(helper: Ask, output: Path) -> None:
    answer = helper("parse-output", str(output), "build", "--parser", "rules")
    assert answer.code == 0
    assert {"status", "tests_passed", "build_passed", *REST} <= answer.json.keys()


@pytest.mark.parametrize("kind", ["api", "cli", "rules"])
def test_each_parser_answers_in_the_same_shape(
    helper: Ask, output: Path, claude: Claude, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    claude.plays(result(structured_output=GOOD))
    with LoopbackApi(says(GOOD)) as api:
        for name, value in (claude.environ | api.environ).items():
            monkeypatch.setenv(name, value)
        answer = helper("parse-output", str(output), "dev", "--parser", kind)
    assert answer.code == 0
    usage = [] if kind == "rules" else ["usage"]
    assert list(answer.json) == ["status", *OWN["dev"], *REST, *usage]
    assert (answer.json["next_action"], answer.json["parser"]) == ("proceed", kind)
    assert answer.err == "", "who asks for a parser by name is not told which it is"


@pytest.mark.parametrize(
    ("argv", "reason", "kind"),
    [
        pytest.param((), "output file not found or empty", "no_output", id="nothing"),
        pytest.param(("{file}",), "output file not found or empty", "no_output", id="no-step"),
        pytest.param(("gone", "dev"), "output file not found or empty", "no_output", id="gone"),
        pytest.param(("", "dev"), "output file not found or empty", "no_output", id="no-name"),
        pytest.param((".", "dev"), "output file not found or empty", "no_output", id="directory"),
        pytest.param(("blank", "dev"), "output file not found or empty", "no_output", id="blank"),
        pytest.param(("{file}", "x"), "parse_contract_invalid", "unknown_step", id="unknown-step"),
        pytest.param(("{file}", ""), "parse_contract_invalid", "unknown_step", id="empty-step"),
        pytest.param(
            ("{file}", "dev", "--bogus"), "parse_contract_invalid", "bad_request", id="bad-flag"
        ),
        pytest.param(
            ("{file}", "dev", "more"), "parse_contract_invalid", "bad_request", id="one-too-many"
        ),
        pytest.param(
            ("{file}", "dev", "--parser", "magic"),
            "parse_contract_invalid",
            "bad_request",
            id="unknown-parser",
        ),
        pytest.param(
            ("{file}", "dev", "--parser"), "parse_contract_invalid", "bad_request", id="half-a-flag"
        ),
        pytest.param(
            ("{file}", "dev", "--model", ""), "parse_contract_invalid", "bad_request", id="no-model"
        ),
        pytest.param(
            ("{file}", "dev", "--state-file", "gone.md"),
            "parse_contract_invalid",
            "bad_request",
            id="no-such-state-file",
        ),
        pytest.param(
            ("{file}", "dev", "--state-file", ""),
            "parse_contract_invalid",
            "bad_request",
            id="unnamed-state-file",
        ),
        pytest.param(
            ("{file}", "dev", "--parser", "cli"),
            "sub-agent call failed",
            "cli_missing",
            id="no-cli",
        ),
        pytest.param(
            ("{file}", "dev", "--parser", "api"), "sub-agent call failed", "auth", id="no-key"
        ),
    ],
)
def test_a_failure_is_one_line_with_the_contract_s_reason(
    helper: Ask, output: Path, argv: tuple[str, ...], reason: str, kind: str
) -> None:
    (output.parent / "blank").write_text(" \n")
    answer = helper("parse-output", *(word.replace("{file}", str(output)) for word in argv))
    assert answer.code == 1
    assert answer.json == {"status": "error", "reason": reason, "error_class": kind}
    assert answer.err.count("\n") == 1, "and one sentence for a person"


def test_a_silent_model_is_told_as_that(
    helper: Ask, output: Path, claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", claude.environ["PATH"])
    claude.plays(failed("API Error: 529 Overloaded", 529), code=1)
    answer = helper("parse-output", str(output), "dev")
    assert answer.code == 1
    assert answer.json["error_class"] == "api_down"
    assert "529 Overloaded" in answer.err


def test_flags_may_stand_anywhere(helper: Ask, output: Path) -> None:
    answer = helper("parse-output", "--parser", "rules", str(output), "--explain", "dev")
    assert answer.code == 0
    assert answer.json["parser"] == "rules"


def test_explain_talks_on_stderr_only(helper: Ask, output: Path) -> None:
    answer = helper("parse-output", str(output), "dev", "--parser", "rules", "--explain")
    assert answer.json["next_action"] == "proceed"
    lines = answer.err.splitlines()
    assert all(line.startswith("parse-output: ") for line in lines)
    assert "parse-output: sent: nothing, the rules read it here" in lines


def test_a_state_file_is_read_as_by_the_other_commands(helper: Ask, output: Path) -> None:
    state = output.parent / "state.md"
    state.write_text("---\nepic: 1\n---\n")
    argv = ("parse-output", str(output), "dev", "--parser", "rules", "--state-file")
    assert helper(*argv, "state.md").code == 0
    state.write_text("---\npolicySnapshotFile: gone.json\n---\n")
    answer = helper(*argv, "state.md")
    assert answer.json["reason"] == "parse_contract_invalid"
    assert "policy snapshot missing" in answer.err


def test_the_config_file_chooses_and_the_flag_outranks_it(helper: Ask, output: Path) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text('[parser]\nkind = "cli"\n')
    assert helper("parse-output", str(output), "dev").json["error_class"] == "cli_missing"
    assert helper("parse-output", str(output), "dev", "--parser", "rules").code == 0
    config_file().write_text('[parser]\nkind = "magic"\n')
    answer = helper("parse-output", str(output), "dev", "--parser", "rules")
    assert answer.json["reason"] == "parse_contract_invalid"
    assert "[parser] kind must be auto, api, cli or rules" in answer.err


def test_the_rules_import_no_heavy_library(cli: Run, output: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-X", "importtime", "-m", "story_automator", "orchestrator-helper"),
            *("parse-output", str(output), "dev", "--parser", "rules"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.split("\n")
    }
    heavy = {
        "anthropic",
        "httpx2",
        "jinja2",
        "pydantic",
        "ruamel",
        "secrets",
        "subprocess",
        "typer",
    }
    assert "argparse" in imported
    assert not imported & heavy


def test_who_ends_the_command_ends_the_model_s_program(
    output: Path, claude: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude.does(HANGS)
    environ = {**os.environ, **claude.environ}
    argv = [sys.executable, "-m", "story_automator", "orchestrator-helper", "parse-output"]
    with subprocess.Popen(
        [*argv, str(output), "dev"],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as command:
        pid = claude.folder / "pid"
        wait_until(lambda: pid.exists() and pid.read_text())
        command.terminate()
        assert command.wait(timeout=20) == 143
    (claude.folder / "child").write_text(pid.read_text())
    claude.child_ends()
