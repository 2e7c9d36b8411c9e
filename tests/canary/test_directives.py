"""Which behaviour a conversation asks for, and which calls are asides."""

import pytest

from story_automator.canary.acts import Heard, ToolResult
from story_automator.canary.directives import Aside, Directive, aside, directive

RESULT = ToolResult()


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        pytest.param((), Directive(), id="no-words-are-a-plain-turn"),
        pytest.param(("hello",), Directive(), id="words-without-a-directive-are-a-plain-turn"),
        pytest.param(("canary:turn",), Directive("turn"), id="a-directive-alone"),
        pytest.param(("Please canary:bash:3 now",), Directive("bash", ("3",)), id="amid-words"),
        pytest.param(("canary:slow:2.5.",), Directive("slow", ("2.5",)), id="a-full-stop-ends-it"),
        pytest.param(
            ("canary:limit:60:weekly",), Directive("limit", ("60", "weekly")), id="two-arguments"
        ),
        pytest.param(
            ("canary:sse_error",), Directive("sse_error"), id="names-may-have-an-underscore"
        ),
        pytest.param(
            ("canary:turn, then canary:ask",), Directive("ask"), id="the-last-of-a-text-wins"
        ),
        pytest.param(
            ("canary:turn", "canary:ask"), Directive("ask"), id="the-last-text-that-has-one-wins"
        ),
        pytest.param(
            ("canary:maxtok", "Go on."), Directive("maxtok"), id="words-of-the-client-keep-it"
        ),
        pytest.param(("mycanary:ask",), Directive(), id="part-of-a-word-is-none"),
        pytest.param(
            ("canary:steps:3", RESULT, RESULT),
            Directive("steps", ("3",), 2),
            id="tool-results-count-as-steps",
        ),
        pytest.param(
            ("canary:bash", RESULT, "canary:ask", RESULT),
            Directive("ask", (), 1),
            id="only-results-since-the-directive-count",
        ),
    ],
)
def test_directive(said: tuple[str | ToolResult, ...], asked: Directive) -> None:
    assert directive(Heard(said=said)) == asked


def test_a_trial_is_named_as_it_was_asked() -> None:
    assert directive(Heard(said=("canary:limit:60:weekly",))).trial == "limit:60:weekly"


TOOLS = frozenset({"Bash"})


@pytest.mark.parametrize(
    ("heard", "kind"),
    [
        pytest.param(Heard(("canary:turn",), tools=TOOLS), Aside.NONE, id="a-turn-offers-tools"),
        pytest.param(
            Heard(("<session>canary:bash</session>",), "Generate a concise title."),
            Aside.TITLE,
            id="a-title-is-asked-for-in-the-system-prompt",
        ),
        pytest.param(
            Heard(("Give this thread a title: canary:bash",)),
            Aside.TITLE,
            id="a-title-is-asked-for-in-the-words",
        ),
        pytest.param(Heard(("quota",), max_tokens=1), Aside.QUOTA, id="one-token-probes-the-quota"),
        pytest.param(
            Heard(
                ("canary:compact", RESULT, "Create a detailed summary of the conversation so far"),
                tools=TOOLS,
            ),
            Aside.SUMMARY,
            id="a-summary-may-offer-tools",
        ),
        pytest.param(
            Heard(("You are performing a CONTEXT CHECKPOINT COMPACTION.",), tools=TOOLS),
            Aside.SUMMARY,
            id="a-checkpoint-is-a-summary",
        ),
        pytest.param(
            Heard(("Is this a new topic? canary:turn",)), Aside.OTHER, id="no-tools-no-turn"
        ),
        pytest.param(
            Heard(("canary:turn write a title page",), tools=TOOLS),
            Aside.NONE,
            id="a-turn-may-speak-of-titles",
        ),
    ],
)
def test_aside(heard: Heard, kind: Aside) -> None:
    assert aside(heard) is kind
