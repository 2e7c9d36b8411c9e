"""Command lines of the contract: argparse, but every mistake is one UsageError sentence."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from story_automator.errors import UsageError


class Parser(argparse.ArgumentParser):
    """argparse without abbreviations, without exits: a mistake raises UsageError."""

    def __init__(self, usage: str) -> None:
        super().__init__(usage=usage, add_help=False, allow_abbrev=False)
        self.line = f"Usage: {usage}"

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=self.line)


def wants_help(argv: Sequence[str], usage: str) -> bool:
    """Print the usage line and say so when the first word asks for it."""
    if argv and argv[0] in ("-h", "--help"):
        print(f"Usage: {usage}")
        return True
    return False


def usage_failure(usage: str) -> int:
    """The contract's answer to a missing argument: usage on stderr, exit 1."""
    print(f"Usage: {usage}", file=sys.stderr)
    return 1


def something(text: str) -> str:
    """An option value that may not be empty."""
    if not text:
        raise argparse.ArgumentTypeError("it requires a value")
    return text


def whole_number(text: str) -> int:
    """An option value that must be a whole number of at least zero."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def seconds(text: str) -> float:
    return _duration(text, "seconds")


def minutes(text: str) -> float:
    return _duration(text, "minutes")


def _duration(text: str, unit: str) -> float:
    """An option value that counts time, fractions allowed, never negative."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of {unit}")
    return value
