"""What the rows of a session's output tell beyond doubt, each with the row that tells it."""

from enum import IntEnum
from typing import NamedTuple

from story_automator.model.advice import ErrorClass


class Weight(IntEnum):
    """How much a row is worth as evidence. A success outweighs only failures of no more weight."""

    CLAIM = 0  # the agent says so
    SHOWN = 1  # it stands in an output of which nobody knows who speaks
    RUN = 2  # a command that the agent ran printed it


class Seen(NamedTuple):
    """A fact in the words of its row."""

    row: int
    text: str
    weight: Weight = Weight.SHOWN


class Run(NamedTuple):
    """One run of tests. Nothing passed and nothing failed: nothing was tested."""

    row: int
    runner: str  # "" when only the command's exit tells
    failed: int
    passed: int | None = None  # unknown when the run only ended well
    skipped: int = 0
    suite: str = ""  # a part of the run that sums itself up
    weight: Weight = Weight.SHOWN
    text: str = ""
    since: int = 0  # the row of its command, when only that tells

    @property
    def red(self) -> bool:
        return self.failed > 0

    @property
    def green(self) -> bool:
        return self.failed == 0 and (self.passed is None or self.passed > 0)


class Trouble(NamedTuple):
    """What stopped the agent, or stands open at the end."""

    row: int
    kind: ErrorClass
    text: str


class Severities(NamedTuple):
    """How many findings of each severity."""

    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0

    @property
    def serious(self) -> int:
        return self.critical + self.high


class Findings(NamedTuple):
    """What a review found, and what it left open."""

    row: int
    found: Severities
    left: Severities
    text: str

    @property
    def all_fixed(self) -> bool:
        return self.left == Severities()


class Facts(NamedTuple):
    """Later rows outrank earlier ones of the same kind; what was overcome is not in here."""

    tests: Run | None = None  # the red one, if any run is still red at its last
    build_failed: Seen | None = None
    build_passed: Seen | None = None
    exit_code: int | None = None  # of the last command that matters, when it is not zero
    trouble: Trouble | None = None
    questions: tuple[str, ...] = ()
    findings: Findings | None = None
    story_file: Seen | None = None  # its path
    document: Seen | None = None  # the path of a retrospective
    status: Seen | None = None  # the last one that a story was given
    blocked: Seen | None = None  # the row that says so
    tests_added: int | None = None
    files_changed: int = 0
    complete: Seen | None = None  # the agent says that the step is done
    undone: Seen | None = None  # the agent says that it is not
    says_well: bool = False  # done, green, approved: whatever good the agent says at the end
    admitted: bool = False  # the agent says itself that tests or a build fail
    unseen: bool = False  # its calls are known, and none looked at code or ran anything
    broken_off: bool = False  # it ends in the middle of the work
    addressed: Seen | None = None  # a row that speaks to whoever parses it
