"""What a review found, by severity, and what it left open."""

import re
from collections.abc import Iterator, Mapping, Sequence

from story_automator.model.facts import Findings, Severities
from story_automator.rules.forms import Form
from story_automator.rules.voices import Said, Voice

NAMES = ("critical", "high", "medium", "low")
SYNONYMS = {
    "blocker": "critical",
    "major": "high",
    "moderate": "medium",
    "med": "medium",
    "minor": "low",
    "crítico": "critical",
    "críticos": "critical",
    "kritisch": "critical",
}
WORDS = "|".join((*NAMES, *SYNONYMS))
MARKS = re.compile(r"[*_`]+|[\U0001f534\U0001f7e0-\U0001f7e2\U0001f535⚪🔥✅❌⚠️]")
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\s[–—]\s")
# `2 critical`, `no high`; `Critical: 2`, `HIGH (3)`, `| High | 3 |`.
COUNTED = Form(
    "critical|high|medium|low|blocker|major|moderate|minor|med|crítico|kritisch",
    r"\b(?P<before>\d+|no|zero)(?: (?:open|new|remaining|unresolved|hallazgos|findings?|issues?))?"
    rf" (?P<after>{WORDS})\b"
    rf"|\b(?P<name>{WORDS})(?:[- ](?:severity|priority|issues?|findings?))*\s*"
    r"(?:[:=]\s*|\(|\|\s*|–\s*)(?P<count>\d+|none|no|zero|nil)\b",
)
# `no critical or high issues`
NEITHER = Form(
    "critical|high|medium|low|blocker|major|moderate|minor|med|crítico|kritisch",
    rf"\b(?:no|zero|0) (?:open |remaining |unresolved )?(?P<one>{WORDS})(?:,|/| or| and| nor)+"
    rf" ?(?P<two>{WORDS})\b",
)
# `- [ ] [AI-Review][HIGH] text`, `- CRITICAL: text`
LISTED = Form(
    "critical|high|medium|low|blocker|major|moderate|minor|med|crítico|kritisch",
    r"\s*(?:[-+]|\d+[.)])?\s*(?P<box>\[[ xX]\])?\s*(?:\[AI-Review\]\s*)?"
    rf"(?:\[(?P<tag>{WORDS})\s*\]|(?P<word>{WORDS})\s*[:–—-]\s(?!\s*(?:\d|none|no\b|zero)))\s*\S",
)
LEFT = Form(
    "remain|left|open|unresolved|unfixed|outstanding|deferred|unaddressed|still|not",
    r"\b(?:remain\w*|left|open|unresolved|unfixed|outstanding|deferred|unaddressed|still"
    r"|not (?:yet )?(?:fixed|resolved|addressed))\b",
)
REPAIRED = "fixed|resolved|addressed|repaired|corrected"
FIXED = Form("fixed|resolved|addressed|repaired|corrected", rf"\b(?:{REPAIRED})\b")
FIXED_STATE = Form(
    "fixed|resolved|addressed|repaired|corrected|closed|done", rf"\b(?:{REPAIRED}|closed|done)\b"
)
# `Fixed: 2 critical, 1 high`, but not `Fixed 2 of 3 high`.
FIXED_FIRST = Form(
    "fixed|resolved|addressed|repaired|corrected",
    rf"\W*(?:i (?:have )?|we (?:have )?)?(?:{REPAIRED})\b(?!.*\d (?:of|/))",
)
CLAUSE = re.compile(r",\s+(?:and |but )?|\bbut\b")
PART = re.compile(r"\b(\d+)\s*(?:/|of)\s*(?:the )?(\d+)\b")
ALL_FIXED = Form(
    "fixed|resolved|addressed|repaired|corrected|issue|finding|problem",
    r"\ball\b(?: \w+){0,8}? (?:fixed|resolved|addressed|repaired|corrected)\b"
    r"|\b(?:fixed|resolved|addressed|repaired) (?:all|every|each|both)\b"
    r"|\bno (?:open |remaining |further |more )?(?:issues?|findings?|problems?)(?: were| was"
    r"| are)?"
    r"(?: left| remain\w*| found| open| outstanding|[.;,]|$)"
    r"|\b(?:issues|findings) (?:left|remaining|open): *(?:0|none)\b"
    r"|\b0 (?:issues|findings) (?:left|remain)"
    r"|\b(?P<fixed>\d+)\s*(?:/|of)\s*(?P<of>\d+) (?:\w+ )?(?:fixed|resolved|addressed)"
    r"|\b(?:both|each|every one)(?: \w+){0,3} (?:fixed|resolved|addressed|repaired)\b",
)
# Only a wish, a condition, or a part of them.
NOT_ALL = Form(
    "not|except|none of|all but|be|until|once|if|when|unfixed|unresolved",
    r"\b(?:not all|except|none of|all but|will be|should be|must be|until|once|if|when"
    r"|needs? to be|to be"
    r"|not (?:yet )?(?:fixed|resolved|addressed)|unfixed|unresolved)\b",
)
ISSUES_FIXED = Form("issues fixed", r"\bissues fixed:?\s*(\d+)")
NO_COUNT = frozenset({"none", "no", "zero", "nil", "0", "-", "–", "—", ""})


class Tally:
    """What was told so far; a later word on a severity outranks an earlier one."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}
        self.left: dict[str, int] = {}
        self._listed = dict.fromkeys(NAMES, 0)

    def count(self, name: str, found: int, left: int) -> None:
        self.found[name] = max(found, self.found.get(name, 0))
        self.left[name] = left

    def list_one(self, name: str, *, fixed: bool) -> None:
        """One finding of a list; a list may repeat what was counted before it."""
        self._listed[name] += 1
        if self._listed[name] > self.found.get(name, 0):
            self.left[name] = self.left.get(name, 0) + (not fixed)
            self.found[name] = self._listed[name]

    def all_fixed(self, words: str) -> None:
        """Every finding, or those of the severities that the words name."""
        named = [name for name in NAMES if re.search(rf"\b{name}\b", words, re.IGNORECASE)]
        for name in named or NAMES:
            self.count(name, 0, 0)


def findings(said: Sequence[Said]) -> Findings | None:
    """Only the agent's own words count, or a log without voices."""
    tally, columns = Tally(), list[str]()
    row, text = 0, ""
    for one in said:
        told = MARKS.sub("", one.text)
        if one.voice not in (Voice.AGENT, Voice.PLAIN) or "|" not in told:
            columns = []
        if one.voice not in (Voice.AGENT, Voice.PLAIN) or not told.strip():
            continue
        cells = [cell.strip().lower() for cell in told.strip().strip("|").split("|")]
        if len(cells) > 1 and not columns:
            columns = cells
        if len(cells) == len(columns) > 1 and _table_row(tally, columns, cells):
            row, text = one.row, one.text.strip()
            continue
        for sentence in SENTENCE.split(told):
            if _sentence(tally, sentence):
                row, text = one.row, one.text.strip()
    if not row:
        return None
    return Findings(row, Severities(**tally.found), Severities(**tally.left), text)


def _sentence(tally: Tally, told: str) -> bool:
    """Whether a sentence tells of findings."""
    if tagged := LISTED.match(told):
        fixed = FIXED.search(told) is not None and not NOT_ALL.search(told)
        done = fixed or tagged["box"] in ("[x]", "[X]")
        tally.list_one(_name(tagged["tag"] or tagged["word"]), fixed=done)
        return True
    if total := ISSUES_FIXED.search(told):
        if int(total[1]) >= sum(tally.left.values()):
            tally.all_fixed("")
        return True
    for neither in NEITHER.pattern.finditer(told):
        for name in (neither["one"], neither["two"]):
            tally.count(_name(name), 0, 0)
    all_of_it = FIXED_FIRST.match(told) is not None
    clauses = [_clause(tally, clause, all_of_it) for clause in CLAUSE.split(told)]
    return NEITHER.search(told) is not None or any(clauses)


def _clause(tally: Tally, told: str, fixed: bool) -> bool:
    """`1 critical and 1 high`, `both fixed`, `2 medium left`."""
    counted = dict(_counted(told))
    whole = not NOT_ALL.search(told) and not LEFT.search(told)
    whole = whole and all(int(part) >= int(of) for part, of in PART.findall(told))
    for name, count in counted.items():
        tally.count(name, count, 0 if whole and (fixed or FIXED.search(told)) else count)
    every = ALL_FIXED.search(told)
    if every and not NOT_ALL.search(told) and int(every["fixed"] or 0) >= int(every["of"] or 0):
        tally.all_fixed(every[0])
        return True
    return bool(counted)


def _counted(text: str) -> Iterator[tuple[str, int]]:
    for one in COUNTED.pattern.finditer(text):
        amount = one["before"] or one["count"]
        yield _name(one["after"] or one["name"]), int(amount) if amount.isdecimal() else 0


def _table_row(tally: Tally, columns: Sequence[str], cells: Sequence[str]) -> bool:
    """A row with the counts of one severity, or one with a single finding."""
    at = next((n for n, cell in enumerate(cells) if _name(cell.split(" ")[0]) in NAMES), None)
    if at is None:
        return False
    name = _name(cells[at].split(" ")[0])
    counts = dict(_counts(columns, cells, skipped=at))
    if at == 0 and counts:
        found = counts.get("found", sum(counts.values()))
        tally.count(name, found, max(counts.get("left", found - counts.get("fixed", 0)), 0))
    else:
        rest = " ".join(cells[at + 1 :])
        fixed = FIXED_STATE.search(rest) is not None and not NOT_ALL.search(rest)
        tally.list_one(name, fixed=fixed)
    return True


def _counts(
    columns: Sequence[str], cells: Sequence[str], *, skipped: int
) -> Iterator[tuple[str, int]]:
    for number, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        if number == skipped or not (cell.isdecimal() or cell in NO_COUNT):
            continue
        amount = int(cell) if cell.isdecimal() else 0
        if LEFT.search(column):
            yield "left", amount
        elif FIXED_STATE.search(column):
            yield "fixed", amount
        elif re.search(r"found|count|issues|findings|number|total", column):
            yield "found", amount


def _name(word: str) -> str:
    word = word.lower()
    return SYNONYMS.get(word, word)


def as_mapping(severities: Severities) -> Mapping[str, int]:
    return {name: getattr(severities, name) for name in NAMES}
