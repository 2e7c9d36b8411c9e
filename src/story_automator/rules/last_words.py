"""The message that a session ends with: whether it asks, and what it claims."""

import re
from collections.abc import Iterator, Sequence

from story_automator.model.advice import ErrorClass
from story_automator.model.facts import Run, Seen, Trouble, Weight
from story_automator.model.long_text import LongText
from story_automator.rules import claim_words as words
from story_automator.rules.voices import FENCE, Said, Voice

LAST_ROWS = 40  # of a log in which nobody knows who speaks
MARKS = re.compile(r"^[\s#>*_|✅✔☑🎉🚀🎯📋➜→·•-]+|[*_`]+")
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\s[–—]\s")
OPTION = re.compile(r"\s*(?:[-*] )?(?:\(?\d{1,2}|\(?[A-Za-z]|\[\w\])[.):\]] \S")
QUOTED = re.compile(r"`[^`\n]+`|https?://\S+")
BY_WORDS = (
    (ErrorClass.CONFLICT, re.compile(r"\bconflicts?\b", re.IGNORECASE)),
    (
        ErrorClass.PERMISSION,
        re.compile(
            r"\b(?:permission|denied|denies|deny|not allowed|sandbox|read-only|forbidden)\b",
            re.IGNORECASE,
        ),
    ),
)


def last_rows(text: LongText, said: Sequence[Said]) -> list[Said]:
    """The last message, row by row."""
    if text.last_message.strip():
        end = said[-1].row if said else 0
        return [Said(end, row, Voice.AGENT) for row in text.last_message.splitlines()]
    rows: list[Said] = []
    for one in reversed(said):
        if one.voice in (Voice.AGENT, Voice.PLAIN, Voice.QUOTED):
            rows.append(one)
        elif rows and one.voice is Voice.PERSON and one.row == rows[-1].row - 1 and rows[-1].text:
            rows.append(one)  # a quotation
        elif one.voice is Voice.NOTE or not any(row.text for row in rows):
            if one.voice in (Voice.CALL, Voice.RESULT, Voice.TROUBLE):
                return []
            rows = [] if one.voice is Voice.PERSON else rows
        else:
            break
        if one.voice is Voice.PLAIN and sum(1 for row in rows if row.text) > LAST_ROWS:
            break
    return rows[::-1]


def sentences(message: Sequence[Said]) -> Iterator[tuple[Said, str]]:
    """What the message itself says, without marks; not what it quotes."""
    for one in message:
        if one.voice not in (Voice.PERSON, Voice.QUOTED):
            for sentence in SENTENCE.split(MARKS.sub("", one.text)):
                yield one, sentence.strip()


def open_questions(message: Sequence[Said]) -> tuple[str, ...]:
    """What the message asks a person at its end; nothing for a question it answers itself."""
    rows = _spoken(message)
    while rows and not rows[-1].strip():
        rows.pop()
    options = []
    while rows and (not rows[-1].strip() or OPTION.match(rows[-1])):
        options.append(rows.pop())
    if sum(map(bool, map(str.strip, options))) < 2:
        rows, options = rows + options[::-1], []
    paragraph = " ".join("\n".join(rows).rstrip().split("\n\n")[-1].split())
    plain = MARKS.sub("", paragraph)
    asks = words.STILL_OPEN.search(plain) or words.ASKS.search(plain)
    if not asks and not (options and plain.endswith(":") and not words.COMPLETE.search(plain)):
        return ()
    asked = [one for one in SENTENCE.split(plain) if _asks(one)]
    if not words.QUESTION.search(plain):
        before = [MARKS.sub("", row) for row in rows if words.QUESTION.search(row)]
        asked = before[-1:] + asked
    return tuple(one.strip() for one in asked) or (plain,)


def _asks(sentence: str) -> bool:
    return bool(words.QUESTION.search(sentence) or words.ASKS.search(sentence))


def _spoken(message: Sequence[Said]) -> list[str]:
    rows, in_code = [], False
    for one in message:
        if FENCE.match(one.text):
            in_code = not in_code
        elif not in_code and one.voice not in (Voice.PERSON, Voice.QUOTED):
            rows.append(QUOTED.sub("…", one.text))
    return rows


def claims(message: Sequence[Said]) -> tuple[Seen | None, Seen | None]:
    """The last sentence that says the step is done, and the last that says it is not."""
    complete = undone = None
    for one, sentence in sentences(message):
        if words.UNDONE.search(sentence) and not words.OVERCOME.search(sentence):
            undone = Seen(one.row, sentence, one.weight)
        elif words.COMPLETE.search(sentence) and not words.DOUBT.search(sentence):
            complete = Seen(one.row, sentence, one.weight)
    return complete, undone


def claimed_runs(message: Sequence[Said]) -> list[Run]:
    """What the message says of tests."""
    return [
        Run(one.row, "claim", run[0], run[1], weight=Weight.CLAIM, text=sentence)
        for one, sentence in sentences(message)
        if (run := _claimed_run(sentence))
    ]


def _claimed_run(sentence: str) -> tuple[int, int | None] | None:
    """How many tests failed and passed, as a sentence has it."""
    if words.OVERCOME.search(sentence) and " still " not in sentence:
        return None
    if (of := words.PART.search(sentence)) and int(of["passed"]) <= int(of["total"]):
        return int(of["total"]) - int(of["passed"]), int(of["passed"])
    if red := words.RED.search(sentence):
        return int(red["failed"] or red["some"] or 1), None
    if (green := words.GREEN.search(sentence)) and not words.DOUBT.search(sentence):
        return 0, int(green["passed"]) if green["passed"] else None
    return None


def admits(message: Sequence[Said]) -> bool:
    """True when the message says itself that a build or a check fails."""
    return any(
        words.FAILS.search(sentence) and not words.OVERCOME.search(sentence)
        for _, sentence in sentences(message)
    )


def needs_somebody(message: Sequence[Said]) -> Trouble | None:
    """What the message says that another has to do: allow something, or settle a conflict."""
    told = " ".join(sentence for _, sentence in sentences(message))
    if not words.NEEDS_SOMEBODY.search(told):
        return None
    return next(
        (Trouble(message[-1].row, kind, told) for kind, form in BY_WORDS if form.search(told)), None
    )


def announces_more(message: Sequence[Said]) -> bool:
    """True when the last sentence says what comes next, and nothing came."""
    told = [sentence for _, sentence in sentences(message) if sentence]
    return bool(told) and words.ANNOUNCES.search(told[-1]) is not None and len(told[-1]) < 200
