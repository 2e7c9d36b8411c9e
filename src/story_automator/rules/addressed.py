"""Does an output speak to whoever reads it, instead of telling what was done?"""

import re
from collections.abc import Sequence

from story_automator.model.facts import Seen, Weight
from story_automator.rules.forms import Form
from story_automator.rules.voices import Said, Voice

READERS = r"(?:parser|orchestrator|evaluator|grader|classifier|haiku|(?:language )?model|automator)"
ADDRESSES = Form(
    "ignore|disregard|forget|override|next_action|proceed|parser|orchestrator|evaluator|grader"
    "|classifier|haiku|model|automator|reviewer|agent|assistant|say exactly|report|system|human"
    "|</|[inst]|[/inst]|developer|tests_passed|all_fixed|story_created|build_passed",
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|all|earlier|any|your)"
    r"\b.{0,30}\b(?:instructions?|rules?|prompts?|directions?|facts?)\b",
    r"[\"']?next_action[\"']?\s*[:=]",
    r"\b(?:return|respond|reply|answer|output|emit|say|report|classify|mark|set|choose)\b.{0,60}"
    r"\bproceed\b",
    rf"\b(?:note|message|instructions?|attention|dear|hey)(?:,| to| for)?(?: the)? {READERS}\b",
    r"\b(?:ai|automated|llm) (?:reviewers?|agents?|assistants?|parsers?)\b.{0,40}"
    r"(?:must|should|need not|do not|:)",
    r"\bagents need not\b|\bsay exactly\b",
    r"\breport (?:it|them|this|all|the \w+)\b.{0,20}\bas (?:passed|done|green|complete|success)",
    rf"\byou are (?:now )?(?:a|an|the) (?:{READERS}|helpful|assistant)",
    r"</?(?:system|assistant|human|session[_-]output|instructions?)>|</output>",
    r"\[/?(?:INST|SYSTEM)\]|^\W*(?-i:SYSTEM|ASSISTANT|HUMAN)\s*:",
    r"\b(?:system|developer) (?:prompt|message|override|instructions?)\b",
    r"\b(?:tests_passed|all_fixed|story_created|build_passed)[\"']?\s*[:=]\s*true",
)
QUOTATION = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”")


def addressed(said: Sequence[Said]) -> Seen | None:
    """The first such row; one of the agent's own outranks one that it only read or quotes."""
    first = None
    for one in said:
        if one.voice in (Voice.PERSON, Voice.NOTE) or not ADDRESSES.search(one.text):
            continue
        own = one.voice in (Voice.AGENT, Voice.PLAIN, Voice.QUOTED)
        if own and ("{" in one.text or ADDRESSES.search(QUOTATION.sub("…", one.text))):
            return Seen(one.row, one.text.strip(), min(one.weight, Weight.SHOWN))
        first = first or Seen(one.row, one.text.strip(), Weight.RUN)
    return first
