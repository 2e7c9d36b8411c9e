"""How test runners sum up a run, row by row."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from story_automator.model.facts import Run, Weight
from story_automator.rules.voices import LOOKS, RUNNERS, Said, Voice, runs_a_command


class Summary(NamedTuple):
    """A row that counts. `hint` stands in every such row; `part` says how it belongs to a run."""

    runner: str
    hint: str
    form: str
    part: str = "whole"  # or "start" of a run, or "more" of the one that started


TIME = r"\(?\d[\d.:,]* ?(?:ms|s|m|h|min|sec\w*)?\b.*"
SUMMARIES = (
    Summary(
        "pytest",
        " in ",
        r"=*\s*(?:no tests ran|\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed"
        r"|warnings?|rerun)(?:, \d+ [a-z]+)*) in \d[\d.]*s\b",
    ),
    Summary("pytest", "errors", r"!+ Interrupted: (?P<failed>\d+) errors? during collection"),
    Summary("unittest", "Ran ", r"Ran (?P<total>\d+) tests? in \d", "start"),
    Summary("unittest", "FAILED (", r"FAILED \((?:failures|errors|unexpected|skipped)", "more"),
    Summary("unittest", "OK", r"OK(?: \((?:skipped|expected)[^)]*\))?$", "more"),
    Summary("jest", "Tests:", r"Tests:\s+(?:\d+ [a-z]+, )*\d+ total\b"),
    Summary("jest", "Test Suites:", r"(?P<suite>Test Suites):\s+(?:\d+ [a-z]+, )*\d+ total\b"),
    Summary("vitest", "Tests ", r"\s*Tests  +(?:\d+ [a-z]+ ?\|? ?)+\(\d+\)"),
    Summary("vitest", "Test Files ", r"\s*(?P<suite>Test Files)  +(?:\d+ [a-z]+ ?\|? ?)+\(\d+\)"),
    Summary("vitest", "Errors ", r"\s*(?P<suite>Errors)  +(?P<failed>\d+) errors?$"),
    Summary("mocha", " passing", rf"\s*\d+ passing {TIME}", "start"),
    Summary("mocha", " failing", r"\s*\d+ failing$", "more"),
    Summary("node:test", "tests ", r"(?:#|ℹ) tests (?P<total>\d+)$", "start"),
    Summary("node:test", "pass ", r"(?:#|ℹ) (?:pass) (?P<passed>\d+)$", "more"),
    Summary("node:test", "fail ", r"(?:#|ℹ) (?:fail) (?P<failed>\d+)$", "more"),
    Summary("node:test", "cancelled ", r"(?:#|ℹ) cancelled (?P<failed>\d+)$", "more"),
    Summary("go test", "ok ", r"ok\s+(?P<suite>[\w./~-]+)\s+(?:[\d.]+s|\(cached\))"),
    Summary("go test", "FAIL", r"FAIL\s+(?P<suite>[\w./~-]+)\s+(?:[\d.]+s|\[.*failed\])"),
    Summary("gotestsum", "DONE ", r"DONE (?P<total>\d+) tests?"),
    Summary("cargo test", "test result:", r"test result: (?:ok|FAILED)\. \d+ passed; \d+ failed"),
    Summary("nextest", "tests run:", r"\s*Summary \[.*\] *\d+(?:/\d+)? tests? run:"),
    Summary("junit", "Tests run:", r"(?:\[\w+\] )?Tests run: \d+, Failures: \d+(?!.*Time elapsed)"),
    Summary("gradle", "completed", r"\d+ tests? completed(?:, \d+ (?:failed|skipped))+$"),
    Summary("gradle", "There were failing tests", r"> There were (?P<some>failing) tests"),
    Summary("rspec", "example", r"(?P<total>\d+) examples?, \d+ failures?\b"),
    Summary("minitest", "assertions,", r"(?P<total>\d+) (?:runs|tests), \d+ assertions, \d+ fail"),
    Summary("exunit", " failure", r"(?:\d+ doctests?, )?(?P<total>\d+) tests?, \d+ failures?\b"),
    Summary(
        "dotnet", "Failed:", r"\s*(?:Passed|Failed)!\s+- Failed: .*?(?:- (?P<suite>\S+\.dll).*)?$"
    ),
    Summary("dotnet", "Test summary:", r"Test summary: total: \d+"),
    Summary("phpunit", "OK (", r"OK \((?P<total>\d+) tests?, \d+ assertions?\)"),
    Summary("phpunit", "Assertions:", r"Tests: (?P<total>\d+), Assertions: \d+"),
    Summary("pest", "assertions)", r"\s*Tests:\s+(?:\d+ [a-z]+,? )+\(\d+ assertions\)"),
    Summary("playwright", " using ", r"\s*Running (?P<total>\d+) tests? using \d+ worker", "start"),
    Summary("playwright", " failed", r"  +(?P<failed>\d+) failed$", "more"),
    Summary("playwright", "interrupted", r"  +(?P<failed>\d+) interrupted$", "more"),
    Summary("playwright", "did not run", r"  +(?P<skipped>\d+) did not run$", "more"),
    Summary("playwright", " passed (", rf"  +(?P<passed>\d+) passed {TIME}", "more"),
    Summary("bun test", " pass", r" *\d+ pass$", "start"),
    Summary("bun test", " fail", r" *\d+ fail$", "more"),
    Summary("deno test", " passed | ", r"(?:ok|FAILED) \| \d+ passed"),
    Summary("ctest", "tests passed", r"\d+% tests passed, (?P<failed>\d+) tests? failed out of"),
    Summary("xctest", "Executed ", r"\s*Executed (?P<total>\d+) tests?, with (?:.*and )?\d+ fail"),
    Summary("none", "o tests found", r"No tests? (?:found|files found)\b.*"),
)
COUNT = re.compile(r"(\d+) ([a-z]+)|([A-Za-z]+)\s*[:=]\s*(\d+)(?!\d*\s+[a-z])")
PASSED = ("passed", "pass", "passing", "succeeded")
FAILED = ("failed", "failures", "failure", "failing", "fail", "errors", "error")
SKIPPED = ("skipped", "pending", "ignored", "todo", "skips", "incomplete", "skip")
TOTAL = ("total", "run")
CARGO_TARGET = re.compile(r"\s*(?:Running .*\((\S+?)(?:-[0-9a-f]{16})?\)|Doc-tests (\S+))$")
WORKSPACE = re.compile(r"(?:[\w@/.-]+:test(?::\w+)?: |\[[\w@/.-]+\] )")
# Its exit is then not that of the tests.
IN_A_PIPE = re.compile(r"[|;]|&& *(?:echo|true)|\|\|")


# A tool's answer to a call that it did not carry out, or not yet.
NOT_RUN = re.compile(
    r"Command running in background|The user doesn't want to proceed|Claude requested permissions"
    r"|Permission to use |This command requires approval|Waiting…|\[Request interrupted"
)


def runs(said: Sequence[Said]) -> list[Run]:
    """Every run that sums itself up, or whose command tells by its exit."""
    found: list[Run] = []
    for run in _summed_up(said):
        if run[1] and found and found[-1].runner == run[0].runner:
            found[-1] = run[0]
        else:
            found.append(run[0])
    return sorted([*found, *_by_exit(said, found)], key=lambda run: run.row)


def _summed_up(said: Sequence[Said]) -> Iterator[tuple[Run, bool]]:
    """Each run, and whether it replaces the one before it as the same run counted further."""
    open_run: Run | None = None
    of = ""
    target = ""
    for one in said:
        if one.voice in (Voice.PERSON, Voice.CALL, Voice.NOTE) or not one.text:
            if one.voice is Voice.CALL:
                open_run, target = None, ""
            continue
        if one.voice is not Voice.RESULT and of:
            open_run = None
        of = one.call
        text = WORKSPACE.sub("", one.text, count=1)
        if "target/" in text or "Doc-tests" in text:
            found = CARGO_TARGET.match(text)
            target = found[1] or found[2] if found else target
        summary, match = _summary(text)
        if summary is None or match is None:
            continue
        told = _told(one, summary, match, target)
        if summary.part == "more":
            if open_run is None or open_run.runner != told.runner:
                if told.runner == "unittest" and told.green and not RUNNERS.search(one.call):
                    continue  # a lone OK
                if told.runner == "playwright" and one.voice in (Voice.AGENT, Voice.QUOTED):
                    continue
                open_run = told
                yield told, False
            else:
                open_run = _merged(open_run, told)
                yield open_run, True
        else:
            open_run = told if summary.part == "start" else None
            yield told, False


def _summary(text: str) -> tuple[Summary | None, re.Match[str] | None]:
    for summary in SUMMARIES:
        if summary.hint in text and (match := re.match(summary.form, text)):
            return summary, match
    return None, None


def _told(one: Said, summary: Summary, match: re.Match[str], target: str) -> Run:
    groups = match.groupdict()
    counts: dict[str, int] = {}
    for amount, word, name, number in COUNT.findall(one.text):
        counts.setdefault((word or name).lower(), int(amount or number))
    failed = _sum(counts, FAILED)
    skipped = _sum(counts, SKIPPED)
    passed = next((counts[word] for word in PASSED if word in counts), None)
    total = next((counts[word] for word in TOTAL if word in counts), None)
    if groups.get("total"):
        total = int(groups["total"])
    if passed is None and total is not None:
        passed = max(total - failed - skipped, 0)
    if groups.get("failed"):
        failed, passed = int(groups["failed"]), None
    if groups.get("passed"):
        failed, passed = 0, int(groups["passed"])
    if groups.get("some") or (one.text.startswith(("FAIL", "test result: FAILED")) and not failed):
        failed = 1
    if "no tests ran" in one.text or summary.runner == "none":
        passed = 0
    if summary.part == "start" and summary.runner in ("unittest", "playwright"):
        skipped, passed = passed or 0, 0  # not yet told
    suite = groups.get("suite") or (target if summary.runner == "cargo test" else "")
    weight = one.weight
    if failed and one.voice is Voice.RESULT and weight is Weight.CLAIM and LOOKS.match(one.call):
        weight = Weight.SHOWN
    return Run(
        one.row, summary.runner, failed, passed, skipped, suite, weight, one.text.strip(" =")
    )


def _sum(counts: dict[str, int], words: Sequence[str]) -> int:
    return sum(counts.get(word, 0) for word in words)


def _merged(run: Run, told: Run) -> Run:
    """A run that was counted further."""
    failed = run.failed + told.failed
    if run.runner == "unittest":
        passed: int | None = max(run.skipped - told.failed - told.skipped, 0)
        return Run(
            *(told.row, run.runner, failed, passed, told.skipped, "", run.weight),
            f"{run.text}: {told.text}",
        )
    if run.runner == "playwright":
        passed = told.passed if told.passed is not None else run.passed
        skipped = told.skipped
    else:
        passed = told.passed if told.passed is not None and not told.failed else run.passed
        skipped = run.skipped + told.skipped
    text = told.text if told.failed or not run.failed else run.text
    return Run(told.row, run.runner, failed, passed, skipped, "", run.weight, text)


def _by_exit(said: Sequence[Said], summed_up: Sequence[Run]) -> Iterator[Run]:
    """The runs of test commands that print no summary: the tool tells whether they failed."""
    counted = {run.row for run in summed_up}
    for number, one in enumerate(said):
        if one.voice is not Voice.CALL or not runs_a_command(one.text):
            continue
        if not RUNNERS.search(one.text):
            continue
        answer = answer_to(said, number)
        if answer is None or any(after.row in counted for after in answer):
            continue
        failed = any(after.failed for after in answer)
        if failed or not IN_A_PIPE.search(one.text):
            row = answer[-1].row if answer else one.row
            yield Run(row, "", int(failed), weight=Weight.RUN, text=one.text, since=one.row)


def answer_to(said: Sequence[Said], call: int) -> list[Said] | None:
    """The rows that a call printed; None when it was not let to its end."""
    answer: list[Said] = []
    for after in said[call + 1 :]:
        if after.voice is Voice.RESULT:
            answer.append(after)
        elif after.text:
            break
    else:
        if not answer:
            return None
    if any(NOT_RUN.match(after.text) for after in answer[:3]):
        return None
    return answer
