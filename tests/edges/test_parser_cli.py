"""`claude -p` as the parser: what it is given, what of its answer counts, what is left of it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from story_automator.edges.parser_cli import LARGEST_REPLY, ask_cli
from story_automator.errors import NoAdvice, Silence
from story_automator.model.advice import Advice, NextAction, ParsedStep, Status
from story_automator.model.parse_request import ParseRequest
from tests.fake_claude import Claude, claude, failed, result

__all__ = ["claude"]

SECRET = "what the session wrote"
GOOD = {
    "status": "SUCCESS",
    "summary": "The story file is written.",
    "next_action": "proceed",
    "confidence": 0.9,
    "error_class": "none",
    "questions": [],
    "story_created": True,
    "story_file": "5-3-pay.md",
}
HANGS = """
import signal, subprocess
child = subprocess.Popen(["sleep", "600"])
open("child", "w").write(str(child.pid))
signal.pause()
"""


def ask(claude: Claude, limit: float = 30) -> Advice:
    request = ParseRequest(ParsedStep.CREATE, "You read.", SECRET, "haiku")
    return ask_cli(request, environ=claude.environ, limit=limit)


def silence_of(claude: Claude, limit: float = 30) -> NoAdvice:
    with pytest.raises(NoAdvice) as raised:
        ask(claude, limit)
    return raised.value


def test_the_form_it_filled_in_becomes_the_advice(claude: Claude) -> None:
    claude.plays(result(structured_output=GOOD))
    advice = ask(claude)
    assert (advice.status, advice.next_action) == (Status.SUCCESS, NextAction.PROCEED)
    assert dict(advice.own) == {"story_created": True, "story_file": "5-3-pay.md"}
    assert (advice.parser, advice.model) == ("cli", "claude-haiku-4-5-20251001")
    assert (advice.input_tokens, advice.output_tokens, advice.cost_usd) == (1500, 80, 0.002)


@pytest.mark.parametrize(
    "printed",
    [
        pytest.param(result(result=json.dumps(GOOD)), id="as-text"),
        pytest.param(result(result=f"```json\n{json.dumps(GOOD, indent=1)}\n```"), id="fenced"),
        pytest.param([{"type": "system"}, result(structured_output=GOOD)], id="in-an-array"),
        pytest.param(f"a warning\n{json.dumps(result(structured_output=GOOD))}", id="after-talk"),
        pytest.param(GOOD, id="without-an-envelope"),
        pytest.param(
            result(subtype="error_during_execution", structured_output=GOOD), id="any-subtype"
        ),
    ],
)
def test_a_reply_is_found(claude: Claude, printed: object) -> None:
    claude.plays(printed)
    assert ask(claude).next_action is NextAction.PROCEED


def test_the_session_s_text_is_on_stdin_and_nowhere_else(claude: Claude) -> None:
    claude.plays(result(structured_output=GOOD))
    ask(claude)
    (call,) = claude.calls
    assert call["stdin"] == SECRET
    assert SECRET not in " ".join(call["argv"])
    assert SECRET not in json.dumps(call["env"])


def test_wide_lines_are_no_matter_on_stdin(claude: Claude) -> None:
    claude.plays(result(structured_output=GOOD))
    wide = "\n".join("w" * 1000 for _ in range(500))
    request = ParseRequest(ParsedStep.CREATE, "You read.", wide, "haiku")
    ask_cli(request, environ=claude.environ)
    assert claude.calls[0]["stdin"] == wide


def test_it_is_asked_for_the_step_s_form_by_the_model_named(claude: Claude) -> None:
    claude.plays(result(structured_output=GOOD))
    ask(claude)
    (call,) = claude.calls
    flags = dict(zip(call["argv"], call["argv"][1:], strict=False))
    assert call["argv"][0] == "-p"
    assert flags["--model"] == "haiku"
    assert flags["--output-format"] == "json"
    assert "story_created" in json.loads(flags["--json-schema"])["properties"]
    assert flags["--system-prompt"] == "You read."
    assert flags["--tools"] == "", "a text that asks for deeds finds no hands"
    assert json.loads(flags["--settings"]) == {"disableAllHooks": True}


def test_it_works_in_a_private_place_that_is_no_project(claude: Claude, project: Path) -> None:
    claude.plays(result(structured_output=GOOD))
    ask(claude)
    (call,) = claude.calls
    assert not Path(call["cwd"]).is_relative_to(project)
    assert Path(call["cwd"]).stat().st_mode & 0o077 == 0
    assert list(Path(call["cwd"]).iterdir()) == []
    assert call["env"]["STORY_AUTOMATOR_CHILD"] == "true"


@pytest.mark.parametrize(
    ("printed", "code", "kind"),
    [
        pytest.param(failed("Invalid API key · Please run /login"), 1, Silence.AUTH, id="login"),
        pytest.param(failed("Not logged in · Please run /login"), 1, Silence.AUTH, id="nobody"),
        pytest.param(failed("Failed to authenticate.", 403), 1, Silence.AUTH, id="403"),
        pytest.param(failed("API Error: rejected", 429), 1, Silence.RATE_LIMITED, id="429"),
        pytest.param(
            failed("You've hit your session limit · resets 3am"), 1, Silence.RATE_LIMITED, id="plan"
        ),
        pytest.param(failed("API Error: 529 Overloaded.", 529), 1, Silence.API_DOWN, id="529"),
        pytest.param(failed("API Error: Unable to connect"), 1, Silence.API_DOWN, id="no-line"),
        pytest.param(
            failed("API Error: … violate our Usage Policy"), 1, Silence.REFUSAL, id="refusal"
        ),
        pytest.param(
            failed("API Error: exceeded the 32000 output token maximum."),
            1,
            Silence.TRUNCATED,
            id="cut-off",
        ),
        pytest.param(failed("no such model", 404), 1, Silence.BAD_REQUEST, id="404"),
        pytest.param(
            {
                **failed(""),
                "errors": ["Failed to provide valid structured output after 2 attempts"],
            },
            1,
            Silence.INVALID_REPLY,
            id="never-in-shape",
        ),
        pytest.param(result(result=""), 0, Silence.EMPTY_REPLY, id="empty"),
        pytest.param("", 0, Silence.EMPTY_REPLY, id="silent"),
        pytest.param(result(result="All done!"), 0, Silence.INVALID_REPLY, id="prose"),
        pytest.param(
            result(structured_output={**GOOD, "next_action": "commit"}),
            0,
            Silence.INVALID_REPLY,
            id="an-unknown-action",
        ),
        pytest.param(result(structured_output=GOOD), 1, Silence.API_DOWN, id="good-but-exit-1"),
        pytest.param(
            failed("API Error: 500", structured_output=GOOD), 0, Silence.API_DOWN, id="is-error"
        ),
        pytest.param(
            result(result="API Error: 529 Overloaded"),
            0,
            Silence.API_DOWN,
            id="error-told-as-reply",
        ),
        pytest.param("API Error: 500 Internal", 0, Silence.API_DOWN, id="error-as-bare-text"),
        pytest.param(
            result(result="Invalid API key · /login"), 0, Silence.AUTH, id="login-told-as-reply"
        ),
    ],
)
def test_a_failure_says_what_kind_it_is(
    claude: Claude, printed: object, code: int, kind: Silence
) -> None:
    claude.plays(printed, code=code)
    silence = silence_of(claude)
    assert silence.error_class is kind
    assert silence.message.startswith("claude -p: ")
    assert "\n" not in silence.message


def test_a_version_that_knows_no_forms_is_to_be_updated(claude: Claude) -> None:
    claude.plays("", code=1, err="error: unknown option '--json-schema'\n")
    silence = silence_of(claude)
    assert silence.error_class is Silence.BAD_REQUEST
    assert "update" in silence.hint


def test_a_missing_program_is_its_own_kind(tmp_path: Path) -> None:
    request = ParseRequest(ParsedStep.CREATE, "You read.", SECRET, "haiku")
    with pytest.raises(NoAdvice) as raised:
        ask_cli(request, environ={"PATH": str(tmp_path)})
    assert raised.value.error_class is Silence.CLI_MISSING
    assert raised.value.reason == "sub-agent call failed"


def test_a_program_that_cannot_be_started_is_as_good_as_missing(claude: Claude) -> None:
    (claude.folder / "claude").write_text("#!/nonexistent/interpreter\n")
    assert silence_of(claude).error_class is Silence.CLI_MISSING


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(result(result=""), id="after-an-empty-one"),
        pytest.param(result(result="no JSON here"), id="after-prose"),
        pytest.param(failed("API Error: 529 Overloaded", 529), id="after-an-outage"),
        pytest.param(failed("against our Usage Policy"), id="after-a-refusal"),
    ],
)
def test_a_second_try_may_succeed(claude: Claude, first: Mapping[str, object]) -> None:
    claude.plays(first, result(structured_output=GOOD))
    assert ask(claude).next_action is NextAction.PROCEED
    assert len(claude.calls) == 2


def test_the_second_try_is_told_what_was_wrong(claude: Claude) -> None:
    claude.plays(result(result="no JSON here"), result(structured_output=GOOD))
    ask(claude)
    first, second = (call["stdin"] for call in claude.calls)
    assert second.startswith(first)
    assert "the reply has no JSON object" in second


@pytest.mark.parametrize(
    ("printed", "calls"),
    [
        pytest.param(failed("Please run /login"), 1, id="a-login-is-not-tried-again"),
        pytest.param(failed("too many", 429), 1, id="a-limit-is-not-tried-again"),
        pytest.param(result(result=""), 2, id="no-third-try"),
    ],
)
def test_tries_are_few(claude: Claude, printed: object, calls: int) -> None:
    claude.plays(printed)
    silence_of(claude)
    assert len(claude.calls) == calls


def test_one_that_hangs_is_ended_with_all_it_started(claude: Claude) -> None:
    claude.does(HANGS)
    silence = silence_of(claude, limit=2)
    assert silence.error_class is Silence.TIMEOUT
    assert silence.reason == "sub-agent call timed out"
    assert len(claude.calls) == 2, "half of the time each"
    claude.child_ends()


def test_a_child_that_keeps_the_pipe_does_not_keep_us(claude: Claude) -> None:
    answer = json.dumps(result(structured_output=GOOD))
    claude.does(
        "import subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
        f"open('child', 'w').write(str(child.pid))\nprint({answer!r})"
    )
    assert ask(claude).next_action is NextAction.PROCEED
    claude.child_ends()


def test_a_reply_without_end_is_cut_off(claude: Claude) -> None:
    claude.does(
        "for _ in range(800): sys.stdout.write('x' * 65536)\n"
        "sys.stdout.flush()\nopen('through', 'w').close()"
    )
    silence = silence_of(claude)
    assert silence.error_class is Silence.INVALID_REPLY
    assert f"{LARGEST_REPLY:,}" in silence.message
    assert not (claude.folder / "through").exists()


def test_much_talk_beside_the_answer_does_no_harm(claude: Claude) -> None:
    answer = json.dumps(result(structured_output=GOOD))
    claude.does(f"sys.stderr.write('x' * 9_000_000)\nprint({answer!r})")
    assert ask(claude).next_action is NextAction.PROCEED
