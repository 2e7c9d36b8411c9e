"""A form of words that is looked for in many rows and found in few."""

import re


class Form:
    """One of its hints stands in all that has the form, in small letters.

    Most rows are told by them alone, and a pattern that no row calls for is never compiled: that
    would take longer than all the rest of a short output.
    """

    __slots__ = ("_exact", "_hints", "_pattern", "_text")

    def __init__(self, hints: str, *forms: str, exact: bool = False) -> None:
        self._hints = tuple(hints.split("|"))
        self._text = "|".join(forms)
        self._exact = exact  # capital letters are not small ones
        self._pattern: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self._may_be_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text) if self._may_be_in(text) else None

    @property
    def pattern(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(self._text, 0 if self._exact else re.IGNORECASE)
        return self._pattern

    def _may_be_in(self, text: str) -> bool:
        letters = text.lower()
        return any(hint in letters for hint in self._hints)
