"""Rows about story keys, story files, their creation and the verifiers."""

import re

from tests.real.published import ARTIFACTS, DIRECTORY, MARKER, POLICY, SPRINT, Row
from tests.real.rows_project import HELP, NO_TRACEBACK, NO_VALUE, REFUSED, UNKNOWN, USAGE

STATUSES = """development_status:
  epic-1: in-progress
  1-1-login: done
  1-2-cart: in-progress
  1-10-far: backlog
  2-1-pay: done
  2-2-ship: done
  3-1-shout: DONE
"""
FILES = {
    SPRINT: STATUSES,
    f"{ARTIFACTS}/1-1-login.md": '---\nStatus: review\nTitle: "Log in"\n---\n# Story\n',
    f"{ARTIFACTS}/1-2-cart.md": "# Story 1.2: Cart\n\nStatus: done\n",
    f"{ARTIFACTS}/1-10-far.md": "---\nstatus: done\ntitle: Far\n---\n",
    f"{ARTIFACTS}/2-1-a.md": "",
    f"{ARTIFACTS}/2-1-b.md": "---\nstatus: x\n---\n",
}
ONE = {f"{ARTIFACTS}/1-1-login.md": "# a\n"}
THREE = {f"{ARTIFACTS}/1-1-{name}.md": name for name in "abc"}
BARE_STATUS = "W2: a bare Status line is read"
ANY_CASE = "4.8: done is compared in lower case, in every verifier alike"


def creation(*argv: str) -> list[str]:
    return ["validate-story-creation", *argv]


def helper(*argv: str) -> list[str]:
    return ["orchestrator-helper", *argv]


def story(text: str | bytes) -> dict[str, str | bytes | None]:
    return {f"{ARTIFACTS}/1-1-a.md": text}


def found(status: str, title: str = "") -> tuple[int, str]:
    path = f"<world>/shop-api/{ARTIFACTS}/1-1-a.md"
    answer = f'"story_key":"1-1-a","file":"{path}","status":"{status}","title":"{title}"'
    return 0, f'{{"ok":true,{answer}}}\n'


def because(reason: str) -> "re.Pattern[str]":
    return re.compile(f'"reason":"{re.escape(reason)}"')


COUNTING = {
    "nothing": Row(creation("count", "1.1")),
    "one": Row(creation("count", "1.1"), ONE),
    "three-by-prefix": Row(creation("count", "1-1"), THREE),
    "by-full-key": Row(creation("count", "1-1-login"), ONE),
    "by-epic": Row(creation("count", "1"), ONE),
    "one-is-not-ten": Row(creation("count", "1.1"), {**ONE, f"{ARTIFACTS}/1-10-x.md": ""}),
    "only-directly-there": Row(creation("count", "1.1"), {f"{ARTIFACTS}/sub/1-1-x.md": ""}),
    "in-another-folder": Row(
        creation("count", "1.1", "--artifacts-dir", "docs"), {"docs/1-1-x.md": ""}
    ),
    "in-no-folder": Row(creation("count", "1.1", "--artifacts-dir", "none"), ONE),
    "empty-id": Row(creation("count", ""), ONE),
    "no-id": Row(creation("count")),
    "flag-without-value": Row(
        creation("count", "1.1", "--artifacts-dir"), ONE, differs=NO_VALUE, ours=REFUSED
    ),
    "unknown-flag": Row(creation("count", "1.1", "--bogus"), differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row(creation("count", "1.1", "x"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(creation("count", "--help"), differs=HELP, ours=USAGE),
    "path-as-id": Row(
        creation("count", "../x"), differs="C3 66: a path is refused cleanly", ours=REFUSED
    ),
    "pattern-as-id": Row(
        creation("count", "1.*"), ONE, differs="an id is text, not a pattern", ours=(0, "0\n")
    ),
    "directory-of-that-name": Row(
        creation("count", "1.1"),
        {f"{ARTIFACTS}/1-1-x.md": DIRECTORY},
        differs="C3 72: a directory is no story file",
        ours=(0, "0\n"),
    ),
}

LISTING = {
    "nothing": Row(creation("list", "1.1")),
    "one": Row(creation("list", "1.1"), ONE),
    "three": Row(creation("list", "1.1"), THREE, any_order=True),
    "empty-id": Row(creation("list", ""), ONE),
    "no-id": Row(creation("list")),
    "help": Row(creation("list", "--help"), differs=HELP, ours=USAGE),
    "in-another-folder": Row(
        creation("list", "1.1", "--artifacts-dir", "none"),
        ONE,
        differs="the folder that the refusal of check promises for list",
        ours=(0, "Story files matching 1-1-*.md:\n  (none found)\n"),
    ),
}

PREFIX = {
    "of-an-id": Row(creation("prefix", "1.1")),
    "of-a-key": Row(creation("prefix", "1-1-login")),
    "of-anything": Row(creation("prefix", "a.b.c")),
    "of-nothing": Row(creation("prefix", "")),
    "no-id": Row(creation("prefix")),
    "unknown-word": Row(creation("prefix", "1.1", "x"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(creation("prefix", "--help"), differs=HELP, ours=USAGE),
    "path-as-id": Row(
        creation("prefix", "../x"), differs="C3 66: a path is refused cleanly", ours=REFUSED
    ),
}

DELTA = ("--before", "0", "--after", "1")
CHECKS: dict[str, Row] = {
    "no-arguments": Row(creation()),
    "no-id": Row(creation("check")),
    "created": Row(creation("check", "1.1"), ONE),
    "created-by-prefix": Row(creation("check", "1-1"), ONE),
    "created-by-key": Row(creation("check", "1-1-login"), ONE),
    "not-created": Row(creation("check", "9.9"), ONE),
    "runaway": Row(creation("check", "1.1"), THREE),
    "one-is-not-ten": Row(creation("check", "1.1"), {**ONE, f"{ARTIFACTS}/1-10-x.md": ""}),
    "bare-prefix-is-no-story-file": Row(creation("check", "1.1"), {f"{ARTIFACTS}/1-1.md": ""}),
    "delta-of-one": Row(creation("check", "1.1", *DELTA), ONE),
    "delta-of-one-without-a-file": Row(creation("check", "1.1", *DELTA)),
    "delta-of-none": Row(creation("check", "1.1", "--before", "0", "--after", "0"), ONE),
    "delta-of-three": Row(creation("check", "1.1", "--before", "0", "--after", "3"), ONE),
    "delta-below-none": Row(creation("check", "1.1", "--before", "3", "--after", "2"), ONE),
    "negative-count": Row(creation("check", "1.1", "--before", "-1", "--after", "0"), ONE),
    "signed-count": Row(creation("check", "1.1", "--before", "+1", "--after", " 2 "), ONE),
    "last-flag-wins": Row(creation("check", "1.1", *DELTA, "--before", "1"), ONE),
    "no-story-of-that-kind": Row(creation("check", "x.y"), ONE),
    "no-story-of-that-kind-with-a-delta": Row(creation("check", "x.y", *DELTA), ONE),
    "before-alone": Row(creation("check", "1.1", "--before", "0"), ONE),
    "after-alone": Row(creation("check", "1.1", "--after", "0"), ONE),
    "count-in-words": Row(creation("check", "1.1", "--before", "a", "--after", "1"), ONE),
    "count-with-a-fraction": Row(creation("check", "1.1", "--before", "1", "--after", "1.5"), ONE),
    "before-without-value": Row(creation("check", "1.1", "--before"), ONE),
    "after-without-value": Row(creation("check", "1.1", "--after"), ONE),
    "folder-without-value": Row(creation("check", "1.1", "--artifacts-dir"), ONE),
    "state-file-without-value": Row(creation("check", "1.1", "--state-file"), ONE),
    "other-folder": Row(creation("check", "1.1", "--artifacts-dir", "x"), ONE),
    "other-folder-amid-a-delta": Row(
        creation("check", "1.1", "--before", "0", "--artifacts-dir", "x", "--after", "1"), ONE
    ),
    "other-folder-and-half-a-delta": Row(
        creation("check", "1.1", "--artifacts-dir", "x", "--before", "0"), ONE
    ),
    "no-such-state-file": Row(creation("check", "1.1", "--state-file", "gone.md"), ONE),
    "state-file": Row(
        creation("check", "1.1", "--state-file", "s.md"), {**ONE, "s.md": "---\nepic: 1\n---\n"}
    ),
    "unknown-flag": Row(creation("check", "1.1", "--bogus"), ONE),
    "unknown-flag-with-value": Row(creation("check", "1.1", "--bogus", "1"), ONE),
    "unknown-word": Row(creation("check", "1.1", "extra"), ONE),
    "positional": Row(creation("1.1", "0", "1"), ONE),
    "positional-runaway": Row(creation("9.9", "0", "2"), ONE),
    "positional-deletion": Row(creation("1-1-login", "5", "3"), ONE),
    "positional-in-words": Row(creation("1.1", "a", "b"), ONE),
    "positional-without-counts": Row(creation("1.1"), ONE),
    "positional-with-one-count": Row(creation("1.1", "0"), ONE),
    "positional-with-a-third-count": Row(creation("1.1", "0", "1", "2"), ONE),
    "positional-with-unknown-flag": Row(creation("1.1", "0", "1", "--bogus"), ONE),
    "positional-without-a-story": Row(creation("nope", "0", "1"), ONE),
    "unknown-action": Row(creation("nope"), ONE),
    "positional-with-flags": Row(
        creation("1.1", *DELTA),
        ONE,
        differs="flags are understood in both forms",
        ours=(0, because("Exactly 1 story file created as expected")),
    ),
    "flag-as-value": Row(
        creation("check", "1.1", "--before", "--after", "1"),
        ONE,
        differs="a flag is not taken for a count",
        ours=(1, because("--before requires a value")),
    ),
    "flag-in-place-of-the-id": Row(
        creation("check", *DELTA),
        ONE,
        differs="a flag is not taken for a story",
        ours=(1, because("story_id required")),
    ),
    "empty-id": Row(
        creation("check", ""),
        ONE,
        differs="an empty id names no story",
        ours=(1, because("story_id required")),
    ),
    "path-as-id": Row(
        creation("check", "../1.1"),
        ONE,
        differs="C3 66: a path is refused cleanly",
        ours=(1, because("story_id may not hold path separators or control characters")),
    ),
    "help": Row(creation("--help"), differs=HELP, ours=USAGE),
    "help-of-check": Row(creation("check", "--help"), differs=HELP, ours=USAGE),
}

KEYS = {
    **{
        name: Row(helper("normalize-key", text), FILES)
        for name, text in {
            "id": "1.1",
            "prefix": "1-1",
            "key": "1-1-login",
            "other-title": "1-1-other",
            "id-in-the-sprint-only": "2.2",
            "unknown-story": "9.9",
            "unknown-key": "9-9-foo",
            "leading-zeros": "01.02",
            "several-files": "2.1",
            "word": "x",
            "epic": "1",
            "three-parts": "1.2.3",
            "nothing": "",
            "blank-after": "1.1 ",
            "blank-before": " 1.1",
            "dash-at-the-end": "1-1-",
            "capitals": "1-1-Login",
            "underscore": "1-1-a_b",
            "beyond-ascii": "1-1-é",
            "letters": "a.b",
            "two-dots": "1..1",
            "minus": "-1.1",
            "numbers-only": "1-1-1",
            "epic-key": "epic-1",
        }.items()
    },
    **{
        f"to-{form}": Row(helper("normalize-key", "1.1", "--to", form), FILES)
        for form in ("id", "key", "prefix", "json")
    },
    "key-to-id": Row(helper("normalize-key", "1-1-login", "--to", "id"), FILES),
    "key-to-prefix": Row(helper("normalize-key", "1-1-login", "--to", "prefix"), FILES),
    "unknown-story-to-key": Row(helper("normalize-key", "9.9", "--to", "key"), FILES),
    "word-to-id": Row(helper("normalize-key", "x", "--to", "id"), FILES),
    "no-input": Row(helper("normalize-key")),
    "path": Row(
        helper("normalize-key", "1-2-../../../etc/passwd"),
        differs="C3 66: a path is refused cleanly",
        ours=(1, '{"ok":false,"error":"unrecognized format","input":"1-2-../../../etc/passwd"}\n'),
    ),
    "to-something-else": Row(
        helper("normalize-key", "1.1", "--to", "nope"),
        differs="a bad value gets a usage error",
        ours=REFUSED,
    ),
    "to-without-value": Row(helper("normalize-key", "1.1", "--to"), differs=NO_VALUE, ours=REFUSED),
    "flag-first": Row(
        helper("normalize-key", "--to", "id", "1.1"),
        differs="flags are understood wherever they stand",
        ours=(0, "1.1\n"),
    ),
    "unknown-flag": Row(helper("normalize-key", "1.1", "--bogus"), differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row(helper("normalize-key", "1.1", "x"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(helper("normalize-key", "--help"), differs=HELP, ours=USAGE),
}

STORY = helper("story-file-status", "1.1")
STORY_FILES = {
    "no-input": Row(helper("story-file-status")),
    "by-id": Row(STORY, FILES),
    "by-prefix": Row(helper("story-file-status", "1-1"), FILES),
    "by-key": Row(helper("story-file-status", "1-1-login"), FILES),
    "by-another-title": Row(helper("story-file-status", "1-1-other"), FILES),
    "one-is-not-ten": Row(helper("story-file-status", "1.10"), FILES),
    "first-of-several": Row(helper("story-file-status", "2.1"), FILES),
    "no-file": Row(helper("story-file-status", "9.9"), FILES),
    "no-story": Row(helper("story-file-status", "x"), FILES),
    "nothing": Row(helper("story-file-status", ""), FILES),
    "empty-file": Row(STORY, story("")),
    "empty-front-matter": Row(STORY, story("---\n---\n")),
    "empty-status": Row(STORY, story("---\nstatus:\n---\n")),
    "capital-keys": Row(STORY, story("---\nSTATUS: Done\nTITLE: T\n---\n")),
    "quoted": Row(STORY, story('---\nstatus: "done"\n---\n')),
    "single-quoted": Row(STORY, story("---\nstatus: 'in progress'\n---\n")),
    "colon-in-the-title": Row(STORY, story("---\ntitle: Login: part 2\nstatus: done\n---\n")),
    "beyond-ascii": Row(STORY, story("---\ntitle: É\nstatus: done\n---\n")),
    "windows-line-ends": Row(STORY, story(b"---\r\nstatus: done\r\n---\r\n")),
    "status-as-a-heading": Row(STORY, story("## Status\n\ndone\n")),
    "bare": Row(STORY, story("Status: done\n"), differs=BARE_STATUS, ours=found("done")),
    "bare-below-the-heading": Row(
        STORY,
        story("# Story 1.1: Login\n\nStatus: ready-for-dev\n\n## Story\n"),
        differs=BARE_STATUS,
        ours=found("ready-for-dev"),
    ),
    "bare-and-bold": Row(
        STORY, story("**Status:** done\n"), differs=BARE_STATUS, ours=found("done")
    ),
    "bare-below-front-matter": Row(
        STORY, story("---\nfoo: 1\n---\nStatus: done\n"), differs=BARE_STATUS, ours=found("done")
    ),
    "front-matter-without-an-end": Row(
        STORY, story("---\nstatus: done\n"), differs=BARE_STATUS, ours=found("done")
    ),
    "byte-order-mark": Row(
        STORY,
        story("\ufeff---\nstatus: done\n---\n"),
        differs="C3 58: a byte order mark is accepted",
        ours=found("done"),
    ),
    "dashes-in-a-value": Row(
        STORY,
        story("---\ntitle: a --- b\nstatus: done\n---\n"),
        differs="W6: front matter ends at a --- line",
        ours=found("done", "a --- b"),
    ),
    "comment-behind-the-value": Row(
        STORY,
        story("---\nstatus: done # x\n---\n"),
        differs="W3: front matter is read as YAML",
        ours=found("done"),
    ),
    "two-values": Row(
        STORY,
        story("---\nstatus: done\nstatus: review\n---\n"),
        differs="C3 62: a key that stands twice is refused",
        ours=(1, re.compile('^{"ok":false,"error":".* has two values for status')),
    ),
    "not-utf-8": Row(
        STORY,
        story(b"---\nstatus: \xff\n---\n"),
        differs=NO_TRACEBACK,
        ours=(1, re.compile('^{"ok":false,"error":".* is not UTF-8')),
    ),
    "directory": Row(
        STORY,
        {f"{ARTIFACTS}/1-1-a.md": DIRECTORY},
        differs="C3 72: a directory is no story file",
        ours=(1, '{"ok":false,"error":"story file not found","prefix":"1-1"}\n'),
    ),
    "unknown-flag": Row([*STORY, "--bogus"], differs=UNKNOWN, ours=REFUSED),
    "unknown-word": Row([*STORY, "x"], differs=UNKNOWN, ours=REFUSED),
    "help": Row(helper("story-file-status", "--help"), differs=HELP, ours=USAGE),
}

VERIFIED_BY_FILE = (
    '{"verified":true,"story":"1-2-cart","sprint_status":"in-progress","story_file_status":"done",'
    '"source":"story-file","note":"sprint_status_not_updated"}\n'
)
STEPS = {
    **{
        f"{step}-{key or 'nothing'}": Row(helper("verify-step", step, key), FILES)
        for step in ("create", "dev", "auto", "review", "retro")
        for key in ("1.1", "1-1-login", "1.10", "2.1", "2", "9.9", "x", "")
    },
    "no-step": Row(helper("verify-step")),
    "no-story": Row(helper("verify-step", "dev")),
    "unknown-step": Row(helper("verify-step", "nope", "1.1"), FILES),
    "empty-step": Row(helper("verify-step", "", "1.1"), FILES),
    "retro-shouted-status": Row(
        helper("verify-step", "retro", "3"),
        FILES,
        differs=ANY_CASE,
        ours=(0, re.compile('^{"verified":true,"epic":"3",.*"doneStories":1,')),
    ),
    "retro-epic-key": Row(helper("verify-step", "retro", "epic-1"), FILES),
    "retro-without-a-sprint": Row(helper("verify-step", "retro", "1")),
    "output-file": Row(helper("verify-step", "dev", "1.1", "--output-file", "o.txt"), FILES),
    "output-file-of-review": Row(helper("verify-step", "review", "1.1", "--output-file", "o")),
    "output-file-without-value": Row(helper("verify-step", "dev", "1.1", "--output-file")),
    "state-file-without-value": Row(helper("verify-step", "dev", "1.1", "--state-file")),
    "no-such-state-file": Row(helper("verify-step", "dev", "1.1", "--state-file", "gone.md")),
    "state-file": Row(
        helper("verify-step", "dev", "1.1", "--state-file", "s.md"), {"s.md": "---\nepic: 1\n---\n"}
    ),
    "bare-status-of-the-story-file": Row(
        helper("verify-step", "review", "1.2"),
        FILES,
        differs=BARE_STATUS,
        ours=(0, VERIFIED_BY_FILE),
    ),
    "unknown-flag": Row(
        helper("verify-step", "dev", "1.1", "--bogus"), differs=UNKNOWN, ours=REFUSED
    ),
    "unknown-word": Row(helper("verify-step", "dev", "1.1", "x"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(helper("verify-step", "--help"), differs=HELP, ours=USAGE),
}

REVIEWS = {
    **{
        name: Row(helper("verify-code-review", key), FILES)
        for name, key in {
            "by-id": "1.1",
            "by-key": "1-1-login",
            "done-in-the-file-only": "1.10",
            "unknown-story": "9.9",
            "several-files": "2.1",
            "shouted-status": "3.1",
            "word": "x",
            "nothing": "",
        }.items()
    },
    "no-story": Row(helper("verify-code-review")),
    "file-without-a-sprint": Row(
        helper("verify-code-review", "1.1"), story("---\nstatus: done\n---\n")
    ),
    "shouted-in-the-file": Row(
        helper("verify-code-review", "1.1"), story("---\nstatus: DONE\n---\n")
    ),
    "state-file-without-value": Row(helper("verify-code-review", "1.1", "--state-file")),
    "no-such-state-file": Row(helper("verify-code-review", "1.1", "--state-file", "gone.md")),
    "bare-status-of-the-story-file": Row(
        helper("verify-code-review", "1.2"),
        FILES,
        differs=BARE_STATUS,
        ours=(0, VERIFIED_BY_FILE),
    ),
    "unknown-flag": Row(
        helper("verify-code-review", "1.1", "--bogus"), differs=UNKNOWN, ours=REFUSED
    ),
    "help": Row(helper("verify-code-review", "--help"), differs=HELP, ours=USAGE),
}

CREATED = helper("verify-step", "create", "1.1")
NO_POLICY = "the verifiers do not read the policy of the project"
NO_MARKER = "W9: no marker of any kind breaks a verifier"
SUB = {
    "sub/s.md": "---\nepic: 1\n---\n",
    "t.md": "---\nepic: 1\n---\n",
    f"sub/{ARTIFACTS}/1-1-x.md": "# x\n",
    f"sub/{SPRINT}": "1-1-x: done\n",
}
IN_SUB = {"PROJECT_ROOT": "{root}/sub", "BMAD_SKILLS_ROOT": "{root}/.claude/skills"}
VERIFIED = (0, re.compile('^{"verified":true,'))
ELSEWHERE = {
    **{
        name: Row(argv, SUB, IN_SUB)
        for name, argv in {
            "state-file-in-the-project": helper(*"verify-step dev 1.1 --state-file s.md".split()),
            "state-file-beside-the-caller": helper(
                *"verify-step dev 1.1 --state-file t.md".split()
            ),
            "check-with-a-state-file": creation("check", "1.1", "--state-file", "s.md"),
            "created": CREATED,
            "reviewed": helper("verify-code-review", "1.1"),
            "listed": helper("sprint-status", "get", "1.1"),
            "story-file": helper("story-file-status", "1.1"),
            "count": creation("count", "1.1"),
            "list": creation("list", "1.1"),
            "key": helper("normalize-key", "1.1"),
        }.items()
    },
    "no-such-project": Row(
        helper("sprint-status", "get", "1.1"), env={"PROJECT_ROOT": "/no/such/project"}
    ),
    "folder-told-by-bmad": Row(
        creation("count", "1.1"),
        {**ONE, "_bmad/bmm/config.yaml": 'implementation_artifacts: "{project-root}/docs"\n'},
        differs="the folder in BMAD's configuration is used",
        ours=(0, "0\n"),
    ),
    "policy-that-expects-two-files": Row(
        CREATED,
        {**ONE, POLICY: '{"steps":{"create":{"success":{"config":{"expectedMatches":2}}}}}'},
        differs=NO_POLICY,
        ours=VERIFIED,
    ),
    "policy-of-junk": Row(CREATED, {**ONE, POLICY: "junk"}, differs=NO_POLICY, ours=VERIFIED),
    "state-file-told-that-is-lost": Row(
        CREATED,
        ONE,
        {"STORY_AUTOMATOR_STATE_FILE": "gone.md"},
        differs=NO_POLICY,
        ours=VERIFIED,
    ),
    **{
        f"marker-{name}": Row(CREATED, {**ONE, MARKER: text}, differs=NO_MARKER, ours=VERIFIED)
        for name, text in {
            "without-a-state-file": '{"stateFile":""}',
            "with-a-lost-state-file": '{"stateFile":"gone.md"}',
            "of-junk": "junk",
        }.items()
    },
}

ROWS = {
    "elsewhere": ELSEWHERE,
    "count": COUNTING,
    "list": LISTING,
    "prefix": PREFIX,
    "check": CHECKS,
    "normalize-key": KEYS,
    "story-file-status": STORY_FILES,
    "verify-step": STEPS,
    "verify-code-review": REVIEWS,
}
