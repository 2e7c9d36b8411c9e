"""Rows about the active run: its marker, the stop hook and when a person is asked."""

import json
import re

from tests.real.published import DIRECTORY, MARKER, POLICY, Row
from tests.real.rows_project import HELP, NO_TRACEBACK, NO_VALUE, REFUSED, UNKNOWN, USAGE

STALE = "W8: a marker that nobody keeps alive does not block"
ONE_DOCUMENT = "W11: one JSON document per answer"
OUT_OF_REACH = "2099-01-01T00:00:00Z"


def marker(**told: object) -> dict[str, str | bytes | None]:
    document: dict[str, object] = {
        "epic": "1",
        "currentStory": "1.1",
        "storiesRemaining": 3,
        "stateFile": "",
        "createdAt": OUT_OF_REACH,
        "heartbeat": OUT_OF_REACH,
        "pid": 0,
        "projectSlug": "shopapi",
    }
    return {MARKER: json.dumps({**document, **told}, indent=2)}


def run(*argv: str) -> list[str]:
    return ["orchestrator-helper", "marker", *argv]


CREATE = run("create", "--epic", "5", "--story", "5.3", "--remaining", "4")
WITH_STATE = [*CREATE, "--state-file", "s.md"]

PLACES = {
    **{
        f"beside-the-skills-in-{host[1:]}": Row(run("path"), host=host)
        for host in (".claude", ".agents", ".codex")
    },
    "without-skills": Row(run("path"), host=""),
    "without-skills-for-codex": Row(run("path"), env={"BMAD_RUNTIME_PROVIDER": "codex"}, host=""),
    "skills-outrank-the-provider": Row(run("path"), env={"BMAD_RUNTIME_PROVIDER": "codex"}),
    "agent-changes-nothing": Row(run("path"), env={"AI_AGENT": "codex"}),
    "told": Row(run("path"), env={"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "x/y"}),
    "told-absolute": Row(run("path"), env={"STORY_AUTOMATOR_ACTIVE_MARKER": "/abs/y"}),
    "told-twice": Row(
        run("path"),
        env={
            "BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "a",
            "STORY_AUTOMATOR_ACTIVE_MARKER": "b",
        },
    ),
    "told-empty": Row(run("path"), env={"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": ""}),
    "told-outside": Row(run("path"), env={"BMAD_STORY_AUTOMATOR_ACTIVE_MARKER": "../out"}),
    "other-project": Row(run("path"), env={"PROJECT_ROOT": "{root}/sub"}),
    "no-project": Row(run("path"), env={"PROJECT_ROOT": ""}),
    "other-skills": Row(run("path"), env={"BMAD_SKILLS_ROOT": ".agents/skills"}),
    "skills-elsewhere": Row(run("path"), env={"BMAD_SKILLS_ROOT": "{root}/else/skills"}),
    "unknown-word": Row(run("path", "x"), differs=UNKNOWN, ours=REFUSED),
}

MARKERS = {
    "no-action": Row(run()),
    "unknown-action": Row(run("nope")),
    "help": Row(run("--help"), differs=HELP, ours=USAGE),
    "create": Row(CREATE, leaves=[MARKER]),
    "create-with-a-state-file": Row(WITH_STATE, leaves=[MARKER]),
    "create-with-everything": Row(
        [*WITH_STATE, "--pid", "7", "--heartbeat", OUT_OF_REACH, "--project-slug", "abc"],
        leaves=[MARKER],
    ),
    "create-with-a-strange-heartbeat": Row([*CREATE, "--heartbeat", "soon"], leaves=[MARKER]),
    "create-without-anything": Row(run("create"), leaves=[MARKER]),
    "create-without-a-count": Row(run("create", "--epic", "5", "--story", "5.3"), leaves=[MARKER]),
    "create-over-an-unreadable-one": Row(
        WITH_STATE,
        {MARKER: "junk"},
        leaves=[MARKER],
        differs="C5 99: what is replaced is said aloud",
        ours=(0, f"Marker created: <world>/shop-api/{MARKER}\n"),
    ),
    "create-over-one-of-nobody": Row(WITH_STATE, marker(), leaves=[MARKER]),
    "create-over-a-living-one": Row(
        WITH_STATE,
        marker(pid=1),
        leaves=[MARKER],
        differs="C5 97: the marker of another living run stays",
        ours=REFUSED,
    ),
    "create-with-a-count-in-words": Row(run("create", "--epic", "5", "--remaining", "lots")),
    "create-with-a-pid-in-words": Row([*CREATE, "--pid", "x"]),
    "create-with-a-count-below-zero": Row(
        run("create", "--epic", "5", "--remaining", "-1"),
        differs="C3 71: a bad value gets a usage error",
        ours=REFUSED,
    ),
    "create-with-half-a-flag": Row(
        run("create", "--epic", "5", "--remaining"), differs=NO_VALUE, ours=REFUSED
    ),
    "create-in-no-project": Row(
        CREATE,
        env={"PROJECT_ROOT": "{root}/gone"},
        differs="a project that is not there gets no marker",
        ours=REFUSED,
    ),
    "create-with-an-unknown-flag": Row([*CREATE, "--bogus"], differs=UNKNOWN, ours=REFUSED),
    "create-help": Row(run("create", "--help"), leaves=[MARKER], differs=HELP, ours=USAGE),
    "check-without-one": Row(run("check")),
    "check-after-remove": Row(run("check"), marker(), first=[run("remove")]),
    "check": Row(
        run("check"),
        marker(),
        differs=ONE_DOCUMENT,
        ours=(
            0,
            re.compile(
                rf'^{{"exists":true,"file":"<world>/shop-api/{MARKER}","epic":"1",'
                '"currentStory":"1.1","storiesRemaining":3,"stateFile":"","createdAt":"<time>",'
                '"heartbeat":"<time>","pid":0,"projectSlug":"shopapi",'
            ),
        ),
    ),
    "check-an-unreadable-one": Row(
        run("check"),
        {MARKER: "junk"},
        differs=ONE_DOCUMENT,
        ours=(0, re.compile('^{"exists":true,"file":".*","stale":true,"because":".*"}$')),
    ),
    "check-a-list": Row(
        run("check"),
        {MARKER: "[]"},
        differs=ONE_DOCUMENT,
        ours=(0, re.compile('^{"exists":true,"file":".*","stale":true,"because":".*"}$')),
    ),
    "check-a-directory": Row(
        run("check"),
        {MARKER: DIRECTORY},
        differs=NO_TRACEBACK,
        ours=(0, re.compile('^{"exists":true,"file":".*","stale":true,"because":".*"}$')),
    ),
    "check-with-an-unknown-word": Row(run("check", "x"), differs=UNKNOWN, ours=REFUSED),
    "remove": Row(run("remove"), marker(), leaves=[MARKER]),
    "remove-without-one": Row(run("remove")),
    "remove-a-directory": Row(run("remove"), {MARKER: DIRECTORY}),
    "remove-with-an-unknown-word": Row(run("remove", "x"), differs=UNKNOWN, ours=REFUSED),
    "heartbeat": Row(run("heartbeat"), marker(), leaves=[MARKER]),
    "heartbeat-without-one": Row(run("heartbeat")),
    "heartbeat-of-an-empty-object": Row(run("heartbeat"), {MARKER: "{}"}, leaves=[MARKER]),
    "heartbeat-of-a-list": Row(run("heartbeat"), {MARKER: "[]"}),
    "heartbeat-of-junk": Row(run("heartbeat"), {MARKER: "junk"}),
}

BLOCKED = re.compile(
    r'^{\n  "decision": "block",\n  "reason": "Story Automator active '
    r'\(\d+ stories remaining\)\. Read <recovery> and .*"\n}\n$'
)
HOW_TO_END = "the reason goes on and says how the run is ended"
NO_COUNT = "a count that is no number above zero holds nobody"
ALLOWED = (0, "")


def stops(content: "dict[str, str | bytes | None]", **more: str) -> Row:
    return Row(["stop-hook"], content, stdin=more.get("stdin", "{}"))


def blocked(content: "dict[str, str | bytes | None]", stdin: str = "{}") -> Row:
    return Row(["stop-hook"], content, stdin=stdin, differs=HOW_TO_END, ours=(0, BLOCKED))


def allowed(content: "dict[str, str | bytes | None]", why: str) -> Row:
    return Row(["stop-hook"], content, stdin="{}", differs=why, ours=ALLOWED)


CHILD = {"STORY_AUTOMATOR_CHILD": "true"}
STOPS = {
    "no-marker": stops({}),
    "child": Row(["stop-hook"], marker(), CHILD, "{}"),
    "child-in-capitals": Row(["stop-hook"], marker(), {"STORY_AUTOMATOR_CHILD": "TRUE"}, "{}"),
    "none-left": stops(marker(storiesRemaining=0)),
    "none-told": stops(marker(storiesRemaining=None)),
    "junk": allowed({MARKER: "junk"}, "C5 99: an unreadable marker is reported"),
    "empty": allowed({MARKER: ""}, "C5 99: an unreadable marker is reported"),
    "active": blocked(marker()),
    "active-without-a-word": blocked(marker(), stdin=""),
    "active-with-strange-words": blocked(marker(), stdin="not json"),
    "active-a-second-time": blocked(marker(), stdin='{"stop_hook_active":true}'),
    "count-as-text": blocked(marker(storiesRemaining="2")),
    "only-a-count": blocked({MARKER: '{"storiesRemaining":1}'}),
    "child-in-other-words": Row(
        ["stop-hook"],
        marker(),
        {"STORY_AUTOMATOR_CHILD": "1"},
        "{}",
        differs=HOW_TO_END,
        ours=(0, BLOCKED),
    ),
    "count-in-words": allowed(marker(storiesRemaining="some"), NO_COUNT),
    "count-below-zero": allowed(marker(storiesRemaining=-1), NO_COUNT),
    "count-of-true": allowed(marker(storiesRemaining=True), NO_COUNT),
    "list": allowed({MARKER: "[]"}, NO_TRACEBACK),
    "not-utf-8": allowed({MARKER: b"\xff"}, NO_TRACEBACK),
    "old-heartbeat": allowed(marker(heartbeat="2020-01-01T00:00:00Z"), STALE),
    "process-gone": allowed(marker(pid=2**22 + 1), STALE),
    "unknown-word": Row(["stop-hook", "x"], marker(), differs=UNKNOWN, ours=REFUSED),
    "help": Row(["stop-hook", "--help"], marker(), differs=HELP, ours=USAGE),
}


def asks(*argv: str) -> list[str]:
    return ["orchestrator-helper", "escalate", *argv]


def policy(document: str) -> dict[str, str | bytes | None]:
    return {POLICY: document}


REVIEWS = '{"workflow":{"repeat":{"review":{"maxCycles":3}}}}'
UNPINNED: dict[str, str | bytes | None] = {"s.md": "---\nepic: 1\nstatus: READY\n---\n"}
ANYWAY = (0, '{"escalate":false}\n')
ESCALATIONS = {
    **{
        f"{trigger}-{context or 'nothing'}".replace(" ", "_"): Row(asks(trigger, context))
        for trigger, contexts in {
            "review-loop": (
                *("cycles=4", "cycles=5", "cycles=6", "", "x", "cycles=abc", "cycles=-5"),
                *("a cycles=5 b", "cycles=5 cycles=1", "CYCLES=9", "review_cycles=9", "cycles= 9"),
            ),
            "session-crash": ("retries=0", "retries=1", "retries=2", "retries=9", "", "retries=02"),
            "story-validation": ("created=0", "created=1", "created=2", "created=10", ""),
            "nope": ("x=1",),
        }.items()
        for context in contexts
    },
    "no-context": Row(asks("review-loop")),
    "no-trigger": Row(asks()),
    "trigger-alone-unknown": Row(asks("nope")),
    "further-word": Row(asks("review-loop", "cycles=3", "extra")),
    "context-in-pieces": Row(asks("review-loop", "cycles=", "5")),
    "cycles-told": Row(asks("review-loop", "cycles=3"), env={"MAX_REVIEW_CYCLES": "3"}),
    "cycles-told-in-words": Row(asks("review-loop", "cycles=3"), env={"MAX_REVIEW_CYCLES": "x"}),
    "cycles-told-zero": Row(asks("review-loop", "cycles=0"), env={"MAX_REVIEW_CYCLES": "0"}),
    "cycles-told-below-zero": Row(asks("review-loop", "cycles=1"), env={"MAX_REVIEW_CYCLES": "-1"}),
    "cycles-told-empty": Row(asks("review-loop", "cycles=7"), env={"MAX_REVIEW_CYCLES": ""}),
    "retries-told": Row(asks("session-crash", "retries=3"), env={"MAX_CRASH_RETRIES": "4"}),
    "policy": Row(asks("review-loop", "cycles=3"), policy(REVIEWS)),
    "policy-of-crashes": Row(
        asks("session-crash", "retries=3"), policy('{"workflow":{"crash":{"maxRetries":4}}}')
    ),
    "policy-and-environment": Row(
        asks("review-loop", "cycles=3"), policy(REVIEWS), {"MAX_REVIEW_CYCLES": "9"}
    ),
    **{
        f"policy-{name}": Row(asks("review-loop", "cycles=3"), policy(text))
        for name, text in {
            "of-junk": "junk",
            "of-a-list": "[]",
            "with-unknown-keys": '{"foo":1,"bar":2}',
            "with-an-unknown-step": '{"steps":{"foo":{}}}',
            "with-a-number-for-a-section": '{"workflow":3}',
            "with-a-count-as-text": '{"workflow":{"repeat":{"review":{"maxCycles":"3"}}}}',
            "below-zero": '{"workflow":{"repeat":{"review":{"maxCycles":-3}}}}',
            "with-a-version": '{"version":1}',
        }.items()
    },
    "state-file": Row(asks("review-loop", "cycles=5", "--state-file", "s.md"), UNPINNED),
    "state-file-outranks-the-environment": Row(
        asks("review-loop", "cycles=5", "--state-file", "s.md"),
        UNPINNED,
        {"MAX_REVIEW_CYCLES": "9"},
    ),
    "state-file-outranks-the-policy": Row(
        asks("review-loop", "cycles=3", "--state-file", "s.md"), {**UNPINNED, **policy(REVIEWS)}
    ),
    "state-file-told": Row(
        asks("review-loop", "cycles=1"), UNPINNED, {"STORY_AUTOMATOR_STATE_FILE": "s.md"}
    ),
    "no-such-state-file": Row(asks("review-loop", "cycles=0", "--state-file", "gone.md")),
    "no-such-state-file-told": Row(
        asks("review-loop", "cycles=0"),
        env={"STORY_AUTOMATOR_STATE_FILE": "gone.md"},
        prose=("reason",),
    ),
    "state-file-without-value": Row(asks("review-loop", "cycles=0", "--state-file")),
    "state-file-with-an-empty-value": Row(asks("review-loop", "cycles=0", "--state-file", "")),
    "marker-with-a-state-file": Row(
        asks("review-loop", "cycles=4"), {**UNPINNED, **marker(stateFile="s.md")}
    ),
    "marker-without-a-state-file": Row(
        asks("review-loop", "cycles=1"),
        marker(),
        differs="W9: a marker without a state file is valid",
        ours=ANYWAY,
    ),
    "marker-with-a-lost-state-file": Row(
        asks("review-loop", "cycles=1"),
        marker(stateFile="gone.md"),
        differs="W9: no marker of any kind breaks the answer",
        ours=ANYWAY,
    ),
    "marker-of-junk": Row(
        asks("review-loop", "cycles=1"),
        {MARKER: "junk"},
        differs="W9: no marker of any kind breaks the answer",
        ours=ANYWAY,
    ),
    "flag-before-the-context": Row(
        asks("review-loop", "--state-file", "s.md", "cycles=9"),
        UNPINNED,
        differs="flags are understood wherever they stand",
        ours=(0, '{"escalate":true,"reason":"Review loop exceeded max cycles (9/5)"}\n'),
    ),
    "unknown-flag": Row(asks("review-loop", "cycles=3", "--bogus"), differs=UNKNOWN, ours=REFUSED),
    "help": Row(asks("--help"), differs=HELP, ours=USAGE),
}

ROWS = {
    "marker-path": PLACES,
    "marker": MARKERS,
    "stop-hook": STOPS,
    "escalate": ESCALATIONS,
}
