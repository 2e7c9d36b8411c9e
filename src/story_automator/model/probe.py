"""The answer of a probe: yes, no or unknown."""

from enum import StrEnum


class Probe(StrEnum):
    """The three answers of a probe. Unreachable never condemns."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREACHABLE = "unreachable"
