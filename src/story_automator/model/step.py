"""The stages of a story."""

from enum import StrEnum


class Step(StrEnum):
    """The workflow steps that the contract knows."""

    CREATE = "create"  # write the story file
    DEV = "dev"  # implement it
    AUTO = "auto"  # add the missing tests
    REVIEW = "review"  # review and fix
    RETRO = "retro"  # look back on a finished epic
