"""A session's output of any size, as the rows of it that are worth looking at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the file, without escapes and control characters."""

    number: int  # from 1
    text: str


@dataclass(frozen=True, slots=True)
class LongText:
    """The rows are in order and stand in one of the three places only; a short file is all tail."""

    head: tuple[Row, ...] = ()
    tail: tuple[Row, ...] = ()
    results: tuple[Row, ...] = ()  # between head and tail: what carries a result
    lines: int = 0  # of the whole file
    size: int = 0  # of the whole file, in bytes
    last_message: str = ""  # what the agent said last, where its records tell

    @property
    def rows(self) -> tuple[Row, ...]:
        """All of them, in the order of the file."""
        return self.head + self.results + self.tail
