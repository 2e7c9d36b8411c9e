"""The last word of an agent that answers once and exits: what it printed or stored of its turn."""

import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from story_automator.agents import claude_print, codex_events
from story_automator.agents.exits import reason_of_exit
from story_automator.agents.message import asks_person
from story_automator.edges.files import read_bounded
from story_automator.edges.local_time import local_time
from story_automator.edges.output import tail
from story_automator.edges.transcript import lines
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.policy import Policy
from story_automator.model.session import Ended
from story_automator.model.told import Told
from story_automator.watch.ending import Ending
from story_automator.watch.known import Known
from story_automator.watch.log import Log
from story_automator.watch.recording import unescaped

LARGEST_MESSAGE = 4_000_000
LARGEST_RESULT = 16_000_000
SOON = 0.01  # the last lines of a log follow its process within milliseconds


@dataclass(frozen=True, slots=True)
class LastWord:
    """How the turn went, and the agent's own figures."""

    turn: Turn
    told: Told


SILENCE = LastWord(Turn(), Told())


class Printed:
    """Reads once, when the process has ended and its log is whole or has had its time."""

    def __init__(self, known: Known, policy: Policy) -> None:
        self._known, self._policy = known, policy
        self._ended = False
        self._word: LastWord | None = None

    @property
    def told(self) -> Told:
        return self._word.told if self._word else Told()

    @property
    def waits(self) -> bool:
        """It has ended, but not everything it printed has arrived."""
        return self._ended and self._word is None

    def turn(self, hooks: Turn) -> Turn:
        told = self._word.turn if self._word else Turn()
        return hooks if told.state is TurnState.UNKNOWN or hooks.reason else told

    def look(self, ending: Ending, log: Log) -> bool:
        """True when its word has just become known."""
        ended = ending.ended
        if ended is None or self._word is not None:
            return False
        self._ended = True
        log.look()
        if not log.is_whole() and time.time() - ended.at < self._policy.drain_limit.total_seconds():
            return False
        self._word = self._read(ended)
        return True

    def _read(self, ended: Ended) -> LastWord:
        folder = self._known.folder
        if folder is None:
            return SILENCE
        at = local_time(ended.at)
        if self._known.agent == "codex":
            word = _of_codex(folder.log, _stored(folder.last_message), at)
        else:
            word = _of_claude(folder.log, at)
        if word.turn.state is not TurnState.FAILED and not ended.signal:
            reason = reason_of_exit(self._known.agent, ended.code)
            because = f"the agent exited with code {ended.code}, which means {reason}"
            return replace(word, turn=Turn(TurnState.FAILED, reason, because)) if reason else word
        return word


def _of_codex(log: Path, stored: str, at: datetime) -> LastWord:
    thread = codex_events.Thread()
    for line in lines(log):
        if (text := unescaped(line)).lstrip().startswith("{"):
            thread = codex_events.take(thread, text, at)
    turn, message = thread.turn, stored or thread.message
    if turn.state is TurnState.FINISHED:
        turn = replace(turn, message=message, asks=asks_person(message))
    return LastWord(turn, Told(thread.thread, "", message, thread.tokens))


def _of_claude(log: Path, at: datetime) -> LastWord:
    text = tail(log, LARGEST_RESULT).decode(errors="replace")
    found = claude_print.printed(text, at)
    if found is None:
        return SILENCE
    told = Told(found.conversation, "", found.turn.message, found.tokens, found.cost_usd)
    return LastWord(found.turn, told)


def _stored(path: Path) -> str:
    """What Codex stored as its last message; it is empty when the turn failed."""
    try:
        return read_bounded(path, LARGEST_MESSAGE).decode(errors="replace")
    except OSError:
        return ""
