"""Puts text that nobody vouches for between tags that it cannot close."""

import re

# Not to be guessed, and nothing that has a meaning in a tag.
TAG = re.compile(r"[A-Za-z0-9]{8,64}")


def fence(text: str, tag: str) -> str:
    """`text` between `<output-TAG>` and `</output-TAG>`; a ValueError if it could close them."""
    if not TAG.fullmatch(tag):
        raise ValueError("a tag is 8 to 64 letters and digits")
    if tag.lower() in text.lower():
        raise ValueError("the tag stands in the text: draw another")
    return f"<output-{tag}>\n{text}\n</output-{tag}>"
