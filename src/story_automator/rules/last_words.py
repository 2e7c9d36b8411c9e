"""The message that a session ends with: whether it asks, and what it claims."""

import re
from collections.abc import Sequence

from story_automator.model.facts import Seen, TestRun, Weight
from story_automator.model.long_text import LongText
from story_automator.rules.voices import FENCE, Said, Voice

LAST_ROWS = 40  # of a log in which nobody knows who speaks
MARKS = re.compile(r"^[\s#>*_|✅✔☑🎉🚀🎯📋➜→·•-]+|[*_`]+")
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\s[–—]\s")
QUESTION = re.compile(r"[?؟](?=[\s\"'”’)*_`]|$)|？")
OPTION = re.compile(r"\s*(?:[-*] )?(?:\(?\d{1,2}|\(?[A-Za-z]|\[\w\])[.):\]] \S")
# A question is still open when only the request to answer it follows.
LAST_WORDS = re.compile(
    r"[?？؟][\s\"'”’)*_`]*(?:(?:please|let me know|tell me|reply|answer|choose|pick|say|i(?:'ll"
    r"| will)"
    r"|once|waiting|awaiting|until|without)\b[^!?]*)?$",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"\b(?:please (?:confirm|choose|advise|decide|clarify|select|tell me|let me know|provide"
    r"|specify)"
    r"|let me know (?:how|which|whether|what|if you(?:'d| would)? (?:want|like|prefer) (?:me"
    r"|the|to))"
    r"|(?:waiting|awaiting|wait|waits) (?:for|on)? ?(?:your|user|human|a (?:human|person"
    r"|decision))"
    r"|(?:i|we) need (?:your|a|one|some)\b.{0,20}(?:decision|input|answer|approval|confirmation"
    r"|guidance|clarification)|needs (?:a|your) (?:product |human )?decision"
    r"|blocked (?:on|by|until) (?:a|an|the|your)\b.{0,40}(?:decision|answer|approval"
    r"|clarification))",
    re.IGNORECASE,
)
DOUBT = re.compile(
    r"\b(?:not|n[o']t|never|cannot|can't|until|once|unless|if|when|before|after|would|should|will"
    r"|almost|nearly|partially|partly|mostly|half|todo|pending|without|to be|isn't|aren't"
    r"|in order to"
    r"|expected to|supposed to|must|need(?:s|ed)?|yet|however|except|claims?|says|return|respond"
    r"|verdict|report)\b",
    re.IGNORECASE,
)
COMPLETE = re.compile(
    r"\b(?:story|task|tasks|implementation|work|review|retrospective|retro|workflow|session|epic"
    r"|step|steps|feature|run|tests?|automation|create-story|dev-story|code-review|criteria|acs)\b"
    r".{0,60}?\b(?:complete|completed|done|finished|implemented|ready[- ]for[- ](?:code |the )?"
    r"(?:review|dev\w*|qa)|written|created|saved|fulfilled|satisfied|met|closed|passed)\b"
    r"|^(?:done|finished|complete|completed|all done)\b[.! ]*$"
    r"|\ball (?:\w+ )?(?:tasks|steps|subtasks|acceptance criteria|acs)\b.{0,30}\b(?:complete\w*"
    r"|done"
    r"|finished|met|ticked|checked|satisfied|implemented|\[x\])"
    r"|\bsuccessfully (?:implemented|completed|created|added|wrote|finished|generated|reviewed)\b"
    r"|\b(?:implemented|completed|finished|wrote|written|added|reviewed) (?:the |this )?"
    r"(?:story|retrospective|\d+ (?:new )?tests|all)\b|\bno (?:further|more|remaining"
    r"|open) (?:gaps"
    r"|issues|findings)\b|\bready for (?:code )?review\b|\bwaits? for (?:its "
    r"|the )?(?:code )?review\b"
    r"|\bstory context created\b|\bis (?:now )?(?:implemented|tested|done|complete)\b",
    re.IGNORECASE,
)
UNDONE = re.compile(
    r"\b(?:i|we) (?:could ?n[o']t|couldn[’']t|can ?not|can[’']t|was(?:n[’']t| not)? (?:un)?able to"
    r"|were unable to|am (?:not |un)able to|did ?n[o']t|didn[’']t|have not|haven[’']t)(?: \w+)?"
    r" (?:finish|complete|fix|get|make|run|install|create|write|resolve|implement|verify|test"
    r"|commit"
    r"|push|reach|start|save|work|access|connect|do|go|continue|proceed)\w*"
    r"|\b(?:i|we) (?:had to stop|gave up|stopped|ran out|am stopping|give up)\b"
    r"|\b(?:story|implementation|task|tasks|work|file|step|review|retrospective|document)\b.{0,40}"
    r"\b(?:is|are|was|were|has|have|remains?)(?: still)? (?:not|n[o']t|incomplete|unfinished"
    r"|blocked"
    r"|in progress|undone|open\b|partially)"
    r"|\bnot (?:yet )?(?:complete|done|finished|implemented|written|created|started|saved)\b"
    r"|\b(?:incomplete|unfinished|left undone|still (?:failing|fails?|red|broken|open|missing"
    r"|to do))\b"
    r"|^(?:halt|blocked|aborted|aborting)\b|\bno story (?:file )?(?:was|has been|is) (?:written"
    r"|created)"
    r"|\bnothing (?:was|has been) (?:written|created|changed|saved)\b"
    r"|\b(?:remaining|open|unfinished) (?:tasks?|work|steps?): *(?!0|none|no\b)\S",
    re.IGNORECASE,
)
# What was so and is no more, or never was.
OVERCOME = re.compile(
    r"\b(?:at first|initially|originally|previously|earlier|before|used to|no longer|fixed"
    r"|now pass"
    r"|resolved|reproduced|bug where|so that|instead|out of scope|by design|because the story)\b",
    re.IGNORECASE,
)
ANNOUNCES = re.compile(
    r"^(?:now |next,? |then |first,? |okay,? |ok,? |great[,.!]? |good[,.!]? )*"
    r"(?:let me|let's|i'll|i’ll|i will|i am going to|i'm going to|running|starting|continuing)\b",
    re.IGNORECASE,
)
RED = re.compile(
    r"\b(?P<failed>[1-9]\d*)(?: of (?:the )?\d+)? (?:unit |e2e |new |existing |integration "
    r"|other )?"
    r"(?:tests?|specs?)(?: (?:are|is|still|do))*? (?:fail\w*|red|broken)\b"
    r"|\b(?:tests?|specs?|suite)(?: \w+)? (?:are|is|still)(?: still)? (?:failing|red|broken)\b"
    r"|\b(?:tests?|suite) (?:still )?fails?\b|\b(?P<some>[1-9]\d*) fail(?:ed|ing|ures?)\b",
    re.IGNORECASE,
)
OF = re.compile(
    r"\b(?P<passed>\d+)\s*(?:/|of)\s*(?P<total>\d+)\s+(?:\w+ )?(?:tests? )?pass", re.IGNORECASE
)
GREEN = re.compile(
    r"\b(?:all|the)?\s*(?P<passed>\d+)? ?(?:\w+ )?(?:tests?|specs?|suite|test suite)(?: \w+)?"
    r"(?: now| are| is| all|:)* (?:pass(?:es|ed|ing)?|green|succeed\w*|ok)\b",
    re.IGNORECASE,
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
    asks = LAST_WORDS.search(plain) and QUESTION.search(plain)
    if not asks and not ASKS.search(plain) and not (options and plain.endswith(":")):
        return ()
    if options and not asks and not ASKS.search(plain) and COMPLETE.search(plain):
        return ()
    asked = [one for one in SENTENCE.split(plain) if QUESTION.search(one) or ASKS.search(one)]
    return tuple(one.strip() for one in asked) or (plain,)


def _spoken(message: Sequence[Said]) -> list[str]:
    rows, in_code = [], False
    for one in message:
        if FENCE.match(one.text):
            in_code = not in_code
        elif not in_code and one.voice not in (Voice.PERSON, Voice.QUOTED):
            rows.append(re.sub(r"`[^`\n]+`|https?://\S+", "…", one.text))
    return rows


def claims(message: Sequence[Said]) -> tuple[Seen | None, Seen | None]:
    """The last row that says the step is done, and the last that says it is not."""
    complete = undone = None
    for one in message:
        if one.voice in (Voice.PERSON, Voice.QUOTED):
            continue
        for sentence in SENTENCE.split(MARKS.sub("", one.text)):
            if UNDONE.search(sentence) and not OVERCOME.search(sentence):
                undone = Seen(one.row, sentence.strip(), one.weight)
            elif COMPLETE.search(sentence) and not DOUBT.search(sentence):
                complete = Seen(one.row, sentence.strip(), one.weight)
    return complete, undone


def claimed_runs(message: Sequence[Said]) -> list[TestRun]:
    """What the message says of tests."""
    found = []
    for one in message:
        if one.voice is Voice.PERSON:
            continue
        for sentence in SENTENCE.split(MARKS.sub("", one.text)):
            if run := _claimed_run(sentence):
                failed, passed = run
                found.append(
                    TestRun(
                        one.row, "claim", failed, passed, weight=Weight.CLAIM, text=sentence.strip()
                    )
                )
    return found


def _claimed_run(sentence: str) -> tuple[int, int | None] | None:
    """How many tests failed and passed, as a sentence has it."""
    if OVERCOME.search(sentence) and not re.search(r"\bstill\b", sentence):
        return None
    if (of := OF.search(sentence)) and int(of["passed"]) <= int(of["total"]):
        return int(of["total"]) - int(of["passed"]), int(of["passed"])
    if red := RED.search(sentence):
        return int(red["failed"] or red["some"] or 1), None
    if (green := GREEN.search(sentence)) and not DOUBT.search(sentence):
        return 0, int(green["passed"]) if green["passed"] else None
    return None


def announces_more(message: Sequence[Said]) -> bool:
    """True when the last sentence says what comes next, and nothing came."""
    rows = [one.text for one in message if one.text.strip()]
    if not rows:
        return False
    last = SENTENCE.split(MARKS.sub("", rows[-1]).strip())[-1]
    return ANNOUNCES.match(last) is not None and (
        last.endswith((":", "…", "...", ".")) or len(last.split()) < 25
    )
