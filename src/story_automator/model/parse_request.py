"""One question to a model: what does this session's output come to?"""

from dataclasses import dataclass

from story_automator.model.advice import ParsedStep


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """`system` is the same for every session, so that a provider may cache it; `prompt` is not."""

    step: ParsedStep
    system: str
    prompt: str
    model: str
