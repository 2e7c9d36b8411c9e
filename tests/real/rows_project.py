"""Rows about the top level, the project's names, .gitignore and sessions that do not exist."""

import re

from tests.real.published import DIRECTORY, Row

HELP = "help is answered wherever it is asked for"
UNKNOWN = "an unknown word gets a usage error"
NO_VALUE = "a flag without its value gets a usage error"
NO_TRACEBACK = "bad input gets an answer, never a traceback"
REFUSED = (1, "")
USAGE = (0, re.compile(r"^Usage: "))


def slug(*argv: str) -> list[str]:
    return ["derive-project-slug", *argv]


def gitignore(*argv: str) -> list[str]:
    return ["ensure-marker-gitignore", *argv]


ENTRY = gitignore("--gitignore", ".gitignore", "--entry", ".claude/marker")

TOP_LEVEL = {
    "no-command": Row([]),
    "unknown-command": Row(["nope"]),
    "unknown-command-with-help": Row(["nope", "--help"]),
    "help": Row(
        ["--help"],
        differs="commands of our own are listed, those that are not built yet are not",
        ours=(0, re.compile(r"^story-automator <command> \[args\]\n\nCommands:\n(  [a-z-]+\n)+$")),
    ),
    "short-help": Row(
        ["-h"],
        differs="commands of our own are listed, those that are not built yet are not",
        ours=(0, re.compile(r"^story-automator <command> \[args\]\n\nCommands:\n(  [a-z-]+\n)+$")),
    ),
}

SLUGS = {
    "here": Row(slug()),
    "never-from-the-environment": Row(slug(), env={"PROJECT_ROOT": "/srv/other"}),
    "of-a-path": Row(slug("--project-root", "/srv/Customer-API_2")),
    "of-a-path-that-ends-in-a-slash": Row(slug("--project-root", "/a/b/")),
    "of-a-relative-path": Row(slug("--project-root", "x/y/../Z")),
    "of-the-root": Row(slug("--project-root", "/")),
    "of-a-name-beyond-ascii": Row(slug("--project-root", "/srv/Éclair")),
    "of-nothing": Row(slug("--project-root", "")),
    "last-flag-wins": Row(slug("--project-root", "/a", "--project-root", "/b")),
    "help": Row(slug("--help")),
    "short-help": Row(slug("-h")),
    "flag-without-value": Row(slug("--project-root"), differs=NO_VALUE, ours=REFUSED),
    "unknown-flag": Row(slug("--bogus"), differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row(slug("extra"), differs=UNKNOWN, ours=REFUSED),
    "flag-with-equals-sign": Row(
        slug("--project-root=/srv/x"),
        differs="--flag=value is understood",
        ours=(0, '{"ok":true,"slug":"x","projectRoot":"/srv/x"}\n'),
    ),
}

GITIGNORES = {
    "no-arguments": Row(gitignore()),
    "no-entry": Row(gitignore("--gitignore", ".gitignore")),
    "no-file": Row(gitignore("--entry", "x")),
    "entry-without-value": Row(gitignore("--gitignore", ".gitignore", "--entry")),
    "file-without-value": Row(gitignore("--entry", "x", "--gitignore")),
    "empty-entry": Row(gitignore("--gitignore", ".gitignore", "--entry", "")),
    "new-file": Row(ENTRY, leaves=[".gitignore"]),
    "entry-is-there": Row(ENTRY, {".gitignore": "a\n  .claude/marker \n"}, leaves=[".gitignore"]),
    "twice": Row(ENTRY, first=[ENTRY], leaves=[".gitignore"]),
    "only-in-a-comment": Row(ENTRY, {".gitignore": "# .claude/marker\n"}, leaves=[".gitignore"]),
    "last-line-unfinished": Row(ENTRY, {".gitignore": "a\nb"}, leaves=[".gitignore"]),
    "beyond-ascii": Row(
        gitignore("--gitignore", ".gitignore", "--entry", "É"), leaves=[".gitignore"]
    ),
    "entry-with-blanks": Row(
        gitignore("--gitignore", ".gitignore", "--entry", " x "), leaves=[".gitignore"]
    ),
    "entry-is-a-comment": Row(
        gitignore("--gitignore", ".gitignore", "--entry", "#x"),
        differs="an entry that git would not read is refused",
        ours=REFUSED,
    ),
    "no-such-folder": Row(
        gitignore("--gitignore", "sub/.gitignore", "--entry", "x"),
        differs=NO_TRACEBACK,
        ours=(1, re.compile('^{"ok":false,"error":"write_failed","path":"sub/.gitignore"')),
    ),
    "file-is-a-directory": Row(
        gitignore("--gitignore", "d", "--entry", "x"),
        {"d": DIRECTORY},
        differs=NO_TRACEBACK,
        ours=(1, re.compile('^{"ok":false,"error":"write_failed","path":"d"')),
    ),
    "help": Row(gitignore("--help"), differs=HELP, ours=USAGE),
    "unknown-flag": Row([*ENTRY, "--bogus"], differs=UNKNOWN, ours=REFUSED),
}

LISTS = {
    "no-slug": Row(["list-sessions"]),
    "slug-without-value": Row(["list-sessions", "--slug"]),
    "empty-slug": Row(["list-sessions", "--slug", ""]),
    "no-server": Row(["list-sessions", "--slug", "shopapi"]),
    "help": Row(["list-sessions", "--help"]),
    "unknown-flag": Row(["list-sessions", "--slug", "x", "--bogus"], differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row(["list-sessions", "x"], differs=UNKNOWN, ours=REFUSED),
}


def absent(command: str) -> dict[str, Row]:
    """A status of sessions that are not there."""
    gone = (0, "not_found,0,0,,0,not_found\n")
    return {
        "no-session": Row([command]),
        "unknown-session": Row([command, "nope"]),
        "unknown-session-in-full": Row([command, "nope", "--full"]),
        "unknown-session-elsewhere": Row([command, "nope", "--project-root", "/x"]),
        "name-with-a-slash": Row([command, "a/b"]),
        "name-with-a-blank": Row([command, "a b"], differs=NO_TRACEBACK, ours=gone),
        "name-too-long": Row([command, "x" * 161], differs=NO_TRACEBACK, ours=gone),
        "name-beyond-ascii": Row([command, "é"], differs=NO_TRACEBACK, ours=gone),
        "empty-name": Row(
            [command, ""],
            differs=NO_TRACEBACK,
            ours=(int(command == "tmux-status-check"), "error,0,0,no_session,30,error\n"),
        ),
        "help": Row([command, "--help"], differs=HELP, ours=USAGE),
        "flag-without-value": Row(
            [command, "nope", "--project-root"], differs=NO_VALUE, ours=REFUSED
        ),
        "unknown-flag": Row([command, "nope", "--bogus"], differs=UNKNOWN, ours=REFUSED),
        "flag-in-place-of-the-session": Row([command, "--full"], differs=UNKNOWN, ours=REFUSED),
    }


HEARTBEATS = {
    "no-session": Row(["heartbeat-check"]),
    "empty-name": Row(["heartbeat-check", ""]),
    "unknown-session": Row(["heartbeat-check", "nope"]),
    "unknown-session-of-codex": Row(["heartbeat-check", "nope", "--agent", "codex"]),
    "unknown-agent": Row(["heartbeat-check", "nope", "--agent", "gemini"]),
    "name-with-a-slash": Row(["heartbeat-check", "a/b"]),
    "name-too-long": Row(
        ["heartbeat-check", "x" * 161],
        differs=NO_TRACEBACK,
        ours=(0, "error,0.0,,session_not_found\n"),
    ),
    "help": Row(["heartbeat-check", "--help"], differs=HELP, ours=USAGE),
    "unknown-flag": Row(["heartbeat-check", "nope", "--bogus"], differs=UNKNOWN, ours=REFUSED),
    "flag-without-value": Row(
        ["heartbeat-check", "nope", "--agent"], differs=NO_VALUE, ours=REFUSED
    ),
}


def monitor(*argv: str) -> list[str]:
    return ["monitor-session", *argv, "--initial-wait", "0"]


MONITORS = {
    "no-session": Row(["monitor-session"]),
    "help": Row(
        ["monitor-session", "--help"],
        differs="the usage names our own options too",
        ours=(0, re.compile(r"^Usage: monitor-session <session_name>.*--json")),
    ),
    "unknown-session": Row(monitor("nope")),
    "unknown-session-as-json": Row(monitor("nope", "--json")),
    "unknown-session-of-a-story": Row(
        monitor("nope", "--json", "--workflow", "create", "--story-key", "5.3")
    ),
    "unknown-workflow": Row(monitor("nope", "--workflow", "nope")),
    "unknown-session-of-codex": Row(monitor("nope", "--agent", "codex")),
    "another-project": Row(monitor("nope", "--project-root", "/none")),
    "name-with-a-slash": Row(monitor("a/b")),
    "empty-name": Row(monitor("")),
    "state-file-without-value": Row(["monitor-session", "nope", "--state-file"]),
    "polls-in-words": Row(monitor("nope", "--max-polls", "x")),
    "timeout-in-words": Row(monitor("nope", "--timeout", "x")),
    "wait-in-words": Row(["monitor-session", "nope", "--initial-wait", "x"]),
    "no-polls": Row(
        monitor("nope", "--max-polls", "0"),
        differs="a session is looked at before it is given up",
        ours=(0, "not_found,0,0,,session_gone\n"),
    ),
    "no-such-state-file": Row(
        monitor("nope", "--state-file", "gone.md"),
        differs="a bad value gets a usage error",
        ours=REFUSED,
    ),
    "unknown-flag": Row(monitor("nope", "--bogus"), differs=UNKNOWN, ours=REFUSED),
}

ROWS = {
    "top": TOP_LEVEL,
    "derive-project-slug": SLUGS,
    "ensure-marker-gitignore": GITIGNORES,
    "list-sessions": LISTS,
    "tmux-status-check": absent("tmux-status-check"),
    "codex-status-check": absent("codex-status-check"),
    "heartbeat-check": HEARTBEATS,
    "monitor-session": MONITORS,
}
