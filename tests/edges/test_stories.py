"""Story files as people and agents write them."""

from pathlib import Path

import pytest

from story_automator.edges.stories import read_story, story_files
from story_automator.errors import StoryAutomatorError


def story(folder: Path, content: str | bytes, name: str = "1-1-a.md") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "status", "title"),
    [
        pytest.param("---\nstatus: done\ntitle: A\n---\n", "done", "A", id="front-matter"),
        pytest.param("---\nStatus: Done\nTITLE: A\n---\n", "Done", "A", id="case-of-the-key"),
        pytest.param("---\nstatus: 'done' # ok\n---\n", "done", "", id="quoted-with-a-comment"),
        pytest.param("---\nx: &s done\nstatus: *s\n---\n", "done", "", id="anchor"),
        pytest.param("---\ntitle: a --- b\nstatus: done\n---\n", "done", "a --- b", id="dashes"),
        pytest.param("---\ntitle: '---'\nstatus: done\n---\n", "done", "---", id="only-dashes"),
        pytest.param("---\r\nstatus: done\r\n---\r\n", "done", "", id="crlf"),
        pytest.param(b"\xef\xbb\xbf---\nstatus: done\n---\n", "done", "", id="byte-order-mark"),
        pytest.param(
            "---\ntitle: A: b\nstatus: done\n---\n", "done", "A: b", id="title-with-a-colon"
        ),
        pytest.param("# Story 1.1: A\n\nStatus: done\n\n## Story\n", "done", "", id="bare-line"),
        pytest.param("# Story\r\n\r\nStatus: done\r\n", "done", "", id="bare-line-crlf"),
        pytest.param(b"\xef\xbb\xbfStatus: done\n", "done", "", id="bare-line-byte-order-mark"),
        pytest.param("**Status:** done\n", "done", "", id="bold-name"),
        pytest.param("**Status**: **done**\n", "done", "", id="bold-name-and-value"),
        pytest.param("status: ready-for-dev\n", "ready-for-dev", "", id="bare-lower-case"),
        pytest.param("Status:done\n", "done", "", id="bare-without-a-blank"),
        pytest.param("---\ntitle: A\n---\nStatus: done\n", "done", "A", id="both-forms"),
        pytest.param(
            "---\nstatus: review\n---\nStatus: done\n", "review", "", id="front-matter-first"
        ),
        pytest.param(
            "---\nstatus:\n---\nStatus: done\n", "done", "", id="empty-front-matter-value"
        ),
        pytest.param("---\nstatus: done\n", "done", "", id="front-matter-never-closed"),
        pytest.param("# A\n\n## Notes\nStatus: done\n", "", "", id="prose-below-a-section"),
        pytest.param("# A\n```\nStatus: done\n```\n", "", "", id="code-block"),
        pytest.param("My Status: done\n- Status: done\n", "", "", id="a-sentence-about-status"),
        pytest.param("Status:\nReady\n", "", "", id="empty-bare-line-takes-nothing"),
        pytest.param("Status: done\nStatus: done\n", "done", "", id="said-twice-alike"),
        pytest.param("", "", "", id="empty-file"),
        pytest.param("---\n---\n", "", "", id="empty-front-matter"),
        pytest.param("# A\n", "", "", id="no-status"),
    ],
)
def test_status_and_title(content: str | bytes, status: str, title: str, tmp_path: Path) -> None:
    path = story(tmp_path, content)
    assert read_story(path) == (path, status, title)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("---\nstatus: review\nstatus: done\n---\n", id="front-matter"),
        pytest.param("---\nStatus: review\nstatus: done\n---\n", id="front-matter-in-two-cases"),
        pytest.param("Status: review\nStatus: done\n", id="bare-lines"),
    ],
)
def test_two_different_statuses_are_refused(content: str, tmp_path: Path) -> None:
    with pytest.raises(StoryAutomatorError, match="two values for"):
        read_story(story(tmp_path, content))


def test_bytes_that_are_not_utf_8_are_named(tmp_path: Path) -> None:
    with pytest.raises(StoryAutomatorError, match=r"not UTF-8 \(byte 8\)"):
        read_story(story(tmp_path, b"Status: \xff\n"))


class TestFiles:
    def test_are_found_by_prefix_and_sorted(self, tmp_path: Path) -> None:
        names = [
            "1-1-b.md",
            "1-1-a.md",
            "1-10-c.md",
            "11-1-d.md",
            "1-1.md",
            "1-1-a.txt",
            "x1-1-a.md",
        ]
        for name in names:
            story(tmp_path, "", name)
        (tmp_path / "1-1-folder.md").mkdir()
        assert [path.name for path in story_files(tmp_path, "1-1")] == ["1-1-a.md", "1-1-b.md"]

    @pytest.mark.parametrize("prefix", ["*", "?-1", "[0-9]-1", "../1-1", ""])
    def test_a_prefix_is_no_pattern_and_no_path(self, prefix: str, tmp_path: Path) -> None:
        story(tmp_path, "")
        (tmp_path / "folder").mkdir()
        assert story_files(tmp_path / "folder", prefix) == []
        assert story_files(tmp_path, prefix) == []

    def test_none_in_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        assert story_files(tmp_path / "none", "1-1") == []

    def test_a_file_instead_of_the_folder_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(StoryAutomatorError, match="cannot list"):
            story_files(story(tmp_path, ""), "1-1")
