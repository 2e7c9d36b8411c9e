"""The canary's script: what is tried with each agent, which signals it must give, which verdict."""

from dataclasses import dataclass
from datetime import timedelta

from story_automator.model.verdict import FinalState

# What the monitor goes by when a new version no longer gives a signal.
FALLBACKS = {
    "SessionStart": "the session file",
    "UserPromptSubmit": "the session file",
    "PreToolUse": "the growth of the transcript",
    "PostToolUse": "the growth of the transcript",
    "PermissionRequest": "the session file, then the screen",
    "PreCompact": "the screen",
    "Stop": "the session file, then the transcript and the title",
    "StopFailure": "the transcript",
    "resets_at": "nothing: a limit is waited for without knowing its end",
    "heartbeat": "the clock on the screen",
    "transcript": "the log of the pane",
    "session_file": "the pane title",
    "title": "the screen",
    "screen": "hooks and session file alone",
    "exit": "the pane's own status",
    "json": "the exit code",
    "last_message": "the events on its output",
}
# What a verdict rests on. All else has something in its place that tells the same.
PRIMARY = frozenset(
    {"UserPromptSubmit", "PermissionRequest", "Stop", "StopFailure", "resets_at", "exit"}
)
BEGIN = ("SessionStart", "UserPromptSubmit")
AT_REST = ("heartbeat", "transcript", "session_file", "title", "screen")
LONG = timedelta(seconds=60)
SHORT = timedelta(seconds=10)
RESETS_IN = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Trial:
    """One session: what the model does, and what has to be seen of it."""

    name: str
    behaviour: str
    state: FinalState
    reason: str  # empty: any
    signals: tuple[str, ...]
    signed_in: bool = False  # with the login of a plan instead of a key
    killed: bool = False  # as soon as its tool runs

    @property
    def expected(self) -> str:
        return f"{self.state}/{self.reason}" if self.reason else str(self.state)


def _done(name: str, behaviour: str, *signals: str) -> Trial:
    return Trial(name, behaviour, FinalState.COMPLETED, "normal_completion", signals)


def _failed(name: str, behaviour: str, reason: str, *signals: str) -> Trial:
    return Trial(name, behaviour, FinalState.INCOMPLETE, reason, signals)


CLAUDE_FAILED = (*BEGIN, "StopFailure", *AT_REST)
CLAUDE = (
    _done("turn", "turn", *BEGIN, "Stop", *AT_REST),
    _done("tool", "write", *BEGIN, "PreToolUse", "PostToolUse", "Stop", *AT_REST),
    Trial(
        *("permission", "permission", FinalState.STUCK, "permission_prompt"),
        # No heartbeat: the statusline is not drawn behind a dialog.
        (*BEGIN, "PreToolUse", "PermissionRequest", "transcript", "session_file", "screen"),
    ),
    _done("background", "background:3", *BEGIN, "PreToolUse", "Stop", *AT_REST),
    Trial(
        *("limit", f"limit:{RESETS_IN.seconds}", FinalState.INCOMPLETE, "usage_limit"),
        (*BEGIN, "StopFailure", "resets_at", "transcript", "session_file", "screen"),
        signed_in=True,
    ),
    _failed("401", "unauthorized", "auth_error", *CLAUDE_FAILED),
    _failed("529", "overloaded", "api_error", *CLAUDE_FAILED),
    _done("compaction", "compact", *BEGIN, "PreCompact", "Stop", *AT_REST),
)
# Only the deadline ends a reply that stalls: it must never look finished.
CLAUDE_BROKEN = (
    Trial(
        *("stall", "stall", FinalState.TIMEOUT, ""),
        (*BEGIN, "heartbeat", "session_file", "title"),
    ),
    Trial(
        *("kill -9", "bash:60", FinalState.CRASHED, ""),
        # No transcript: it may not have been begun by then. No session file: the next Claude to
        # start clears away what a dead one left.
        (*BEGIN, "PreToolUse", "exit"),
        killed=True,
    ),
)

CODEX_SAYS = (*BEGIN, "Stop", "json", "last_message", "transcript", "exit")
CODEX = (
    _done("turn", "turn", *CODEX_SAYS),
    _done("tool", "write", "PreToolUse", "PostToolUse", *CODEX_SAYS),
    _failed("question", "question", "question", *CODEX_SAYS),
    _failed("401", "unauthorized", "auth_error", "json", "transcript", "exit"),
    _failed("429", "rate", "rate_limited", "json", "transcript", "exit"),
    _failed("529", "overloaded", "api_error", "json", "transcript", "exit"),
)
CODEX_BROKEN = (
    Trial(*("stall", "stall", FinalState.TIMEOUT, ""), (*BEGIN, "json", "transcript")),
    Trial(
        *("kill -9", "bash:60", FinalState.CRASHED, ""),
        (*BEGIN, "PreToolUse", "json", "exit"),
        killed=True,
    ),
)

# Which trials run at once, and how long each of them may take.
SCRIPTS = {
    "claude": ((CLAUDE[:4], LONG), (CLAUDE[4:], LONG), (CLAUDE_BROKEN, SHORT)),
    "codex": ((CODEX, LONG), (CODEX_BROKEN, SHORT)),
}
