"""Which lines of an output carry a result, of which kind, best first."""

import re

LOOKED_AT = 2000  # characters of a line

# The order is the importance.
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a test summary",
        re.compile(
            r"\b\d+ (?:tests? |checks? |specs? )?(?:passed|failed|passing|failing|failures?)\b"
            r"|\btests run: *\d|\btest result: |\b\d+ (?:examples?|scenarios?), "
            r"|\b(?:tests|suites|failed|passed): +\d|\bok \(\d+ tests?|\bran \d+ tests? in\b"
            r"|\bfailed \((?:failures|errors)=|\bno tests (?:ran|found)"
            r"|^\W*(?:ok|fail) +[\w./-]+ +(?:\d[\d.]*s|\(cached\))|^\W*---? ?fail:"
            r"|^\W*# (?:pass|fail|tests) \d",
            re.IGNORECASE,
        ),
    ),
    (
        "how a program ended",
        re.compile(
            r"\bexit(?:ed|s)?(?: with)?(?: code| status)?(?: of)?[:= ] *\d+|\breturn code[:= ]+\d"
            r"|\bbuild (?:success|fail|succeeded)|\bcompiled (?:success|with)"
            r"|\b(?:killed by|received) signal|\bsegmentation fault|\bfound \d+ errors?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "an error",
        re.compile(
            r"\b(?:error|fatal|panic|panicked|exception|traceback|failed|failure|denied|refused"
            r"|unauthori[sz]ed|overloaded|conflict|timed out|rate limit|usage limit)\b"
            r"|[a-z](?:Error|Exception)\b|\bERR!|^\s*[✗✖✘×]",
            re.IGNORECASE,
        ),
    ),
    (
        "a finding of a review",
        re.compile(
            r"\[(?:critical|high|medium|low)\]|\b(?:critical|high|medium|low)\b\W{0,6}\d"
            r"|\b\d+ (?:critical|high|medium|low)\b"
            r"|\b(?:critical|high)\b.{0,40}\b(?:issue|finding|severity)|\bseverity\b"
            r"|\bfindings?\b.{0,20}\d|🔴|🟠|🟡",
            re.IGNORECASE,
        ),
    ),
    (
        "the status of a story",
        re.compile(
            r"^\W*status\W{1,6}\w|\b(?:ready-for-dev|in-progress|ready-for-review)\b"
            r"|^\W*[\w.-]+: (?:done|review|backlog|drafted)\s*$|\bstory\b.{0,40}\bstatus\b",
            re.IGNORECASE,
        ),
    ),
    (
        "a commit",
        re.compile(
            r"^\W*\[[\w/.-]+ (?:\(root-commit\) )?[0-9a-f]{7,40}\]|\b\d+ files? changed\b"
            r"|^\W*commit [0-9a-f]{7,40}\b|\bgit (?:commit|push|merge)\b|\bcommitted\b",
            re.IGNORECASE,
        ),
    ),
    (
        "a file that was written",
        re.compile(
            r"^\W*(?:write|edit|update|create|multiedit|notebookedit|apply_patch|writefile)\("
            r"|\b(?:wrote|created|added|modified|updated|saved|deleted|renamed)\b.{0,80}\w\.\w{1,5}\b"
            r"|^\W*create mode \d|^\W*[AMD] [\w./-]+\.\w+$",
            re.IGNORECASE,
        ),
    ),
)


def result_in(line: str) -> tuple[int, str] | None:
    """How far down the list its kind stands, and the kind; None for a line without a result."""
    seen = line[:LOOKED_AT]
    found = ((rank, kind) for rank, (kind, sign) in enumerate(KINDS) if sign.search(seen))
    return next(found, None)
