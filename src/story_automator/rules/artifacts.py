"""The files that a session wrote, and the status that it gave a story."""

import re
from collections.abc import Iterator, Sequence

from story_automator.model.facts import Seen, Weight
from story_automator.rules.forms import Form
from story_automator.rules.test_summaries import answer_to
from story_automator.rules.voices import Said, Voice

FOLDERS = r"(?:[\w@~./-]*/)?"
STORY_FILE = Form(
    ".md",
    rf"{FOLDERS}(?:story-)?\d+[-.]\d+[\w.-]*\.md\b",
    rf"{FOLDERS}stories/[\w.-]+\.md\b",
    rf"{FOLDERS}spec-[\w.-]+\.md\b",
)
RETRO_FILE = Form("retro", r"[\w@~./-]*retro[\w.-]*\.md\b")
TEST_FILE = Form(
    "test|spec|e2e",
    r"(?:^|[/\s])(?:tests?|e2e|spec|__tests__)/",
    r"[._-](?:test|spec)s?\.|\btest_\w|_test\.",
)
WRITING = ("Write", "Edit", "MultiEdit", "Change", "Update", "Create", "NotebookEdit", "Added")
BY_SHELL = ("Bash(", "Shell(", "Ran ", "$ ")
INTO_A_FILE = re.compile(r"(?:>|\btee\b|\bcp \S+)\s*\S*\.md\b")
WROTE = ("Wrote ", "File created successfully at:", "The file ")
# In words only. The path itself may hold any of them.
PATH = re.compile(r"[\w@~./{}-]+\.\w{1,5}\b")
WRITTEN = Form(
    "creat|writ|wrote|saved|generated|is at|ready|file",
    r"\b(?:created|written|wrote|saved|generated|write|is at|ready|file)\b",
)
NOT_WRITTEN = Form(
    "not|n't|no|could|can|unable|fail|would|will|should|missing|already|read|did|if|before|refused",
    r"\b(?:not|no|could|cannot|unable|fail\w*|would|will|should|missing|already exists|read(?:ing)?"
    r"|did|if|before|refused)\b|n[’']t\b",
)
STATUSES = (
    r"(?P<status>ready[- ]for[- ](?:dev\w*|review)|review|in[- ]review|in[- ]progress|done|blocked"
    r"|draft|drafted|complete|completed)\b"
)
STATUS = Form(
    "status",
    r"\W*(?:the |story |sprint |new |final )*status(?: is| set to| updated to|:| →| ->| =)+\W*"
    + STATUSES,
)
SYNCED = Form("status synced", r"\W*Sprint status synced: \S+ → (?P<status>[\w-]+)")
SETS_STATUS = Form("status: ", rf"\bstatus: {STATUSES}(?!.*\bgrep -q)")
BLOCKED = Form(
    "block|halt", r"\bstatus:? (?:is )?blocked|\bblocking condition\b|^\W*(?:HALT|blocked)\b"
)
ADDED = Form(
    "test|spec|case|scenario",
    r"\b(?:added|wrote|generated|created|adds|tests added:?|new tests:?)\s+(?:a total of )?"
    r"(?P<count>\d+)(?: \w+){0,3}? ?(?:tests?|specs?|cases?|scenarios?|$)",
    r"\b(?P<more>\d+) (?:new |more |additional )(?:\w+ )?(?:tests?|specs?|cases?)",
    r"\btests[ _]added\W+(?P<field>\d+)",
)


def changes_files(call: str) -> bool:
    """True for a call that writes."""
    if call.startswith(WRITING):
        return True
    return call.startswith(BY_SHELL) and INTO_A_FILE.search(call) is not None


def written(said: Sequence[Said]) -> Iterator[Seen]:
    """Files that a tool wrote, and those that the text says were written."""
    for number, one in enumerate(said):
        if one.voice is Voice.CALL and changes_files(one.text):
            if _went_well(said, number):
                yield Seen(one.row, one.text, Weight.RUN)
        elif one.voice is Voice.RESULT and not one.call and one.text.startswith(WROTE):
            yield Seen(one.row, one.text, Weight.RUN)
        elif one.voice is Voice.PLAIN and changes_files(one.text):
            yield Seen(one.row, one.text, Weight.SHOWN)
        elif one.voice in (Voice.AGENT, Voice.PLAIN) and ".md" in one.text:
            words = PATH.sub("", one.text)
            if WRITTEN.search(words) and not NOT_WRITTEN.search(words):
                yield Seen(one.row, one.text, one.weight)


def _went_well(said: Sequence[Said], call: int) -> bool:
    answer = answer_to(said, call)
    return answer is not None and not any(after.failed for after in answer)


def path_of(seen: Sequence[Seen], form: Form) -> Seen | None:
    """The file of the best evidence."""
    found = [Seen(one.row, path[0], one.weight) for one in seen if (path := form.search(one.text))]
    return max(found, key=lambda one: (one.weight, one.row), default=None)


def last_status(said: Sequence[Said]) -> Seen | None:
    """The last status that a story was given, by a command or in words."""
    last = None
    for number, one in enumerate(said):
        if one.voice is Voice.CALL:
            set_to = SETS_STATUS.search(one.text)
            if set_to and _went_well(said, number):
                last = Seen(one.row, _word(set_to["status"]), Weight.RUN)
        elif one.voice in (Voice.AGENT, Voice.PLAIN):
            found = STATUS.match(one.text.replace("*", "")) or SYNCED.match(one.text)
            if found and not (last and last.text == _word(found["status"])):
                last = Seen(one.row, _word(found["status"]), one.weight)
    return last


def _word(status: str) -> str:
    return status.lower().replace(" ", "-")


def blocked(message: Sequence[Said]) -> Seen | None:
    """The row that says that the story cannot go on."""
    rows = [one for one in message if one.voice is not Voice.PERSON]
    told = (one for one in rows if BLOCKED.search(one.text.replace("*", "").replace("`", "")))
    return next((Seen(one.row, one.text.strip(), one.weight) for one in told), None)


def tests_added(message: Sequence[Said], files: Sequence[Seen]) -> int | None:
    """As the last message has it, else how many test files were written."""
    for one in reversed(message):
        if found := ADDED.search(one.text):
            return int(found["count"] or found["more"] or found["field"])
    tests = {one.text for one in files if one.weight is Weight.RUN and TEST_FILE.search(one.text)}
    return len(tests) or None
