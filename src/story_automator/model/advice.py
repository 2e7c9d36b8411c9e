"""What a session's output comes to: the advice on what to do next, and when there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ParsedStep(StrEnum):
    """The steps whose output can be parsed."""

    CREATE = "create"
    DEV = "dev"
    AUTO = "auto"
    REVIEW = "review"
    RETRO = "retro"
    BUILD = "build"  # BMAD's build-auto: a whole story in one session


class Status(StrEnum):
    """How the step went, as far as its output tells."""

    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    AMBIGUOUS = "AMBIGUOUS"  # the output does not tell, or contradicts itself


class NextAction(StrEnum):
    """What to do about it."""

    PROCEED = "proceed"
    RETRY = "retry"
    ESCALATE = "escalate"  # a person has to look


class ErrorClass(StrEnum):
    """What stood in the way of the step."""

    NONE = "none"
    TEST_FAILURE = "test_failure"
    BUILD_FAILURE = "build_failure"
    API = "api"
    AUTH = "auth"
    LIMIT = "limit"
    PERMISSION = "permission"
    QUESTION = "question"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Advice:
    """One step's result. `own` holds the step's own fields, as the contract names them."""

    step: ParsedStep
    status: Status
    summary: str
    next_action: NextAction
    own: Mapping[str, object] = field(default_factory=dict)
    confidence: float = 0.0
    error_class: ErrorClass = ErrorClass.NONE
    questions: tuple[str, ...] = ()
    because: tuple[str, ...] = ()  # which rule or fact changed or made it, in words
    parser: str = ""  # api | cli | rules
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
