"""The two ways we give up: the caller asked wrongly, or we cannot go on."""


class StoryAutomatorError(Exception):
    """We cannot go on. One sentence for a person, and what to do next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(StoryAutomatorError):
    """The command line cannot be understood."""
