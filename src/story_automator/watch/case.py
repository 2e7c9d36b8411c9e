"""One session of a watch, with its place in time: when to look, when to judge, when to let go."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from story_automator.edges.events import ANY
from story_automator.model.evidence import Evidence, TurnState
from story_automator.model.policy import Policy
from story_automator.model.verdict import Verdict
from story_automator.rules.looks import is_undecided
from story_automator.watch.session import Watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future

TUI_DRAIN = 0.2  # a living TUI draws its last words at about the time of its Stop hook
GONE_DRAIN = 0.1  # a session that was taken away, or whose wrapper died, writes no end mark
SECOND_LOOK = 5.0  # how much longer a deadline waits for a look that may finish the turn
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often to look."""

    deadline: timedelta
    poll_every: timedelta = timedelta(seconds=60)
    polls: int | None = None
    settle: timedelta = timedelta(0)  # not to be called stuck before


@dataclass(frozen=True, slots=True)
class Concluded:
    """A session and what we concluded about it."""

    watched: Watched
    verdict: Verdict
    evidence: Evidence


@dataclass(slots=True)
class Case(Generic[Result]):
    """`now` is always the monotonic clock."""

    watched: Watched
    limits: Limits
    poll_at: float
    polls: int = 0
    blind: bool = False  # some event cannot be had: every tick looks for it
    process_watched: bool = False
    held: bool = False  # a verdict waits for the end of the settling time
    looked_last: bool = False
    concluded: Concluded | None = None
    drained_by: float = 0.0
    finishing: "Future[Result] | None" = None  # the last work on it, done aside

    @property
    def overdue_at(self) -> float:
        return self.watched.began + self.limits.deadline.total_seconds()

    @property
    def settled_at(self) -> float:
        return self.watched.began + self.limits.settle.total_seconds()

    def moments(self, now: float) -> list[float]:
        """When to wake up for this session although nothing happened."""
        planned = (self.overdue_at, self.settled_at, self.poll_at, *self.watched.moments(now))
        return [at for at in planned if at > now]

    def look_at_the_time(self, now: float) -> bool:
        """A timed look; True when it is one that --max-polls counts."""
        if self.blind:
            self.watched.hear({ANY}, now)
        self.watched.tick(now)
        polled = now >= self.poll_at
        if polled:
            self.polls += 1
            self.poll_at = now + self.limits.poll_every.total_seconds()
            self.watched.want_screen()
        if now >= self.overdue_at and not self.looked_last:
            # Look first, judge second: it may have finished while nobody looked.
            self.watched.hear({ANY}, now)
            self.watched.want_screen()
            self.looked_last = True
        return polled

    def has_news(self, now: float) -> bool:
        """Whether judging again could say anything new: most ticks bring nothing."""
        spent = self.limits.polls is not None and self.polls >= self.limits.polls
        settled = self.held and now >= self.settled_at
        return self.watched.take_news() or now >= self.overdue_at or spent or settled

    def deadline_counts(self, now: float) -> bool:
        """Not before the last look, nor while a second one may still finish the turn."""
        if not self.looked_last:
            return False
        return now >= self.overdue_at + SECOND_LOOK or not is_undecided(self.watched.memory)

    def conclude(self, concluded: Concluded, now: float, policy: Policy) -> None:
        self.concluded = concluded
        end = concluded.evidence.end
        if end is not None:
            ending = self.watched.ending
            marked = ending is not None and ending.is_recorded and not end.session_taken
            limit = policy.drain_limit.total_seconds() if marked else GONE_DRAIN
        else:
            finished = concluded.evidence.turn.state is TurnState.FINISHED
            limit = TUI_DRAIN if finished else 0.0
        self.drained_by = now + limit

    def is_drained(self, now: float) -> bool:
        """Whether the log is whole, or has had its time."""
        log = self.watched.log
        if log is None or now >= self.drained_by or self.concluded is None:
            return True
        log.look()
        return self.concluded.evidence.end is not None and log.is_whole()
