"""The ways we give up: the caller asked wrongly, we cannot go on, or nobody can advise."""

from enum import StrEnum


class StoryAutomatorError(Exception):
    """We cannot go on. One sentence for a person, and what to do next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(StoryAutomatorError):
    """The command line cannot be understood."""


class Silence(StrEnum):
    """Why there is no advice."""

    API_DOWN = "api_down"  # 5xx, 529 or no connection, until the time was over
    RATE_LIMITED = "rate_limited"  # 429, until the time was over
    AUTH = "auth"  # no key, or one that is not taken
    TIMEOUT = "timeout"  # no whole answer within the limit
    REFUSAL = "refusal"  # the model declined
    EMPTY_REPLY = "empty_reply"  # nothing came, twice
    TRUNCATED = "truncated"  # the reply was cut at its length limit
    INVALID_REPLY = "invalid_reply"  # not the shape asked for, after one repair
    CLI_MISSING = "cli_missing"  # the model's program is not there
    BAD_REQUEST = "bad_request"  # the request itself was not accepted
    NO_OUTPUT = "no_output"  # there is nothing to parse
    UNKNOWN_STEP = "unknown_step"  # no such step


# The contract's callers know five reasons; each class is one of them.
REASONS = {
    Silence.API_DOWN: "sub-agent call failed",
    Silence.RATE_LIMITED: "sub-agent call failed",
    Silence.AUTH: "sub-agent call failed",
    Silence.TIMEOUT: "sub-agent call timed out",
    Silence.REFUSAL: "sub-agent returned invalid json",
    Silence.EMPTY_REPLY: "sub-agent returned invalid json",
    Silence.TRUNCATED: "sub-agent returned invalid json",
    Silence.INVALID_REPLY: "sub-agent returned invalid json",
    Silence.CLI_MISSING: "sub-agent call failed",
    Silence.BAD_REQUEST: "sub-agent call failed",
    Silence.NO_OUTPUT: "output file not found or empty",
    Silence.UNKNOWN_STEP: "parse_contract_invalid",
}


class NoAdvice(StoryAutomatorError):
    """No parser could advise. It blames the parser's world, never the story."""

    def __init__(self, message: str, *, error_class: Silence, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.error_class = error_class

    @property
    def reason(self) -> str:
        """The contract's string."""
        return REASONS[self.error_class]


class ReplyInvalid(StoryAutomatorError):
    """A model's reply is not the shape asked for; the message tells the model what to mend."""
