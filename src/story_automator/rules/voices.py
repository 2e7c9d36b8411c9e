"""Who speaks in a row of a session's output: of a recording, a pane, or a log without marks."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from story_automator.model.facts import Weight
from story_automator.model.long_text import LongText, Row
from story_automator.rules.forms import Form


class Voice(StrEnum):
    """Whose row it is."""

    PERSON = "person"  # a prompt, or a quotation: never evidence
    AGENT = "agent"  # the agent's own words
    CALL = "call"  # the agent uses a tool
    RESULT = "result"  # what the tool answered
    TROUBLE = "trouble"  # an error of the agent itself
    NOTE = "note"  # what surrounds the conversation: rules, status lines, dialogs
    QUOTED = "quoted"  # inside a fence
    PLAIN = "plain"  # nobody knows


class Said(NamedTuple):
    """One row without the mark of its voice. A result knows its call."""

    row: int
    text: str
    voice: Voice
    call: str = ""
    failed: bool = False  # the tool says that its call failed

    @property
    def weight(self) -> Weight:
        """What a success in this row is worth."""
        match self.voice:
            case Voice.RESULT if runs_a_command(self.call):
                return Weight.RUN
            case Voice.RESULT if not self.call:
                return Weight.SHOWN
            case Voice.PLAIN:
                return Weight.SHOWN
        return Weight.CLAIM


PERSON = re.compile(r"\s{0,2}(?:>(?! Task :)|❯|›)(?: |$)|  ┃")
CALL = re.compile(
    r"[●⏺↳] ((?:Tasks$|\w[\w.-]*\().*)|• ((?:Ran|Running|Edited|Added|Explored) .*)"
    r"|  ((?:Bash|Read|Write|Edit|MultiEdit|Task|Agent|Skill|WebFetch|Grep|Glob)\(.*)"
)
AGENT = re.compile(r"[●⏺•✦] (.*)")
RESULT = re.compile(r"  (?:│ ?|[⎿└] {0,2})(.*)")
FAILED_RESULT = re.compile(r"  ✗ (.*)")
TROUBLE = re.compile(r"[✗■] (.*)")
NOTE = re.compile(r"[╭╰│┌└]|[·✻✢✳✶✽] \S|  ⏵⏵ |! |  ▣ |WARNING: proceeding")
RULE = re.compile(r"[─━═]{20,}")
TITLE = re.compile(r"── .* ──$")
FENCE = re.compile(r"\s*(?:```|~~~)")
# What a shell is given to write stands below its command.
HERE_DOCUMENT = re.compile(r"\$ .*<<-?\s*[\"']?(\w+)[\"']?")
# Such rows only stand in an output whose voices are marked.
MARKED = re.compile(
    r"[●⏺↳] (?:Tasks$|\w[\w.-]*\()|  [│⎿└✗] |[✗■✦❯](?: |$)|• (?:Ran|Working)|── .* ──$"
)
COMMANDS = re.compile(r"(?:Bash|Shell|Ran|Running|exec\w*|run_\w+|shell|Task|Agent)\b")
# They print what stands in files; what is printed there is no run.
LOOKS = re.compile(
    r"(?:Bash|Shell|Ran|Running)\W+(?:cd \S+ (?:&&|;) )?"
    r"(?:cat|echo|printf|head|tail|less|grep|rg|sed|awk|find|ls|git|gh|curl|wget|jq|tee|diff)\b"
)


def runs_a_command(call: str) -> bool:
    """True for a call whose answer is the output of a program, and not a text that it showed."""
    return COMMANDS.match(call) is not None and not (LOOKS.match(call) and not RUNNERS.search(call))


RUNNERS = Form(
    "test|jest|mocha|rspec|pest|playwright|cypress|tox|nox|behave|ava|tap|karma|e2e|verify|check",
    r"\b(?:py\.?test|unittest|jest|vitest|mocha|rspec|phpunit|pest|playwright|cypress|nextest"
    r"|tox|nox"
    r"|ctest|gotestsum|behave|ava|tap|karma|(?:npm|pnpm|yarn|bun|deno)(?: run| -\S+)* (?:test"
    r"|e2e)\S*"
    r"|(?:go|cargo|dotnet|mix|swift|rails|make|just|rake|gradlew?|mvnw?|sbt|node|flutter|dart)\b"
    r"[^|;&]*(?:\btest|--test|\bverify|\bcheck)|bin/test|run[_-]tests?)\b",
)
BUILDERS = Form(
    "tsc|mypy|pyright|ruff|eslint|flake8|pylint|webpack|build|gcc|g++|clang|javac|cmake|ninja|make|rustc|lint|compile|check|vet|clippy|package|install|assemble",
    r"\b(?:tsc|mypy|pyright|ruff|eslint|flake8|pylint|webpack|vite build|next build|gcc|g\+\+"
    r"|clang"
    r"|javac|cmake|ninja|make|rustc|(?:npm|pnpm|yarn|bun)(?: run| -\S+)*"
    r" (?:build|lint|compile|type-?check|check)\S*"
    r"|(?:go|cargo|dotnet|gradlew?|mvnw?|swift|mix)\b[^|;&]*\b"
    r"(?:build|vet|check|clippy|compile|package|install|assemble))\b",
    exact=True,
)


def spoken(text: LongText) -> tuple[Said, ...]:
    """Every row that says something, in order."""
    rows = text.rows
    marked = any(MARKED.match(row.text) for row in rows)
    at = _begin_of_message(rows, text.last_message) if marked else len(rows)
    said = [
        *_voices(rows[:at], Voice.AGENT if marked else Voice.PLAIN),
        *(Said(row.number, row.text, Voice.AGENT) for row in rows[at:]),
    ]
    return tuple(_without_fences(said))


def _begin_of_message(rows: Sequence[Row], message: str) -> int:
    """Where the last message begins, whatever it looks like; after all, when it ends elsewhere."""
    left = "".join(message.split())
    for at in range(len(rows) - 1, -1, -1):
        letters = "".join(rows[at].text.split())
        if not left.endswith(letters):
            break
        left = left.removesuffix(letters)
        if not left:
            return at
    return len(rows)


def _voices(rows: Sequence[Row], base: Voice) -> Iterator[Said]:
    voice, call, failed, before = base, "", False, 0
    drawn = False  # A pane marks only the first row of a prompt and of a result.
    for row in rows:
        text = row.text
        if row.number != before + 1:
            voice, call, failed = base, "", False
        before = row.number
        if not text.strip():
            if voice is Voice.TROUBLE or (voice is Voice.PERSON and not drawn):
                voice = base
            yield Said(row.number, "", base)
        elif base is Voice.PLAIN:
            quoted = PERSON.match(text)
            yield Said(row.number, text, Voice.PERSON if quoted else Voice.PLAIN)
        elif found := CALL.match(text):
            voice, call, failed = Voice.CALL, found[1] or found[2] or found[3], False
            drawn = drawn or text[0] == "•"
            yield Said(row.number, call, voice)
        elif found := FAILED_RESULT.match(text):
            voice, failed, drawn = Voice.RESULT, True, False
            yield Said(row.number, found[1], voice, call, failed)
        elif (found := RESULT.match(text)) and not _is_trouble_of_pane(text, voice):
            voice, drawn = Voice.RESULT, text[2] != "│"
            yield Said(row.number, found[1], voice, call, failed)
        elif found:
            voice = Voice.TROUBLE
            yield Said(row.number, found[1], voice)
        elif PERSON.match(text):
            voice, call, drawn = Voice.PERSON, "", text.lstrip()[:1] in "❯›"
            yield Said(row.number, text, voice)
        elif found := TROUBLE.match(text):
            voice = Voice.TROUBLE
            yield Said(row.number, found[1], voice)
        elif found := AGENT.match(text):
            voice, call = Voice.AGENT, ""
            yield Said(row.number, found[1], voice)
        elif RULE.match(text) or TITLE.match(text):
            voice = Voice.NOTE if RULE.match(text) else base
            yield Said(row.number, text, voice)
        elif NOTE.match(text):
            yield Said(row.number, text, Voice.NOTE)
        elif voice in (Voice.PERSON, Voice.TROUBLE, Voice.NOTE) or (
            voice in (Voice.RESULT, Voice.CALL) and drawn and text.startswith("   ")
        ):
            yield Said(row.number, text.strip(), voice, call, failed)
        else:
            voice = base
            yield Said(row.number, text, voice)


def _is_trouble_of_pane(text: str, voice: Voice) -> bool:
    """Claude Code draws its own errors like a result, but not below a call."""
    return text.startswith("  ⎿") and voice not in (Voice.CALL, Voice.RESULT)


def _without_fences(said: Sequence[Said]) -> Iterator[Said]:
    """A fence that nobody closes is none: it would hide all that follows."""
    ends: dict[int, int] = {}
    opened, closing = -1, ""
    for number, one in enumerate(said):
        if one.voice not in (Voice.AGENT, Voice.PLAIN):
            opened, closing = -1, ""
        elif closing:
            if one.text.strip() == closing:
                ends[opened], opened, closing = number, -1, ""
        elif one.voice is Voice.PLAIN and (here := HERE_DOCUMENT.match(one.text)):
            opened, closing = number + 1, here[1]
        elif FENCE.match(one.text):
            if opened >= 0:
                ends[opened], opened = number, -1
            else:
                opened = number
    end = -1
    for number, one in enumerate(said):
        end = ends.get(number, end)
        yield one._replace(voice=Voice.QUOTED) if number <= end else one
