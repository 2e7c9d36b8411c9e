"""What a line of Claude's transcript says to a reader."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.claude_text import ClaudeText
from story_automator.agents.entry import ERROR_HEAD, ERROR_TAIL, HEAD, LONGEST_ROW, TAIL, Voice
from story_automator.agents.look import newest_todos


def unchanged(text: str) -> str:
    return text


def assistant(*content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": list(content)}, **more}


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"content": content}, **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(name: str, number: str = "t1", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": number, "name": name, "input": given}


def answer(content: Any, number: str = "t1", *, failed: bool = False) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": number,
        "content": content,
        "is_error": failed,
    }


def told(*lines: Any, clean: Any = unchanged) -> list[tuple[str, str]]:
    reader = ClaudeText(clean)
    entries = [one for line in lines for one in reader.read(line)]
    return [(one.voice.value, one.text) for one in [*entries, *reader.close()]]


def rows(*lines: Any) -> list[str]:
    return "\n".join(words for _, words in told(*lines)).split("\n")


class TestWords:
    def test_a_prompt_is_quoted(self) -> None:
        assert told(user("Fix it.\nNow.")) == [("person", "> Fix it.\n> Now.")]

    def test_a_long_prompt_is_trimmed(self) -> None:
        shown = rows(user("\n".join(f"row {n}" for n in range(500))))
        assert shown[0] == "> row 0"
        assert shown[HEAD] == f"> … {500 - HEAD - TAIL} lines …"
        assert shown[-1] == "> row 499"

    def test_what_the_agent_says_is_whole_and_as_written(self) -> None:
        words = "## Done\n\n- [X] **all** `tests`\n" + "\n".join(f"line {n}" for n in range(5000))
        assert told(assistant(text(words))) == [("agent", words)]

    def test_the_words_are_kept_apart_from_our_marks(self) -> None:
        (one,) = ClaudeText(unchanged).read(
            assistant(text("API Error: 529"), isApiErrorMessage=True, error="server_error")
        )
        assert (one.text, one.words) == ("✗ API Error: 529 [server_error]", "API Error: 529")

    @pytest.mark.parametrize(
        ("line", "shown"),
        [
            pytest.param(
                assistant(
                    text("Overloaded"),
                    isApiErrorMessage=True,
                    error="server_error",
                    apiErrorStatus=529,
                ),
                ("trouble", "✗ Overloaded [server_error 529]"),
                id="an-api-error",
            ),
            pytest.param(
                user([text("[Request interrupted by user for tool use]")]),
                ("trouble", "✗ [Request interrupted by user for tool use]"),
                id="an-interruption",
            ),
            pytest.param(
                user(
                    "<command-message>dev</command-message>\n<command-name>/dev</command-name>\n"
                    "<command-args>5.3 now</command-args>"
                ),
                ("person", "> /dev 5.3 now"),
                id="a-slash-command",
            ),
            pytest.param(
                user("<local-command-stdout>Compacted</local-command-stdout>"),
                ("result", "  │ Compacted"),
                id="what-a-slash-command-printed",
            ),
            pytest.param(
                user("<task-notification>\n<summary>It ended</summary>\n</task-notification>"),
                ("person", "> It ended"),
                id="a-task-notification",
            ),
            pytest.param(
                {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "hi"}},
                ("person", "> hi"),
                id="a-message-typed-while-it-worked",
            ),
            pytest.param(
                user([{"type": "image", "source": {}}, text("see")]),
                ("person", "> [image]\n> see"),
                id="an-image",
            ),
        ],
    )
    def test_one_line(self, line: Any, shown: tuple[str, str]) -> None:
        assert told(line) == [shown]

    def test_a_compaction_is_marked_before_its_summary(self) -> None:
        note, summary = told(user("Summary: test.", isCompactSummary=True))
        assert note == ("note", "── the conversation was compacted; its summary ──")
        assert summary == ("person", "> Summary: test.")

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(assistant({"type": "thinking", "thinking": "Hm."}), id="thinking"),
            pytest.param({"type": "system", "subtype": "turn_duration"}, id="a-system-line"),
            pytest.param(user("Caveat", isMeta=True), id="a-note-to-the-model"),
            pytest.param(assistant(text("mine"), isSidechain=True), id="a-sub-agents-words"),
            pytest.param(user("look", isSidechain=True), id="a-sub-agents-prompt"),
            pytest.param(assistant(text("  \n")), id="no-words"),
            pytest.param({"type": "mode", "mode": "normal"}, id="a-mode"),
        ],
    )
    def test_is_left_out(self, line: Any) -> None:
        assert told(line) == []


class TestTools:
    @pytest.mark.parametrize(
        ("called", "shown"),
        [
            pytest.param(use("Bash", command="npm test"), "● Bash(npm test)", id="a-command"),
            pytest.param(
                use("Bash", command="cat <<X\n a\nX"), "● Bash(cat <<X a X)", id="in-one-row"
            ),
            pytest.param(
                use("Write", file_path="/home/dev/proj/src/a.py", content="x"),
                "● Write(src/a.py)",
                id="a-path-below-the-project",
            ),
            pytest.param(
                use("Read", file_path="/etc/hosts"), "● Read(/etc/hosts)", id="a-path-elsewhere"
            ),
            pytest.param(
                use("Agent", prompt="long", description="Explore"),
                "● Agent(Explore)",
                id="a-sub-agent",
            ),
            pytest.param(
                use("AskUserQuestion", questions=[{"question": "Which?"}, {"question": "Why?"}]),
                "● AskUserQuestion(Which? / Why?)",
                id="questions",
            ),
            pytest.param(
                use("mcp__db__ask", rows=3), '● mcp__db__ask({"rows": 3})', id="an-unknown-tool"
            ),
            pytest.param(use("Refresh"), "● Refresh()", id="no-argument"),
        ],
    )
    def test_a_call_is_one_row(self, called: Any, shown: str) -> None:
        assert told(assistant(called, cwd="/home/dev/proj")) == [("call", shown)]

    def test_a_long_call_is_cut(self) -> None:
        ((_, shown),) = told(assistant(use("Bash", command="x" * 10_000)))
        assert len(shown) < 220
        assert shown.endswith("…)")

    def test_a_result_follows_its_call(self) -> None:
        shown = rows(assistant(use("Bash", command="ls")), user([answer("a\nb\n")]))
        assert shown == ["● Bash(ls)", "  │ a", "  │ b"]

    def test_a_long_result_keeps_both_ends(self) -> None:
        shown = rows(user([answer("\n".join(f"{n}" for n in range(1000)))]))
        assert shown[:HEAD] == [f"  │ {n}" for n in range(HEAD)]
        assert shown[HEAD] == f"  │ … {1000 - HEAD - TAIL} lines …"
        assert shown[-TAIL:] == [f"  │ {n}" for n in range(1000 - TAIL, 1000)]

    def test_an_error_is_whole_up_to_its_bound(self) -> None:
        whole = "\n".join(f"{n}" for n in range(ERROR_HEAD + ERROR_TAIL))
        shown = rows(user([answer(whole, failed=True)]))
        assert (shown[0], len(shown)) == ("  ✗ 0", ERROR_HEAD + ERROR_TAIL)
        longer = rows(user([answer(f"{whole}\n" * 9, failed=True)]))
        assert len(longer) == ERROR_HEAD + ERROR_TAIL + 1

    def test_a_long_row_keeps_its_beginning(self) -> None:
        (shown,) = rows(user([answer("x" * 100_000)]))
        assert shown == f"  │ {'x' * LONGEST_ROW} … {100_000 - LONGEST_ROW} characters …"

    def test_answers_of_calls_made_at_once_say_whose_they_are(self) -> None:
        shown = rows(
            assistant(use("Bash", "t1", command="one"), use("Bash", "t2", command="two")),
            user([answer("of one", "t1")]),
            user([answer("of two", "t2")]),
        )
        assert shown == [
            *("● Bash(one)", "● Bash(two)"),
            *("↳ Bash(one)", "  │ of one"),
            *("↳ Bash(two)", "  │ of two"),
        ]

    def test_blocks_of_an_answer_are_joined(self) -> None:
        assert rows(user([answer([text("a"), {"type": "image"}, text("b")])])) == [
            "  │ a",
            "  │ [image]",
            "  │ b",
        ]

    def test_the_tags_around_an_error_are_dropped(self) -> None:
        shown = rows(user([answer("<tool_use_error>No such tool</tool_use_error>", failed=True)]))
        assert shown == ["  ✗ No such tool"]

    def test_a_secret_is_cleaned_before_it_is_trimmed(self) -> None:
        key = ["-----BEGIN KEY-----", *["c2VjcmV0"] * 200, "-----END KEY-----"]

        def clean(words: str) -> str:
            if "BEGIN" in words:
                return words.replace("c2VjcmV0", "***")
            return words

        shown = rows_cleaned(user([answer("\n".join([*["x"] * 50, *key]))]), clean)
        assert not any("c2VjcmV0" in row for row in shown)


def rows_cleaned(line: Any, clean: Any) -> list[str]:
    return "\n".join(words for _, words in told(line, clean=clean)).split("\n")


class TestTasks:
    def test_a_todo_list_is_drawn_as_boxes(self) -> None:
        todos = [
            {"content": "Read", "status": "completed"},
            {"content": "Write", "status": "in_progress"},
            {"content": "Test", "status": "pending"},
        ]
        shown = rows(
            assistant(use("TodoWrite", todos=todos)), user([answer("ok")]), assistant(text("Hm."))
        )
        assert shown == ["● Tasks", "  ☒ Read", "  ☐ Write", "  ☐ Test", "Hm."]
        assert newest_todos(shown) == (1, 3)

    def test_the_newest_list_is_the_last_one(self) -> None:
        first = [{"content": "Read", "status": "pending"}] * 3
        second = [{"content": "Read", "status": "completed"}] * 2
        shown = rows(
            assistant(use("TodoWrite", todos=first)),
            assistant(text("Going on.")),
            assistant(use("TodoWrite", todos=second)),
        )
        assert newest_todos(shown) == (2, 2)

    def test_created_and_updated_tasks_make_a_list(self) -> None:
        created = [
            user([answer("ok", "c")], toolUseResult={"task": {"id": str(n), "subject": f"T{n}"}})
            for n in (1, 2, 3)
        ]
        calls = [assistant(use("TaskCreate", "c", subject=f"T{n}")) for n in (1, 2, 3)]
        made = [line for pair in zip(calls, created, strict=True) for line in pair]
        updates = [
            assistant(use("TaskUpdate", "u", taskId="1", status="completed")),
            assistant(use("TaskUpdate", "u", taskId="2", subject="T2, better")),
            assistant(use("TaskUpdate", "u", taskId="3", status="deleted")),
        ]
        assert rows(*made) == ["● Tasks", "  ☐ T1", "  ☐ T2", "  ☐ T3"]
        assert rows(*made, *updates) == ["● Tasks", "  ☒ T1", "  ☐ T2, better"]

    def test_a_list_that_did_not_change_is_not_drawn_again(self) -> None:
        listed = {"tasks": [{"id": "1", "subject": "T1", "status": "pending"}]}
        ask = assistant(use("TaskList", "l")), user([answer("#1", "l")], toolUseResult=listed)
        shown = rows(*ask, assistant(text("Hm.")), *ask, assistant(text("Yes.")))
        assert shown == ["● Tasks", "  ☐ T1", "Hm.", "Yes."]

    @pytest.mark.parametrize("quoted", ["☒ not mine\n☐ nor this", "  ☐ indented"])
    def test_boxes_in_an_output_or_a_prompt_are_not_the_agents_list(self, quoted: str) -> None:
        shown = rows(user([answer(quoted)]), user(quoted))
        assert newest_todos(shown) == (0, 0)

    def test_a_task_update_that_failed_is_told(self) -> None:
        shown = rows(
            assistant(use("TaskUpdate", "u", taskId="9")),
            user([answer("No such task", "u", failed=True)]),
        )
        assert shown == ["↳ TaskUpdate", "  ✗ No such task"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    "type message content text name id input tool_use_id is_error todos status subject taskId task "
    "tasks questions attachment prompt isApiErrorMessage error isMeta isCompactSummary cwd command "
    "toolUseResult isSidechain timestamp".split()
)
WORDS = st.sampled_from(
    "user assistant attachment queued_command text tool_use tool_result thinking TodoWrite "
    "TaskCreate TaskUpdate TaskList Bash AskUserQuestion completed 1".split()
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)


@given(st.lists(JSON | ODD, max_size=8))
def test_any_values_are_read_without_harm(lines: list[Any]) -> None:
    reader = ClaudeText(unchanged)
    for line in json.loads(json.dumps(lines)):
        for one in reader.read(line):
            assert one.voice in Voice
            assert one.text.strip()
    list(reader.close())
