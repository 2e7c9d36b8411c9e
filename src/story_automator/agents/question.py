"""Does a message end by asking a person?"""

import re
from collections.abc import Sequence

# In the last paragraph only; not `a?b` inside a word, but `？` needs no space behind it.
# Captures: claude/fin_question/01, claude/a_japanese_question/01.
QUESTION_MARK = re.compile(r"[?؟](?=[\s\"'”’)*_`]|$)|？")
# At least two of them, and a last paragraph that ends in a colon. Capture: claude/fin_menu/01.
OPTION = re.compile(r"\s*(?:\d{1,2}|[A-Za-z])[.)] \S")


def asks(message: Sequence[str]) -> bool:
    """True when the last paragraph puts a question, or leaves a list of options open."""
    text = [row.strip() for row in message]
    while text and not text[-1]:
        text.pop()
    start = max((number for number, row in enumerate(text) if not row), default=-1)
    last = " ".join(text[start + 1 :])
    if QUESTION_MARK.search(last):
        return True
    return last.endswith(":") and sum(OPTION.match(row) is not None for row in text) >= 2
