"""What Claude Code says about its turn, all told: hooks, then its session file, then its record."""

from dataclasses import replace

from story_automator.agents.claude_transcript import Conversation, Ending
from story_automator.agents.message import asks_person
from story_automator.agents.session_file import SessionFile, Status
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.screen import Need

PERMISSION = "permission prompt"
OVER = (TurnState.FINISHED, TurnState.FAILED)


def word(
    hooks: Turn,
    *,
    session_file: SessionFile | None,
    conversation: Conversation | None,
    title_idle: bool | None,
    settled: bool,
) -> Turn:
    """Hooks first; a status that has stood for a while (`settled`) tells what they missed."""
    if hooks.state in OVER:
        return hooks
    if not settled:
        return _without_dialog(hooks) if _is_dismissed(hooks, session_file) else hooks
    if session_file is None or session_file.status is Status.UNTOLD:
        return _by_title(hooks, conversation, title_idle)
    if hooks.told_at and session_file.status_at and session_file.status_at < hooks.told_at:
        return hooks  # the status is of before the hooks' last word
    match session_file.status:
        case Status.BUSY:
            return _at_work(hooks, "the session file says busy")
        case Status.WAITING:
            return _failed(hooks, conversation) or _waiting(hooks, session_file.waiting_for)
        case Status.SHELL:
            return _failed(hooks, conversation) or _in_background(hooks, conversation)
        case Status.IDLE if title_idle is not False:
            return _ended(hooks, conversation) or _broken_off(hooks)
    return hooks


def not_at_rest(hooks: Turn) -> Turn:
    """A Stop that does not hold yet: the agent is still, or again, at work."""
    because = f"{hooks.because}, but its session file still says busy"
    return _told(hooks, TurnState.RUNNING, because)


def _is_dismissed(hooks: Turn, session_file: SessionFile | None) -> bool:
    """At rest after the dialog opened: a person refused it, and no hook tells that."""
    if not hooks.need or session_file is None or session_file.status is not Status.IDLE:
        return False
    return bool(hooks.told_at and session_file.status_at and session_file.status_at > hooks.told_at)


def _without_dialog(hooks: Turn) -> Turn:
    return replace(hooks, need=None, waits_on=())


def _by_title(hooks: Turn, conversation: Conversation | None, title_idle: bool | None) -> Turn:
    """The title is idle behind a dialog and beside a background shell too, so it tells less."""
    if title_idle is False:
        return _at_work(hooks, "the title says busy")
    if title_idle is None or hooks.need or hooks.state is TurnState.BACKGROUND:
        return hooks
    return _ended(hooks, conversation) or hooks


def _at_work(hooks: Turn, because: str) -> Turn:
    if hooks.state is TurnState.RUNNING and hooks.need is None:
        return hooks
    return _told(hooks, TurnState.RUNNING, because)


def _waiting(hooks: Turn, waiting_for: str) -> Turn:
    if hooks.need:
        return hooks
    need = Need.PERMISSION if waiting_for == PERMISSION else Need.INPUT
    because = f"the session file says that it waits: {waiting_for or 'a dialog'}"
    return replace(_told(hooks, TurnState.RUNNING, because), need=need)


def _in_background(hooks: Turn, conversation: Conversation | None) -> Turn:
    if hooks.state is TurnState.BACKGROUND:
        return hooks
    because = "the session file says that a background shell still runs"
    message = conversation.message if conversation else ""
    return _told(hooks, TurnState.BACKGROUND, because, message)


def _failed(hooks: Turn, conversation: Conversation | None) -> Turn | None:
    ended = _ended(hooks, conversation)
    return ended if ended and ended.state is TurnState.FAILED else None


def _ended(hooks: Turn, conversation: Conversation | None) -> Turn | None:
    """The end that the transcript tells of this turn, not of one before it."""
    if conversation is None or conversation.since is None:
        return None
    if hooks.began_at is not None and conversation.since < hooks.began_at:
        return None
    message = conversation.message
    match conversation.ending:
        case Ending.FINISHED:
            because = "the transcript says that the turn is over; no Stop hook told"
            turn = _told(hooks, TurnState.FINISHED, because, message)
            return replace(turn, asks=asks_person(message))
        case Ending.INTERRUPTED:
            because = "the transcript says that a person interrupted the turn"
            turn = _told(hooks, TurnState.FAILED, because, message)
            return replace(turn, reason="interrupted")
        case Ending.FAILED if why := conversation.failure:
            because = f"the transcript says that the turn failed: {message[:200]}"
            turn = _told(hooks, TurnState.FAILED, because, message)
            return replace(turn, reason=why.reason, resets_at=why.resets_at)
    return None


def _broken_off(hooks: Turn) -> Turn:
    if hooks.began_at is None:
        return hooks  # idle before its first prompt: that ends nothing
    if hooks.state is TurnState.BACKGROUND:
        because = "its turn was over (Stop hook), and what ran in the background has ended"
        turn = _told(hooks, TurnState.FINISHED, because, hooks.message)
        return replace(turn, asks=asks_person(hooks.message))
    because = "the agent is idle again, but never said that its turn is over"
    return replace(_told(hooks, TurnState.FAILED, because), reason="interrupted")


def _told(hooks: Turn, state: TurnState, because: str, message: str = "") -> Turn:
    return Turn(
        state, because=because, message=message, began_at=hooks.began_at, told_at=hooks.told_at
    )
