"""`story-automator classify`: one JSON frame per line in, its state and why per line out."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from story_automator.agents.classify import Frame, classify
from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.errors import StoryAutomatorError

USAGE = "story-automator classify FILE.jsonl|-"
STDIN = "-"


def run(name: str, argv: list[str]) -> int:  # noqa: ARG001 - every command has this shape
    if wants_help(argv, USAGE):
        return 0
    parser = Parser(USAGE)
    parser.add_argument("source", metavar="FILE.jsonl|-")
    source: str = parser.parse_args(argv).source
    folder = Path() if source == STDIN else Path(source).parent
    failed = False
    for number, line in enumerate(_lines(source), start=1):
        if not line.strip():
            continue
        try:
            found = classify(
                Frame.from_json(json.loads(line), lambda file: screen_in(folder / file))
            )
            answer = {"state": found.state.value, "because": found.because}
        except (ValueError, OSError, RecursionError) as error:
            failed = True
            answer = {"state": "error", "because": f"line {number}: {sentence(error)}"}
        print(json_line(answer))
    return 1 if failed else 0


def _lines(source: str) -> Iterator[bytes]:
    if source == STDIN:
        yield from sys.stdin.buffer
        return
    try:
        with open(source, "rb") as file:
            yield from file
    except OSError as error:
        raise StoryAutomatorError(
            f"cannot read {source}: {error.strerror}",
            hint="name a file of JSON lines, or - for stdin",
        ) from error


def screen_in(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def sentence(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "this is not JSON"
    if isinstance(error, RecursionError):
        return "this JSON is nested too deeply"
    if isinstance(error, OSError):
        return f"cannot read the screen: {error.strerror} ({error.filename})"
    return str(error)
