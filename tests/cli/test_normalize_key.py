"""orchestrator-helper normalize-key."""

from pathlib import Path

import pytest

from .conftest import Ask


@pytest.fixture(autouse=True)
def stories(project: Path) -> Path:
    folder = project / "_bmad-output" / "implementation-artifacts"
    (folder / "1-1-login.md").touch()
    (folder / "1-10-late.md").touch()
    (folder / "sprint-status.yaml").write_text("1-1-signin: done\n1-2-logout: done\n")
    return folder


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("1.1", '{"ok":true,"id":"1.1","prefix":"1-1","key":"1-1-login"}', id="id"),
        pytest.param("1-1", '{"ok":true,"id":"1.1","prefix":"1-1","key":"1-1-login"}', id="prefix"),
        pytest.param("1-1-zzz", '{"ok":true,"id":"1.1","prefix":"1-1","key":"1-1-zzz"}', id="key"),
        pytest.param(
            "1.2", '{"ok":true,"id":"1.2","prefix":"1-2","key":"1-2-logout"}', id="sprint-key"
        ),
        pytest.param("9.9", '{"ok":true,"id":"9.9","prefix":"9-9","key":"9-9"}', id="unknown"),
        pytest.param(
            "01.02", '{"ok":true,"id":"01.02","prefix":"01-02","key":"01-02"}', id="leading-zeros"
        ),
        pytest.param(
            "1-1-É",
            r'{"ok":true,"id":"1.1","prefix":"1-1","key":"1-1-\u00c9"}',
            id="non-ascii-is-escaped",
        ),
    ],
)
def test_json(text: str, answer: str, helper: Ask) -> None:
    assert helper("normalize-key", text) == (0, f"{answer}\n", "")
    assert helper("normalize-key", text, "--to", "json") == (0, f"{answer}\n", "")


@pytest.mark.parametrize(
    ("form", "answer"), [("id", "1.1"), ("prefix", "1-1"), ("key", "1-1-login")]
)
def test_one_form(form: str, answer: str, helper: Ask) -> None:
    assert helper("normalize-key", "1.1", "--to", form) == (0, f"{answer}\n", "")
    assert helper("normalize-key", "--to", form, "1.1") == (0, f"{answer}\n", "")


@pytest.mark.parametrize("text", ["foo", "", "1", "1.1.1", "epic-1", "1-2-../../../etc/passwd"])
@pytest.mark.parametrize("form", ["id", "key", "prefix", "json"])
def test_no_story_key(text: str, form: str, helper: Ask) -> None:
    got = helper("normalize-key", text, "--to", form)
    assert (got.code, got.err) == (1, "")
    assert got.out == f'{{"ok":false,"error":"unrecognized format","input":"{text}"}}\n'


def test_nothing_given(helper: Ask) -> None:
    assert helper("normalize-key") == (1, '{"ok":false,"error":"input required"}\n', "")


@pytest.mark.parametrize(
    "argv", [("1.1", "--to", "bogus"), ("1.1", "--to"), ("1.1", "--x"), ("1.1", "2.2")]
)
def test_what_is_not_understood_is_a_usage_error(argv: tuple[str, ...], helper: Ask) -> None:
    code, out, err = helper("normalize-key", *argv)
    assert (code, out) == (1, "")
    assert err.endswith(
        "; Usage: orchestrator-helper normalize-key <input> [--to id|key|prefix|json]\n"
    )


def test_a_broken_sprint_file_matters_only_for_the_key(stories: Path, helper: Ask) -> None:
    (stories / "sprint-status.yaml").write_bytes(b"\xff")
    assert helper("normalize-key", "1.2", "--to", "id").out == "1.2\n"
    assert helper("normalize-key", "1.1", "--to", "key").out == "1-1-login\n"
    got = helper("normalize-key", "1.2")
    assert (got.code, got.json["ok"], got.json["input"]) == (1, False, "1.2")
    assert "not UTF-8" in got.json["error"]
