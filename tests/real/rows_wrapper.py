"""Rows about tmux-wrapper without a living session, and orchestrator-helper itself."""

import re

from tests.real.published import MARKER, POLICY, Row
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

SKILLS = {
    "create": "bmad-create-story",
    "dev": "bmad-dev-story",
    "auto": "bmad-qa-generate-e2e-tests",
    "retro": "bmad-retrospective",
    "review": "bmad-story-automator-review",
}
ASSETS = (
    *("workflow.md", "workflow.yaml", "instructions.md", "instructions.xml", "template.md"),
    *("checklist.md", "discover-inputs.md"),
)
STATE: dict[str, str | bytes | None] = {"s.md": "---\nepic: 5\n---\n"}
TOLD_OF_ITS_SESSION = (
    r"\$\{STORY_AUTOMATOR_SETTINGS:\+--settings \"\$STORY_AUTOMATOR_SETTINGS\" "
    r"--session-id \"\$STORY_AUTOMATOR_CONVERSATION\" --name \"\$STORY_AUTOMATOR_SESSION\"\} "
)
IN_A_PROMPT = re.compile(
    rf"^unset CLAUDECODE && claude --dangerously-skip-permissions {TOLD_OF_ITS_SESSION}'"
)
IN_A_PRIVATE_HOME = re.compile(
    r"^mkdir -p -m 700 <world>/home/.* CODEX_HOME=<world>/home/\S+ codex exec -s workspace-write "
    r"-c 'approval_policy=\"never\"' -c 'model_reasoning_effort=\"high\"' "
    r"--disable plugins --disable sqlite --disable shell_snapshot "
    r"\$\{STORY_AUTOMATOR_LAST_MESSAGE:\+.* --json -o \"\$STORY_AUTOMATOR_LAST_MESSAGE\"\} '"
)


def build(*argv: str, **env: str) -> Row:
    return Row(["tmux-wrapper", "build-cmd", *argv], env=env, prompts=True)


def assets(skill: str, *names: str) -> dict[str, str | bytes | None]:
    return {f".claude/skills/{skill}/{name}": "x\n" for name in names}


COMMANDS = {
    "nothing": build(),
    "no-story": build("dev"),
    "unknown-step": build("nope", "5.3"),
    **{f"{step}-skill-only": build(step, "5.3") for step in SKILLS},
    **{
        f"{step}-{asset}": Row(
            ["tmux-wrapper", "build-cmd", step, "5.3"], assets(skill, asset), prompts=True
        )
        for step, skill in SKILLS.items()
        for asset in ASSETS
    },
    **{
        f"{step}-everything": Row(
            ["tmux-wrapper", "build-cmd", step, "5.3"], assets(skill, *ASSETS), prompts=True
        )
        for step, skill in SKILLS.items()
    },
    "retro-of-an-epic": build("retro", "5"),
    "by-prefix": build("dev", "5-3"),
    "extra-words": build("review", "5.3", "be", "quick"),
    "extra-for-the-shell": build("review", "5.3", 'it\'s $(touch x) `y` "q"'),
    "agent-outranks-the-environment": build("dev", "5.3", "--agent", "claude", AI_AGENT="codex"),
    "unknown-agent-told": build("dev", "5.3", AI_AGENT="gemini"),
    "own-command": build("dev", "5.3", AI_COMMAND="mytool --x"),
    "own-command-with-variables": build("dev", "5.3", AI_COMMAND="FOO=1 claude -p"),
    "own-codex": build("dev", "5.3", AI_COMMAND="codex exec --foo"),
    "own-command-and-an-agent-flag": build("dev", "5.3", "--agent", "codex", AI_COMMAND="mytool"),
    "own-command-and-an-agent-told": build("dev", "5.3", AI_COMMAND="mytool", AI_AGENT="claude"),
    "own-command-empty": build("dev", "5.3", AI_COMMAND=""),
    "agent-without-value": build("dev", "5.3", "--agent"),
    "agent-empty": build("dev", "5.3", "--agent", ""),
    "state-file-without-value": build("dev", "5.3", "--state-file"),
    "state-file-empty": build("dev", "5.3", "--state-file", ""),
    "no-such-state-file": build("dev", "5.3", "--state-file", "gone.md"),
    "state-file": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3", "--state-file", "s.md"], STATE, prompts=True
    ),
    **{
        f"skill-of-{step}-is-missing": Row(
            ["tmux-wrapper", "build-cmd", step, "5.3"], lacks=[skill], prompts=True
        )
        for step, skill in SKILLS.items()
    },
    "skill-of-another-step-is-missing": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3"],
        lacks=["bmad-retrospective"],
        differs="W12: a step needs only its own skill",
        ours=(0, IN_A_PROMPT),
    ),
    "review-by-the-skill-of-bmad": Row(
        ["tmux-wrapper", "build-cmd", "review", "5.3"],
        {".claude/skills/bmad-code-review/SKILL.md": "# review\n"},
        lacks=[SKILLS["review"]],
        differs="review falls back to bmad-code-review",
        ours=(0, re.compile(r"^READ this skill first: \S+/bmad-code-review/", re.MULTILINE)),
    ),
    "extra-words-for-any-step": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3", "be", "quick"],
        differs="the extra instruction reaches every step",
        ours=(0, re.compile(r"^be quick$", re.MULTILINE)),
    ),
    "marker-without-a-state-file": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3"],
        {MARKER: '{"storiesRemaining":1}'},
        differs="W9: a marker without a state file is valid",
        ours=(0, IN_A_PROMPT),
    ),
    "policy-of-junk": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3"],
        {POLICY: "junk"},
        differs="a command is built without the policy",
        ours=(0, IN_A_PROMPT),
    ),
    "key": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5-3-title"],
        prompts=True,
        differs="a full key names its own file, not a pattern that matches none",
        ours=(0, re.compile(r"^Story file: \S+/5-3-title\.md$", re.MULTILINE)),
    ),
    "no-story-of-that-kind": refused("build-cmd", "dev", "x", because="a bad value is refused"),
    "empty-story": refused("build-cmd", "dev", "", because="a bad value is refused"),
    "unknown-agent": refused(
        "build-cmd", "dev", "5.3", "--agent", "gemini", because="a bad value is refused"
    ),
    "unknown-flag": refused("build-cmd", "dev", "5.3", "--bogus"),
    "claude-is-told-of-its-session": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3"],
        differs="in a session of ours the command picks up its settings; elsewhere it is the same",
        ours=(0, IN_A_PROMPT),
    ),
    "own-command-for-the-shell": Row(
        ["tmux-wrapper", "build-cmd", "dev", "5.3"],
        env={"AI_COMMAND": "mytool; touch x"},
        prompts=True,
        differs="S1: nothing the caller passes is run by a shell unquoted",
        ours=(0, re.compile("^unset CLAUDECODE && 'mytool;' touch x '")),
    ),
    **{
        f"codex-by-{name}": Row(
            ["tmux-wrapper", "build-cmd", "dev", "5.3", *flags],
            env=env,
            host=host,
            prompts=True,
            differs="S2: codex gets a private home, not a name in /tmp that anybody can take",
            ours=(0, IN_A_PRIVATE_HOME),
        )
        for name, flags, env, host in (
            ("flag", ("--agent", "codex"), {}, ".claude"),
            ("environment", (), {"AI_AGENT": "codex"}, ".claude"),
            ("skills", (), {}, ".codex"),
        )
    },
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
    "build-cmd": COMMANDS,
    "orchestrator-helper": HELPER,
}
