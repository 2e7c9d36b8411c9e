"""`orchestrator-helper parse-output`: what a session's output comes to, and what to do next."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import NoAdvice, Silence, StoryAutomatorError, UsageError
from story_automator.model.advice import Advice, ParsedStep
from story_automator.model.parser_settings import ParserKind, parser_kind

USAGE = (
    "orchestrator-helper parse-output <file> <step> [--state-file path] "
    "[--parser auto|api|cli|rules] [--model name] [--explain]"
)
CONTRACT_INVALID = "parse_contract_invalid"


def run(_: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    try:
        advice = _advice(argv)
    except NoAdvice as silence:
        return _failure(silence, silence.reason, silence.error_class)
    except StoryAutomatorError as error:
        return _failure(error, CONTRACT_INVALID, Silence.BAD_REQUEST)
    print(json_line(_told(advice)))
    return 0


def _advice(argv: list[str]) -> Advice:
    from story_automator.edges.config import settings
    from story_automator.run.parse import Parsing, parse, silent

    parser = Parser(USAGE)
    parser.add_argument("file", nargs="?", default="")
    parser.add_argument("step", nargs="?")
    for flag in ("--state-file", "--parser", "--model"):
        parser.add_argument(flag)
    parser.add_argument("--explain", action="store_true")
    try:
        given = parser.parse_args(argv)
    except UsageError:
        # It also takes flags between the words, but it draws a usage first, which takes longer.
        given = parser.parse_intermixed_args(argv)
    if given.step is None:
        words = "a file and a step are needed"
        raise NoAdvice(words, error_class=Silence.NO_OUTPUT, hint=parser.line)
    if given.state_file is not None:
        _check_state_file(given.state_file)
    configured = settings()
    choice = configured.parser
    try:
        if given.parser is not None:
            choice = replace(choice, kind=parser_kind(given.parser))
        if given.model is not None:
            choice = replace(choice, model=given.model)
    except ValueError as error:
        raise StoryAutomatorError(f"--parser, --model: {error}") from None
    if choice.kind is not ParserKind.RULES:
        _leave_nobody_behind()
    parsing = Parsing(
        choice,
        os.environ,
        configured.environment,
        say=_say,
        explain=_say if given.explain else silent,
    )
    return parse(Path(given.file), _step(given.step), parsing)


def _step(word: str) -> ParsedStep:
    try:
        return ParsedStep(word)
    except ValueError:
        known = ", ".join(ParsedStep)
        raise NoAdvice(
            f"unknown step: {word}", error_class=Silence.UNKNOWN_STEP, hint=f"one of {known}"
        ) from None


def _check_state_file(named: str) -> None:
    from story_automator.edges.policy import pinned_policy
    from story_automator.edges.project import project_root

    if not named:
        raise StoryAutomatorError("--state-file requires a value")
    pinned_policy(project_root(), Path(named))


def _leave_nobody_behind() -> None:
    """Who ends us ends the program that we ask, too."""
    import signal

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def _told(advice: Advice) -> dict[str, object]:
    told: dict[str, object] = {
        "status": advice.status,
        **advice.own,
        "summary": advice.summary,
        "next_action": advice.next_action,
        "confidence": round(advice.confidence, 2),
        "error_class": advice.error_class,
        "questions": advice.questions,
        "parser": advice.parser,
        "model": advice.model,
    }
    usage = {
        "input_tokens": advice.input_tokens,
        "output_tokens": advice.output_tokens,
        "cost_usd": advice.cost_usd,
    }
    known = {name: value for name, value in usage.items() if value is not None}
    return {**told, **({"usage": known} if known else {})}


def _failure(error: StoryAutomatorError, reason: str, kind: Silence) -> int:
    _say(f"{error.message}{f'; {error.hint}' if error.hint else ''}")
    print(json_line({"status": "error", "reason": reason, "error_class": kind}))
    return 1


def _say(words: str) -> None:
    print(f"parse-output: {words}", file=sys.stderr)
