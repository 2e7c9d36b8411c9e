"""How often the screen of a session is worth a look."""

from story_automator.model.evidence import Turn, TurnState
from story_automator.model.memory import Memory
from story_automator.model.policy import Policy
from story_automator.rules.looks import is_undecided
from story_automator.watch.log import Log

# A session whose hooks report everything needs the screen only for its clock.
CALM = 4


class Pace:
    """`now` is always the monotonic clock."""

    def __init__(self, policy: Policy, log: Log | None, began: float) -> None:
        self._policy, self._log = policy, log
        self._every = policy.screen_every.total_seconds()
        self.looked_at = began - self._every
        self._grew = True

    def looked(self, now: float) -> None:
        self.looked_at, self._grew = now, False

    def is_due(self, memory: Memory, turn: Turn, now: float) -> bool:
        unseen, grows = self._grew, self._log is not None and self._log.grew
        self._grew = unseen or grows
        since = now - self.looked_at
        if since >= self._every and now - memory.progress_at >= self._patience(memory):
            return True
        if turn.state is not TurnState.UNKNOWN:
            return self._grew and since >= self._every * CALM
        if since < self._policy.two_looks_apart.total_seconds():
            return False
        if is_undecided(memory):
            return True
        if self._log is not None and grows:
            return since >= self._every or self._log.hints()
        return unseen  # It grew and then fell silent: worth one look.

    def _patience(self, memory: Memory) -> float:
        """How long silence is normal for this session."""
        shown = bool(memory.clock)
        limit = self._policy.quiet_limit if shown else self._policy.quiet_limit_clockless
        return limit.total_seconds()
