"""How Claude Code's screen reads: the first signal that speaks decides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from story_automator.agents.box import RULE, Box, find_box
from story_automator.agents.claude_dialogs import read_dialog
from story_automator.agents.claude_errors import RETRY, trouble_of, trouble_of_retry
from story_automator.agents.claude_panel import panel_at, without_panel
from story_automator.agents.look import TODO, Look, State, failed, surrounded, working
from story_automator.agents.question import asks
from story_automator.agents.rows import heads, is_overdrawn_by_shell, is_shell_prompt, tidy
from story_automator.model.screen import Shape

# claude/tui_slowtext/02: streaming text shows nothing else; held-out claude/b_turns/02: half moons.
BUSY_TITLE = re.compile(r"[⠀-⣿◐-◓]")
IDLE_TITLE = "✳"

# Head of the last block above the box, whole row. Captures: claude/tui_bash_long/02,
# claude/tui_hang_nobytes/01 (no figures yet), claude/compact_reactive/01.
SPINNER = re.compile(r"[·✢✳✶✻✽*] (?P<task>\S.*?…)(?: \(.*)?")
# Head of the last block above the box, whole row; at column 0 only the client itself writes.
# Captures: claude/tui_bash_long/05, claude/compact_reactive/03 (é), claude/tool_bashbg/01 (tail).
DONE = re.compile(
    r"✻ \S.* for (?=\d)(?:\d+d ?)?(?:\d+h ?)?(?:\d+m ?)?(?:\d+s)?(?P<still_running> · .+)?"
)
# Head of a todo list that hangs below a done line. Capture: held-out claude/a_todo/02.
TODO_COUNT = re.compile(r"  \d+ tasks? \(.+\)")
# The row right above the box, pushed to the right edge. Capture: held-out claude/b_turns/01.
NOTICE = re.compile(r" {20,}\S.*")
NOTICE_MARGIN = 4
# Footer rows; drawn only where no statusline is configured. Capture: claude/nostatusline_stream/01.
INTERRUPTIBLE = re.compile(r".*· esc to interrupt\b")
# Rows of the last block: what the client hangs below it. Capture: claude/dlg_nologin/01.
ANSWER = re.compile(r" {1,4}⎿ +(?P<text>\S.*)")
# Head of the last block, one paragraph long. Capture: claude/err_529_final/02.
REPLY = re.compile(r"[●⏺] (?P<text>\S.*)")
SUGGESTION = 'Try "'  # what the client writes into a box that nobody has used
INTERRUPTED = "Interrupted ·"  # start of an answer: claude/end_esc_working/02
# Above the box. Captures: claude/idle_noprompt/01 (no prompt), claude/fin_long/01 (no welcome),
# held-out claude/b_noprompt/01 (a welcome without a frame).
WELCOME = re.compile(r"╰─+╯|\W{0,20}Claude Code v\d\S*")
USER_PROMPT = re.compile(r"❯ \S")
# Head of the last block, answered below it. Capture: held-out claude/a_compact/02.
OWN_COMMAND = re.compile(r"❯ /\S")
# On a screen without a box, start of a row. Capture: claude/print_stream/01.
STREAM = re.compile(r'\{"type":"(?:system|assistant|user)",')
# `--ax-screen-reader` draws no box: labelled rows, and below the last one what goes on.
# Captures: claude/screenreader/01 and /02.
SPOKEN = re.compile(r"(?:you|claude|tool): \S")
SPOKEN_SPINNER = re.compile(r"\S+…(?: +\( .*)?")
SPOKEN_DONE = re.compile(r"\S+ for (?=\d)(?:\d+h ?)?(?:\d+m ?)?(?:\d+s)?")
OVERDRAWN_ROWS = 4  # claude/shell_kill9/02: the shell writes over the box from its prompt row on


@dataclass(frozen=True, slots=True)
class View:
    """A screen taken apart: the live box, and the blocks above it, each from its head on."""

    rows: Sequence[str]
    title: str
    box: Box | None
    above: Sequence[str]
    blocks: Sequence[Sequence[str]]

    @property
    def last_head(self) -> str:
        return self.blocks[-1][0] if self.blocks else ""

    @property
    def busy(self) -> bool:
        return BUSY_TITLE.match(self.title) is not None

    @property
    def idle(self) -> bool:
        return self.title.startswith(IDLE_TITLE)


def read_screen(rows: Sequence[str], title: str = "") -> Look:
    """What the screen shows. An empty title, or one the agent did not set, is silent."""
    view = _taken_apart(tidy(rows), title)
    look = next(
        (look for look in (signal(view) for signal in SIGNALS) if look is not None),
        Look(Shape.UNCLEAR, "no prompt box, no menu and no shell prompt"),
    )
    return surrounded(look, view.rows)


def left_in_mid_turn(rows: Sequence[str]) -> bool:
    """For a pane whose process is gone: was a turn open on the last screen it drew?"""
    tidied = tidy(rows)
    box = find_box(tidied)
    if box is None:
        return False
    return read_screen(tidied[: box.footer_end]).state is State.WORKING


def gone_to_shell(view: View) -> Look | None:
    if view.box or not view.rows:
        return None
    if _is_overdrawn(view.rows):
        return Look(Shape.SHELL, "a shell writes over the agent's box", state=State.CRASHED)
    if not is_shell_prompt(view.rows[-1]):
        return None
    state = State.CRASHED if view.busy else State.UNKNOWN
    return Look(Shape.SHELL, "a shell prompt stands where the agent was", state=state)


def retrying(view: View) -> Look | None:
    if not (found := RETRY.fullmatch(view.last_head)):
        return None
    trouble = trouble_of_retry(found["cause"], int(found["wait"]), int(found["attempt"]))
    return working("a retry line stands above the prompt", view.last_head[2:], trouble)


def spinning(view: View) -> Look | None:
    if found := SPINNER.fullmatch(view.last_head):
        return working("a spinner stands above the prompt", found["task"])
    return None


def busy_title(view: View) -> Look | None:
    return working("the title shows a busy glyph") if view.busy else None


def interruptible(view: View) -> Look | None:
    footer = view.rows[view.box.bottom + 1 : view.box.footer_end] if view.box else ()
    return (
        working("the footer offers to interrupt") if any(map(INTERRUPTIBLE.match, footer)) else None
    )


def nothing_drawn(view: View) -> Look | None:
    return None if view.rows else Look(Shape.STARTING, "the screen is blank", state=State.STARTING)


def waits_on_dialog(view: View) -> Look | None:
    return None if view.box else read_dialog(view.rows, agent_is_up=view.idle)


def turn_failed(view: View) -> Look | None:
    text = _last_words(_without_done(view.blocks))
    trouble = trouble_of(text)
    return failed(trouble, f"the last block is an error: {text[:60]}") if trouble else None


def turn_done(view: View) -> Look | None:
    done = _done_line(view.blocks)
    if view.box is None or done is None:
        return None
    state = State.WAITING_INPUT if _asked(view) else State.IDLE_DONE
    tail = done["still_running"] or ""
    if view.box.typed:
        return Look(Shape.UNCLEAR, "a done line, but the prompt is not empty", state=state)
    return Look(
        Shape.DONE, f"a done line is the last block above an empty prompt{tail}", state=state
    )


def at_prompt(view: View) -> Look | None:
    if view.box is None:
        return None
    shape = Shape.UNCLEAR if view.box.typed else Shape.PROMPT
    if _last_words(view.blocks).startswith(INTERRUPTED):
        return Look(shape, "the turn was interrupted", state=State.WAITING_INPUT)
    if not _turn_begun(view.above):
        if view.box.typed and not view.box.typed.startswith(SUGGESTION):
            return Look(shape, "a prompt that was not sent", state=State.WAITING_INPUT)
        return Look(shape, "a prompt, and no turn was begun", state=State.IDLE_NOPROMPT)
    if view.idle and (not USER_PROMPT.match(view.last_head) or _own_command_answered(view)):
        return Look(shape, "a prompt below a reply, and an idle title", state=State.IDLE_DONE)
    return Look(shape, "a prompt below a turn that nothing ended", state=State.WORKING)


def speaking(view: View) -> Look | None:
    """The accessible mode; a reply is not indented there, so only the title tells the end."""
    spoken = [number for number, row in enumerate(view.rows) if SPOKEN.match(row)]
    if view.box or not spoken:
        return None
    below = view.rows[spoken[-1] + 1 :]
    if any(map(SPOKEN_SPINNER.fullmatch, below)):
        return working("a spinner is spelled out")
    if view.idle and any(map(SPOKEN_DONE.fullmatch, below)):
        return Look(Shape.PROMPT, "a done line is spelled out", state=State.IDLE_DONE)
    return None


def printing(view: View) -> Look | None:
    """`-p` ends with its process: while that lives, no text finishes anything."""
    if not any(map(STREAM.match, view.rows)):
        return None
    return Look(Shape.UNCLEAR, "it prints; its process tells the end", state=State.WORKING)


SIGNALS = (
    gone_to_shell,
    retrying,
    spinning,
    busy_title,
    interruptible,
    nothing_drawn,
    waits_on_dialog,
    turn_failed,
    turn_done,
    at_prompt,
    speaking,
    printing,
)


def _taken_apart(rows: Sequence[str], title: str) -> View:
    border = panel_at(rows)
    if border is not None:
        rows = without_panel(rows, border)
    box = find_box(rows)
    if box is None or not box.live:
        return View(rows, title, None, (), ())
    above = _without_notice(rows[: box.top], border or len(rows[box.top]))
    blocks = [above[start:end] for start, end in pairwise([*heads(above), len(above)])]
    return View(rows, title, box, above, blocks)


def _without_notice(above: Sequence[str], width: int) -> Sequence[str]:
    if above and NOTICE.fullmatch(above[-1]) and len(above[-1]) >= width - NOTICE_MARGIN:
        return above[:-1]
    return above


def _is_overdrawn(rows: Sequence[str]) -> bool:
    """A box without its lower rule, and a shell prompt in its place: nobody cleaned up."""
    rules = [number for number, row in enumerate(rows) if RULE.fullmatch(row)]
    if not rules or not rows[rules[-1] + 1 :] or not rows[rules[-1] + 1].startswith("❯"):
        return False
    return any(map(is_overdrawn_by_shell, rows[rules[-1] + 2 :][:OVERDRAWN_ROWS]))


def _done_line(blocks: Sequence[Sequence[str]]) -> re.Match[str] | None:
    """The last block, when it is a done line; only a todo list may hang below it."""
    if not blocks or any(row and not _is_todo(row) for row in blocks[-1][1:]):
        return None
    return DONE.fullmatch(blocks[-1][0])


def _is_todo(row: str) -> bool:
    return bool(TODO.match(row) or TODO_COUNT.fullmatch(row))


def _without_done(blocks: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    return blocks[:-1] if _done_line(blocks) else blocks


def _last_words(blocks: Sequence[Sequence[str]]) -> str:
    """What the client hung below the last block, else the block's text if it is one paragraph.

    Only the last paragraph counts: a reply may quote a screen like this one further up.
    """
    if not blocks:
        return ""
    last = "\n".join(blocks[-1]).strip("\n").split("\n\n")[-1].split("\n")
    answers = [found["text"] for row in last if (found := ANSWER.match(row))]
    if answers:
        return answers[-1]
    found = REPLY.match(last[0])
    return found["text"] if found else ""


def _asked(view: View) -> bool:
    """Whether the reply above the done line asks; its head may have left the screen."""
    if len(view.blocks) > 1:
        reply = view.blocks[-2]
        return REPLY.match(reply[0]) is not None and asks(reply)
    return asks(view.above[: heads(view.above)[0]])


def _own_command_answered(view: View) -> bool:
    """`/compact` and its like, and what the client hung below: no turn of the model."""
    block = view.blocks[-1]
    return bool(OWN_COMMAND.match(block[0]) and any(map(ANSWER.match, block[1:])))


def _turn_begun(above: Sequence[str]) -> bool:
    """A user's prompt, or a transcript so long that the welcome frame has left the screen."""
    welcome = any(map(WELCOME.fullmatch, above))
    return any(map(USER_PROMPT.match, above)) or (not welcome and any(above))
