"""What a line of `codex exec --json` says to a reader."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.codex_text import CodexText, is_event
from story_automator.agents.look import newest_todos


def unchanged(text: str) -> str:
    return text


def item(kind: str, event: str = "completed", number: str = "item_1", **more: Any) -> Any:
    return {"type": f"item.{event}", "item": {"id": number, "type": kind, **more}}


def ran(output: str, code: int | None = 0, number: str = "item_1", event: str = "completed") -> Any:
    command = "/bin/bash -lc 'npm test'"
    return item(
        "command_execution",
        event,
        number,
        command=command,
        aggregated_output=output,
        exit_code=code,
        status="in_progress" if event == "started" else "completed",
    )


def rows(*lines: Any) -> list[str]:
    reader = CodexText(unchanged)
    return "\n".join(one.text for line in lines for one in reader.read(line)).split("\n")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param(item("agent_message", text="# All\ndone"), ["# All", "done"], id="a-message"),
        pytest.param(ran("ok\n"), ["● Bash(npm test)", "  │ ok"], id="a-command"),
        pytest.param(
            ran("bad\n", 3),
            ["● Bash(npm test)", "  ✗ exit code 3", "  │ bad"],
            id="a-command-that-failed",
        ),
        pytest.param(
            ran("", None, event="started"), ["● Bash(npm test)"], id="a-command-that-never-ended"
        ),
        pytest.param(
            item("command_execution", command="it's", aggregated_output="", exit_code=0),
            ["● Bash(it's)"],
            id="a-command-that-no-shell-can-read",
        ),
        pytest.param(
            item("file_change", changes=[{"path": "a.py", "kind": "add"}], status="completed"),
            ["● Change(add a.py)"],
            id="a-change",
        ),
        pytest.param(
            item("mcp_tool_call", server="db", tool="ask", error={"message": "no"}),
            ["● db.ask()", "  ✗ no"],
            id="a-tool-that-failed",
        ),
        pytest.param(item("web_search", query="tmux"), ["● WebSearch(tmux)"], id="a-search"),
        pytest.param(item("reasoning", text="Hm."), [""], id="reasoning-is-left-out"),
        pytest.param(item("error", message="old model"), ["! old model"], id="a-warning"),
        pytest.param({"type": "error", "message": "401"}, ["✗ 401"], id="an-error"),
        pytest.param(
            {"type": "turn.failed", "error": {"message": "429"}},
            ["✗ 429 [the turn failed]"],
            id="a-failed-turn",
        ),
        pytest.param({"type": "turn.started"}, [""], id="a-turn-that-began"),
    ],
)
def test_one_line(line: Any, shown: list[str]) -> None:
    assert rows(line) == shown


def test_a_command_is_named_once() -> None:
    assert rows(ran("", None, event="started"), ran("ok")) == ["● Bash(npm test)", "  │ ok"]


def test_a_warning_is_given_once() -> None:
    warning = item("error", message="old model")
    assert rows(warning, item("error", message="no hooks"), warning) == [
        "! old model",
        "! no hooks",
    ]


def test_an_error_that_ends_the_turn_is_told_once() -> None:
    error = {"type": "error", "message": "429"}
    failed = {"type": "turn.failed", "error": {"message": "429"}}
    assert rows(error, failed) == ["✗ 429", "── the turn failed ──"]


def test_an_answer_after_other_words_says_whose_it_is() -> None:
    shown = rows(
        ran("", None, event="started"), item("agent_message", number="item_2", text="M."), ran("ok")
    )
    assert shown == ["● Bash(npm test)", "M.", "↳ Bash(npm test)", "  │ ok"]


def test_the_newest_todo_list_counts() -> None:
    def listed(event: str, *done: bool) -> Any:
        return item("todo_list", event, items=[{"text": "T", "completed": d} for d in done])

    shown = rows(
        listed("started", False, False, False),
        item("agent_message", text="Going on."),
        listed("updated", True, False, False),
        listed("completed", True, True, True),
    )
    assert newest_todos(shown) == (3, 3)


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ({"type": "thread.started"}, True),
        ({"type": "error", "message": "x"}, True),
        ({"type": "assistant"}, False),
        ({"item": 1}, False),
        ([], False),
        (None, False),
    ],
)
def test_which_lines_are_events(line: object, is_one: bool) -> None:
    assert is_event(line) is is_one


WORDS = st.sampled_from(
    "error turn.failed item.started item.completed item.updated agent_message command_execution "
    "file_change mcp_tool_call todo_list web_search failed".split()
)
KEYS = st.sampled_from(
    "type item id text command aggregated_output exit_code changes kind path items completed error "
    "message status server tool arguments result query".split()
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)


@given(st.lists(ODD, max_size=8))
def test_any_values_are_read_without_harm(lines: list[Any]) -> None:
    reader = CodexText(unchanged)
    for line in lines:
        is_event(line)
        assert all(one.text.strip() for one in reader.read(line))
