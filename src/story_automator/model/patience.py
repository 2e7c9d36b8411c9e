"""How long a call that failed waits before it is made again, and when it is not."""

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. Waits double from `first` to `longest`; a part of each is left to chance."""

    first: float = 0.5
    longest: float = 8.0
    chance: float = 0.25  # the share of a wait that may be cut off, so that callers spread
    shortest_call: float = 1.0  # a call with less time than this is not worth making
    most_calls: int = 8  # a machine without a network need not wait for the whole limit

    def wait(self, failures: int, asked: float | None, left: float, draw: float) -> float | None:
        """The wait before the next call, or None to give up.

        `failures`: calls failed so far, one or more. `asked`: the wait that the server asked for.
        `left`: what remains of the time for everything. `draw`: a random number from 0 to 1.
        """
        if failures >= self.most_calls:
            return None
        own = min(self.first * 2.0 ** min(failures - 1, 30), self.longest)
        own *= 1 - self.chance * draw
        chosen = own if asked is None else max(own, asked)
        return chosen if chosen + self.shortest_call <= left else None


def asked_wait(header: str, now: datetime) -> float | None:
    """The seconds in a Retry-After header: a number, or the distance to an HTTP date."""
    text = header.strip()
    if text.replace(".", "", 1).isdecimal() and text.isascii():
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max((then - now).total_seconds(), 0.0)
