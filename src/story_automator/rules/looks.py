"""What a look adds to the memory of a session, and what the memory says as evidence. Pure."""

import hashlib
from dataclasses import replace
from datetime import timedelta

from story_automator.model.evidence import ClockGate, Evidence, Turn, TurnState
from story_automator.model.memory import Memory
from story_automator.model.policy import Policy
from story_automator.model.screen import Need, ScreenReading, Shape
from story_automator.rules.clock import clock_step, clock_vetoes_stuck, gate
from story_automator.rules.decide import is_candidate

ACTIVE = frozenset({Shape.WORKING, Shape.DONE, Shape.DIALOG, Shape.ERROR, Shape.PROMPT})


def fresh(boot: str, now: float) -> Memory:
    return Memory(boot=boot, progress_at=now)


def recalled(stored: Memory, boot: str, now: float) -> Memory:
    """A memory from an earlier watch; another boot's instants mean nothing."""
    if stored.boot == boot and stored.progress_at <= now:
        return stored
    return replace(fresh(boot, now), clock=stored.clock, ever_active=stored.ever_active)


def without_looks(m: Memory) -> Memory:
    """What two looks must agree on has not been looked at yet."""
    return replace(m, shape="", shape_looks=0, need="", silent_since=0.0, silent_looks=0)


def saw_screen(
    m: Memory, reading: ScreenReading, now: float, policy: Policy, beat: timedelta | None = None
) -> Memory:
    """One look at the screen; `beat` says how often its clock is redrawn, where that is known."""
    body = _digest(reading.body)
    same = body == m.body and reading.shape.value == m.shape
    moved = bool(m.body) and body != m.body
    apart = now - m.shape_since >= policy.two_looks_apart.total_seconds()
    m = replace(
        m,
        looks=m.looks + 1,
        ever_active=m.ever_active or reading.shape in ACTIVE,
        body=body,
        shape=reading.shape.value,
        shape_since=m.shape_since if same else now,
        shape_looks=(m.shape_looks + (1 if apart else 0)) if same else 1,
        shape_because=reading.because,
        need=reading.need.value if reading.need else "",
        trouble=reading.trouble,
        task=reading.task,
        progress_at=now if moved else m.progress_at,
    )
    if reading.todos_total:
        m = replace(m, todos_done=reading.todos_done, todos_total=reading.todos_total)
    return _saw_clock(m, reading.clock or "", now, beat)


def _saw_clock(m: Memory, clock: str, now: float, beat: timedelta | None) -> Memory:
    since = timedelta(seconds=max(now - m.clock_at, 0.0))
    answer = gate(m.clock, clock, since, beat or clock_step(clock))
    if answer in (ClockGate.FIRST, ClockGate.MOVED):
        # The instant is kept while the text stands still, so that "still" has a length.
        m = replace(m, clock=clock, clock_at=now)
    return replace(m, gate=answer.value)


def saw_output(m: Memory, size: int, now: float, *, is_progress: bool) -> Memory:
    """The log has this size. For a TUI growth alone proves little: its own clock makes it grow."""
    if size == m.output:
        return m
    active = m.ever_active or is_progress
    return replace(
        m,
        output=size,
        ever_active=active,
        progress_at=now if is_progress else m.progress_at,
    )


def saw_transcript(m: Memory, size: int, now: float) -> Memory:
    if size == m.transcript:
        return m
    return replace(m, transcript=size, ever_active=True, progress_at=now)


def is_undecided(m: Memory) -> bool:
    """One look saw a shape that a second look could make a verdict of."""
    return m.shape in (Shape.DONE, Shape.DIALOG, Shape.ERROR) and m.shape_looks < 2


def saw_events(m: Memory, count: int, now: float) -> Memory:
    if count == m.events:
        return m
    return replace(m, events=count, ever_active=True, progress_at=now)


def saw_cpu(m: Memory, used: float, now: float, policy: Policy) -> Memory:
    """CPU time of the whole tree so far; a working tree is progress."""
    span = now - m.cpu_at
    busy = m.cpu_at > 0 and span > 0 and (used - m.cpu) / span >= policy.busy_cpu
    progress = now if busy else m.progress_at
    return replace(m, cpu=used, cpu_at=now, progress_at=progress)


def after_gap(m: Memory, now: float) -> Memory:
    """The watcher slept (suspend, SIGSTOP): what it did not see may not be held against anybody."""
    return replace(m, progress_at=now, silent_since=0.0, silent_looks=0, cpu_at=0.0)


def saw_silence(m: Memory, seen: Evidence, now: float, policy: Policy) -> Memory:
    """Count looks at a silent session: the second one, the grace later, may condemn it."""
    if not is_candidate(seen, policy) or clock_vetoes_stuck(seen.clock):
        return replace(m, silent_since=0.0, silent_looks=0)
    if not m.silent_looks:
        return replace(m, silent_since=now, silent_looks=1)
    if now - m.silent_since >= policy.grace.total_seconds():
        return replace(m, silent_looks=2)
    return m


def with_memory(seen: Evidence, m: Memory, now: float) -> Evidence:
    """The evidence with everything the memory holds.

    The screen of a print mode shows its answer, and an answer may quote any screen.
    """
    if not seen.silent_by_design:
        seen = replace(
            seen,
            turn=seen.turn if seen.turn.state is not TurnState.UNKNOWN else _turn_by_screen(m),
            shape_done_looks=m.shape_looks if m.shape == Shape.DONE.value else 0,
            shape_done_because=f"{m.shape_because}, the same in {m.shape_looks} looks",
            need=Need(m.need) if m.need else None,
            need_looks=m.shape_looks if m.need else 0,
        )
    return replace(
        seen,
        clock=ClockGate(m.gate),
        clock_text=m.clock,
        clock_ever=bool(m.clock),
        ever_active=m.ever_active,
        quiet=timedelta(seconds=max(now - m.progress_at, 0.0)),
        silent_looks=m.silent_looks,
    )


def _turn_by_screen(m: Memory) -> Turn:
    """An error the agent shows as its last word, seen twice, ends a turn that no hook reports."""
    if m.shape == Shape.ERROR.value and m.shape_looks >= 2:
        return Turn(TurnState.FAILED, m.trouble or "turn_failed", m.shape_because)
    return Turn()


def _digest(body: str) -> str:
    return hashlib.blake2b(body.encode(errors="replace"), digest_size=12).hexdigest()
