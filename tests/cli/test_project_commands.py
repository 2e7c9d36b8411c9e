"""`derive-project-slug` and `ensure-marker-gitignore`."""

from pathlib import Path

import pytest

from .conftest import Ask


@pytest.mark.parametrize(
    ("root", "slug"),
    [
        ("/a/B_c.d-eéfghijk", "bcdefghi"),
        ("/", "project"),
        ("../shop", "shop"),
        (".", "project"),
        ("/x/日本", "project"),
    ],
)
def test_slug_of_a_told_root(ask: Ask, project: Path, root: str, slug: str) -> None:
    answer = ask("derive-project-slug", "--project-root", root)
    assert answer.code == 0
    assert list(answer.json.items()) == [("ok", True), ("slug", slug), ("projectRoot", root)]
    assert answer.out.isascii()


def test_slug_of_the_current_directory_whatever_project_root_says(
    ask: Ask, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROJECT_ROOT", "/elsewhere")
    out = f'{{"ok":true,"slug":"shopapi","projectRoot":"{project}"}}\n'
    assert ask("derive-project-slug") == (0, out, "")


def test_slug_help_is_a_usage_line(ask: Ask) -> None:
    out = "Usage: derive-project-slug [--project-root PATH]\n"
    assert ask("derive-project-slug", "--help") == (0, out, "")


@pytest.mark.parametrize("argv", [["--bogus"], ["word"], ["--project-root"]])
def test_slug_mistakes_are_one_sentence(ask: Ask, argv: list[str]) -> None:
    answer = ask("derive-project-slug", *argv)
    assert (answer.code, answer.out) == (1, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(None, b".x\n", id="no-file-yet"),
        pytest.param(b"", b".x\n", id="an-empty-file"),
        pytest.param(b"a", b"a\n.x\n", id="no-last-newline"),
        pytest.param(b"a\nb\n", b"a\nb\n.x\n", id="one-more-line"),
        pytest.param(b"#.x\n", b"#.x\n.x\n", id="a-comment-does-not-count"),
        pytest.param(b"a\r\n", b"a\r\n.x\r\n", id="windows-line-ends-stay"),
        pytest.param(b"\xff\n", b"\xff\n.x\n", id="names-of-other-bytes-stay"),
        pytest.param(b"  .x  \n", None, id="there-with-blanks-around-it"),
        pytest.param(b".x\r\n", None, id="there-with-a-windows-line-end"),
    ],
)
def test_gitignore(ask: Ask, project: Path, before: bytes | None, after: bytes | None) -> None:
    path = project / ".gitignore"
    if before is not None:
        path.write_bytes(before)
    answer = ask("ensure-marker-gitignore", "--gitignore", ".gitignore", "--entry", ".x")
    changed = "true" if after is not None else "false"
    assert answer == (0, f'{{"ok":true,"changed":{changed},"path":".gitignore"}}\n', "")
    assert path.read_bytes() == (before if after is None else after)
    again = ask("ensure-marker-gitignore", "--gitignore", ".gitignore", "--entry", ".x")
    assert again.json["changed"] is False


def test_a_new_gitignore_is_for_everybody_to_read(ask: Ask, project: Path) -> None:
    ask("ensure-marker-gitignore", "--gitignore", ".gitignore", "--entry", ".x")
    assert (project / ".gitignore").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    "argv", [[], ["--gitignore", "f"], ["--entry", "e"], ["--gitignore", "f", "--entry", ""]]
)
def test_gitignore_needs_both(ask: Ask, project: Path, argv: list[str]) -> None:
    answer = ask("ensure-marker-gitignore", *argv)
    assert answer == (1, '{"ok":false,"error":"missing_args"}\n', "")


@pytest.mark.parametrize("entry", ["#comment", "two\nlines"])
def test_an_entry_that_would_ignore_nothing_is_refused(ask: Ask, project: Path, entry: str) -> None:
    answer = ask("ensure-marker-gitignore", "--gitignore", "f", "--entry", entry)
    assert (answer.code, answer.out) == (1, "")
    assert not (project / "f").exists()


@pytest.mark.parametrize("place", ["no/folder/f", "."])
def test_gitignore_that_cannot_be_written_is_an_answer(ask: Ask, project: Path, place: str) -> None:
    answer = ask("ensure-marker-gitignore", "--gitignore", place, "--entry", ".x")
    assert answer.code == 1
    assert (answer.json["ok"], answer.json["error"]) == (False, "write_failed")
