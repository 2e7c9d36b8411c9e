"""Rows about tmux-wrapper without a living session, and orchestrator-helper itself."""

import re

from tests.real.published import Row
from tests.real.rows_project import HELP, NO_TRACEBACK, REFUSED, UNKNOWN, USAGE

SAFE_NAME = "C1 32: an id that tmux cannot carry is refused"
NAMED = "C3: a dotted epic gives a name that tmux keeps"


def wrap(*argv: str, **env: str) -> Row:
    return Row(["tmux-wrapper", *argv], env=env)


def refused(*argv: str, because: str = UNKNOWN) -> Row:
    return Row(["tmux-wrapper", *argv], differs=because, ours=REFUSED)


TOP = {
    "no-action": wrap(),
    "unknown-action": wrap("nope"),
    "help": Row(
        ["tmux-wrapper", "--help"],
        differs="each tool words its usage itself",
        ours=(0, re.compile(r"^Usage: tmux-wrapper <action> \[args\.\.\.\]\n(.*\n)+.*--command")),
    ),
    "help-of-spawn": Row(
        ["tmux-wrapper", "spawn", "--help"],
        differs="each tool words its usage itself",
        ours=(0, re.compile(r"^Usage: tmux-wrapper <action> \[args\.\.\.\]\n(.*\n)+.*--command")),
    ),
    "help-of-build-cmd": Row(
        ["tmux-wrapper", "build-cmd", "--help"],
        differs="each tool words its usage itself",
        ours=(0, re.compile(r"^Usage: tmux-wrapper <action> \[args\.\.\.\]\n(.*\n)+.*build-cmd")),
    ),
    "help-of-name": Row(["tmux-wrapper", "name", "--help"], differs=HELP, ours=USAGE),
}

SPAWNS = {
    "nothing": wrap("spawn"),
    "two-words": wrap("spawn", "dev", "5"),
    "no-command": wrap("spawn", "dev", "5", "5.3"),
    "command-without-value": wrap("spawn", "dev", "5", "5.3", "--command"),
    "empty-command": wrap("spawn", "dev", "5", "5.3", "--command", ""),
    "step-of-two-words": wrap("spawn", "dev x", "5", "5.3", "--command", "true"),
    "colon-in-the-story": wrap("spawn", "dev", "5", "5:3", "--command", "true"),
    "endless-story": wrap("spawn", "dev", "5", "5" * 150, "--command", "true"),
    "unknown-flag": refused("spawn", "dev", "5", "5.3", "--command", "true", "--bogus"),
}

NAMES = {
    "nothing": wrap("name"),
    "two-words": wrap("name", "dev", "5"),
    "plain": wrap("name", "dev", "5", "5.3"),
    "positional-cycle": wrap("name", "dev", "5", "5.3", "2"),
    "empty-cycle": wrap("name", "dev", "5", "5.3", ""),
    "keys": wrap("name", "review", "epic-5", "5-3-title", "3"),
    "no-epic": wrap("name", "dev", "", "5.3"),
    "other-project": wrap("name", "dev", "5", "5.3", PROJECT_ROOT="/srv/Customer-API_2"),
    "no-project": Row(
        ["tmux-wrapper", "name", "dev", "5", "5.3"],
        env={"PROJECT_ROOT": ""},
        differs="an empty PROJECT_ROOT is the current directory",
        ours=(0, "sa-shopapi-<stamp>-e5-s5-3-dev\n"),
    ),
    "cycle": Row(
        ["tmux-wrapper", "name", "dev", "5", "5.3", "--cycle", "2"],
        differs="W10: --cycle N is the cycle",
        ours=(0, "sa-shopapi-<stamp>-e5-s5-3-dev-r2\n"),
    ),
    "dotted-epic": Row(
        ["tmux-wrapper", "name", "dev", "5.1", "5.1.2"],
        differs=NAMED,
        ours=(0, "sa-shopapi-<stamp>-e5-1-s5-1-2-dev\n"),
    ),
    "step-of-two-words": refused("name", "dev x", "5", "5.3", because=SAFE_NAME),
    "colon-in-the-story": refused("name", "dev", "5", "5:3", because=SAFE_NAME),
    "path-as-story": refused("name", "dev", "5", "../x", because=SAFE_NAME),
    "beyond-ascii": refused("name", "dev", "5", "é", because=SAFE_NAME),
    "unknown-word": refused("name", "dev", "5", "5.3", "2", "x"),
}

NO_SERVER = {
    "list": wrap("list"),
    "list-project-only": wrap("list", "--project-only"),
    "list-unknown-flag": refused("list", "--bogus"),
    "kill-nothing": wrap("kill"),
    "kill-unknown": Row(
        ["tmux-wrapper", "kill", "sa-none"],
        differs="C1 6: an absent session is said to be gone, on stderr",
        ours=(0, ""),
    ),
    "kill-a-name-with-a-blank": Row(
        ["tmux-wrapper", "kill", "a b"], differs=NO_TRACEBACK, ours=(0, "")
    ),
    "kill-a-name-with-a-slash": Row(
        ["tmux-wrapper", "kill", "a/b"], differs=NO_TRACEBACK, ours=(0, "")
    ),
    "kill-an-empty-name": wrap("kill", ""),
    "kill-all": wrap("kill-all"),
    "kill-all-project-only": wrap("kill-all", "--project-only"),
    "kill-all-unknown-flag": refused("kill-all", "--bogus"),
    "exists-nothing": wrap("exists"),
    "exists-unknown": wrap("exists", "nope"),
    "exists-empty": wrap("exists", ""),
    "exists-a-name-with-a-blank": wrap("exists", "a b"),
}

WORDS = {
    "project-slug": wrap("project-slug"),
    "project-slug-told": wrap("project-slug", PROJECT_ROOT="/srv/Customer-API_2"),
    "project-slug-of-no-letters": wrap("project-slug", PROJECT_ROOT="/srv/---"),
    "project-slug-unknown-word": refused("project-slug", "x"),
    "project-hash-of-a-path": wrap("project-hash", PROJECT_ROOT="/srv/none"),
    "project-hash-of-the-root": wrap("project-hash", PROJECT_ROOT="/"),
    "story-suffix": wrap("story-suffix", "5.3"),
    "story-suffix-of-more": wrap("story-suffix", "5.3.1-x"),
    "story-suffix-of-nothing": wrap("story-suffix", ""),
    "story-suffix-alone": wrap("story-suffix"),
    "story-suffix-unknown-word": refused("story-suffix", "5.3", "x"),
    **{
        f"{word}-{name}": wrap(word, **env)
        for word in ("agent-type", "agent-cli", "skill-prefix")
        for name, env in {
            "by-default": {},
            "codex": {"AI_AGENT": "codex"},
            "codex-in-capitals": {"AI_AGENT": "CODEX"},
            "codex-amid-blanks": {"AI_AGENT": " codex "},
            "unknown": {"AI_AGENT": "gemini"},
            "empty": {"AI_AGENT": ""},
            "provider": {"BMAD_RUNTIME_PROVIDER": "codex"},
            "other-provider": {"STORY_AUTOMATOR_RUNTIME_PROVIDER": "codex"},
            "unknown-provider": {"BMAD_RUNTIME_PROVIDER": "nope"},
            "both-providers": {
                "BMAD_RUNTIME_PROVIDER": "claude",
                "STORY_AUTOMATOR_RUNTIME_PROVIDER": "codex",
            },
            "skills-elsewhere": {"BMAD_SKILLS_ROOT": "{root}/.codex/skills"},
            "own-command": {"AI_COMMAND": "codex exec"},
        }.items()
    },
    **{
        f"agent-type-in-{host[1:] or 'nothing'}": Row(["tmux-wrapper", "agent-type"], host=host)
        for host in (".agents", ".codex", "")
    },
    "agent-type-unknown-word": refused("agent-type", "x"),
}

HELPER = {
    "no-action": Row(["orchestrator-helper"]),
    "unknown-action": Row(["orchestrator-helper", "nope"]),
    "unknown-action-with-help": Row(["orchestrator-helper", "nope", "--help"]),
    "help": Row(
        ["orchestrator-helper", "--help"],
        differs="only actions that are built are listed",
        ours=(0, re.compile(r"^Usage: orchestrator-helper <action> \[args\]\n\nActions:\n")),
    ),
}

ROWS = {
    "tmux-wrapper": TOP,
    "spawn": SPAWNS,
    "name": NAMES,
    "no-server": NO_SERVER,
    "word": WORDS,
    "orchestrator-helper": HELPER,
}
