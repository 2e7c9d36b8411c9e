"""How compilers, type checkers, linters and shells say that a build failed or passed."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from story_automator.model.facts import Run, Seen, Weight
from story_automator.rules.forms import Form
from story_automator.rules.test_summaries import IN_A_PIPE, answer_to
from story_automator.rules.voices import BUILDERS, RUNNERS, Said, Voice, runs_a_command


class Result(NamedTuple):
    """One word on a build. `kind` names the tool; "" stands for any."""

    kind: str
    failed: bool
    seen: Seen


Table = tuple[tuple[str, str, str], ...]  # kind, what stands in every such row, the row's form
# `\d+` counts: zero errors are none.
FAILURES: Table = (
    ("tsc", "error TS", r"\S+(?:\(\d+,\d+\):|:\d+:\d+ -) error TS\d+:"),
    ("tsc", "error TS", r"error TS\d+:"),
    ("tsc", "Found ", r"Found [1-9]\d* errors? in (?:the same|\d+) files?\b(?!.*\(checked)"),
    ("mypy", "Found ", r"Found [1-9]\d* errors? in \d+ files? \(checked"),
    ("ruff", "Found ", r"Found [1-9]\d* errors?(?: \(\d+ fixed, [1-9]\d* remaining\))?\.?$"),
    ("eslint", "problem", r"\s*✖ \d+ problems? \([1-9]\d* errors?"),
    ("pyright", "errors, ", r"[1-9]\d* errors?, \d+ warnings?, \d+ informations?"),
    ("cargo", "could not compile", r"error: could not compile `"),
    ("cargo", "error[E", r"error\[E\d{4}\]: "),
    ("gcc", "error:", r"\S+\.(?:c|cc|cpp|h|hpp|m|swift):\d+(?::\d+)?: (?:fatal )?error:"),
    ("gcc", "ld returned", r"collect2: error: ld returned"),
    ("make", "***", r"g?make(?:\[\d+\])?: \*\*\* .*Error \d+"),
    ("ninja", "ninja: ", r"ninja: build stopped"),
    (
        "go",
        ".go:",
        r"(?:\./)?[\w./-]+\.go:\d+:\d+: (?:undefined|cannot|syntax error|\S+ declared)",
    ),
    ("webpack", "compiled with", r".*webpack .*compiled with [1-9]\d* errors?"),
    ("webpack", "Failed to compile", r"Failed to compile\.?"),
    ("webpack", "ERROR in", r"ERROR in \S+"),
    ("vite", "error during build", r"error during build:"),
    ("", "uild failed", r"(?:[✗✘×❌] )?Build failed(?: (?:in|with|because)\b.*|[.!]?)$"),
    ("maven", "COMPILATION ERROR", r"\[ERROR\] COMPILATION ERROR"),
    ("maven", "BUILD FAILURE", r"\[(?:INFO|ERROR)\] BUILD FAILURE"),
    ("gradle", "BUILD FAILED", r"BUILD FAILED(?: in .*)?$"),
    ("dotnet", "Build FAILED", r"\s*Build FAILED\."),
    ("dotnet", "error CS", r".*: error CS\d{4}:"),
    ("javac", "error:", r"\S+\.java:\d+: error:"),
    ("swift", "error:", r"error: (?:fatalError|emit-module command failed)"),
    ("python", "SyntaxError:", r"(?:E\s+)?SyntaxError: "),
    ("npm", "npm ERR!", r"npm ERR! (?:code E(?!401|403)|.*Failed at the)"),
    ("npm", "npm error", r"npm error (?:code|Lifecycle script)"),
    ("exit", "ommand failed with exit code", r".*\b[Cc]ommand failed with exit code [1-9]"),
)
PASSES: Table = (
    ("tsc", "Found 0 errors", r"(?:\[.*\] )?Found 0 errors?"),
    ("mypy", "no issues found", r"Success: no issues found"),
    ("ruff", "All checks passed", r"All checks passed!"),
    ("pyright", "0 errors, ", r"0 errors, \d+ warnings?"),
    ("cargo", "Finished ", r"\s*Finished (?:`?\w+`? )"),
    ("webpack", "compiled successfully", r".*\b[Cc]ompiled successfully"),
    ("vite", "built in", r"✓ built in "),
    ("maven", "BUILD SUCCESS", r"\[INFO\] BUILD SUCCESS"),
    ("gradle", "BUILD SUCCESSFUL", r"BUILD SUCCESSFUL"),
    ("dotnet", "Build succeeded", r"\s*Build succeeded"),
)
# In words.
PASSES_IN_WORDS = Form(
    "pass|clean|succe|green|ok|✅|no errors|0 errors",
    r"\W*(?:the )?(?:build|compilation|type ?-?check(?:ing|s)?|lint(?:ing|er)?|tsc|mypy|eslint)"
    r"(?: and (?:build|lint|type ?-?check\w*|tests?))?(?: is| are|:| now)*"
    r" (?:pass\w*|clean|succe\w+|green|ok|✅|(?:no|0) errors)\b"
    r"(?!.*\b(?:not|fail|except|but)\b)",
)
# Rows that only state a code; in a sentence it may be what a program under test returns.
EXIT = Form(
    "exit|rc|code|pane is dead",
    r"\W*(?:(?:(?:Process|Command|Script|Job|Agent|The command|Task)\b[^.]{0,60}? )?"
    r"(?:exited|finished|failed|terminated|returned|completed)(?: with)? )?"
    r"(?:\(?[Ee]xit (?:code|status)|EXIT(?:_CODE| CODE| STATUS)?|rc|code)[:= ]+(\d{1,3})\)?\.?$"
    r"|Pane is dead \(status (\d+)",
    exact=True,
)
# A build that tests ran upon was built.
BUILT_BEFORE_TESTS = frozenset(
    {"cargo", "gcc", "make", "ninja", "go", "maven", "gradle", "dotnet", "javac", "python", "swift"}
)
BUILDS = re.compile(r"\b(?:build|compile|package|assemble)\b")


def build_results(said: Sequence[Said]) -> list[Result]:
    """Every word on a build, in order."""
    return sorted([*_rows(said), *_by_exit(said)], key=lambda result: result.seen.row)


def _rows(said: Sequence[Said]) -> Iterator[Result]:
    for one in said:
        if one.voice not in (Voice.RESULT, Voice.PLAIN, Voice.AGENT, Voice.QUOTED) or not one.text:
            continue
        shown = one.voice is not Voice.RESULT or not one.call or runs_a_command(one.call)
        if shown and one.voice is not Voice.AGENT:
            for kind, hint, form in FAILURES:
                if hint in one.text and re.match(form, one.text):
                    yield Result(kind, True, Seen(one.row, one.text.strip(), one.weight))
                    break
        if one.voice is Voice.QUOTED:
            continue
        for kind, hint, form in PASSES:
            if hint in one.text and re.match(form, one.text):
                yield Result(kind, False, Seen(one.row, one.text.strip(), one.weight))
                break
        else:
            if PASSES_IN_WORDS.match(one.text):
                yield Result("", False, Seen(one.row, one.text.strip(), one.weight))


def _by_exit(said: Sequence[Said]) -> Iterator[Result]:
    for number, one in enumerate(said):
        if one.voice is not Voice.CALL or not runs_a_command(one.text):
            continue
        tool = BUILDERS.search(one.text)
        if not tool or RUNNERS.search(one.text):
            continue
        answer = answer_to(said, number)
        if answer is None:
            continue
        failed = any(after.failed for after in answer)
        if failed or not IN_A_PIPE.search(one.text):
            row = answer[-1].row if answer else one.row
            kind = tool[0].split()[0]
            seen = Seen(row, one.text, Weight.RUN)
            yield Result("" if BUILDS.search(tool[0]) and not failed else kind, failed, seen)


def settled_build(
    results: Sequence[Result], tests: Sequence[Run]
) -> tuple[Seen | None, Seen | None]:
    """The failure that nothing later overcame, and the last success."""
    failures = [result for result in results if result.failed]
    passes = [result for result in results if not result.failed]
    green = [run for run in tests if run.green and run.runner]
    left = None
    for failure in failures:
        at = failure.seen
        cured = any(
            one.seen.row > at.row
            and one.seen.weight >= at.weight
            and (one.kind in ("", failure.kind) or failure.kind in ("", "exit", "npm"))
            for one in passes
        ) or any(
            run.row > at.row
            and run.weight >= at.weight
            and (failure.kind in BUILT_BEFORE_TESTS or failure.kind in ("exit", "npm"))
            for run in green
        )
        if not cured:
            left = at
    return left, passes[-1].seen if passes else None


def exit_code(said: Sequence[Said]) -> Seen | None:
    """The last code that a row of its own states, where no voice tells whose it is."""
    last = None
    for one in said:
        if one.voice in (Voice.PLAIN, Voice.NOTE) and (found := EXIT.match(one.text)):
            last = Seen(one.row, found[1] or found[2])
    return last
