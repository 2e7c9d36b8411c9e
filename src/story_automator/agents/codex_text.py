"""A line of `codex exec --json` as readable entries. Reasoning is left out."""

import json
import shlex
from collections.abc import Iterator, Mapping

from story_automator.agents import entry
from story_automator.agents.entry import Clean, Entry

SHELLS = ("bash", "sh", "zsh")
SHELL_FLAGS = ("-c", "-lc")
CALLS = frozenset({"command_execution", "file_change", "mcp_tool_call", "web_search"})


def is_event(line: object) -> bool:
    """Whether a line is one that Codex tells its story with."""
    if not isinstance(line, Mapping):
        return False
    kind = line.get("type")
    return kind == "error" or str(kind).startswith(("thread.", "turn.", "item."))


class CodexText:
    """Reads lines in the order in which they were printed."""

    def __init__(self, clean: Clean) -> None:
        self._clean = clean
        self._shown: set[str] = set()  # calls that began
        self._newest_call = ""
        self._newest_error = ""
        self._warned: set[str] = set()

    def read(self, line: object) -> Iterator[Entry]:
        if not isinstance(line, Mapping):
            return
        kind, item = line.get("type"), line.get("item")
        if kind == "error":
            self._newest_error = _message(line)
            yield entry.trouble(self._newest_error, self._clean)
        elif kind == "turn.failed":
            yield self._failed(_message(line.get("error")))
        elif isinstance(item, Mapping) and isinstance(kind, str) and kind.startswith("item."):
            yield from self._item(item, is_over=kind == "item.completed")

    def _item(self, item: Mapping[str, object], *, is_over: bool) -> Iterator[Entry]:
        kind = item.get("type")
        if kind == "todo_list":
            yield from entry.boxes(_tasks(item.get("items")), self._clean)
        elif kind in CALLS:
            yield from self._call(item, is_over=is_over)
        elif is_over and kind == "agent_message":
            self._newest_call = ""
            yield from entry.said(str(item.get("text") or ""), self._clean)
        elif is_over and kind == "error":
            yield from self._warning(_message(item))

    def _failed(self, error: str) -> Entry:
        if error == self._newest_error:
            return entry.note("the turn failed")
        return entry.trouble(error, self._clean, "the turn failed")

    def _warning(self, warning: str) -> Iterator[Entry]:
        """Such an error also comes in turns that succeed, some of them twice."""
        if warning not in self._warned:
            self._warned.add(warning)
            yield entry.warning(warning, self._clean)

    def _call(self, item: Mapping[str, object], *, is_over: bool) -> Iterator[Entry]:
        number = str(item.get("id"))
        called = entry.call(*_call(item), self._clean)
        if number not in self._shown:
            self._shown.add(number)
            self._newest_call = number
            yield called
        if is_over:
            self._shown.discard(number)
            text, failed = _answer(item)
            of = "" if number == self._newest_call else called.text
            self._newest_call = number
            yield from entry.result(text, self._clean, failed=failed, of=of)


def _call(item: Mapping[str, object]) -> tuple[str, str]:
    """A name and what it is about."""
    match item.get("type"):
        case "command_execution":
            return "Bash", _script(str(item.get("command") or ""))
        case "file_change":
            changes = item.get("changes")
            found = (
                [c for c in changes if isinstance(c, Mapping)] if isinstance(changes, list) else []
            )
            return "Change", ", ".join(f"{c.get('kind')} {c.get('path')}" for c in found)
        case "mcp_tool_call":
            return f"{item.get('server')}.{item.get('tool')}", _told(item.get("arguments"))
        case _:
            return "WebSearch", str(item.get("query") or "")


def _answer(item: Mapping[str, object]) -> tuple[str, bool]:
    """What came back, and whether it is a failure."""
    failed = item.get("status") == "failed"
    if item.get("type") == "command_execution":
        output, code = str(item.get("aggregated_output") or ""), item.get("exit_code")
        failed = failed or code not in (0, None)
        return (f"exit code {code}\n{output}" if failed else output), failed
    if item.get("type") == "mcp_tool_call":
        error = item.get("error")
        return (_message(error) if error else _told(item.get("result"))), failed or bool(error)
    return ("failed" if failed else ""), failed


def _script(command: str) -> str:
    """What a shell was asked to run, without the shell."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    if len(words) == 3 and words[0].rsplit("/")[-1] in SHELLS and words[1] in SHELL_FLAGS:
        return words[2]
    return command


def _message(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("message") or "unknown error")
    return str(value or "unknown error")


def _tasks(items: object) -> list[tuple[str, bool]]:
    listed = items if isinstance(items, list) else []
    return [
        (str(item.get("text") or ""), item.get("completed") is True)
        for item in listed
        if isinstance(item, Mapping)
    ]


def _told(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False) if value else ""
    except (RecursionError, TypeError, ValueError):
        return "…"
