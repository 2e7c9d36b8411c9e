"""orchestrator-helper sprint-status."""

from pathlib import Path

import pytest

from .conftest import Ask

SPRINT = """\
generated: 05-06-2025 21:30
project: Shop API
development_status:
  epic-1: in-progress
  1-1-login: done
  1-2-logout: "Done"  # reviewed
  1-10-late: backlog
  1-11-empty:
  epic-1-retrospective: optional
  11-1-other: &finished done
  2-1-cart: *finished
  2-2-pay: 'done'
  3-1-one: done
  3-1-two: backlog
  1-on-1 meeting: backlog
"""


@pytest.fixture
def sprint(project: Path) -> Path:
    path = project / "_bmad-output" / "implementation-artifacts" / "sprint-status.yaml"
    path.write_text(SPRINT)
    return path


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        pytest.param(
            "1-1-login",
            '{"found":true,"story":"1-1-login","status":"done","done":true}',
            id="key",
        ),
        pytest.param(
            "1.1", '{"found":true,"story":"1-1-login","status":"done","done":true}', id="id"
        ),
        pytest.param(
            "1-1", '{"found":true,"story":"1-1-login","status":"done","done":true}', id="prefix"
        ),
        pytest.param(
            "1.10",
            '{"found":true,"story":"1-10-late","status":"backlog","done":false}',
            id="1.10-is-not-1.1",
        ),
        pytest.param(
            "1.2",
            '{"found":true,"story":"1-2-logout","status":"Done","done":true}',
            id="quoted-and-in-any-case",
        ),
        pytest.param(
            "2.1", '{"found":true,"story":"2-1-cart","status":"done","done":true}', id="alias"
        ),
        pytest.param(
            "1.11",
            '{"found":true,"story":"1-11-empty","status":"unknown","done":false}',
            id="empty-value-is-not-the-next-key",
        ),
        pytest.param(
            "epic-1",
            '{"found":true,"story":"epic-1","status":"in-progress","done":false}',
            id="epic",
        ),
        pytest.param("9-9", '{"found":false,"story":"9-9","status":"not_found"}', id="not-listed"),
        pytest.param(
            "project",
            '{"found":false,"story":"project","status":"not_found"}',
            id="header-keys-are-no-stories",
        ),
        pytest.param("../1.1", '{"found":false,"story":"../1.1","status":"not_found"}', id="path"),
        pytest.param("", '{"found":false,"story":"","status":"not_found"}', id="empty"),
    ],
)
@pytest.mark.usefixtures("sprint")
def test_get(key: str, answer: str, helper: Ask) -> None:
    assert helper("sprint-status", "get", key) == (0, f"{answer}\n", "")


@pytest.mark.parametrize(
    ("epic", "answer"),
    [
        pytest.param(
            "1",
            '{"ok":true,"epic":"1","allStoriesDone":false,"total":4,"done":2,"count":4,'
            '"stories":["1-1-login","1-2-logout","1-10-late","1-11-empty"]}',
            id="neither-epic-11-nor-a-meeting",
        ),
        pytest.param(
            "2",
            '{"ok":true,"epic":"2","allStoriesDone":true,"total":2,"done":2,"count":2,'
            '"stories":["2-1-cart","2-2-pay"]}',
            id="alias-and-quoted-done",
        ),
        pytest.param(
            "9",
            '{"ok":false,"epic":"9","allStoriesDone":false,"reason":"no_stories_found","count":0}',
            id="no-stories",
        ),
    ],
)
@pytest.mark.usefixtures("sprint")
def test_check_epic(epic: str, answer: str, helper: Ask) -> None:
    assert helper("sprint-status", "check-epic", epic) == (0, f"{answer}\n", "")


def test_exists(sprint: Path, helper: Ask) -> None:
    assert helper("sprint-status", "exists") == (0, "true\n", "")
    sprint.unlink()
    assert helper("sprint-status", "exists") == (0, "false\n", "")
    sprint.mkdir()
    assert helper("sprint-status", "exists") == (0, "false\n", "")


@pytest.mark.usefixtures("project")
def test_without_a_sprint_file(helper: Ask) -> None:
    assert helper("sprint-status", "get", "1.1") == (
        0,
        '{"found":false,"status":"unknown","reason":"sprint-status.yaml not found"}\n',
        "",
    )
    assert helper("sprint-status", "check-epic", "1").json["reason"] == "no_stories_found"


def test_the_place_of_older_projects_is_read(project: Path, helper: Ask) -> None:
    (project / "_bmad-output" / "sprint-status.yaml").write_text("1-1-a: done\n1.2: review\n")
    assert helper("sprint-status", "get", "1.1").json["story"] == "1-1-a"
    assert helper("sprint-status", "get", "1-2").json["story"] == "1.2"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"1-1-a: \xff\n", "is not UTF-8 (byte 7)", id="not-utf-8"),
        pytest.param(b"1-1-a: done\n1-1-a: x\n", "1-1-a stands twice (lines 1 and 2)", id="twice"),
        pytest.param(b"1-1-a: [\n", "is not valid YAML", id="broken"),
        pytest.param(None, "is a directory, not a file", id="directory"),
    ],
)
def test_an_unreadable_sprint_file_is_one_clear_answer(
    content: bytes | None, said: str, sprint: Path, helper: Ask
) -> None:
    sprint.unlink()
    if content is None:
        sprint.mkdir()
    else:
        sprint.write_bytes(content)
    got = helper("sprint-status", "get", "1.1")
    assert (got.code, got.err) == (1, "")
    assert list(got.json) == ["found", "story", "status", "reason"]
    assert got.json | {"reason": ""} == {
        "found": False,
        "story": "1.1",
        "status": "unknown",
        "reason": "",
    }
    assert said in got.json["reason"]
    checked = helper("sprint-status", "check-epic", "1")
    assert (checked.code, checked.json["ok"], checked.json["allStoriesDone"]) == (1, False, False)
    assert said in checked.json["reason"]


@pytest.mark.usefixtures("sprint")
def test_two_stories_with_one_number_are_refused(helper: Ask) -> None:
    got = helper("sprint-status", "get", "3.1")
    assert got.code == 1
    assert got.json["found"] is False
    assert "3-1-one, 3-1-two" in got.json["reason"]
    assert helper("sprint-status", "get", "3-1-two").json["status"] == "backlog"


@pytest.mark.parametrize(
    ("argv", "usage"),
    [
        pytest.param((), "<get|exists|check-epic> [args]", id="nothing"),
        pytest.param(("nope",), "<get|exists|check-epic> [args]", id="unknown"),
        pytest.param(("get",), "get <story_key>", id="get-without-a-key"),
        pytest.param(("check-epic",), "check-epic <epic>", id="check-epic-without-an-epic"),
    ],
)
def test_a_missing_argument_is_answered_with_the_usage(
    argv: tuple[str, ...], usage: str, helper: Ask
) -> None:
    assert helper("sprint-status", *argv) == (
        1,
        "",
        f"Usage: orchestrator-helper sprint-status {usage}\n",
    )


@pytest.mark.parametrize("argv", [("get", "1.1", "--x"), ("exists", "--x"), ("get", "1.1", "2.1")])
def test_what_is_not_understood_is_said(argv: tuple[str, ...], helper: Ask) -> None:
    code, out, err = helper("sprint-status", *argv)
    assert (code, out) == (1, "")
    assert "unrecognized arguments" in err


def test_the_project_root_comes_from_the_environment(
    sprint: Path, helper: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROJECT_ROOT", str(Path.cwd()))
    monkeypatch.chdir(tmp_path)
    assert helper("sprint-status", "get", "1.1").json["found"] is True
