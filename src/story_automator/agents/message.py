"""Does a whole message, as the agent wrote it in Markdown, end by asking a person?"""

import re

from story_automator.agents.question import OPTION, asks

# What a message shows but does not say itself: code, quotations, where a link leads.
FENCE = re.compile(r"\s*(?:```|~~~)")
QUOTED = re.compile(r"`[^`\n]+`|(?<=\])\([^)\s]*\)|https?://\S+")
HEADING = re.compile(r"#{1,6} ")


def asks_person(message: str) -> bool:
    """True when it ends with a question, or with a question and the options to choose from."""
    rows = _spoken(message)
    if asks(rows):
        return True
    options = 0
    while rows and (not rows[-1].strip() or OPTION.match(rows[-1])):
        options += OPTION.match(rows.pop()) is not None
    return options >= 2 and bool(rows) and not HEADING.match(rows[-1]) and asks(rows[-1:])


def _spoken(message: str) -> list[str]:
    rows, in_code = [], False
    for row in message.splitlines():
        if FENCE.match(row):
            in_code = not in_code
        elif not in_code and not row.lstrip().startswith(">"):
            rows.append(QUOTED.sub("…", row))
    return rows
