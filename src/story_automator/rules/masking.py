"""Secrets in the text of a session are replaced by a mask that says what kind they were."""

import re

from story_automator.rules.secret_hints import (
    HINTS_OF_FORMS,
    TELLING_WORDS,
    has_any,
    may_hold_a_secret,
)

MASK = "***"

KNOWN_FORMS = (
    (re.compile(r"sk-ant-[A-Za-z0-9_-]+"), "sk-ant-***"),
    # A digit sets a key apart from words such as sk-learn-contrib-packages.
    (re.compile(r"\bsk-(?!ant-)(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{16,}"), "sk-***"),
    (re.compile(r"(AKIA|ASIA)[A-Z0-9]{16,}"), r"\1***"),
    (re.compile(r"(gh[opusr]_|github_pat_)[A-Za-z0-9_]{10,}"), r"\1***"),
    (
        re.compile(
            r"""(authorization\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?(?:bearer|basic|token)\s+)"""
            r"""[^\s"'\\]+""",
            re.IGNORECASE,
        ),
        r"\1***",
    ),
    (
        re.compile(r"(\bbearer\s+)(?=[A-Za-z.~+/=_-]{0,200}\d)[\w.~+/=-]{20,}", re.IGNORECASE),
        r"\1***",
    ),
)
MASKED = re.compile(r"(sk-(ant-)?|AKIA|ASIA|gh[opusr]_|github_pat_|bearer\s*)?\*{3}", re.IGNORECASE)

# Read from the telling word outwards: a long run of letters costs nothing.
NAME = re.compile(
    rf"""({"|".join(TELLING_WORDS)})([\w.-]{{0,60}})"""
    r"""(\\*["'`]?\]?(?:\s?\[\w*\])?\s{0,4}(?:=>|:=|[:=])\s{0,4})(?=\S)""",
    re.IGNORECASE,
)
START_OF_NAME = re.compile(r"[\w.-]*\Z")
LONGEST_START = 60
QUOTED = re.compile(r"""(?P<quote>\\+["']|["'`])(?P<value>(?:(?!(?P=quote))\\?.)*)""")
# A longer word is looked at this far, and masked as a whole.
LONGEST_LOOK = 1024
BARE = re.compile(rf"""(?P<value>\S{{0,{LONGEST_LOOK}}}[^\s,;)\]}}>|│"'`])""")
REST_OF_WORD = re.compile(r"\S*")
END_OF_VALUE = re.compile(r"""["'`]|[\s,;)\]}>|│]*(?:\Z|#|//)""")

# In one word and in lower case only these make a key a secret: a monkey or a hotkey is none.
KINDS_OF_KEY = (
    *("access", "account", "api", "auth", "client", "encryption", "license", "master", "private"),
    *("secret", "service", "shared", "signing", "ssh", "storage"),
)
LOOKS_RANDOM = re.compile(r"(?=[A-Za-z+/=._~-]*\d)(?=[\d+/=._~-]*[A-Za-z])[\w+/=.~-]{12,}")
AMOUNT = re.compile(r"[\d.,_]+[kKmM%]?")
COUNTED = re.compile(r"s|[_.-]?(count|limit|budget|usage|used|size|length)", re.IGNORECASE)
CALL = re.compile(r"[\w.]+[(\[]")
# What a report or a program says about a secret without telling it.
NOT_A_SECRET = re.compile(
    r"any|bool(ean)?|bytes|done|error|expired|fail(ed|s)?|false|float|int(eger)?|invalid|missing"
    r"|nil|none|null|number|ok|optional|pass(ed|es)?|required|set|skipped|str(ing)?|true"
    r"|undefined|unset|valid|\W{0,5}",
    re.IGNORECASE,
)

KEY_BLOCK = re.compile(
    r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(.*?)"
    r"(-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)"
)
END_OF_KEY = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
# Also behind a line number, a sign of a diff or the border of a box.
LINE_OF_KEY = re.compile(
    r"[\s│|>+→:\d-]{0,24}(?:[A-Za-z0-9+/=]*|(?:Proc-Type|DEK-Info|Version|Comment):.*)[\s│|]{0,200}"
)
# A block that is cut off may not hide the rest of the session.
MOST_LINES_OF_KEY = 400


def mask(text: str) -> str:
    """`text` without its secrets."""
    return Masker().feed(text)


class Masker:
    """Masks a stream of whole lines; a private key may begin in one piece and end in another."""

    def __init__(self) -> None:
        self._lines_of_key_left = 0

    def feed(self, text: str) -> str:
        lowered = text.lower()
        if not self._lines_of_key_left and not may_hold_a_secret(lowered):
            return text
        *lines, rest = text.split("\n")
        masked = [f"{kept}\n" for line in lines if (kept := self._mask_line(line)) is not None]
        return "".join(masked) + ((self._mask_line(rest) or "") if rest else "")

    def _mask_line(self, line: str) -> str | None:
        """The line without its secrets; nothing for a line of a private key."""
        if self._lines_of_key_left:
            if end := END_OF_KEY.search(line):
                self._lines_of_key_left = 0
                return line[end.start() :]
            if LINE_OF_KEY.fullmatch(line):
                self._lines_of_key_left -= 1
                return None
            self._lines_of_key_left = 0
        lowered = line.lower()
        if has_any(lowered, HINTS_OF_FORMS):
            line = self._mask_key_block(line)
            for form, replacement in KNOWN_FORMS:
                line = form.sub(replacement, line)
        if ("=" in line or ":" in line) and has_any(lowered, TELLING_WORDS):
            line = mask_named(line)
        return line

    def _mask_key_block(self, line: str) -> str:
        for block in KEY_BLOCK.finditer(line):
            self._lines_of_key_left = 0 if block[3] else MOST_LINES_OF_KEY
        return KEY_BLOCK.sub(rf"\1{MASK}\3", line)


def mask_named(line: str) -> str:
    """Mask the values that `line` gives to names such as API_KEY or db.password."""
    parts: list[str] = []
    done = at = 0
    while name := NAME.search(line, at):
        value = QUOTED.match(line, name.end()) or BARE.match(line, name.end())
        if value and tells_secret(name, value):
            parts += (line[done : value.start("value")], MASK)
            done = at = end_of(value)
        else:
            at = name.end(1)
    return "".join(parts) + line[done:]


def end_of(value: re.Match[str]) -> int:
    end = value.end("value")
    rest = REST_OF_WORD.match(value.string, end)
    is_cut = value.re is BARE and end - value.start() > LONGEST_LOOK
    return rest.end() if rest and is_cut else end


def tells_secret(name: re.Match[str], value: re.Match[str]) -> bool:
    line, content = name.string, value["value"]
    word, rest, between = name.groups()
    before = START_OF_NAME.search(line, max(name.start() - LONGEST_START, 0), name.start())
    start = before[0] if before else ""
    if MASKED.fullmatch(content):
        return False
    is_assigned = between.strip("\\\"'`]") == "="
    if is_assigned and (start + word + rest).isupper():
        return True  # A variable that holds the word anywhere: KEYCLOAK_ADMIN=, API_KEY=
    if not is_secret_name(start, word, rest):
        return False
    is_variable = (start + word).isupper()
    if is_assigned and is_variable:
        return True
    if NOT_A_SECRET.fullmatch(content) or content in (word + rest, start + word + rest):
        return False
    if COUNTED.match(rest) and AMOUNT.fullmatch(content):
        return False
    if word.lower() == "key" and not is_variable and not start and not rest:
        return LOOKS_RANDOM.match(content) is not None
    if is_assigned or value.re is QUOTED:
        return True
    # Unquoted after a colon or a spaced sign it may be prose or code.
    if CALL.match(content):
        return False
    if is_variable and "_" in start + rest:
        return True
    ends_here = END_OF_VALUE.match(line, value.end()) is not None
    return ends_here or LOOKS_RANDOM.match(content) is not None


def is_secret_name(start: str, word: str, rest: str) -> bool:
    """Whether the telling word stands for itself in the name: not in keyboard, nor in monkey."""
    after = rest[1:] if rest[:1] in ("s", "S") else rest
    goes_on = after[:1].isalpha() and not (after[0].isupper() and word[-1].islower())
    if goes_on:
        return False
    if word.lower() != "key" or not start[-1:].isalpha() or word[0].isupper():
        return True
    return start.lower().endswith(KINDS_OF_KEY)
