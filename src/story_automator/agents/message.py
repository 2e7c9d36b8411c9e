"""Does a whole message, as the agent wrote it in Markdown, end by asking a person?"""

import re

from story_automator.agents.question import OPTION, asks

# What a message shows but does not say itself: code, quotations, where a link leads.
FENCE = re.compile(r"\s*(?:```|~~~)")
QUOTED = re.compile(r"`[^`\n]+`|(?<=\])\([^)\s]*\)|https?://\S+")
HEADING = re.compile(r"#{1,6} ")
# A question that is answered in the same breath asks nobody: it stands at the very end, or only
# the request to answer it follows.
LAST_WORDS = re.compile(
    r"[?？؟][\s\"'”’)*_`]*"
    r"(?:(?:please|let me know|tell me|reply|answer|choose|pick|say)\b[^.!?]*[.!]?)?$",
    re.IGNORECASE,
)


def asks_person(message: str) -> bool:
    """True when it ends with a question, or with a question and the options to choose from."""
    rows = _spoken(message)
    if asks(rows) and _ends_so(rows):
        return True
    options = 0
    while rows and (not rows[-1].strip() or OPTION.match(rows[-1])):
        options += OPTION.match(rows.pop()) is not None
    return options >= 2 and bool(rows) and not HEADING.match(rows[-1]) and asks(rows[-1:])


def _ends_so(rows: list[str]) -> bool:
    last = " ".join("\n".join(rows).rstrip().split("\n\n")[-1].split())
    return last.endswith(":") or LAST_WORDS.search(last) is not None


def _spoken(message: str) -> list[str]:
    rows, in_code = [], False
    for row in message.splitlines():
        if FENCE.match(row):
            in_code = not in_code
        elif not in_code and not row.lstrip().startswith(">"):
            rows.append(QUOTED.sub("…", row))
    return rows
