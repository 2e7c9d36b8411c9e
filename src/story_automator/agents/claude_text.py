"""A line of Claude's transcript as readable entries.

Left out: thinking, system lines, and the work of sub-agents – the call that started one and the
report it gave back stand for it, and nothing in it may be taken for the agent's own words.
"""

import json
import re
from collections.abc import Iterator, Mapping

from story_automator.agents import entry
from story_automator.agents.claude_tasks import TOOLS, Tasks
from story_automator.agents.entry import Clean, Entry

INTERRUPTED = "[Request interrupted by user"
# What a call is mainly about, best first.
TELLING = (
    *("command", "file_path", "notebook_path", "pattern", "url", "query", "description", "skill"),
    *("question", "path", "prompt", "plan"),
)
PATHS = frozenset({"file_path", "notebook_path", "path"})
COMMAND = re.compile(r"<command-name>(.{0,200}?)</command-name>")
ARGUMENTS = re.compile(r"<command-args>(.{0,20000}?)</command-args>", re.DOTALL)
COMMAND_OUTPUT = re.compile(r"<local-command-std(?:out|err)>(.*)</local-command-std", re.DOTALL)
NOTIFICATION = re.compile(r"<task-notification>.*?<summary>(.{0,2000}?)</summary>", re.DOTALL)
TAGS_OF_ERROR = ("<tool_use_error>", "</tool_use_error>")


class ClaudeText:
    """Reads lines in the order of their time."""

    def __init__(self, clean: Clean) -> None:
        self._clean = clean
        self._tasks = Tasks()
        self._open: dict[str, tuple[str, str]] = {}  # calls without an answer: name and row
        self._newest_call = ""  # the one told last, as long as nothing else was told after it

    def read(self, line: object) -> Iterator[Entry]:
        """The entries of one line; nothing for a line that is none of the conversation."""
        if not isinstance(line, Mapping) or line.get("isSidechain") is True:
            return
        message = line.get("message")
        content = message.get("content") if isinstance(message, Mapping) else None
        match line.get("type"):
            case "assistant":
                yield from self._assistant(line, content)
            case "user" if line.get("isCompactSummary") is True:
                yield entry.note("the conversation was compacted; its summary")
                yield from entry.prompt(_text(content), self._clean)
            case "user" if line.get("isMeta") is not True:
                yield from self._user(line, content)
            case "attachment" if isinstance(attached := line.get("attachment"), Mapping):
                if attached.get("type") == "queued_command":
                    yield from self._prompt(_text(attached.get("prompt")))

    def close(self) -> Iterator[Entry]:
        """What was still to be shown."""
        if self._tasks.changed:
            yield from entry.boxes(self._tasks.shown(), self._clean)

    def _assistant(self, line: Mapping[str, object], content: object) -> Iterator[Entry]:
        if line.get("isApiErrorMessage") is True:
            about = (str(line[key]) for key in ("error", "apiErrorStatus") if line.get(key))
            yield entry.trouble(_text(content), self._clean, " ".join(about))
            return
        for block in _blocks(content):
            if block.get("type") == "text":
                yield from self.close()
                self._newest_call = ""
                yield from entry.said(str(block.get("text") or ""), self._clean)
            elif str(block.get("type")).endswith("tool_use"):
                given = block.get("input")
                yield from self._call(block, given if isinstance(given, Mapping) else {}, line)

    def _call(
        self, block: Mapping[str, object], given: Mapping[str, object], line: Mapping[str, object]
    ) -> Iterator[Entry]:
        name, number = str(block.get("name") or "tool"), str(block.get("id"))
        if name in TOOLS:
            self._open[number] = name, f"● {name}"
            self._tasks.called(name, given)
            return
        yield from self.close()
        called = entry.call(name, _argument(given, str(line.get("cwd") or "")), self._clean)
        self._open[number] = name, called.text
        self._newest_call = number
        yield called

    def _user(self, line: Mapping[str, object], content: object) -> Iterator[Entry]:
        words = []
        for block in _blocks(content):
            if block.get("type") == "tool_result":
                yield from self._result(block, line.get("toolUseResult"))
            else:
                words.append(_text([block]))
        yield from self._prompt("\n".join(words))

    def _result(self, block: Mapping[str, object], answer: object) -> Iterator[Entry]:
        number, failed = str(block.get("tool_use_id")), block.get("is_error") is True
        name, called = self._open.pop(number, ("", ""))
        if name in TOOLS and not failed:
            self._tasks.answered(answer)
            return
        text = _text(block.get("content"))
        for tag in TAGS_OF_ERROR:
            text = text.replace(tag, "")
        of = "" if number == self._newest_call else called
        self._newest_call = number
        yield from entry.result(text, self._clean, failed=failed, of=of)

    def _prompt(self, text: str) -> Iterator[Entry]:
        if not text.strip():
            return
        self._newest_call = ""
        if text.startswith(INTERRUPTED):
            yield entry.trouble(text, self._clean)
        elif output := COMMAND_OUTPUT.match(text):
            yield from entry.result(output[1], self._clean, failed=False)
        else:
            if command := COMMAND.search(text) if text.startswith("<command-") else None:
                arguments = ARGUMENTS.search(text)
                text = f"{command[1]} {arguments[1] if arguments else ''}".strip()
            elif told := NOTIFICATION.match(text):
                text = told[1]
            yield from entry.prompt(text, self._clean)


def _blocks(content: object) -> list[Mapping[str, object]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, Mapping)]


def _text(content: object) -> str:
    """The text of a message or of a tool's answer, whichever form it has."""
    told = []
    for block in _blocks(content):
        kind = block.get("type")
        text = block.get("text")
        told.append(text if isinstance(text, str) else f"[{kind}]" if kind else "")
    return "\n".join(told)


def _argument(given: Mapping[str, object], folder: str) -> str:
    questions = given.get("questions")
    if isinstance(questions, list):
        return " / ".join(str(one.get("question") or "") for one in _blocks(questions))
    for key in TELLING:
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return value.removeprefix(f"{folder}/") if folder and key in PATHS else value
    try:
        return json.dumps(given, ensure_ascii=False) if given else ""
    except (RecursionError, TypeError, ValueError):
        return "…"
