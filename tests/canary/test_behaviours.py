"""What the model does for each name, step and try."""

import pytest

from story_automator.canary.acts import (
    Act,
    Answer,
    AskPerson,
    Cut,
    Delegate,
    Failure,
    HangUp,
    Heard,
    Ping,
    PresentPlan,
    Reply,
    Run,
    Say,
    Silence,
    Think,
    ToolUse,
    Wait,
    WriteFile,
    spread,
)
from story_automator.canary.behaviours import ROUNDS, TABLE, answer, at_once, waiting
from story_automator.canary.directives import Aside, Directive, directive
from story_automator.canary.tools import call


def ask(
    name: str, *args: str, step: int = 0, attempt: int = 1, aside: Aside = Aside.NONE
) -> Answer:
    return answer(Directive(name, args, step), aside, attempt)


def act_of(name: str, *args: str) -> Act:
    reply = ask(name, *args)
    assert isinstance(reply, Reply)
    return reply.acts[-1]


@pytest.mark.parametrize(
    ("name", "argument", "act"),
    [
        pytest.param("bash", "7", Run(waiting(7)), id="bash-sleeps"),
        pytest.param("background", "7", Run(waiting(7), background=True), id="in-the-background"),
        pytest.param("write", "0", WriteFile("hello.txt", "hello\n"), id="write-makes-a-file"),
        pytest.param("agent", "2", Delegate("canary:bash:2"), id="an-agent-gets-its-own-trial"),
        pytest.param("steps", "2", Run("echo step 1"), id="steps-begin-with-one"),
        pytest.param("ping", "5", Say("Still here."), id="pings-end-in-words"),
        pytest.param("stall", "0", Wait(), id="a-stall-never-ends"),
        pytest.param("drop", "0", Cut(), id="a-drop-cuts-the-line"),
    ],
)
def test_the_last_act_of_a_first_step(name: str, argument: str, act: Act) -> None:
    assert act_of(name, argument) == act


@pytest.mark.parametrize(
    "name", ["bash", "background", "write", "agent", "ask", "plan", "escalate"]
)
def test_a_tool_is_called_once_and_then_words_follow(name: str) -> None:
    first, second = ask(name), ask(name, step=1)
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert first.calls_tools
    assert not second.calls_tools


def test_steps_call_a_tool_as_often_as_asked() -> None:
    replies = [ask("steps", "3", step=step) for step in range(4)]
    assert [isinstance(r, Reply) and r.calls_tools for r in replies] == [True, True, True, False]


@pytest.mark.parametrize("name", ["rate", "overloaded", "broken", "toolong", "drop", "sse_error"])
def test_trouble_for_the_first_two_tries_is_over_at_the_third(name: str) -> None:
    tries = [ask(name, "2", attempt=attempt) for attempt in (1, 2, 3)]
    assert tries[0] == tries[1]
    assert tries[2] == Reply((Say("It worked in the end."),))
    assert ask(name, attempt=99) == tries[0], "without a number it never ends"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("limit", 429, id="limit"),
        pytest.param("rate", 429, id="rate"),
        pytest.param("overloaded", 529, id="overloaded"),
        pytest.param("broken", 500, id="broken"),
        pytest.param("unauthorized", 401, id="unauthorized"),
        pytest.param("forbidden", 403, id="forbidden"),
        pytest.param("model", 404, id="model"),
        pytest.param("credit", 400, id="credit"),
        pytest.param("toolong", 400, id="toolong"),
        pytest.param("no_such_thing", 400, id="an-unknown-name-is-a-bad-request"),
    ],
)
def test_http_status(name: str, status: int) -> None:
    failure = ask(name)
    assert isinstance(failure, Failure)
    assert failure.status == status


def test_an_argument_that_is_no_number_is_a_bad_request() -> None:
    failure = ask("bash", "soon")
    assert isinstance(failure, Failure)
    assert "bash:soon" in failure.message


def test_a_limit_of_no_known_plan_is_a_bad_request() -> None:
    failure = ask("limit", "60", "yearly")
    assert isinstance(failure, Failure)
    assert failure.status == 400


def test_a_context_fills_up_then_overflows_then_has_room() -> None:
    replies = [ask("compact", step=step) for step in range(ROUNDS)]
    assert all(isinstance(reply, Reply) and reply.calls_tools for reply in replies)
    tokens = [reply.tokens for reply in replies if isinstance(reply, Reply)]
    assert tokens[-1] > 900_000 > tokens[0]
    assert isinstance(ask("compact", step=ROUNDS), Failure)
    assert isinstance(ask("compact", step=ROUNDS, attempt=2), Reply)


@pytest.mark.parametrize(
    ("name", "met"),
    [
        pytest.param("stall", Silence(), id="a-stall-is-silence"),
        pytest.param("drop", HangUp(), id="a-drop-hangs-up"),
        pytest.param(
            "sse_error", Failure(529, "overloaded_error", "Overloaded"), id="an-event-is-a-status"
        ),
        pytest.param("hang", Silence(), id="silence-stays"),
    ],
)
def test_trouble_without_a_stream_is_met_at_once(name: str, met: Answer) -> None:
    assert at_once(answer(Directive(name), Aside.NONE, 1)) == met


def test_a_reply_without_trouble_is_the_same_with_and_without_a_stream() -> None:
    reply = answer(Directive("turn"), Aside.NONE, 1)
    assert at_once(reply) is reply


def test_a_summary_asks_for_a_plain_turn() -> None:
    reply = ask("compact", aside=Aside.SUMMARY)
    assert isinstance(reply, Reply)
    assert isinstance(reply.acts[0], Say)
    assert directive(Heard(("canary:compact", reply.acts[0].text))) == Directive("turn")


def test_silence_and_hanging_up_send_nothing() -> None:
    assert ask("hang") == Silence()
    assert ask("refuse") == HangUp()


@pytest.mark.parametrize("aside", [kind for kind in Aside if kind is not Aside.NONE])
def test_asides_are_answered_unless_the_whole_account_is_in_trouble(aside: Aside) -> None:
    assert isinstance(ask("hang", aside=aside), Reply)
    assert isinstance(ask("unauthorized", aside=aside), Failure)


@pytest.mark.parametrize("name", TABLE)
def test_every_behaviour_answers_at_every_step(name: str) -> None:
    assert all(ask(name, step=step) for step in range(ROUNDS + 2))


@pytest.mark.parametrize("seconds", [0.0, 0.1, 3.0, 60.0])
def test_spread_text_is_whole_and_takes_its_time(seconds: float) -> None:
    said = Say("one two  three\n\nfour", over=seconds)
    pieces = list(spread(said))
    assert "".join(piece for piece in pieces if isinstance(piece, str)) == said.text
    waits = [piece.seconds for piece in pieces if isinstance(piece, Wait)]
    assert sum(waits) == pytest.approx(seconds)


def test_pings_take_their_time() -> None:
    assert sum(wait.seconds for wait in Ping(2.5).beats()) == pytest.approx(2.5)


WRITE = WriteFile("hello.txt", "hello\n")


@pytest.mark.parametrize(
    ("act", "tools", "name", "key", "value"),
    [
        pytest.param(Run("ls"), {"Bash"}, "Bash", "command", "ls", id="claude-shell"),
        pytest.param(
            Run("ls", background=True), {"Bash"}, "Bash", "run_in_background", True, id="background"
        ),
        pytest.param(
            Run("ls"), {"exec_command"}, "exec_command", "cmd", "ls", id="codex-shell-of-today"
        ),
        pytest.param(
            Run("ls", escalated=True),
            {"exec_command"},
            "exec_command",
            "sandbox_permissions",
            "require_escalated",
            id="codex-asks-for-more",
        ),
        pytest.param(
            Run("ls"), {"shell"}, "shell", "command", ["bash", "-lc", "ls"], id="codex-shell-of-old"
        ),
        pytest.param(Run("ls"), {"bash"}, "bash", "command", "ls", id="opencode-shell"),
        pytest.param(
            WRITE, {"Write", "Bash"}, "Write", "file_path", "/home/dev/proj/hello.txt", id="write"
        ),
        pytest.param(
            WRITE, {"write"}, "write", "filePath", "/home/dev/proj/hello.txt", id="opencode-write"
        ),
        pytest.param(
            WRITE,
            {"exec_command"},
            "exec_command",
            "cmd",
            "printf %s 'hello\n' > hello.txt",
            id="without-a-write-tool-the-shell-writes",
        ),
        pytest.param(Delegate("go"), {"Agent"}, "Agent", "prompt", "go", id="sub-agent"),
        pytest.param(Delegate("go"), {"Task"}, "Task", "prompt", "go", id="sub-agent-of-old"),
        pytest.param(PresentPlan("1."), {"Bash"}, "ExitPlanMode", "plan", "1.", id="plan"),
    ],
)
def test_tool_calls(act: ToolUse, tools: set[str], name: str, key: str, value: object) -> None:
    heard = Heard(system="Primary working directory: /home/dev/proj\n", tools=frozenset(tools))
    called, given = call(act, heard)
    assert (called, given[key]) == (name, value)


def test_a_question_offers_its_options() -> None:
    _, given = call(AskPerson("Which?", ("A", "B")), Heard())
    assert [option["label"] for option in given["questions"][0]["options"]] == ["A", "B"]


def test_codex_tells_its_folder_in_the_conversation() -> None:
    heard = Heard(("<environment_context>\n  <cwd>/srv/app</cwd>",), tools=frozenset({"Write"}))
    assert call(WRITE, heard)[1]["file_path"] == "/srv/app/hello.txt"


def test_thinking_comes_before_words() -> None:
    reply = ask("think", "1")
    assert isinstance(reply, Reply)
    assert [type(act) for act in reply.acts] == [Think, Say]
