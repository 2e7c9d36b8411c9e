"""Rows about the sprint file: one story, the file itself, one epic."""

import re

from tests.real.published import DIRECTORY, SPRINT, Row
from tests.real.rows_project import HELP, NO_TRACEBACK, REFUSED, UNKNOWN, USAGE

AS_YAML = "W3: the sprint file is read as YAML"
TWICE = "C3 62: a story that stands twice is refused"
ANY_CASE = "4.8: done is compared in lower case, in every verifier alike"
STATUSES = """# generated
project: shop
development_status:
  epic-1: in-progress
  1-1-login: done
  1-2-cart: in-progress
  1-10-far: backlog
  epic-1-retrospective: optional
  epic-2: backlog
  2-1-pay: done
  2-2-ship: done
"""
SPRINTS = {SPRINT: STATUSES}
LEGACY = {"_bmad-output/sprint-status.yaml": STATUSES}


def sprint(*argv: str) -> list[str]:
    return ["orchestrator-helper", "sprint-status", *argv]


def says(text: str | bytes) -> dict[str, str | bytes | None]:
    return {SPRINT: text}


def found(story: str, status: str, *, done: bool) -> tuple[int, str]:
    told = f'"story":"{story}","status":"{status}","done":{str(done).lower()}'
    return 0, f'{{"found":true,{told}}}\n'


def unreadable(why: str) -> tuple[int, "re.Pattern[str]"]:
    start = '^{"found":false,"story":"1.1","status":"unknown","reason":".*'
    return 1, re.compile(start + re.escape(why))


GET = sprint("get", "1.1")
EPIC = sprint("check-epic", "1")

STORIES = {
    "no-key": Row(sprint("get")),
    "no-file": Row(GET),
    "legacy-place": Row(GET, LEGACY),
    "both-places": Row(GET, {**LEGACY, SPRINT: "1-1-x: review\n"}),
    **{
        name: Row(sprint("get", key), SPRINTS)
        for name, key in {
            "by-id": "1.1",
            "by-prefix": "1-1",
            "by-key": "1-1-login",
            "by-another-title": "1-1-other",
            "by-capitals": "1-1-LOGIN",
            "not-done": "1.2",
            "one-is-not-ten": "1.10",
            "unknown-story": "9.9",
            "epic": "epic-1",
            "retrospective": "epic-1-retrospective",
            "epic-number": "1",
            "word": "x",
            "nothing": "",
        }.items()
    },
    **{
        name: Row(GET, says(text))
        for name, text in {
            "empty-file": "",
            "without-a-heading": "1-1-a: done\n",
            "deep-indent": "development_status:\n    1-1-a: ready-for-dev\n",
            "comment-behind": "1-1-a: done # ok\n",
            "commented-out": "# 1-1-a: done\n",
            "dotted-key": "1.1: done\n",
            "windows-line-ends": "1-1-a: done\r\n",
            "beyond-ascii": "1-1-é: done\n",
            "any-word": "1-1-a: contexted\n",
            "other-story-before": "11-1-a: done\n1-1-a: review\n",
        }.items()
    },
    "key-before-longer-key": Row(
        sprint("get", "1-1-a"), says("1-1-a: done\n1-1-a-retro: optional\n")
    ),
    "quoted-value": Row(
        GET, says('1-1-a: "done"\n'), differs=AS_YAML, ours=found("1-1-a", "done", done=True)
    ),
    "single-quoted-value": Row(
        GET, says("1-1-a: 'done'\n"), differs=AS_YAML, ours=found("1-1-a", "done", done=True)
    ),
    "quoted-key": Row(
        GET, says('"1-1-a": done\n'), differs=AS_YAML, ours=found("1-1-a", "done", done=True)
    ),
    "value-of-two-words": Row(
        GET,
        says("1-1-a: in progress\n"),
        differs=AS_YAML,
        ours=found("1-1-a", "in progress", done=False),
    ),
    "empty-value": Row(
        GET,
        says("1-1-a:\n1-2-b: done\n"),
        differs=AS_YAML,
        ours=found("1-1-a", "unknown", done=False),
    ),
    "alias": Row(
        GET,
        says("x: &d done\n1-1-a: *d\n"),
        differs="C3 63: anchors are understood",
        ours=found("1-1-a", "done", done=True),
    ),
    "section-name": Row(
        sprint("get", "development_status"),
        SPRINTS,
        differs=AS_YAML,
        ours=(0, '{"found":false,"story":"development_status","status":"not_found"}\n'),
    ),
    "byte-order-mark": Row(
        GET,
        says("\ufeff1-1-a: done\n"),
        differs="C3 58: a byte order mark is accepted",
        ours=found("1-1-a", "done", done=True),
    ),
    "bare-prefix-as-key": Row(
        GET,
        says("1-1: done\n"),
        differs="1.1 and 1-1 are one story",
        ours=found("1-1", "done", done=True),
    ),
    "capital-done": Row(
        GET, says("1-1-a: Done\n"), differs=ANY_CASE, ours=found("1-1-a", "Done", done=True)
    ),
    "key-twice": Row(
        GET,
        says("1-1-a: done\n1-1-a: review\n"),
        differs=TWICE,
        ours=unreadable("1-1-a stands twice"),
    ),
    "story-twice": Row(
        GET,
        says("1-1-a: done\n1-1-b: review\n"),
        differs=TWICE,
        ours=unreadable("lists 1.1 more than once"),
    ),
    "no-yaml": Row(
        GET, says("a: [\n1-1-a: done"), differs=AS_YAML, ours=unreadable("is not valid YAML")
    ),
    "list-instead-of-a-map": Row(
        GET,
        says("development_status:\n  - 1-1-a: done\n"),
        differs=AS_YAML,
        ours=unreadable("a map of keys was expected"),
    ),
    "no-blank-behind-the-colon": Row(
        GET, says("1-1-a:done\n"), differs=AS_YAML, ours=unreadable("a map of keys was expected")
    ),
    "not-utf-8": Row(
        GET, says(b"1-1-a: \xff\n"), differs=NO_TRACEBACK, ours=unreadable("is not UTF-8")
    ),
    "directory": Row(
        GET,
        {SPRINT: DIRECTORY},
        differs="C3 72: a directory is an error, not an absent file",
        ours=unreadable("is a directory"),
    ),
    "unknown-flag": Row([*GET, "--bogus"], SPRINTS, differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row([*GET, "x"], SPRINTS, differs=UNKNOWN, ours=REFUSED),
    "help": Row(sprint("get", "--help"), differs=HELP, ours=USAGE),
}

EXISTENCE = {
    "there": Row(sprint("exists"), SPRINTS),
    "in-the-legacy-place": Row(sprint("exists"), LEGACY),
    "not-there": Row(sprint("exists")),
    "directory": Row(sprint("exists"), {SPRINT: DIRECTORY}),
    "unknown-word": Row(sprint("exists", "x"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(sprint("exists", "--help"), differs=HELP, ours=USAGE),
}


def whole_epic(*keys: str) -> tuple[int, str]:
    count = len(keys)
    told = ",".join(f'"{key}"' for key in keys)
    counts = f'"total":{count},"done":{count},"count":{count}'
    return 0, f'{{"ok":true,"epic":"1","allStoriesDone":true,{counts},"stories":[{told}]}}\n'


EPICS = {
    "no-epic": Row(sprint("check-epic")),
    "no-file": Row(EPIC),
    "unfinished": Row(EPIC, SPRINTS),
    "finished": Row(sprint("check-epic", "2"), SPRINTS),
    "finished-in-the-legacy-place": Row(sprint("check-epic", "2"), LEGACY),
    "unknown": Row(sprint("check-epic", "3"), SPRINTS),
    "word": Row(sprint("check-epic", "x"), SPRINTS),
    "nothing": Row(sprint("check-epic", ""), SPRINTS),
    "leading-zero": Row(sprint("check-epic", "01"), SPRINTS),
    "one-is-not-eleven": Row(EPIC, says("11-1-a: done\n")),
    "dotted-keys": Row(EPIC, says("1.1: done\n1.10: review\n")),
    "no-stories-but-lines": Row(
        EPIC, says("1-on-1 meeting: x\n1-1-a: done\n"), differs=AS_YAML, ours=whole_epic("1-1-a")
    ),
    "retrospective-of-the-epic": Row(
        EPIC, says("1-1-a: done\n1-retro: optional\n"), differs=AS_YAML, ours=whole_epic("1-1-a")
    ),
    "epic-key": Row(
        sprint("check-epic", "epic-1"),
        SPRINTS,
        differs="W3: only stories count",
        ours=(0, re.compile('"reason":"no_stories_found","count":0}$')),
    ),
    "shouted": Row(EPIC, says("1-1-a: DONE\n"), differs=ANY_CASE, ours=whole_epic("1-1-a")),
    "unknown-word": Row([*EPIC, "x"], SPRINTS, differs=UNKNOWN, ours=REFUSED),
}

ROWS = {
    "sprint-status": {
        "no-action": Row(sprint()),
        "unknown-action": Row(sprint("nope")),
        "help": Row(sprint("--help"), differs=HELP, ours=USAGE),
    },
    "sprint-status-get": STORIES,
    "sprint-status-exists": EXISTENCE,
    "sprint-status-check-epic": EPICS,
}
