"""How Codex's screens read, the TUI and `exec`: the first signal that speaks decides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from story_automator.agents.look import Look, State, failed, surrounded, working
from story_automator.agents.question import asks
from story_automator.agents.rows import heads, is_shell_prompt, tidy
from story_automator.model.screen import Need, Shape

BUSY_TITLE = re.compile(r"[⠀-⣿] ")  # codex/cx_tui_hangmid/01: looks finished but for the title
ACTION_TITLE = "[ ! ] Action Required"  # codex/cx_tui_escalate/01

# The last such row, with nothing but the footer below. Capture: codex/cx_tui_plain/02.
COMPOSER = re.compile(r"› (?!\d+\. )(?P<typed>.*)")
PLACEHOLDER = "Ask Codex to do anything"
FOOTER_ROWS = 3
# A footer row; missing until the session is set up. Capture: codex/cx_tui_plain/01.
SESSION_ROW = re.compile(r"  \S.* · [~/]")
# Head of the last block above the composer. Captures: codex/cx_tui_steps/01 and
# codex/cx_tui_thinking/02 (too long for its figures; `◦` is drawn by nothing else).
SPINNER = re.compile(
    r"[•◦] (?P<task>.+?) \((?:\d+[hm] )*\d+s • esc to interrupt\).*|◦ (?P<long>.+)…"
)
# Last row above the composer, whole. Capture: codex/cx_tui_slowtext/04.
DONE = re.compile(
    r"  Worked for (?=[<\d])(?:<1s|(?:\d+[hm] ?)*(?:\d+s)?) • \d{1,2}:\d{2}(?: [AP]M)?"
)
ERROR_HEAD = re.compile(r"■ (?P<text>.+)")  # head of the last block: codex/cx_tui_e401/01
# A glyph at the margin; a long error wraps to the margin, too. Capture: held-out codex/x_401/01.
HEAD = re.compile(r"[^\w\s] ")
INTERRUPTED = "Conversation interrupted"  # codex/cx_tui_esc/01

# Dialogs: at the start of a row, on a screen without a composer. Captures: codex/cx_tui_trust3/01,
# codex/cx_tui_login/01 (`>`).
CHOICE = re.compile(r"[›>] \d+\. \S")
TRUST = re.compile(
    r"  (?:Trust this folder\?|Hooks need review$)"
)  # also codex/cx_tui_hooktrust/02
LOGIN = re.compile(r"[›>] 1\. Sign in with ")
PERMISSION = re.compile(r"  Would you like to ")

# `exec`: the plain form by its header, the JSON form by its events.
# Captures: codex/cx_exec_text_bash/01, codex/cx_exec_json/01.
EXEC_ROW = re.compile(r'session id: [0-9a-f-]+|\{"type":"(?:thread|turn|item)\.')
EXEC_ERROR = re.compile(r"ERROR: (?P<text>.+)")  # last rows only: codex/cx_exec_401/01
EXEC_ERROR_ROWS = 3
# Start of an error of `exec`, or of the spinner's task: codex/cx_exec_refused/01, held-out
# codex/y_500/01.
RECONNECTING = "Reconnecting..."

# By the text of an error, anywhere in it: it is the client's own sentence. The first hit wins.
TROUBLES = (
    ("auth_error", re.compile(r"\b40[13]\b|Missing environment variable")),  # codex/cx_tui_nokey/01
    ("rate_limited", re.compile(r"\b429\b|usage limit")),  # codex/cx_tui_e429/01
)


@dataclass(frozen=True, slots=True)
class View:
    """A screen taken apart: the composer with its footer, and the rows above it."""

    rows: Sequence[str]
    title: str
    typed: str | None  # None: no composer
    above: Sequence[str]
    footer: Sequence[str]

    @property
    def last_block(self) -> Sequence[str]:
        return self.above[self.last_head :] if _heads(self.above) else ()

    @property
    def last_head(self) -> int:
        """Where the last block begins; its head may have left the screen."""
        return max(_heads(self.above), default=0)


def read_screen(rows: Sequence[str], title: str = "") -> Look:
    """What the screen shows; only a busy or an action title says more than the screen."""
    view = _taken_apart(tidy(rows), title)
    look = next(
        (look for look in (signal(view) for signal in SIGNALS) if look is not None),
        Look(Shape.UNCLEAR, "no composer, no menu and no shell prompt"),
    )
    return surrounded(look, view.rows)


def gone_to_shell(view: View) -> Look | None:
    if view.typed is not None or not view.rows or not is_shell_prompt(view.rows[-1]):
        return None
    return Look(Shape.SHELL, "a shell prompt stands where the agent was")


def spinning(view: View) -> Look | None:
    found = SPINNER.fullmatch(view.last_block[0]) if view.last_block else None
    if found is None:
        return None
    task = found["task"] or found["long"]
    trouble = "api_error" if task.startswith(RECONNECTING) else ""
    return working("a spinner stands above the composer", task, trouble)


def busy_title(view: View) -> Look | None:
    return working("the title shows a busy glyph") if BUSY_TITLE.match(view.title) else None


def nothing_drawn(view: View) -> Look | None:
    return None if view.rows else Look(Shape.STARTING, "the screen is blank", state=State.STARTING)


def waits_on_dialog(view: View) -> Look | None:
    if view.title.startswith(ACTION_TITLE):
        return _permission("the title asks for an action")
    if view.typed is not None or not any(map(CHOICE.match, view.rows)):
        return None
    if any(map(LOGIN.match, view.rows)):
        return failed("auth_error", "the login menu is open")
    if any(map(TRUST.match, view.rows)):
        trust = "a trust dialog is open"
        return Look(Shape.DIALOG, trust, need=Need.STARTUP, state=State.TRUST_PROMPT)
    if any(map(PERMISSION.match, view.rows)):
        return _permission("a permission menu is open")
    return Look(Shape.DIALOG, "a menu is open", need=Need.INPUT, state=State.WAITING_INPUT)


def turn_failed(view: View) -> Look | None:
    found = ERROR_HEAD.match(view.last_block[0]) if view.last_block else None
    if found is None:
        return None
    if found["text"].startswith(INTERRUPTED):
        return Look(_prompt_shape(view), "the turn was interrupted", state=State.WAITING_INPUT)
    told = " ".join([found["text"], *view.last_block[1:]])
    return failed(_trouble_of(told), f"the last block is an error: {found['text'][:60]}")


def turn_done(view: View) -> Look | None:
    end = max((number for number, row in enumerate(view.above) if row), default=0)
    if not view.above or not DONE.fullmatch(view.above[end]):
        return None
    state = State.WAITING_INPUT if asks(view.above[view.last_head : end]) else State.IDLE_DONE
    if view.typed != PLACEHOLDER:
        return Look(Shape.UNCLEAR, "a done line, but the composer is not empty", state=state)
    return Look(Shape.DONE, "a done line is the last row above an empty composer", state=state)


def at_prompt(view: View) -> Look | None:
    if view.typed is None:
        return None
    if not any(map(SESSION_ROW.match, view.footer)):
        return Look(Shape.STARTING, "the session is not set up yet", state=State.STARTING)
    if not _heads(view.above):
        return Look(_prompt_shape(view), "no turn was begun", state=State.IDLE_NOPROMPT)
    return Look(_prompt_shape(view), "below a turn that nothing ended", state=State.WORKING)


def executing(view: View) -> Look | None:
    """`exec` ends with its process: while that lives, no text finishes anything."""
    if not any(map(EXEC_ROW.match, view.rows)):
        return None
    drawn = [row for row in view.rows if row]
    errors = [found["text"] for row in drawn[-EXEC_ERROR_ROWS:] if (found := EXEC_ERROR.match(row))]
    if not errors:
        return Look(Shape.UNCLEAR, "exec prints; its process tells the end", state=State.WORKING)
    if errors[-1].startswith(RECONNECTING):
        return working("exec reconnects", errors[-1], "api_error")
    return failed(_trouble_of(errors[-1]), f"exec reported: {errors[-1][:60]}")


SIGNALS = (
    gone_to_shell,
    spinning,
    busy_title,
    nothing_drawn,
    waits_on_dialog,
    turn_failed,
    turn_done,
    at_prompt,
    executing,
)


def _taken_apart(rows: Sequence[str], title: str) -> View:
    drawn = [number for number, row in enumerate(rows) if row]
    for number in reversed(drawn[-FOOTER_ROWS - 1 :]):
        if found := COMPOSER.match(rows[number]):
            return View(rows, title, found["typed"].strip(), rows[:number], rows[number + 1 :])
    return View(rows, title, None, (), ())


def _heads(rows: Sequence[str]) -> list[int]:
    return [number for number in heads(rows) if HEAD.match(rows[number])]


def _prompt_shape(view: View) -> Shape:
    return Shape.PROMPT if view.typed == PLACEHOLDER else Shape.UNCLEAR


def _permission(because: str) -> Look:
    return Look(Shape.DIALOG, because, need=Need.PERMISSION, state=State.PERMISSION_PROMPT)


def _trouble_of(text: str) -> str:
    return next((trouble for trouble, pattern in TROUBLES if pattern.search(text)), "api_error")
