"""The facts in a session's output."""

import re
from collections.abc import Iterator, Sequence

from story_automator.model.facts import Facts, Seen, TestRun, Weight
from story_automator.model.long_text import LongText
from story_automator.rules.build_results import build_results, exit_code, settled_build
from story_automator.rules.findings import findings
from story_automator.rules.last_words import (
    announces_more,
    claimed_runs,
    claims,
    last_rows,
    open_questions,
)
from story_automator.rules.test_summaries import answer_to, runs
from story_automator.rules.troubles import conflict, denied, last_error, open_dialog
from story_automator.rules.voices import Said, Voice, spoken

PATH = (
    r"[\w@~./{}-]*[\w}-]\.(?:md|ts|tsx|js|jsx|py|go|rs|rb|php|java|kt|cs|swift|c|cpp|json|yaml"
    r"|yml)"
)
STORY_FILE = re.compile(
    r"(?:[\w@~./-]*/)?(?:story-)?\d+[-.]\d+[\w.-]*\.md\b|(?:[\w@~./-]*/)?stories/[\w.-]+\.md\b"
    r"|(?:[\w@~./-]*/)?spec-[\w.-]+\.md\b"
)
RETRO_FILE = re.compile(r"[\w@~./-]*retro[\w.-]*\.md\b", re.IGNORECASE)
TEST_FILE = re.compile(
    r"(?:^|[/\s])(?:tests?|e2e|spec|__tests__)/|[._-](?:test|spec)s?\.|\btest_\w|_test\."
)
WRITES = re.compile(
    r"(?:Write|Edit|MultiEdit|Change|Update|Create|NotebookEdit|WriteFile|Edited|Added)\b"
)
WRITES_BY_SHELL = re.compile(r"(?:Bash|Shell|Ran)\b.*?(?:>|\btee\b|\bcp \S+)\s*\S*\.md\b")
WROTE = re.compile(
    r"(?:Wrote \d+ lines? to|File created successfully at:|The file .* has been (?:updated"
    r"|created))"
)
WRITTEN = re.compile(
    r"\b(?:created|written|wrote|saved|generated|write|is at|ready|file)\b", re.IGNORECASE
)
NOT_WRITTEN = re.compile(
    r"\b(?:not|n[o']t|no|could|cannot|unable|fail\w*|would|will|should|missing|already exists"
    r"|read(?:ing)?"
    r"|did|if|before|refused)\b",
    re.IGNORECASE,
)
STATUS = re.compile(
    r"\W*(?:story |sprint |new |final )*status(?: is| set to| updated to|:| →| ->| =)+\W*"
    r"(?P<status>ready[- ]for[- ](?:dev\w*|review)|review|in[- ]review|in[- ]progress|done"
    r"|blocked|draft"
    r"|drafted|complete|completed)\b",
    re.IGNORECASE,
)
SYNCED = re.compile(r"\W*Sprint status synced: \S+ → (?P<status>[\w-]+)")
ADDED = re.compile(
    r"\b(?:added|wrote|generated|created|adds|tests added:?"
    r"|new tests:?)\s+(?:a total of )?(?P<count>\d+)"
    r"(?: \w+){0,3}? ?(?:tests?|specs?|cases?|scenarios?|$)|\b(?P<more>\d+) (?:new |more "
    r"|additional )(?:\w+ )?"
    r"(?:tests?|specs?|cases?)|\btests[ _]added\W+(?P<field>\d+)",
    re.IGNORECASE,
)
# Words for whoever parses the output. In a story about such a program they stand in its files only.
ADDRESSES = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|all|earlier|any"
    r"|your)\b.{0,30}"
    r"\b(?:instructions?|rules?|prompts?|text|directions?|facts?)"
    r"|[\"']?next_action[\"']?\s*[:=]|[\"']status[\"']\s*:\s*[\"']SUCCESS"
    r"|\b(?:return|respond|reply|answer|output|emit|say|report|classify|mark|set"
    r"|choose)\b.{0,60}\bproceed\b"
    r"|\b(?:note|message|instructions?|attention|dear|hey|to)(?: to| for)?(?: the)? (?:parser"
    r"|orchestrator"
    r"|evaluator|grader|classifier|haiku|(?:language )?model|reviewer model|automator)\b"
    r"|\byou are (?:now )?(?:a|an|the) (?:parser|evaluator|helpful|assistant|orchestrator"
    r"|classifier)"
    r"|<\/?(?:system|assistant|human|output|session[_-]output|instructions?)>|\[/?(?:INST"
    r"|SYSTEM)\]"
    r"|^\W*(?:system|assistant|human|user|developer)(?: prompt| message| override| note)?\s*:"
    r"|\b(?:tests_passed|all_fixed|story_created|build_passed)[\"']?\s*[:=]\s*true",
    re.IGNORECASE,
)
KILLED = re.compile(
    r"(?:Killed|Terminated|Hangup|Segmentation fault)(?: \(core dumped\))?$|Pane is dead \(signal"
)


def facts(text: LongText) -> Facts:
    """What the rows tell; what was overcome later is left out."""
    said = spoken(text)
    message = last_rows(text, said)
    told_runs = runs(said)
    claimed = claimed_runs(message)
    tests = settled_tests([*told_runs, *claimed])
    build_failed, build_passed = settled_build(build_results(said), told_runs)
    written = list(_written(said))
    stories = [one for one in written if STORY_FILE.search(one.text)]
    retros = [one for one in written if RETRO_FILE.search(one.text)]
    greens = [Seen(run.row, run.text, run.weight) for run in told_runs if run.green]
    last_words = " ".join(one.text for one in message)
    complete, undone = claims(message)
    code = exit_code(said)
    if code and any(seen.row > code.row for seen in (*greens, *([complete] if complete else ()))):
        code = None
    questions = open_questions(message)
    trouble = (
        last_error(said)
        or open_dialog(said)
        or conflict(said, greens)
        or denied(said, [*greens, *written], last_words)
    )
    if trouble and trouble.row <= (complete.row if complete else 0) and _is_plain(said):
        trouble = trouble if trouble.kind.value in ("conflict", "permission") else None
    return Facts(
        tests=tests,
        build_failed=build_failed,
        build_passed=build_passed,
        exit_code=int(code.text) or None if code else None,
        trouble=trouble,
        questions=questions,
        findings=findings(said),
        story_file=_path(stories, STORY_FILE),
        document=_path(retros, RETRO_FILE),
        status=_status(said),
        tests_added=_tests_added(message, written),
        files_changed=len(written),
        complete=complete,
        undone=undone,
        admitted=undone is not None or settled_red(claimed),
        broken_off=_broken_off(said, message),
        addressed=_addressed(said),
    )


def settled_tests(told: Sequence[TestRun]) -> TestRun | None:
    """The last red run that no later run of its kind turned green, else the last run."""
    ordered = sorted(told, key=lambda run: run.row)
    red = [run for run in ordered if run.red and not any(cures(one, run) for one in ordered)]
    if red:
        return max(red, key=lambda run: (run.weight, run.row))
    seen = [run for run in ordered if not run.red]
    return max(seen, key=lambda run: (run.weight, run.green, run.row)) if seen else None


def settled_red(told: Sequence[TestRun]) -> bool:
    last = settled_tests(told)
    return last is not None and last.red


def cures(green: TestRun, red: TestRun) -> bool:
    """Whether a run shows that what was red is green now."""
    if green.row <= red.row or not green.green or green.weight < red.weight:
        return False
    if green.passed is not None and green.passed < red.failed:
        return False
    if not green.runner or not red.runner or red.runner == "claim":
        return True
    return (green.runner, green.suite) == (red.runner, red.suite)


def _is_plain(said: Sequence[Said]) -> bool:
    return any(one.voice is Voice.PLAIN for one in said)


def _written(said: Sequence[Said]) -> Iterator[Seen]:
    """Files that a tool wrote, and those that the text says were written."""
    for number, one in enumerate(said):
        if one.voice is Voice.CALL and (WRITES.match(one.text) or WRITES_BY_SHELL.match(one.text)):
            answer = answer_to(said, number)
            if answer is not None and not any(after.failed for after in answer):
                yield Seen(one.row, one.text, Weight.RUN)
        elif one.voice is Voice.RESULT and not one.call and WROTE.match(one.text):
            yield Seen(one.row, one.text, Weight.RUN)
        elif (
            one.voice in (Voice.AGENT, Voice.PLAIN)
            and ".md" in one.text
            and WRITTEN.search(one.text)
            and not NOT_WRITTEN.search(re.sub(PATH, "", one.text))
        ):
            yield Seen(one.row, one.text, one.weight)


def _path(seen: Sequence[Seen], form: re.Pattern[str]) -> Seen | None:
    if not seen:
        return None
    best = max(seen, key=lambda one: (one.weight, one.row))
    found = form.search(best.text)
    return Seen(best.row, found[0] if found else "", best.weight)


def _status(said: Sequence[Said]) -> Seen | None:
    last = None
    for one in said:
        if one.voice in (Voice.AGENT, Voice.PLAIN):
            found = STATUS.match(one.text.replace("*", "")) or SYNCED.match(one.text)
            if found:
                last = Seen(one.row, found["status"].lower().replace(" ", "-"), one.weight)
    return last


def _tests_added(message: Sequence[Said], written: Sequence[Seen]) -> int | None:
    for one in reversed(message):
        if found := ADDED.search(one.text):
            return int(found["count"] or found["more"] or found["field"])
    files = {one.text for one in written if one.weight is Weight.RUN and TEST_FILE.search(one.text)}
    return len(files) or None


def _broken_off(said: Sequence[Said], message: Sequence[Said]) -> bool:
    work = [one for one in said if one.text and one.voice not in (Voice.NOTE, Voice.PERSON)]
    if not work:
        return False
    if work[-1].voice in (Voice.CALL, Voice.RESULT) and not any(one.text for one in message):
        return True
    return KILLED.match(work[-1].text) is not None or announces_more(message)


def _addressed(said: Sequence[Said]) -> Seen | None:
    """The first such row, best one that the agent itself wrote."""
    first = None
    for one in said:
        if one.voice in (Voice.PERSON, Voice.NOTE) or not ADDRESSES.search(one.text):
            continue
        if one.voice in (Voice.AGENT, Voice.PLAIN, Voice.QUOTED):
            return Seen(one.row, one.text.strip(), Weight.CLAIM)
        first = first or Seen(one.row, one.text.strip(), Weight.RUN)
    return first
