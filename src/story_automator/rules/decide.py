"""The one mind: evidence and policy in, verdict out. The order of the signals is the precedence."""

from collections.abc import Callable
from datetime import timedelta

from story_automator.model.evidence import Evidence, TurnState
from story_automator.model.policy import Policy
from story_automator.model.probe import Probe
from story_automator.model.verdict import FinalState, Verdict
from story_automator.rules.clock import clock_vetoes_stuck

Signal = Callable[[Evidence, Policy], Verdict | None]


def decide(evidence: Evidence, policy: Policy) -> Verdict | None:
    """The first signal that speaks, unless the clock vetoes it; None means keep watching."""
    for signal in SIGNALS:
        verdict = signal(evidence, policy)
        if verdict is not None:
            return verdict
    return None


def over_because(e: Evidence) -> str:
    """Why the turn counts as over, in words; empty while it does not."""
    if e.silent_by_design:
        # It prints its answer at the very end: whatever it told before, only its exit counts.
        told = e.end_settled and e.turn.state is not TurnState.FAILED
        return _ended_well(e) if told else ""
    if e.turn.state is TurnState.FINISHED:
        return e.turn.because
    if e.turn.state is TurnState.UNKNOWN:
        if not e.speaks and (because := _ended_well(e)):
            return because
        if e.shape_done_looks >= 2:
            return e.shape_done_because
    return ""


def _ended_well(e: Evidence) -> str:
    if e.end is None or e.end.failed or e.end.session_taken or e.killed_by_us:
        return ""
    return e.end.because


def turn_finished(e: Evidence, _: Policy) -> Verdict | None:
    because = over_because(e)
    if not because or e.verification is None:
        return None
    found = e.verification
    if e.turn.asks and not (found.passed and found.proven):
        return Verdict(FinalState.INCOMPLETE, "question", f"{because}, and its last message asks")
    state = FinalState.COMPLETED if found.passed else FinalState.INCOMPLETE
    words = f"{because}; {found.because}" if found.because else because
    return Verdict(state, found.reason, words, verified=found.passed)


def turn_failed(e: Evidence, _: Policy) -> Verdict | None:
    if e.turn.state is not TurnState.FAILED or (e.silent_by_design and e.end is None):
        return None
    turn = e.turn
    return Verdict(FinalState.INCOMPLETE, turn.reason, turn.because, resets_at=turn.resets_at)


def left_in_background(e: Evidence, policy: Policy) -> Verdict | None:
    """The turn is over but for work that nobody hears of any more, such as a server left on."""
    if e.turn.state is not TurnState.BACKGROUND or e.end is not None:
        return None
    if e.quiet < policy.background_limit:
        return None
    because = f"{e.turn.because}, and nothing was heard of it for {in_words(e.quiet)}"
    return Verdict(FinalState.INCOMPLETE, "background_work", because)


def process_ended(e: Evidence, _: Policy) -> Verdict | None:
    if e.end is None or e.end.session_taken or e.killed_by_us or not e.end_settled:
        return None
    because = e.end.because
    if not e.end.failed:
        because += " without finishing its turn"
    return Verdict(FinalState.CRASHED, f"exit_code_{e.end.shell_code}", because)


def session_gone(e: Evidence, _: Policy) -> Verdict | None:
    if e.killed_by_us:
        return Verdict(FinalState.NOT_FOUND, "session_killed", "the session was ended by `kill`")
    if not e.end_settled or e.session is Probe.UNREACHABLE:
        return None
    taken = e.end is not None and e.end.session_taken
    if e.session is not Probe.ABSENT and not taken:
        return None
    if e.server_lost:
        return Verdict(FinalState.NOT_FOUND, "tmux_server_lost", "the tmux server is gone")
    return Verdict(FinalState.NOT_FOUND, "session_gone", "the tmux session is gone")


def needs_person(e: Evidence, _: Policy) -> Verdict | None:
    if e.turn.need is not None:
        return Verdict(FinalState.STUCK, e.turn.need.value, e.turn.because)
    if e.need is not None and e.need_looks >= 2:
        seen = f"a dialog stood on the screen in {e.need_looks} looks"
        return Verdict(FinalState.STUCK, e.need.value, seen)
    return None


def quiet_limit(e: Evidence, policy: Policy) -> timedelta:
    return policy.quiet_limit if e.clock_ever else policy.quiet_limit_clockless


def is_candidate(e: Evidence, policy: Policy) -> bool:
    """Silent beyond the limit, and nothing about this agent makes silence normal."""
    return not e.silent_by_design and e.end is None and e.quiet >= quiet_limit(e, policy)


def silent(e: Evidence, policy: Policy) -> Verdict | None:
    if not is_candidate(e, policy) or e.silent_looks < 2 or e.session is not Probe.PRESENT:
        return None
    if clock_vetoes_stuck(e.clock):
        return None
    clock = f"the clock stood at {e.clock_text}" if e.clock_text else "no clock was ever shown"
    reason = "no_progress" if e.ever_active else "never_active"
    because = f"no output, hook event or CPU time for {in_words(e.quiet)}, and {clock}"
    return Verdict(FinalState.STUCK, reason, because)


def overdue(e: Evidence, _: Policy) -> Verdict | None:
    if e.deadline is not None and e.elapsed >= e.deadline:
        minutes = f"{e.deadline.total_seconds() / 60:g}"
        because = f"still alive after {in_words(e.elapsed)}"
        return Verdict(FinalState.TIMEOUT, f"exceeded_{minutes}m", f"{because}{alive_words(e)}")
    if e.polls_left is not None and e.polls_left <= 0:
        because = f"the budget of timed looks ran out{alive_words(e)}"
        return Verdict(FinalState.TIMEOUT, "max_polls_exceeded", because)
    return None


def alive_words(e: Evidence) -> str:
    """What a person should know about a session that lives but does not move."""
    if clock_vetoes_stuck(e.clock) and e.quiet >= timedelta(minutes=1):
        return f"; alive by its clock ({e.clock_text}) but without progress for {in_words(e.quiet)}"
    return ""


def in_words(duration: timedelta) -> str:
    seconds = int(duration.total_seconds())
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    if hours:
        return f"{hours}h {minutes}m"
    return f"{minutes}m {seconds % 60}s" if minutes else f"{seconds}s"


SIGNALS: tuple[Signal, ...] = (
    turn_finished,
    turn_failed,
    process_ended,
    session_gone,
    needs_person,
    left_in_background,
    silent,
    overdue,
)
