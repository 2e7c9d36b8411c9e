"""What a model may answer about each step, and the only way from its text to advice."""

import json
import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictStr,
    ValidationError,
    model_validator,
)

from story_automator.errors import ReplyInvalid
from story_automator.model.advice import Advice, ErrorClass, NextAction, ParsedStep, Status

LONGEST_REPLY = 1_000_000
DEEPEST_OBJECT = 16
LONGEST_TEXT = 2_000
MOST_QUESTIONS = 20
MOST_PROBLEMS = 3
COMMON = {"status", "summary", "next_action", "confidence", "error_class", "questions"}

DECIMAL = re.compile(r"\d{1,9}(\.\d{1,9})?")
QUOTED_LINE = re.compile(r"(?m)^[ \t]*>.*$")
# Inside an object a string is one piece, so that a brace in it is none.
PIECE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)


def truth(value: object) -> object:
    word = value.strip().lower() if isinstance(value, str) else value
    if word in ("true", "false"):
        return word == "true"
    if isinstance(value, bool):
        return value
    raise ValueError("must be true or false")


def count(value: object) -> object:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return value
    raise ValueError("must be a whole number, zero or more")


def share(value: object) -> object:
    if isinstance(value, str) and DECIMAL.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise ValueError("must be a number from 0 to 1")


def line(value: str) -> str:
    """One line that a terminal can show: no control characters, no half characters."""
    shown = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(shown.split())[:LONGEST_TEXT]


def told(value: str) -> str:
    if not value:
        raise ValueError("must not be empty")
    return value


Truth = Annotated[bool, BeforeValidator(truth)]
Count = Annotated[int, BeforeValidator(count)]
Line = Annotated[StrictStr, AfterValidator(line)]


class Reply(BaseModel):
    """What is asked about every step. Keys beyond the named ones are dropped."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    status: Status
    summary: Annotated[Line, AfterValidator(told)] = Field(description="one or two sentences")
    next_action: NextAction
    confidence: Annotated[float, BeforeValidator(share)] = Field(description="from 0 to 1")
    error_class: ErrorClass
    questions: list[Line] = Field(description="what the agent asked a person, word for word")

    @model_validator(mode="after")
    def agrees_with_itself(self) -> "Reply":
        if self.status is Status.FAILURE and self.next_action is NextAction.PROCEED:
            raise ValueError("status FAILURE cannot go with next_action proceed")
        return self


class CreateReply(Reply):
    story_created: Truth
    story_file: Line | None = Field(description="path of the story file, or null")


class DevReply(Reply):
    tests_passed: Truth
    build_passed: Truth


class AutoReply(Reply):
    tests_added: Count
    coverage_improved: Truth


class Issues(BaseModel):
    """The findings of a review, by severity."""

    model_config = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})

    critical: Count
    high: Count
    medium: Count
    low: Count


class ReviewReply(Reply):
    issues_found: Issues
    all_fixed: Truth


class BuildReply(DevReply):
    story_file: Line | None = Field(description="path of the story file, or null")


MODELS: dict[ParsedStep, type[Reply]] = {
    ParsedStep.CREATE: CreateReply,
    ParsedStep.DEV: DevReply,
    ParsedStep.AUTO: AutoReply,
    ParsedStep.REVIEW: ReviewReply,
    ParsedStep.RETRO: Reply,
    ParsedStep.BUILD: BuildReply,
}


def model_for(step: ParsedStep) -> type[Reply]:
    return MODELS[step]


def schema_for(step: ParsedStep) -> dict[str, Any]:
    """The step's JSON schema, within the part of JSON schema that the providers enforce."""
    return MODELS[step].model_json_schema()


def advice_from(step: ParsedStep, text: str) -> Advice:
    """The advice in a model's reply; ReplyInvalid says in a sentence what is wrong with it."""
    try:
        reply = MODELS[step].model_validate(_own_object(text))
    except ValidationError as error:
        raise ReplyInvalid(_problems(error)) from None
    return Advice(
        step=step,
        status=reply.status,
        summary=reply.summary,
        next_action=reply.next_action,
        own=reply.model_dump(exclude=COMMON),
        confidence=reply.confidence,
        error_class=reply.error_class,
        questions=tuple(filter(None, reply.questions))[:MOST_QUESTIONS],
    )


def _own_object(text: str) -> object:
    """The last object outside any other: what comes before it may be quoted from the session."""
    if len(text) > LONGEST_REPLY:
        raise ReplyInvalid(f"the reply is longer than {LONGEST_REPLY:,} characters")
    found = _last_braces(QUOTED_LINE.sub("", text))
    try:
        return json.loads(found, object_pairs_hook=_once_each, parse_constant=_no_such_number)
    except ValueError as error:
        problem = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise ReplyInvalid(f"the reply's last object is not valid JSON: {problem}") from None


def _last_braces(text: str) -> str:
    """The last outermost {...}; never looks inside one, be it JSON or not."""
    last, start = "", text.find("{")
    while start >= 0:
        end = _end_of_object(text, start)
        last, start = text[start:end], text.find("{", end)
    if not last:
        raise ReplyInvalid("the reply has no JSON object")
    return last


def _end_of_object(text: str, start: int) -> int:
    depth = 0
    for piece in PIECE.finditer(text, start):
        if piece[0] in "{[":
            depth += 1
            if depth > DEEPEST_OBJECT:
                raise ReplyInvalid("the reply's objects are nested too deep")
        elif piece[0] in "}]":
            depth -= 1
            if not depth:
                return piece.end()
    raise ReplyInvalid("the reply's last object is not closed")


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands in it twice")
    return found


def _no_such_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(_problem(one["loc"], one["msg"]) for one in found[:MOST_PROBLEMS])


def _problem(where: tuple[int | str, ...], what: str) -> str:
    return f"{'.'.join(map(str, where)) or 'the reply'}: {what.removeprefix('Value error, ')}"
