"""orchestrator-helper story-file-status."""

from pathlib import Path

import pytest

from .conftest import Ask


@pytest.fixture
def folder(project: Path) -> Path:
    return project / "_bmad-output" / "implementation-artifacts"


@pytest.mark.parametrize(
    ("content", "status", "title"),
    [
        pytest.param(
            "---\nStatus: done\nTitle: 'Log in'\n---\n", "done", "Log in", id="front-matter"
        ),
        pytest.param("# Story 1.1\n\nStatus: done\n", "done", "", id="bare-line"),
        pytest.param("# Story 1.1\n", "unknown", "", id="no-status"),
    ],
)
def test_answer(content: str, status: str, title: str, folder: Path, helper: Ask) -> None:
    file = folder / "1-1-login.md"
    file.write_text(content)
    answer = (
        f'{{"ok":true,"story_key":"1-1-login","file":"{file}",'
        f'"status":"{status}","title":"{title}"}}\n'
    )
    assert helper("story-file-status", "1.1") == (0, answer, "")
    assert helper("story-file-status", "1-1-login") == (0, answer, "")


@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        pytest.param((), '{"ok":false,"error":"story input required"}', id="nothing"),
        pytest.param(
            ("foo",),
            '{"ok":false,"error":"could not normalize story key","input":"foo"}',
            id="no-key",
        ),
        pytest.param(
            ("1-1-../../x",),
            '{"ok":false,"error":"could not normalize story key","input":"1-1-../../x"}',
            id="path",
        ),
        pytest.param(
            ("9.9",), '{"ok":false,"error":"story file not found","prefix":"9-9"}', id="no-file"
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_refusals(argv: tuple[str, ...], answer: str, helper: Ask) -> None:
    assert helper("story-file-status", *argv) == (1, f"{answer}\n", "")


def test_an_unreadable_file_is_one_clear_answer(folder: Path, helper: Ask) -> None:
    (folder / "1-1-login.md").write_bytes(b"\xff")
    got = helper("story-file-status", "1.1")
    assert got.code == 1
    assert got.json["error"].endswith("1-1-login.md is not UTF-8 (byte 0)")


def test_a_directory_is_no_story_file(folder: Path, helper: Ask) -> None:
    (folder / "1-1-login.md").mkdir()
    got = helper("story-file-status", "1.1")
    assert (got.code, got.json["error"]) == (1, "story file not found")
