"""validate-story-creation."""

from pathlib import Path

import pytest

from .conftest import Ask

ARTIFACTS = "_bmad-output/implementation-artifacts"
NOTHING = '"source":"","pattern":"","matches":[]'


@pytest.fixture
def folder(project: Path) -> Path:
    folder = project / ARTIFACTS
    for name in ("1-1-login.md", "1-10-late.md", "11-1-other.md", "2-2-a.md", "2-2-b.md"):
        (folder / name).write_text("text")
    return folder


@pytest.fixture
def validate(ask: Ask) -> Ask:
    return lambda *argv: ask("validate-story-creation", *argv)


def refusal(prefix: str, reason: str, created: int = 0, counts: str = "") -> str:
    return (
        f'{{"valid":false,"verified":false,"created_count":{created},"expected":1,'
        f'"prefix":"{prefix}","action":"escalate","reason":"{reason}",{NOTHING}{counts}}}\n'
    )


@pytest.mark.parametrize(
    ("story", "count"),
    [("1.1", 1), ("1-1", 1), ("1.10", 1), ("2.2", 2), ("9.9", 0), ("foo", 0), ("*", 0), ("1", 2)],
)
@pytest.mark.usefixtures("folder")
def test_count_is_a_bare_number(story: str, count: int, validate: Ask) -> None:
    assert validate("count", story) == (0, f"{count}\n", "")


def test_count_and_list_look_into_another_folder(folder: Path, validate: Ask) -> None:
    other = folder / "other"
    other.mkdir()
    (other / "1-1-x.md").touch()
    (other / "1-1-y.md").touch()
    assert validate("count", "1.1", "--artifacts-dir", str(other)).out == "2\n"
    assert validate("count", "--artifacts-dir", f"{ARTIFACTS}/other", "1.1").out == "2\n"
    assert "1-1-x.md" in validate("list", "1.1", "--artifacts-dir", str(other)).out
    assert validate("count", "1.1", "--artifacts-dir", "/nowhere").out == "0\n"


@pytest.mark.parametrize(("story", "prefix"), [("1.1", "1-1"), ("1-1-a", "1-1-a"), ("foo", "foo")])
def test_prefix(story: str, prefix: str, validate: Ask) -> None:
    assert validate("prefix", story) == (0, f"{prefix}\n", "")


def test_prefix_of_nothing_is_silent(validate: Ask) -> None:
    assert validate("prefix") == (1, "", "")


def test_list_looks_like_ls(folder: Path, validate: Ask) -> None:
    mode = (folder / "2-2-a.md").stat().st_mode
    assert validate("list", "2.2") == (
        0,
        (
            "Story files matching 2-2-*.md:\n"
            f"-rw-r--r-- 1 {mode} 4 {folder}/2-2-a.md\n"
            f"-rw-r--r-- 1 {mode} 4 {folder}/2-2-b.md\n"
        ),
        "",
    )
    nothing = "Story files matching 9-9-*.md:\n  (none found)\n"
    assert validate("list", "9.9") == (0, nothing, "")


@pytest.mark.parametrize("action", ["count", "list"])
def test_without_a_story_the_usage_is_shown(action: str, validate: Ask) -> None:
    usage = f"Usage: validate-story-creation {action} <story_id>\n"
    assert validate(action) == (1, "", usage)


@pytest.mark.parametrize("action", ["count", "list", "prefix"])
@pytest.mark.parametrize("argv", [("../x",), ("1.1", "--bogus"), ("1.1", "more")])
def test_what_cannot_be_is_a_usage_error(action: str, argv: tuple[str, ...], validate: Ask) -> None:
    code, out, err = validate(action, *argv)
    assert (code, out) == (1, "")
    assert err.startswith("story-automator validate-story-creation: ")


@pytest.mark.parametrize(
    ("story", "counts", "told", "created", "valid", "reason"),
    [
        ("1.1", (), "", 1, True, "Exactly 1 story file created as expected"),
        (
            "1.1",
            ("0", "1"),
            ',"before":0,"after":1',
            1,
            True,
            "Exactly 1 story file created as expected",
        ),
        (
            "1.1",
            ("1", "1"),
            ',"before":1,"after":1',
            0,
            False,
            "No story file created - session may have failed",
        ),
        (
            "1.1",
            ("2", "1"),
            ',"before":2,"after":1',
            -1,
            False,
            "Story files decreased (-1) - unexpected deletion",
        ),
        (
            "1.1",
            ("0", "3"),
            ',"before":0,"after":3',
            3,
            False,
            "RUNAWAY CREATION: 3 files created instead of 1",
        ),
    ],
    ids=["by-its-files", "one-more", "none-more", "one-less", "three-more"],
)
def test_check(
    story: str,
    counts: tuple[str, ...],
    told: str,
    created: int,
    valid: bool,
    reason: str,
    folder: Path,
    validate: Ask,
) -> None:
    yes, action = ("true", "proceed") if valid else ("false", "escalate")
    answer = (
        f'{{"valid":{yes},"verified":{yes},"created_count":{created},"expected":1,'
        f'"prefix":"1-1","action":"{action}","reason":"{reason}","source":"artifact_glob",'
        f'"pattern":"{ARTIFACTS}/1-1-*.md","matches":["{folder}/1-1-login.md"]{told},'
        '"story":"1-1-login"}\n'
    )
    flags = [word for pair in zip(("--before", "--after"), counts, strict=False) for word in pair]
    assert validate("check", story, *flags) == (0, answer, "")
    if counts:
        assert validate(story, *counts) == (0, answer, "")


@pytest.mark.usefixtures("folder")
def test_check_counts_the_files_that_are_there(validate: Ask) -> None:
    two = validate("check", "2.2").json
    assert (two["created_count"], two["action"]) == (2, "escalate")
    assert two["reason"] == "RUNAWAY CREATION: 2 files created instead of 1"
    none = validate("check", "9.9").json
    assert (none["created_count"], none["story"]) == (0, "9-9")
    assert none["reason"] == "No story file created - session may have failed"


@pytest.mark.usefixtures("folder")
def test_check_of_no_story_key_has_no_facts(validate: Ask) -> None:
    reason = "No story file created - session may have failed"
    assert validate("check", "foo") == (0, refusal("foo", reason), "")


BOTH = "both --before and --after are required together"
COUNTED = ',"before":0,"after":1'


@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        ("check", refusal("", "story_id required")),
        ("check --before 0 --after 1", refusal("", "story_id required")),
        ("check 1.1 --before 1", refusal("1-1", BOTH)),
        ("check 1.1 --after 1", refusal("1-1", BOTH)),
        ("1.1", refusal("1-1", BOTH)),
        ("1.1 0", refusal("1-1", BOTH)),
        ("nope", refusal("nope", BOTH)),
        ("check 1.1 --before x --after 1", refusal("1-1", "before/after must be integers")),
        ("1.1 0 x", refusal("1-1", "before/after must be integers")),
        ("check 1.1 --before", refusal("1-1", "--before requires a value")),
        ("check 1.1 --before 1 --after", refusal("1-1", "--after requires a value")),
        ("check 1.1 --before --after 1", refusal("1-1", "--before requires a value")),
        ("check 1.1 --state-file", refusal("1-1", "--state-file requires a value")),
        ("check 1.1 --artifacts-dir", refusal("1-1", "--artifacts-dir requires a value")),
        ("check 1.1 --bogus", refusal("1-1", "unsupported check argument: --bogus")),
        ("check 1.1 extra", refusal("1-1", "unsupported check argument: extra")),
        ("1.1 0 1 --bogus", refusal("1-1", "unsupported check argument: --bogus", 1, COUNTED)),
        ("1.1 0 1 2", refusal("1-1", "unsupported check argument: 2", 1, COUNTED)),
        (
            "check 1.1 --artifacts-dir /x",
            refusal(
                "1-1",
                "validate-story-creation check no longer supports --artifacts-dir overrides; "
                "use count/list for custom folders",
            ),
        ),
        ("check 1.1 --state-file /nope", refusal("1-1", "state file unreadable: /nope")),
        (
            "1.1 0 1 --state-file /nope",
            refusal("1-1", "state file unreadable: /nope", 1, COUNTED),
        ),
        (
            "check ../1.1",
            refusal("", "story_id may not hold path separators or control characters"),
        ),
    ],
    ids=lambda value: value.replace(" ", "_") if not value.startswith("{") else "",
)
@pytest.mark.usefixtures("folder")
def test_a_wrong_argument_is_told_in_the_same_shape(argv: str, answer: str, validate: Ask) -> None:
    assert validate(*argv.split()) == (1, answer, "")


def test_a_broken_project_is_told_in_the_same_shape(folder: Path, validate: Ask) -> None:
    (folder / "sprint-status.yaml").write_bytes(b"\xff")
    got = validate("check", "9.9")
    assert (got.code, got.json["valid"]) == (1, False)
    assert "not UTF-8" in got.json["reason"]


def test_the_usage_is_shown(validate: Ask) -> None:
    code, out, err = validate("--help")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: validate-story-creation <action> [args]\n\nActions:\n")
    assert validate() == (1, "", out)
    assert validate("check", "--help") == (0, out, "")
