"""What a review found, by severity, and what it left open."""

import re
from collections.abc import Iterator, Sequence

from story_automator.model.facts import Findings, Severities
from story_automator.rules.voices import Said, Voice

NAMES = ("critical", "high", "medium", "low")
SYNONYMS = {
    "blocker": "critical",
    "major": "high",
    "moderate": "medium",
    "minor": "low",
    "med": "medium",
}
SEVERITY = r"(?P<{}>critical|high|medium|low|blocker|major|moderate|minor|med)\b"
NONE = r"(?:none|no|zero|nil|0|-|–|—)"
MARKS = re.compile(r"[*_`]+|[🔴🟠🟡🟢🔵⚪🔥✅❌⚠️️]")
# `2 critical`, `no high`, `Critical: 2`, `HIGH (3)`, `| High | 3 |`
COUNTED = re.compile(
    rf"\b(?P<before>\d+|no|zero)(?: open| new| remaining| unresolved)? {SEVERITY.format('after')}"
    rf"|\b{SEVERITY.format('name')}(?:[- ](?:severity|priority|issues?|findings?))*\s*"
    rf"(?:[:=]\s*|\(|\|\s*|–\s*)(?P<count>\d+|none|no|zero|nil)\b",
    re.IGNORECASE,
)
# `no critical or high issues`
NEITHER = re.compile(
    rf"\b(?:no|zero|0) (?:open |remaining |unresolved )?{SEVERITY.format('one')}(?:,|/| or| and"
    rf"| nor)+"
    rf" ?{SEVERITY.format('two')}",
    re.IGNORECASE,
)
LISTED = re.compile(
    rf"\s*(?:[-*+]|\d+[.)])?\s*(?P<box>\[[ xX]\])?\s*(?:\[AI-Review\]\s*)?"
    rf"(?:\[{SEVERITY.format('tag')}\s*\]|{SEVERITY.format('word')}\s*(?:[:–—-])\s(?!\s*(?:\d"
    rf"|none|no\b|zero)))"
    r"\s*\S",
    re.IGNORECASE,
)
HEADER = re.compile(r"\s*\|?.*\|.*(?:fixed|open|left|remaining|found)", re.IGNORECASE)
LEFT = re.compile(
    r"\b(?:remain\w*|left|open|unresolved|unfixed|outstanding|deferred|not fixed|unaddressed"
    r"|still)\b",
    re.IGNORECASE,
)
FIXED_WORD = re.compile(r"\b(?:fixed|resolved|addressed|repaired|corrected)\b", re.IGNORECASE)
ALL_FIXED = re.compile(
    r"\ball\b(?: \w+){0,8}? (?:issues?|findings?|problems?|items?|of them|\d+|critical|high"
    r"|medium|low)?"
    r"(?: \w+){0,5}? ?(?:fixed|resolved|addressed|repaired|corrected)\b"
    r"|\b(?:fixed|resolved|addressed|repaired) (?:all|every|each|both)\b"
    r"|\bno (?:open |remaining |further |more )?(?:issues?|findings?|problems?)(?: were| was"
    r"| are)?"
    r"(?: left| remain\w*| found| open| outstanding|\.|$)"
    r"|\b(?:issues|findings) (?:left|remaining|open): *(?:0|none)\b|\b0 (?:issues"
    r"|findings) (?:left|remain)"
    r"|\b(?P<fixed>\d+)\s*(?:/|of)\s*(?P<of>\d+) (?:\w+ )?(?:fixed|resolved|addressed)"
    r"|\b(?:both|each|every one)(?: \w+){0,3} (?:fixed|resolved|addressed|repaired)\b",
    re.IGNORECASE,
)
NOT_ALL = re.compile(
    r"\bnot all\b|\bexcept\b|\ball but\b|\bnot (?:yet )?(?:fixed|resolved|addressed)\b"
    r"|\bun(?:fixed|resolved)\b"
    r"|\bwill be\b|\bshould be\b|\bmust be\b|\buntil\b|\bonce\b|\bif\b|\bneed(?:s)? to be\b"
    r"|\bto be\b",
    re.IGNORECASE,
)
ISSUES_FIXED = re.compile(r"\bissues fixed:?\s*(\d+)", re.IGNORECASE)
ACTION_ITEMS = re.compile(r"\baction items created:?\s*(\d+)", re.IGNORECASE)


def findings(said: Sequence[Said]) -> Findings | None:
    """The counts as they were told last. Only the agent's own words, or a log without voices."""
    found: dict[str, int] = {}
    left: dict[str, int] = {}
    listed = dict.fromkeys(NAMES, 0)
    row, text = 0, ""
    columns: list[str] = []
    for one in said:
        if one.voice not in (Voice.AGENT, Voice.PLAIN) or not one.text.strip():
            columns = []
            continue
        told = MARKS.sub("", one.text)
        if told.count("|") >= 2 and HEADER.match(told):
            columns = [cell.strip().lower() for cell in told.strip().strip("|").split("|")]
            continue
        if columns and (cells := _cells(told, columns)):
            name, counts = cells
            found[name] = counts.get("found", sum(counts.values()))
            left[name] = (
                counts["left"] if "left" in counts else found[name] - counts.get("fixed", 0)
            )
        elif counted := dict(_counted(told)):
            remaining = LEFT.search(told) is not None and not FIXED_WORD.search(told)
            for name, count in counted.items():
                if remaining or (name in found and count == 0):
                    left[name] = count
                    found.setdefault(name, count)
                else:
                    found[name] = count
                    fixed_at_once = FIXED_WORD.search(told) and not NOT_ALL.search(told)
                    left[name] = 0 if fixed_at_once and not LEFT.search(told) else count
        elif tagged := LISTED.match(told):
            name = _name(tagged["tag"] or tagged["word"])
            is_fixed = tagged["box"] in ("[x]", "[X]") or (
                FIXED_WORD.search(told) is not None and not NOT_ALL.search(told)
            )
            listed[name] += 1
            left[name] = left.get(name, 0) + (not is_fixed) * (listed[name] > found.get(name, 0))
            found[name] = max(found.get(name, 0), listed[name])
        elif (
            (every := ALL_FIXED.search(told))
            and not NOT_ALL.search(told)
            and (not every["of"] or int(every["fixed"]) >= int(every["of"]))
        ):
            for name in _meant(every[0]):
                found.setdefault(name, 0)
                left[name] = 0
        elif fixed := ISSUES_FIXED.search(told):
            if int(fixed[1]) >= sum(left.values()):
                left = dict.fromkeys(NAMES, 0)
        else:
            continue
        row, text = one.row, one.text.strip()
    if not row:
        return None
    return Findings(
        row, Severities(**found), Severities(**{n: max(c, 0) for n, c in left.items()}), text
    )


def _meant(words: str) -> Sequence[str]:
    """The severities that a sentence on all of them names; all, when it names none."""
    named = [name for name in NAMES if re.search(rf"\b{name}\b", words, re.IGNORECASE)]
    return named or NAMES


def _counted(text: str) -> Iterator[tuple[str, int]]:
    for neither in NEITHER.finditer(text):
        yield _name(neither["one"]), 0
        yield _name(neither["two"]), 0
    for one in COUNTED.finditer(text):
        amount = one["before"] or one["count"]
        yield _name(one["after"] or one["name"]), int(amount) if amount.isdecimal() else 0


def _cells(text: str, columns: Sequence[str]) -> tuple[str, dict[str, int]] | None:
    cells = [cell.strip().lower() for cell in text.strip().strip("|").split("|")]
    if len(cells) != len(columns) or cells[0].split(" ")[0] not in (*NAMES, *SYNONYMS):
        return None
    counts: dict[str, int] = {}
    for column, cell in zip(columns[1:], cells[1:], strict=True):
        amount = 0 if re.fullmatch(NONE, cell) else int(cell) if cell.isdecimal() else None
        if amount is None:
            continue
        if LEFT.search(column):
            counts["left"] = amount
        elif FIXED_WORD.search(column):
            counts["fixed"] = amount
        elif "found" in column or "count" in column or "issues" in column:
            counts["found"] = amount
    return (_name(cells[0].split(" ")[0]), counts) if counts else None


def _name(word: str) -> str:
    word = word.lower()
    return SYNONYMS.get(word, word)
