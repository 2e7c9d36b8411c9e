"""Which behaviour a conversation asks for, how far it got, and which calls are asides."""

import re
from dataclasses import dataclass
from enum import StrEnum

from story_automator.canary.acts import Heard, ToolResult

DIRECTIVE = re.compile(r"\bcanary:([a-z_]+)((?::\w[\w-]*(?:\.\d+)?)*)")


class Aside(StrEnum):
    """Why a client calls beside the conversation itself."""

    NONE = "none"  # the conversation itself
    TITLE = "title"  # a name for the session
    QUOTA = "quota"  # is this login within its limits?
    SUMMARY = "summary"  # compaction asks what was said
    OTHER = "other"  # a call that offers no tools


@dataclass(frozen=True, slots=True)
class Directive:
    """A behaviour, its arguments, and the tool results since it was asked for."""

    name: str = "turn"
    args: tuple[str, ...] = ()
    step: int = 0

    @property
    def trial(self) -> str:
        return ":".join((self.name, *self.args))


def directive(heard: Heard) -> Directive:
    """The last directive of the last text that holds one; without any, a plain turn."""
    step = 0
    for word in reversed(heard.said):
        if isinstance(word, ToolResult):
            step += 1
        elif found := DIRECTIVE.findall(word):
            name, args = found[-1]
            return Directive(name, tuple(args.split(":")[1:]), step)
    return Directive(step=step)


SUMMARISING = re.compile(
    r"detailed summary of the conversation|context checkpoint compaction",
    re.IGNORECASE,
)
NAMING = re.compile(r"\b(?:session|conversation|thread|task)? ?titles?\b", re.IGNORECASE)


def aside(heard: Heard) -> Aside:
    """What kind of side call this is."""
    last = next((word for word in reversed(heard.said) if isinstance(word, str)), "")
    if SUMMARISING.search(last):
        return Aside.SUMMARY
    if heard.max_tokens == 1 or last.strip() == "quota":
        return Aside.QUOTA
    if heard.tools:
        return Aside.NONE
    return Aside.TITLE if NAMING.search(heard.system + last[:2000]) else Aside.OTHER
