"""The menus that take the place of Claude Code's input box."""

import re
from collections.abc import Sequence

from story_automator.agents.box import CHOICE, RULE
from story_automator.agents.look import Look, State, failed
from story_automator.model.screen import Need, Shape

# A transcript block; what a menu marks with the same glyph is none. Capture: claude/ask_menu/01.
TRANSCRIPT = re.compile(r"[●⏺] |❯ (?!\d+\. )\S")
# Last rows of a dialog. Captures: claude/ask_menu/01, claude/perm_bash/01, claude/dlg_trust/01.
KEYS = re.compile(r"\s*(?:Enter to (?:select|confirm|submit)\b|Esc to cancel\b)")
KEY_ROWS = 3

# The rest is looked for in the dialog's own rows only, joined, because they wrap.
TRUST = re.compile(r"a project you created or one you trust\?")  # claude/dlg_trust/01
STARTUP = re.compile(
    r"Detected a custom API key in your environment|Bypass Permissions mode"
)  # claude/dlg_apikey/01
LIMIT = re.compile(r"\d\. Stop and wait for limit to reset\b")  # claude/limit_oauth/01
LOGIN = re.compile(r"Select login method:")  # claude/dlg_nologin/03
SELECT = re.compile(r"Enter to select · ↑/↓ to navigate")  # claude/ask_menu/01
# At the start of a row of the dialog. Captures: claude/perm_bash/01, claude/plan_mode/01.
PERMISSION = re.compile(r"\s*(?:Do you want to |Exit plan mode\?|.*Would you like to proceed\?)")


def read_dialog(rows: Sequence[str], *, agent_is_up: bool) -> Look | None:
    """The menu at the end of a screen without a box; `agent_is_up`: its title is set."""
    dialog, after_turn = _dialog_rows(rows)
    keys = [row for row in dialog if row][-KEY_ROWS:]
    if not any(map(CHOICE.match, dialog)) and not any(map(KEYS.match, keys)):
        return None
    text = " ".join(row.strip() for row in dialog)
    if TRUST.search(text):
        return _waiting(Need.STARTUP, State.TRUST_PROMPT, "the trust dialog is open")
    if STARTUP.search(text):
        return _waiting(Need.STARTUP, State.STARTUP_DIALOG, "a startup dialog is open")
    if LIMIT.search(text):
        return failed("rate_limited", "the menu after a usage limit is open")
    if LOGIN.search(text):
        return failed("auth_error", "the login menu is open")
    if SELECT.search(text):
        return _waiting(Need.INPUT, State.WAITING_INPUT, "a question with choices is open")
    if any(map(PERMISSION.match, dialog)):
        return _waiting(Need.PERMISSION, State.PERMISSION_PROMPT, "a permission menu is open")
    if not after_turn and not agent_is_up:
        return _waiting(Need.STARTUP, State.STARTUP_DIALOG, "a menu is open before any turn")
    return _waiting(Need.INPUT, State.WAITING_INPUT, "a menu is open")


def _dialog_rows(rows: Sequence[str]) -> tuple[Sequence[str], bool]:
    """The rows below the last transcript block, from the dialog's own rule on."""
    blocks = [number for number, row in enumerate(rows) if TRANSCRIPT.match(row)]
    below = rows[blocks[-1] + 1 :] if blocks else rows
    rules = [number for number, row in enumerate(below) if RULE.fullmatch(row)]
    return below[rules[0] :] if rules else below, bool(blocks)


def _waiting(need: Need, state: State, because: str) -> Look:
    return Look(Shape.DIALOG, because, need=need, state=state)
