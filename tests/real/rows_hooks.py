"""Rows about the stop hook in the settings of claude and codex."""

from tests.real.published import Row
from tests.real.rows_project import HELP, REFUSED, UNKNOWN, USAGE

SETTINGS = ".claude/settings.json"
HOOKS, CONFIG = ".codex/hooks.json", ".codex/config.toml"
FOR_CODEX = {"BMAD_RUNTIME_PROVIDER": "codex"}


def ensure(*argv: str) -> list[str]:
    return ["ensure-stop-hook", *argv]


OURS = ("--command", "story-automator stop-hook")
CLAUDE = ensure("--settings", SETTINGS, *OURS)
CODEX = ensure(*OURS)


def one_hook(command: str, more: str = "") -> str:
    hook = f'{{"type":"command","command":"{command}","timeout":10}}'
    return f'{{"hooks":{{"Stop":[{{{more}"hooks":[{hook}]}}]}}}}'


CLAUDE_ROWS = {
    "no-arguments": Row(ensure()),
    "no-command": Row(ensure("--settings", SETTINGS)),
    "no-settings": Row(ensure(*OURS)),
    "empty-command": Row(ensure("--settings", SETTINGS, "--command", "")),
    "settings-without-value": Row(ensure(*OURS, "--settings")),
    "command-without-value": Row(ensure("--settings", SETTINGS, "--command")),
    "new-file": Row(CLAUDE, leaves=[SETTINGS]),
    "new-folders": Row(ensure("--settings", "deep/er/s.json", *OURS), leaves=["deep/er/s.json"]),
    "twice": Row(CLAUDE, first=[CLAUDE], leaves=[SETTINGS]),
    "other-timeout": Row([*CLAUDE, "--timeout", "30"], leaves=[SETTINGS]),
    "other-timeout-later": Row([*CLAUDE, "--timeout", "30"], first=[CLAUDE], leaves=[SETTINGS]),
    "timeout-in-words": Row([*CLAUDE, "--timeout", "x"]),
    "command-in-words": Row(
        ensure("--settings", SETTINGS, "--command", "story-automator", "stop-hook"),
        leaves=[SETTINGS],
    ),
    "command-to-be-quoted": Row(
        ensure("--command", "story-automator", "stop hook", "$x", "--settings", SETTINGS),
        leaves=[SETTINGS],
    ),
    "command-of-another-name": Row(
        ensure("--settings", SETTINGS, "--command", "/x/y stop-hook"), leaves=[SETTINGS]
    ),
    **{
        f"settings-of-{name}": Row(CLAUDE, {SETTINGS: text}, leaves=[SETTINGS])
        for name, text in {
            "nothing-much": "{}",
            "no-hooks": '{"hooks":{}}',
            "no-stop-hooks": '{"hooks":{"Stop":[]}}',
            "other-things": '{"a":1,"é":2}',
            "other-hooks": '{"hooks":{"PreToolUse":[],"Stop":[{"hooks":[{"command":"x"}]}]}}',
            "an-older-path": one_hook("/x/story-automator stop-hook"),
            "the-module": one_hook("env A=b python3.12 -m story_automator stop-hook"),
            "a-matcher": one_hook("/x/story-automator stop-hook", '"matcher":"",'),
            "another-tool": one_hook("/x/story-automator-x stop-hook"),
            "a-stray-word": '{"hooks":{"Stop":["x"]}}',
            "a-hook-in-words": '{"hooks":{"Stop":[{"hooks":"x"}]}}',
            "a-list": "[]",
            "hooks-in-a-list": '{"hooks":[]}',
            "stop-in-an-object": '{"hooks":{"Stop":{}}}',
            "no-hooks-at-all": '{"hooks":null}',
        }.items()
    },
    "settings-of-junk": Row(CLAUDE, {SETTINGS: "junk"}),
    "settings-of-no-bytes": Row(CLAUDE, {SETTINGS: ""}),
    "help": Row(ensure("--help"), differs=HELP, ours=USAGE),
    "unknown-flag": Row([*CLAUDE, "--bogus"], differs=UNKNOWN, ours=REFUSED),
}

CODEX_ROWS = {
    "no-arguments": Row(ensure(), env=FOR_CODEX),
    "new-files": Row(CODEX, env=FOR_CODEX, leaves=[HOOKS, CONFIG]),
    "by-its-skills": Row(CODEX, host=".codex", leaves=[HOOKS, CONFIG]),
    "settings-are-not-needed": Row(CLAUDE, env=FOR_CODEX, leaves=[HOOKS, CONFIG, SETTINGS]),
    "twice": Row(CODEX, env=FOR_CODEX, first=[CODEX], leaves=[HOOKS, CONFIG]),
    "trusted": Row(
        CODEX,
        {CONFIG: '[projects."{root}"]\ntrust_level = "trusted"\n'},
        FOR_CODEX,
        leaves=[HOOKS, CONFIG],
    ),
    "trusted-twice": Row(
        CODEX,
        {CONFIG: '[projects."{root}"]\ntrust_level = "trusted"\n'},
        FOR_CODEX,
        first=[CODEX],
        leaves=[HOOKS, CONFIG],
    ),
    "other-timeout": Row([*CODEX, "--timeout", "7"], env=FOR_CODEX, leaves=[HOOKS]),
    **{
        f"config-of-{name}": Row(CODEX, {CONFIG: text}, FOR_CODEX, leaves=[HOOKS, CONFIG])
        for name, text in {
            "nothing": "",
            "an-empty-table": "[features]\n",
            "hooks-off": "[features]\ncodex_hooks = false\n",
            "hooks-on": "[features]\ncodex_hooks = true\n",
            "hooks-off-dotted": "features.codex_hooks = false\n",
            "hooks-on-inline": "features = { codex_hooks = true }\n",
            "an-inline-table": "features = { a = 1 }\n",
            "other-features": 'model = "x"\n[features]\nother = true\n[tools]\na = 1\n',
            "other-things": 'model = "x"\n',
            "an-unfinished-line": 'model = "x"',
            "comments": "# c\n[features] # f\nx=1\n",
            "features-in-a-number": "features = 3\n",
        }.items()
    },
    "config-of-junk": Row(CODEX, {CONFIG: "junk = = x"}, FOR_CODEX, leaves=[HOOKS]),
    "hooks-of-junk": Row(CODEX, {HOOKS: "junk"}, FOR_CODEX, leaves=[CONFIG]),
    "hooks-of-a-list": Row(CODEX, {HOOKS: "[]"}, FOR_CODEX, leaves=[CONFIG]),
    "hooks-of-a-number": Row(CODEX, {HOOKS: '{"hooks":{"Stop":3}}'}, FOR_CODEX, leaves=[CONFIG]),
}

ROWS = {"ensure-stop-hook": CLAUDE_ROWS, "ensure-stop-hook-codex": CODEX_ROWS}
