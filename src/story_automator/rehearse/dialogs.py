"""Acts that wait for a person: menus and questions that replace the prompt."""

from dataclasses import dataclass

from story_automator.rehearse import screen
from story_automator.rehearse.show import Curtain, Interrupted, Show


@dataclass(frozen=True, slots=True)
class Trust:
    """The dialog before anything else: no hook runs and no statusline is drawn behind it."""

    def play(self, show: Show) -> None:
        question = (
            "Quick safety check: Is this a project you created or one you trust? "
            "If not, look into this folder first."
        )
        show.put("")
        answer = show.ask(
            (
                " Accessing workspace:",
                "",
                f" {show.project}",
                "",
                *screen.block(" ", question, show.columns),
                "",
                " ❯ 1. Yes, I trust this folder",
                "   2. No, exit",
                "",
                " Enter to confirm · Esc to cancel",
            ),
            options=2,
        )
        if answer != 1:
            raise Curtain(1)
        show.draw()


@dataclass(frozen=True, slots=True)
class Permission:
    """A tool may run only when a person says so."""

    command: str
    purpose: str = "Run a command"

    def play(self, show: Show) -> None:
        call = {"tool_name": "Bash", "tool_input": {"command": self.command}}
        show.emit("PreToolUse", **call, tool_use_id="permission")
        show.tool = (
            *screen.block("● ", f"Bash({self.command})", show.columns),
            *screen.result("Waiting…", show.columns),
        )
        show.emit("PermissionRequest", **call, permission_suggestions=[])
        answer = show.ask(
            (
                " Bash command",
                "",
                f"   {self.command}",
                f"   {self.purpose}",
                "",
                " Do you want to proceed?",
                " ❯ 1. Yes",
                "   2. No",
                "",
                " Esc to cancel · Tab to amend · ctrl+e to explain",
            ),
            options=2,
            notice="Claude needs your permission to use Bash",
        )
        show.tool = ()
        if answer != 1:
            raise Interrupted
        show.emit("PostToolUse", **call, tool_use_id="permission", tool_response={})


@dataclass(frozen=True, slots=True)
class Question:
    """The agent asks with a menu of answers; the one chosen is shown in the transcript."""

    header: str
    question: str
    options: tuple[str, ...]

    def play(self, show: Show) -> None:
        call = {"tool_name": "AskUserQuestion", "tool_input": {"question": self.question}}
        show.emit("PreToolUse", **call, tool_use_id="question")
        show.emit("PermissionRequest", **call)
        numbered = [f"{n + 1}. {option}" for n, option in enumerate(self.options)]
        last = len(self.options)
        answer = show.ask(
            (
                f" ☐ {self.header}",
                "",
                *screen.block("", self.question, show.columns),
                "",
                *((" " if n else "❯") + f" {row}" for n, row in enumerate(numbered)),
                f"  {last + 1}. Type something.",
                "─" * show.columns,
                f"  {last + 2}. Chat about this",
                "",
                "Enter to select · ↑/↓ to navigate · Esc to cancel",
            ),
            options=last,
            notice="Claude needs your attention",
        )
        if not answer:
            raise Interrupted
        show.emit("PostToolUse", **call, tool_use_id="question", tool_response={"answer": answer})
        chosen = self.options[answer - 1]
        show.say("● ", f"User answered Claude's questions:\n· {self.question} → {chosen}")
