"""What an agent told about itself over a whole watch, each figure from its best source."""

from dataclasses import replace
from pathlib import Path

from story_automator.model.told import Told
from story_automator.watch.session import Watched
from story_automator.watch.testimony import Testimony


def told(watched: Watched) -> Told:
    """Hooks and heartbeat first; the transcript for what they do not say."""
    turns = watched.turns
    known = Told(
        session_id=turns.conversation if turns else "",
        transcript=turns.transcript if turns else "",
        last_message=watched.turn.message,
    )
    if watched.testimony is not None:
        return _by_files(known, watched.testimony)
    if watched.printed is None:
        return known
    printed = watched.printed.told
    return replace(
        printed,
        session_id=printed.session_id or known.session_id,
        transcript=known.transcript,
        last_message=printed.last_message or known.last_message,
    )


def _by_files(known: Told, testimony: Testimony) -> Told:
    figures = testimony.figures()
    path = known.transcript or figures.transcript or testimony.transcript
    testimony.read(Path(path) if path else None)
    conversation = testimony.conversation
    return Told(
        session_id=known.session_id or figures.conversation or testimony.conversation_id,
        transcript=path,
        last_message=known.last_message or conversation.message,
        # Before the first reply is counted they are 0, which is not what it cost.
        tokens=conversation.tokens or figures.tokens or None,
        cost_usd=figures.cost_usd or None,
        context_pct=figures.context_pct,
    )
