"""The zone of this machine with its changes of clocks: one offset would miss the next change."""

from datetime import UTC, datetime, timedelta, tzinfo


class Local(tzinfo):
    """Agents tell the hour of a day to come as their machine's clock will show it."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return at.replace(tzinfo=None).astimezone().utcoffset() if at else None

    def dst(self, _: datetime | None) -> timedelta | None:
        return None

    def tzname(self, at: datetime | None) -> str | None:
        return at.replace(tzinfo=None).astimezone().tzname() if at else None

    def fromutc(self, at: datetime) -> datetime:
        there = datetime.fromtimestamp(at.replace(tzinfo=UTC).timestamp())  # noqa: DTZ006
        return there.replace(tzinfo=self)


LOCAL = Local()


def local_time(seconds: float) -> datetime:
    """An instant since the epoch, in the zone of this machine."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(LOCAL)
