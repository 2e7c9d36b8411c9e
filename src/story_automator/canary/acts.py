"""What a model can be made to do, whatever API its client speaks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

FOR_EVER = float("inf")


@dataclass(frozen=True, slots=True)
class Say:
    """Text, streamed evenly over some seconds; `broken` off, the stream never says it ended."""

    text: str
    over: float = 0.0
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Think:
    """Thinking, streamed evenly over some seconds."""

    text: str
    over: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """A shell command; `escalated` asks for more than the sandbox allows."""

    command: str
    background: bool = False
    escalated: bool = False


@dataclass(frozen=True, slots=True)
class WriteFile:
    """A new file in the project of the client."""

    name: str
    content: str


@dataclass(frozen=True, slots=True)
class Delegate:
    """A sub-agent that gets a prompt of its own."""

    prompt: str


@dataclass(frozen=True, slots=True)
class AskPerson:
    """A question with options, asked through the client's own dialog."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PresentPlan:
    """A plan that a person is to approve."""

    plan: str


@dataclass(frozen=True, slots=True)
class Use:
    """A tool of one client, by its own name."""

    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wait:
    """No byte for some seconds."""

    seconds: float = FOR_EVER


@dataclass(frozen=True, slots=True)
class Ping:
    """Signs of life without content for some seconds."""

    seconds: float

    def beats(self) -> Iterator["Wait"]:
        """The silence after each sign of life, about a second each."""
        times = max(1, round(self.seconds))
        return (Wait(self.seconds / times) for _ in range(times))


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection closes here, in the middle of the reply."""


@dataclass(frozen=True, slots=True)
class Stumble:
    """An error told within a stream that began well."""

    kind: str
    message: str


ToolUse = Run | WriteFile | Delegate | AskPerson | PresentPlan | Use
Act = Say | Think | ToolUse | Wait | Ping | Cut | Stumble


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that begins with status 200; `tokens` is the context the client is told it used."""

    acts: tuple[Act, ...] = ()
    stop: str = ""
    tokens: int = 1000

    @property
    def calls_tools(self) -> bool:
        return any(isinstance(act, ToolUse) for act in self.acts)


class Limit(StrEnum):
    """Which limit of a plan was hit."""

    SESSION = "session"  # five hours
    WEEKLY = "weekly"  # seven days
    OPUS = "opus"  # seven days of one model


@dataclass(frozen=True, slots=True)
class Failure:
    """An HTTP error."""

    status: int
    kind: str
    message: str
    retry_after: float | None = None
    resets_in: float | None = None
    limit: Limit = Limit.SESSION


@dataclass(frozen=True, slots=True)
class Silence:
    """The request is accepted and never answered."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """The connection closes before any byte."""


Answer = Reply | Failure | Silence | HangUp


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Stands between the texts of a conversation where a tool answered."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a request says, as far as the answer depends on it."""

    said: tuple[str | ToolResult, ...] = ()
    system: str = ""
    tools: frozenset[str] = field(default_factory=frozenset)
    model: str = "canary"
    conversation: str = ""
    stream: bool = False
    max_tokens: int | None = None
    number: int = 0

    def name(self, kind: str, index: int = 0) -> str:
        """An id that no other reply of this API has: clients tell replies apart by it."""
        return f"{kind}_canary_{self.number}_{index}"


def spread(act: Say | Think) -> Iterator[str | Wait]:
    """The text in pieces with waits between them that add up to the asked time."""
    words = act.text.split(" ")
    steps = min(len(words), max(1, round(act.over * 4)))
    size = -(-len(words) // steps)
    pieces = [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
    for number, piece in enumerate(pieces):
        if act.over:
            yield Wait(act.over / len(pieces))
        yield piece + (" " if number < len(pieces) - 1 else "")
