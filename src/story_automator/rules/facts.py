"""The facts in a session's output."""

import re
from collections.abc import Sequence

from story_automator.model.facts import Facts, Findings, Run, Seen, Trouble
from story_automator.model.long_text import LongText
from story_automator.rules.addressed import addressed
from story_automator.rules.artifacts import (
    RETRO_FILE,
    STORY_FILE,
    blocked,
    changes_files,
    last_status,
    path_of,
    tests_added,
    written,
)
from story_automator.rules.build_results import Result, build_results, exit_code, settled_build
from story_automator.rules.findings import findings
from story_automator.rules.forms import Form
from story_automator.rules.last_words import (
    admits,
    announces_more,
    claimed_runs,
    claims,
    last_rows,
    needs_somebody,
    open_questions,
)
from story_automator.rules.test_summaries import runs
from story_automator.rules.troubles import INTERRUPTED, conflict, denied, last_error, open_dialog
from story_automator.rules.voices import Said, Voice, runs_a_command, spoken

LIVE = re.compile(r"[·✻✢✳✶✽*] \S+…")
WAITS = ("Running…", "Waiting…")
KILLED = Form(
    "killed|terminated|hangup|fault|pane is dead",
    r"(?:Killed|Terminated|Hangup|Segmentation fault)(?: \(core dumped\))?$",
    r"Pane is dead \(signal",
)
CODE = Form("git |.", r"\bgit (?:diff|show|log)\b|\.(?!md\b|txt\b|ya?ml\b)[a-z]{1,5}\b")


def facts(text: LongText) -> Facts:
    """What the rows tell; what was overcome later is left out."""
    said = spoken(text)
    message = last_rows(text, said)
    builds = build_results(said)
    ran = [run for run in runs(said) if not _was_not_built(run, builds)]
    claimed = claimed_runs(message)
    claim = settled_tests(claimed)
    tests = settled_tests([*ran, *claimed])
    build_failed, build_passed = settled_build(builds, ran)
    files = list(written(said))
    greens = [Seen(run.row, run.text, run.weight) for run in ran if run.green]
    complete, undone = claims(message)
    found = findings(said)
    return Facts(
        tests=tests,
        build_failed=build_failed,
        build_passed=build_passed,
        exit_code=_last_code(said, [*greens, *([complete] if complete else [])]),
        trouble=_trouble(said, message, greens, files, complete),
        questions=open_questions(message),
        findings=found,
        story_file=path_of(files, STORY_FILE),
        document=path_of(files, RETRO_FILE),
        status=last_status(said),
        blocked=blocked(message),
        tests_added=tests_added(message, files),
        files_changed=len(files),
        complete=complete,
        undone=undone,
        says_well=bool(complete or (claim and claim.green) or _approves(found, tests)),
        admitted=bool(undone or (claim and claim.red) or admits(message)),
        unseen=_unseen(said),
        broken_off=_broken_off(said, message),
        addressed=addressed(said),
    )


def settled_tests(told: Sequence[Run]) -> Run | None:
    """The last red run that no later run of its kind turned green, else the last run."""
    ordered = sorted(told, key=lambda run: run.row)
    red = [run for run in ordered if run.red and not any(cures(one, run) for one in ordered)]
    if red:
        return max(red, key=lambda run: (run.weight, run.row))
    seen = [run for run in ordered if not run.red]
    return max(seen, key=lambda run: (run.weight, run.green, run.row)) if seen else None


def cures(green: Run, red: Run) -> bool:
    """Whether a run shows that what was red is green now."""
    if green.row <= red.row or not green.green or green.weight < red.weight:
        return False
    if green.passed is not None and green.passed < red.failed:
        return False
    if not green.runner or not red.runner or red.runner == "claim":
        return True
    return (green.runner, green.suite) == (red.runner, red.suite)


def _was_not_built(run: Run, builds: Sequence[Result]) -> bool:
    """A test command that failed before any test ran."""
    return run.red and any(
        result.failed and run.since < result.seen.row <= run.row for result in builds if run.since
    )


def _last_code(said: Sequence[Said], successes: Sequence[Seen]) -> int | None:
    code = exit_code(said)
    if code is None or any(seen.row > code.row for seen in successes):
        return None
    return int(code.text) or None


def _trouble(
    said: Sequence[Said],
    message: Sequence[Said],
    greens: Sequence[Seen],
    files: Sequence[Seen],
    complete: Seen | None,
) -> Trouble | None:
    last_words = " ".join(one.text for one in message)
    if (error := last_error(said)) and not (complete and complete.row > error.row):
        return error
    return (
        open_dialog(said)
        or conflict(said, greens)
        or denied(said, [*greens, *files], last_words)
        or needs_somebody(message)
    )


def _approves(found: Findings | None, tests: Run | None) -> bool:
    return found is not None and not found.left.serious and found.row > (tests.row if tests else 0)


def _unseen(said: Sequence[Said]) -> bool:
    calls = [one.text for one in said if one.voice is Voice.CALL]
    return bool(calls) and not any(
        runs_a_command(call) or CODE.search(call) or changes_files(call) for call in calls
    )


def _broken_off(said: Sequence[Said], message: Sequence[Said]) -> bool:
    """It ends while something runs, or without a word on what was done."""
    work = [one for one in said if one.text and one.voice not in (Voice.NOTE, Voice.PERSON)]
    if not work:
        return False
    last = work[-1]
    live = any(one.row > last.row and LIVE.match(one.text) for one in said)
    if live or KILLED.match(last.text) or INTERRUPTED in last.text:
        return True
    if any(one.text for one in message):
        return announces_more(message)
    if last.voice is Voice.CALL or last.text in WAITS:
        return True
    calls = [one.text for one in work if one.voice is Voice.CALL]
    return last.voice is Voice.RESULT and any(
        changes_files(call) or runs_a_command(call) for call in calls
    )
