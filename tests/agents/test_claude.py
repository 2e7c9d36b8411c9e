"""Claude Code's screen: shapes, and what must not be mistaken for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.agents.claude import left_in_mid_turn, read_screen
from story_automator.agents.look import State
from story_automator.model.screen import Need, Shape
from tests.agents.conftest import RULE, Draw

PROMPT = "❯ Implement story 1.2"
REPLY = "● I changed three files."
DONE = "✻ Baked for 3m 20s"
SPINNER = "✽ Marinating… (13s · ↓ 25 tokens)"
BUSY, IDLE = "⠂ story-1.2", "✳ story-1.2"


@pytest.mark.parametrize("verb", ["Baked", "Done", "Sautéed", "Sock-hopped", "Worked hard", "思考"])
@pytest.mark.parametrize(
    "duration", ["0s", "45s", "1m 2s", "2m", "1h 2m 3s", "1h 0m 5s", "1d 2h 3m 4s"]
)
def test_any_verb_and_any_duration_end_a_turn(verb: str, duration: str, draw: Draw) -> None:
    screen = draw(PROMPT, "", REPLY, "", f"✻ {verb} for {duration}")
    assert read_screen(screen).shape is Shape.DONE


@pytest.mark.parametrize(
    ("above", "typed", "title"),
    [
        pytest.param((REPLY, "", "  Done for 3m 20s"), "", "", id="words-in-a-reply"),
        pytest.param(("● Done for 3m 20s",), "", "", id="a-reply-of-these-words"),
        pytest.param((REPLY, "", f"  {DONE}"), "", "", id="a-quoted-done-line"),
        pytest.param(("● Bash(cat log)", f"  ⎿  {DONE}"), "", "", id="a-done-line-in-a-log"),
        pytest.param(("Done for 3m 20s",), "", "", id="no-glyph"),
        pytest.param((REPLY, "", "✻ Baked for ages"), "", "", id="no-duration"),
        pytest.param((REPLY, "", DONE, "", "❯ and now 1.3"), "", "", id="second-turn-begun"),
        pytest.param((REPLY, "", DONE, "", "❯ now", "", REPLY), "", "", id="second-turn-replies"),
        pytest.param((REPLY, "", DONE, "", REPLY), "", "", id="background-work-woke-it"),
        pytest.param((REPLY, "", DONE), "and the next", "", id="text-typed"),
        pytest.param((REPLY, "", DONE), "/exit", IDLE, id="text-typed-and-idle-title"),
        pytest.param((REPLY, "", DONE), "", BUSY, id="busy-title"),
        pytest.param((REPLY, "", DONE, "", "❯ now", "", SPINNER), "", "", id="spinner-below"),
    ],
)
def test_this_is_not_done(above: tuple[str, ...], typed: str, title: str, draw: Draw) -> None:
    assert read_screen(draw(PROMPT, "", *above, typed=typed), title).shape is not Shape.DONE


def test_a_short_screen_is_done_like_a_full_one(draw: Draw) -> None:
    short = draw(PROMPT, "", REPLY, "", DONE, height=24)
    full = draw(*["  text"] * 40, "", DONE, height=0)
    assert [read_screen(screen).shape for screen in (short, full)] == [Shape.DONE] * 2


def test_a_background_shell_does_not_hide_the_end_of_the_turn(draw: Draw) -> None:
    reading = read_screen(draw(PROMPT, "", REPLY, "", f"{DONE} · 1 shell still running"))
    assert reading.shape is Shape.DONE
    assert "1 shell still running" in reading.because


def test_a_todo_list_below_the_done_line_is_no_transcript(draw: Draw) -> None:
    screen = draw(PROMPT, "", REPLY, "", DONE, "  ⎿  ☒ write the test", "     ☐ write the code")
    assert read_screen(screen).shape is Shape.DONE


@pytest.mark.parametrize(
    ("live", "task"),
    [
        pytest.param(("✻ Mulling…",), "Mulling…", id="no-figures-yet"),
        pytest.param(("· Mulling… (1m 43s)",), "Mulling…", id="no-tokens"),
        pytest.param(("✶ Fixing the tests… (3s · thinking)",), "Fixing the tests…", id="a-todo"),
        pytest.param(
            ("* Compacting conversation…", "  ▰▱▱ 2%"), "Compacting conversation…", id="compacting"
        ),
        pytest.param((SPINNER, "  ⎿  Tip: press shift+tab"), "Marinating…", id="tip-below"),
        pytest.param((SPINNER, "", "", "  ❯ queued message"), "Marinating…", id="queued-message"),
        pytest.param((SPINNER, "  ⎿  ☒ one", "     ☐ two"), "Marinating…", id="todos-below"),
    ],
)
def test_a_spinner_above_the_box_is_work(live: tuple[str, ...], task: str, draw: Draw) -> None:
    reading = read_screen(draw(PROMPT, "", REPLY, "", *live))
    assert (reading.shape, reading.task) == (Shape.WORKING, task)


def test_a_long_task_is_cut(draw: Draw) -> None:
    assert len(read_screen(draw(f"✻ {'very ' * 30}long… (2s)")).task) == 80


@pytest.mark.parametrize(
    ("row", "trouble"),
    [
        ("✻ API error · Retrying in 11s · attempt 6/10", "api_error"),
        ("✻ 529 Overloaded · Retrying in 1s · attempt 10/10", "api_error"),
        ("✻ 429 Too many requests · Retrying in 2s · attempt 2/2", "rate_limited"),
        ("✻ 401 Invalid key · Retrying in 30s · attempt 10/10", "auth_error"),
        ("✻ API error · Retrying in 60s · attempt 1/10", "rate_limited"),
    ],
    ids=[
        "own-back-off",
        "status-named",
        "limit-named",
        "login-named",
        "wait-ordered-by-the-server",
    ],
)
def test_a_retry_line_is_work_in_trouble(row: str, trouble: str, draw: Draw) -> None:
    reading = read_screen(draw(PROMPT, "", row))
    assert (reading.shape, reading.trouble) == (Shape.WORKING, trouble)
    assert reading.task == row[2:]


@pytest.mark.parametrize(
    ("rows", "trouble"),
    [
        (("● API Error: 529 Overloaded. Try again",), "api_error"),
        (("● API Error: Request rejected (429) · slow down",), "rate_limited"),
        (("● Please run /login · API Error: 403 no access",), "auth_error"),
        (("  ⎿  Invalid API key · Fix external API key",), "auth_error"),
        (("  ⎿  Credit balance too low · Add funds: https://example.org",), "api_error"),
        (("  ⎿  Prompt is too long",), "context_limit"),
        (("  ⎿  Context limit reached · /compact or /clear to continue",), "context_limit"),
        (("  ⎿  You've hit your session limit · resets 9:47am (UTC)",), "rate_limited"),
        (
            (
                REPLY,
                "  ⎿  You've hit your weekly limit · resets 3pm",
            ),
            "rate_limited",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value[-1].strip("● ⎿")[:24],
)
@pytest.mark.parametrize("done", [(), ("", DONE)], ids=["no-done-line", "done-line-below"])
def test_an_error_as_the_last_block_fails_the_turn(
    rows: tuple[str, ...], trouble: str, done: tuple[str, ...], draw: Draw
) -> None:
    reading = read_screen(draw(PROMPT, *rows, *done))
    assert (reading.shape, reading.trouble) == (Shape.ERROR, trouble)


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("● API Error: 529", "", REPLY), id="earlier-block"),
        pytest.param(("● API Error: 529", "", DONE, "", "❯ go on", "", REPLY), id="earlier-turn"),
        pytest.param(("● API Error: 529 is caught.", "", "  It retries."), id="two-paragraphs"),
        pytest.param(("● The log says API Error: 529",), id="inside-a-sentence"),
        pytest.param(("● I fixed it:", "", "  API Error: 529 is caught"), id="in-a-reply"),
        pytest.param(("● It drew", "", "  ⎿  Prompt is too long", "", "  before."), id="quoted"),
        pytest.param(("● 429 tests pass.",), id="a-reply-that-begins-with-a-number"),
        pytest.param(("● Not logged in users get a 403.",), id="a-reply-about-logins"),
        pytest.param(("  ⎿  You've used 97% of your session limit · resets 3pm",), id="a-warning"),
    ],
)
def test_words_about_errors_are_no_error(rows: tuple[str, ...], draw: Draw) -> None:
    reading = read_screen(draw(PROMPT, *rows, "", DONE))
    assert (reading.shape, reading.trouble) == (Shape.DONE, "")


class TestAnEmptyPrompt:
    def test_before_the_first_turn_is_not_done(self, draw: Draw) -> None:
        welcome = ["╭─── Claude Code v2.1.197 ───╮", "│ Welcome back! │", f"╰{'─' * 27}╯"]
        reading = read_screen(draw(*welcome), IDLE)
        assert (reading.shape, reading.state) == (Shape.PROMPT, State.IDLE_NOPROMPT)

    def test_below_a_reply_that_may_still_stream_is_not_done(self, draw: Draw) -> None:
        reading = read_screen(draw(PROMPT, "", "● partial 0", "  partial 1"))
        assert (reading.shape, reading.state) == (Shape.PROMPT, State.WORKING)

    def test_below_a_prompt_without_a_reply_is_not_done(self, draw: Draw) -> None:
        reading = read_screen(draw(REPLY, "", DONE, "", PROMPT), IDLE)
        assert (reading.shape, reading.state) == (Shape.PROMPT, State.WORKING)

    def test_after_an_interruption_waits_for_a_person(self, draw: Draw) -> None:
        answer = "  ⎿  Interrupted · What should Claude do instead?"
        reading = read_screen(draw(PROMPT, "", "● Bash(sleep 60)", answer), IDLE)
        assert (reading.shape, reading.state) == (Shape.PROMPT, State.WAITING_INPUT)


@pytest.mark.parametrize(
    "prompt", ["dev@host:~/proj$", "[dev@host proj]$", "root@box:/#", "$", "%", "bash-5.2$", "#"]
)
def test_a_shell_prompt_at_the_end_is_a_shell(prompt: str, draw: Draw) -> None:
    left = draw(REPLY, "", DONE, height=0)
    farewell = ["", "Resume this session with:", "claude --resume 1234", f"{prompt} "]
    for screen in ([*left, *farewell], [*left, prompt], ["some text", prompt]):
        assert read_screen(screen).shape is Shape.SHELL, screen


@pytest.mark.parametrize("row", ["progress 45%", "cost: 3$", "# Heading", "we are at 100 %"])
def test_a_row_that_ends_like_a_prompt_is_none(row: str) -> None:
    assert read_screen(["text", row]).shape is Shape.UNCLEAR


def test_a_shell_behind_a_busy_title_is_a_crash(draw: Draw) -> None:
    assert read_screen(["● partial", "dev@host:~/proj$"], BUSY).state is State.CRASHED


@pytest.mark.parametrize("rows", [[], [""] * 50, ["   ", "\xa0"]], ids=["none", "blank", "spaces"])
def test_nothing_drawn_is_starting(rows: list[str]) -> None:
    assert read_screen(rows).shape is Shape.STARTING


@pytest.mark.parametrize(
    ("dialog", "need", "state"),
    [
        pytest.param(
            (" Bash command", "", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"),
            Need.PERMISSION,
            State.PERMISSION_PROMPT,
            id="permission",
        ),
        pytest.param(
            (
                *(" ☐ Database", "", "Do you want to use SQLite?", "❯ 1. Yes", "  2. No", RULE),
                *("  3. Chat about this", "", "Enter to select · ↑/↓ to navigate · Esc to cancel"),
            ),
            Need.INPUT,
            State.WAITING_INPUT,
            id="question-that-sounds-like-a-permission",
        ),
        pytest.param(
            (" Some picker", "   one", "   two", "", " Enter to confirm · Esc to cancel"),
            Need.INPUT,
            State.WAITING_INPUT,
            id="menu-without-numbers",
        ),
        pytest.param(
            ("  Select model", "", "  ❯ 1. Default", "    2. Opus"),
            Need.INPUT,
            State.WAITING_INPUT,
            id="any-other-menu",
        ),
    ],
)
def test_a_menu_below_a_turn_waits_for_a_person(
    dialog: tuple[str, ...], need: Need, state: State
) -> None:
    reading = read_screen([PROMPT, "", REPLY, "", RULE, *dialog, ""], IDLE)
    assert (reading.shape, reading.need, reading.state) == (Shape.DIALOG, need, state)
    assert (reading.todos_total, reading.clock) == (0, None)


@pytest.mark.parametrize(
    ("dialog", "state"),
    [
        pytest.param(
            (
                *(" Quick safety check: Is this a project you created or one", " you trust?"),
                *(" ❯ 1. Yes, I trust this folder", "   2. No, exit"),
            ),
            State.TRUST_PROMPT,
            id="trust-wrapped",
        ),
        pytest.param(
            (
                *("  Detected a custom API key in your environment", ""),
                *("  Do you want to use this API key?", "    1. Yes", "  ❯ 2. No (recommended)"),
            ),
            State.STARTUP_DIALOG,
            id="key",
        ),
        pytest.param(
            (
                *("  WARNING: Claude Code running in Bypass Permissions mode", ""),
                *("  ❯ 1. No, exit", "    2. Yes, I accept"),
            ),
            State.STARTUP_DIALOG,
            id="bypass",
        ),
        pytest.param(
            (" Choose the text style", " ❯ 1. Dark mode", "   2. Light mode"),
            State.STARTUP_DIALOG,
            id="any-menu-before-a-turn",
        ),
    ],
)
def test_a_dialog_before_any_turn_is_a_startup_dialog(
    dialog: tuple[str, ...], state: State
) -> None:
    reading = read_screen([RULE, *dialog, "", " Enter to confirm · Esc to cancel"], "host")
    assert (reading.shape, reading.need) == (Shape.DIALOG, Need.STARTUP)
    assert reading.state is state


def test_the_menu_after_a_usage_limit_is_a_limit() -> None:
    menu = [
        "  What do you want to do?",
        "  ❯ 1. Stop and wait for limit to reset",
        "    2. Upgrade",
    ]
    reading = read_screen([PROMPT, "", DONE, "", "❯ /rate-limit-options", "", RULE, *menu], IDLE)
    assert (reading.shape, reading.trouble) == (Shape.ERROR, "rate_limited")


def test_a_reply_that_quotes_a_dialog_does_not_name_the_dialog_below_it() -> None:
    quoted = ["● It asks:", "", "  Is this a project you created or one you trust?"]
    menu = [RULE, " Do you want to proceed?", " ❯ 1. Yes", "   2. No"]
    assert read_screen([PROMPT, *quoted, "", *menu]).state is State.PERMISSION_PROMPT


def test_menus_quoted_above_a_box_are_text(draw: Draw) -> None:
    quoted = ["● It asks:", "", "  Do you want to proceed?", "  ❯ 1. Yes", "    2. No"]
    reading = read_screen(draw(PROMPT, *quoted, "", DONE))
    assert (reading.shape, reading.need) == (Shape.DONE, None)


def test_a_menu_between_two_rules_is_no_box() -> None:
    screen = [PROMPT, "", RULE, "❯ 1. Yes", "  2. No", RULE, "  3. Chat about this"]
    assert read_screen(screen, IDLE).shape is Shape.DIALOG


def test_a_prompt_that_is_a_numbered_list_is_no_menu(draw: Draw) -> None:
    assert read_screen(draw("❯ 1. Fix the test", "  2. Commit", "", DONE)).shape is Shape.DONE


def test_the_newest_todo_list_is_counted(draw: Draw) -> None:
    first = ["● Update Todos", "  ⎿  ☐ one", "     ☐ two"]
    newest = ["● Update Todos", "  ⎿  ☒ one", "     ✔ two", "     ☐ three"]
    reading = read_screen(draw(PROMPT, *first, "", *newest, "", SPINNER))
    assert (reading.todos_done, reading.todos_total) == (2, 3)


def test_the_body_keeps_the_spinner_and_drops_the_statusline(draw: Draw) -> None:
    body = read_screen(draw(PROMPT, "", SPINNER)).body
    assert SPINNER in body
    assert "07:46:52" not in body
    assert body == body.rstrip()


class TestAProcessThatIsGone:
    def test_left_its_turn_open(self, draw: Draw) -> None:
        farewell = ["", "Resume this session with:", "claude --resume 1234"]
        assert left_in_mid_turn([*draw(PROMPT, "", REPLY, height=0), *farewell])
        assert left_in_mid_turn([*draw(PROMPT, "", SPINNER, height=0), *farewell])

    def test_left_after_its_turn(self, draw: Draw) -> None:
        assert not left_in_mid_turn(draw(PROMPT, "", REPLY, "", DONE, typed="/exit"))

    def test_drew_no_box(self) -> None:
        assert not left_in_mid_turn(["plain output"])


# Rows that look like everything the reader knows, and anything else.
DECOY_ROWS = st.sampled_from(
    [
        DONE,
        SPINNER,
        PROMPT,
        RULE,
        "❯ ",
        "  other | ctx(1%) | 12:34:56",
        "log | 12:00:00",
        "✻ API error · Retrying in 1s · attempt 1/10",
        "● API Error: 529 Overloaded",
        "  ⎿  Interrupted · What should Claude do instead?",
        " Do you want to proceed?",
        " ❯ 1. Yes",
        " Esc to cancel",
        "dev@host:~/proj$",
        "tokens used",
        "  ⏵⏵ bypass permissions on · esc to interrupt",
        '{"type":"result","subtype":"success"}',
    ]
)
ROWS = st.one_of(DECOY_ROWS, st.text(st.characters(exclude_characters="\n"), max_size=60))
LIVE = {
    Shape.DONE: (REPLY, "", DONE),
    Shape.WORKING: (SPINNER, "  ⎿  Tip: read the docs"),
    Shape.PROMPT: (REPLY, "  and more"),
}


@given(st.lists(ROWS, max_size=12), st.sampled_from(list(LIVE)), st.sampled_from(["", IDLE]))
def test_no_text_above_the_live_area_changes_what_is_read(
    draw: Draw, text: list[str], shape: Shape, title: str
) -> None:
    reading = read_screen(draw(*text, *LIVE[shape]), title)
    assert (reading.shape, reading.clock, reading.trouble) == (shape, "07:46:52", "")


@given(st.lists(st.text(max_size=40), max_size=12), st.text(max_size=5))
def test_no_screen_is_too_strange_to_read(rows: list[str], title: str) -> None:
    assert read_screen(rows, title).because


class TestANewerClient:
    """What 2.1.327 draws otherwise; its captures are those with `b_` and `d_`."""

    NOTICE = "◐ medium · /effort".rjust(78)

    def notice_above(self, draw: Draw, *above: str, notice: str = NOTICE) -> list[str]:
        screen = draw(*above)
        screen[len(above)] = notice
        return screen

    def test_a_notice_right_above_the_box_hides_no_done_line(self, draw: Draw) -> None:
        look = read_screen(self.notice_above(draw, PROMPT, "", REPLY, "", f"{DONE} · done 3:03 PM"))
        assert (look.shape, look.state) == (Shape.DONE, State.IDLE_DONE)

    def test_a_notice_hides_no_error(self, draw: Draw) -> None:
        look = read_screen(
            self.notice_above(draw, PROMPT, "  ⎿  Not logged in · Please run /login")
        )
        assert look.state is State.AUTH_ERROR

    @pytest.mark.parametrize(
        "row",
        [
            pytest.param("  return store.get(key)", id="text-at-the-margin"),
            pytest.param(" " * 24 + "indented code", id="text-far-from-the-right-edge"),
        ],
    )
    def test_a_row_of_the_reply_is_no_notice(self, row: str, draw: Draw) -> None:
        look = read_screen(self.notice_above(draw, PROMPT, "", REPLY, "", DONE, notice=row))
        assert look.shape is not Shape.DONE

    @pytest.mark.parametrize("glyph", "◐◑◒◓")
    def test_a_half_moon_in_the_title_is_work(self, glyph: str, draw: Draw) -> None:
        assert read_screen(draw(PROMPT, "", REPLY, "", DONE), f"{glyph} x").shape is Shape.WORKING

    def test_a_limit_that_it_waits_for_by_itself_is_a_limit(self, draw: Draw) -> None:
        row = "● Usage limit reached · continuing automatically at 5:08pm · esc to cancel"
        assert read_screen(draw(PROMPT, "", row)).trouble == "rate_limited"


class TestACommandOfTheClient:
    ASKED = (PROMPT, "", REPLY, "", DONE, "", "❯ /compact")

    def test_an_answer_below_it_leaves_the_turn_over(self, draw: Draw) -> None:
        look = read_screen(draw(*self.ASKED, "  ⎿  Compacted (ctrl+o to see full summary)"), IDLE)
        assert (look.shape, look.state) == (Shape.PROMPT, State.IDLE_DONE)

    def test_without_a_title_it_may_have_begun_a_turn(self, draw: Draw) -> None:
        look = read_screen(draw(*self.ASKED, "  ⎿  UserPromptSubmit hook error"))
        assert look.state is State.WORKING

    def test_without_an_answer_it_is_not_over(self, draw: Draw) -> None:
        assert read_screen(draw(*self.ASKED), IDLE).state is State.WORKING


def test_a_prompt_that_was_put_back_waits_for_a_person(draw: Draw) -> None:
    welcome = "╰──────────╯"
    assert read_screen(draw(welcome, typed="do it"), IDLE).state is State.WAITING_INPUT
    assert read_screen(draw(welcome, typed='Try "fix lint errors"'), IDLE).state is (
        State.IDLE_NOPROMPT
    )


def test_open_and_begun_todos_are_not_done(draw: Draw) -> None:
    todos = ("  3 tasks (1 done, 1 in progress, 1 open)", "  ✔ read", "  ◼ write", "  ◻ pass")
    look = read_screen(draw(PROMPT, "", REPLY, "", DONE, "", *todos))
    assert (look.shape, look.todos_done, look.todos_total) == (Shape.DONE, 1, 3)
