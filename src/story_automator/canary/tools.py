"""How each client names its tools and what they take."""

import re
from collections.abc import Callable
from typing import Any

from story_automator.canary.acts import (
    AskPerson,
    Delegate,
    Heard,
    PresentPlan,
    Run,
    ToolUse,
    Use,
    WriteFile,
)

Call = tuple[str, dict[str, Any]]
ESCALATED = {"sandbox_permissions": "require_escalated", "justification": "A canary trial"}
WORKING_DIRECTORY = re.compile(r"(?:working directory:|<cwd>)\s*(/[^\n<]*)", re.IGNORECASE)


def working_directory(heard: Heard) -> str:
    """The folder that the client says it works in."""
    for text in (heard.system, *(word for word in heard.said if isinstance(word, str))):
        if found := WORKING_DIRECTORY.search(text):
            return found[1].strip()
    return "."


def bash(act: Run) -> dict[str, Any]:
    given: dict[str, Any] = {"command": act.command, "description": "Canary trial"}
    return {**given, "run_in_background": True} if act.background else given


def exec_command(act: Run) -> dict[str, Any]:
    # Codex goes on without the command once this time is over.
    given: dict[str, Any] = {"cmd": act.command, "yield_time_ms": 250 if act.background else 30_000}
    if act.escalated:
        given |= ESCALATED
    return given


def shell_command(act: Run) -> dict[str, Any]:
    return {"command": act.command, **(ESCALATED if act.escalated else {})}


SHELLS: dict[str, Callable[[Run], dict[str, Any]]] = {
    "Bash": bash,
    "exec_command": exec_command,
    "shell_command": shell_command,
    "shell": lambda act: {**shell_command(act), "command": ["bash", "-lc", act.command]},
    "bash": bash,
    "run_shell_command": bash,
}


def offered(heard: Heard, *names: str) -> str:
    """The first of these tools that the client has; the first of all if it has none."""
    return next((name for name in names if name in heard.tools), names[0])


def call(act: ToolUse, heard: Heard) -> Call:
    """The tool call that this client understands."""
    match act:
        case Run():
            name = offered(heard, *SHELLS)
            return name, SHELLS[name](act)
        case WriteFile():
            name = offered(heard, "Write", "write", "write_file")
            if name not in heard.tools:
                return call(Run(f"printf %s '{act.content}' > {act.name}"), heard)
            path = f"{working_directory(heard)}/{act.name}"
            key = "filePath" if name == "write" else "file_path"
            return name, {key: path, "content": act.content}
        case Delegate():
            name = offered(heard, "Task", "Agent", "task")
            return name, {
                "description": "Canary sub-agent",
                "prompt": act.prompt,
                "subagent_type": "general" if name == "task" else "general-purpose",
            }
        case AskPerson():
            options = [{"label": option, "description": option} for option in act.options]
            question = {"question": act.question, "header": "Canary", "options": options}
            return offered(heard, "AskUserQuestion", "question"), {
                "questions": [{**question, "multiSelect": False}]
            }
        case PresentPlan():
            return "ExitPlanMode", {"plan": act.plan}
        case Use():
            return act.name, dict(act.given)
