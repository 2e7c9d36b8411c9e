"""The table of behaviours: what the model does at each step, by name."""

from collections.abc import Callable
from dataclasses import dataclass

from story_automator.canary.acts import (
    Act,
    Answer,
    AskPerson,
    Cut,
    Delegate,
    Failure,
    HangUp,
    Limit,
    Ping,
    PresentPlan,
    Reply,
    Run,
    Say,
    Silence,
    Stumble,
    Think,
    Wait,
    WriteFile,
)
from story_automator.canary.directives import Aside, Directive

# A window of a million tokens is nearly full with it: a client that counts compacts now.
NEARLY_FULL = 970_000
PROSE = "The canary sings one verse after the other so that a watcher can see words arrive slowly. "
# A conversation of fewer rounds is not worth a summary to Claude Code.
ROUNDS = 4
# Clients draw whole lines, so a reply that breaks off has one.
HALF = "The first verse is sung.\n\nThe second verse begins"
OVERLOADED = Failure(529, "overloaded_error", "Overloaded")
BROKEN = Failure(500, "api_error", "Internal server error")
TOO_LONG = Failure(
    400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum"
)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request for a behaviour: its number, the step, and how often this step was tried."""

    number: float | None = None
    word: str = ""
    step: int = 0
    attempt: int = 1

    def seconds(self, default: float = 3.0) -> float:
        return default if self.number is None else self.number

    def count(self, default: int) -> int:
        return default if self.number is None else int(self.number)

    def first(self, trouble: Answer) -> Answer:
        """Trouble for the first N tries, for ever without N."""
        return say("It worked in the end.") if self._over else trouble

    @property
    def _over(self) -> bool:
        return bool(self.number) and self.attempt > (self.number or 0)


def say(*texts: str, stop: str = "") -> Reply:
    return Reply(tuple(Say(text) for text in texts), stop=stop)


def then(ask: Ask, act: Act, last: str, times: int = 1, tokens: int = 1000) -> Reply:
    """An act for the first steps, words after them."""
    return Reply((Say("One moment."), act), tokens=tokens) if ask.step < times else say(last)


def prose(seconds: float) -> str:
    return (PROSE * (1 + int(seconds) // 4)).strip()


def steps(ask: Ask) -> Answer:
    times = ask.count(3)
    return then(ask, Run(f"echo step {ask.step + 1}"), f"All {times} steps are through.", times)


def permission(ask: Ask) -> Answer:
    return then(ask, Run("touch canary-permission.txt", escalated=True), "I was allowed to.")


def limit(ask: Ask) -> Answer:
    return Failure(
        429,
        "rate_limit_error",
        "This request would exceed your account's rate limit. Please try again later.",
        resets_in=ask.seconds(3600),
        limit=Limit(ask.word or Limit.SESSION),
    )


def compact(ask: Ask) -> Answer:
    """Either the context is told to be full in time, or the next request is one too many."""
    if ask.step < ROUNDS:
        full = ask.count(NEARLY_FULL) if ask.step == ROUNDS - 1 else 1000
        return Reply((Say("One moment."), Run("true")), tokens=full)
    return TOO_LONG if ask.attempt == 1 else say("There is room again.")


def fails(status: int, kind: str, message: str) -> Callable[[Ask], Answer]:
    return lambda _: Failure(status, kind, message)


def waiting(seconds: float) -> str:
    """A command that takes its time. Newer clients refuse a bare `sleep`."""
    return f"python3 -c 'import time; time.sleep({seconds:g})'"


TABLE: dict[str, Callable[[Ask], Answer]] = {
    "turn": lambda _: say("The canary sang. Nothing else to report."),
    "slow": lambda ask: Reply((Say(prose(ask.seconds()), over=ask.seconds()),)),
    "think": lambda ask: Reply(
        (Think(prose(ask.seconds()), over=ask.seconds()), Say("I have thought about it."))
    ),
    "bash": lambda ask: then(ask, Run(waiting(ask.seconds())), "The command has run."),
    "write": lambda ask: then(ask, WriteFile("hello.txt", "hello\n"), "hello.txt is written."),
    "steps": steps,
    "background": lambda ask: then(
        ask, Run(waiting(ask.seconds()), background=True), "The command runs in the background."
    ),
    "agent": lambda ask: then(
        ask, Delegate(f"canary:bash:{ask.seconds():g}"), "The agent is back."
    ),
    "ask": lambda ask: then(ask, AskPerson("Which colour?", ("Red", "Blue")), "Noted."),
    "question": lambda _: say("Both ways are open. Should I use tabs or spaces?"),
    "menu": lambda _: say(
        "Pick one:\n\n1. Fix all\n2. Fix some\n3. Stop\n\nWhich one do you want?"
    ),
    "permission": permission,
    "escalate": permission,
    "plan": lambda ask: then(ask, PresentPlan("1. Sing\n2. Rest"), "The plan is agreed."),
    "claim": lambda _: say("✅ Done! The story is complete, all tests pass, status: done."),
    "empty": lambda _: Reply(),
    "long": lambda ask: say("\n".join(f"line {n + 1}" for n in range(ask.count(200)))),
    "limit": limit,
    "rate": lambda ask: ask.first(
        Failure(429, "rate_limit_error", "Number of requests is too high", retry_after=1)
    ),
    "overloaded": lambda ask: ask.first(OVERLOADED),
    "broken": lambda ask: ask.first(BROKEN),
    "unauthorized": fails(401, "authentication_error", "invalid x-api-key"),
    "forbidden": fails(403, "permission_error", "Your account may not use this resource."),
    "model": fails(404, "not_found_error", "model: canary"),
    "credit": fails(
        400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."
    ),
    "toolong": lambda ask: ask.first(TOO_LONG),
    "maxtok": lambda _: say("This reply has no room to", stop="max_tokens"),
    "refusal": lambda _: Reply(stop="refusal"),
    "sse_error": lambda ask: ask.first(
        Reply((Say(HALF, broken=True), Stumble("overloaded_error", "Overloaded")))
    ),
    "hang": lambda _: Silence(),
    "stall": lambda _: Reply((Say(HALF, broken=True), Wait())),
    "drop": lambda ask: ask.first(Reply((Say(HALF, broken=True), Cut()))),
    "refuse": lambda _: HangUp(),
    "ping": lambda ask: Reply((Ping(ask.seconds()), Say("Still here."))),
    "compact": compact,
}
# Trouble that a whole account or line has: it meets asides too.
FOR_ALL = frozenset({"unauthorized", "forbidden", "refuse"})
ASIDES = {
    Aside.TITLE: '{"title": "Canary trial"}',
    Aside.QUOTA: "ok",
    # A client may keep the old prompts beside the summary: a new directive ends the trial.
    Aside.SUMMARY: "<summary>\nA canary was asked to sing. Next: canary:turn\n</summary>",
    # The words that clients look for when they ask a smaller model what to do next.
    Aside.OTHER: '{"reasoning": "a canary", "next_speaker": "user", "model_choice": "flash",'
    ' "complexity_reasoning": "a canary", "complexity_score": 1}',
}


def at_once(given: Answer) -> Answer:
    """The same trouble for a client that does not want a stream: it meets it before any byte."""
    for act in given.acts if isinstance(given, Reply) else ():
        match act:
            case Wait():
                return Silence()
            case Cut():
                return HangUp()
            case Stumble():
                return Failure(529, act.kind, act.message)
    return given


def answer(asked: Directive, aside: Aside, attempt: int) -> Answer:
    """What the model does now; a directive that makes no sense is told as a bad request."""
    if aside is not Aside.NONE and asked.name not in FOR_ALL:
        return say(ASIDES[aside])
    try:
        behaviour = TABLE[asked.name]
        number = float(asked.args[0]) if asked.args else None
        return behaviour(Ask(number, "".join(asked.args[1:2]), asked.step, attempt))
    except (KeyError, ValueError):
        return Failure(400, "invalid_request_error", f"canary knows no behaviour {asked.trial!r}")
