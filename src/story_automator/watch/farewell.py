"""How a TUI left that exited by itself: with its turn over, or in the middle of one."""

from collections.abc import Sequence

from story_automator.agents.dialects import left_in_mid_turn
from story_automator.model.evidence import Turn, TurnState
from story_automator.model.session import Ended
from story_automator.watch.known import Known
from story_automator.watch.log import Log


class Farewell:
    """Hooks tell; where they told nothing, the last picture it left on the screen may."""

    def __init__(self, known: Known, log: Log | None) -> None:
        self._known, self._log = known, log
        self._screen_read = False
        self._left_well = False

    def wants_screen(self, end: Ended | None, turn: Turn) -> bool:
        clean = end is not None and not (end.signal or end.code or end.hangup)
        return clean and not self._screen_read and self._is_mute(turn)

    def saw_screen(self, rows: Sequence[str]) -> None:
        self._screen_read = True
        self._left_well = not left_in_mid_turn(self._known.agent, rows)

    def saw_nothing(self) -> None:
        self._screen_read = True

    def speaks(self, turn: Turn) -> bool:
        """It says when its turn is over, so leaving without a word is a crash."""
        if self._known.mode != "tui" or self._left_well:
            return False
        return turn.state is not TurnState.UNKNOWN or self._is_mute(turn)

    def _is_mute(self, turn: Turn) -> bool:
        """A TUI by the way it set its terminal up, whose hooks have told nothing."""
        if self._known.mode != "tui" or turn.state is not TurnState.UNKNOWN:
            return False
        return self._log is not None and self._log.shows_a_tui()
