"""BMAD's own configuration, and YAML that is broken, hostile or just unusual."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.edges import project
from story_automator.edges.project import implementation_artifacts
from story_automator.edges.yaml import scalar, yaml_map
from story_automator.errors import StoryAutomatorError

SOURCE = Path("x.yaml")


def read(text: str) -> dict[str, str]:
    return {key: scalar(value) for key, (_, value) in yaml_map(text, SOURCE).items()}


def bomb() -> str:
    levels = "abcdefghijklmnopqrst"
    first = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    pairs = pairwise(levels)
    return first + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in pairs)


class TestYaml:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param("a: done", {"a": "done"}, id="plain"),
            pytest.param("a: 'done'\nb: \"done\"", {"a": "done", "b": "done"}, id="quoted"),
            pytest.param("a: &x done\nb: *x", {"a": "done", "b": "done"}, id="anchor-and-alias"),
            pytest.param("a: done # soon", {"a": "done"}, id="comment"),
            pytest.param("a:\nb: done", {"a": "", "b": "done"}, id="empty-value-is-empty"),
            pytest.param("a: ~\nb: null", {"a": "", "b": ""}, id="null-is-empty"),
            pytest.param("a: 'null'", {"a": "null"}, id="quoted-null-is-a-word"),
            pytest.param(
                "a: 1.10\n1.1: x\n1.10: y", {"a": "1.10", "1.1": "x", "1.10": "y"}, id="1.10"
            ),
            pytest.param("a: yes\nb: 010", {"a": "yes", "b": "010"}, id="nothing-is-converted"),
            pytest.param("a: done\r\nb: x\r\n", {"a": "done", "b": "x"}, id="crlf"),
            pytest.param(
                "a: [1, 2]\nb: {c: d}", {"a": "", "b": ""}, id="lists-and-maps-have-no-text"
            ),
            pytest.param("", {}, id="empty-file"),
            pytest.param("# only\n", {}, id="comment-only"),
            pytest.param("a: &x 1\nb: &x 2", {"a": "1", "b": "2"}, id="anchor-used-again"),
        ],
    )
    def test_is_read_as_text(self, text: str, expected: dict[str, str]) -> None:
        assert read(text) == expected

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            pytest.param(
                "a: done\nb: 1\na: review", "a stands twice (lines 1 and 3)", id="duplicate"
            ),
            pytest.param("a: b: c", "not valid YAML (line 1)", id="two-colons"),
            pytest.param("a: x\n\tb: y", "not valid YAML (line 2)", id="tab"),
            pytest.param("a: [", "not valid YAML", id="cut-off"),
            pytest.param("a: *x", "not valid YAML (line 1)", id="alias-of-nothing"),
            pytest.param("a: 1\n---\nb: 2", "not valid YAML", id="two-documents"),
            pytest.param("%YAML 1.3\n---\na: 1", "not valid YAML", id="version-of-the-future"),
            pytest.param("a: \x07", "not valid YAML", id="control-character"),
            pytest.param("- a", "a map of keys was expected", id="list"),
            pytest.param("word", "a map of keys was expected", id="scalar"),
            pytest.param("? [a, b]\n: c", "only plain keys", id="list-as-key"),
            pytest.param("base: &b {a: 1}\n<<: *b", "only plain keys", id="merge-key"),
            pytest.param("[" * 5000, "nests too deeply", id="deep-nesting"),
            pytest.param("a: x\n" * 200_000, "more than", id="too-large"),
        ],
    )
    def test_is_refused_in_one_sentence(self, text: str, said: str) -> None:
        with pytest.raises(StoryAutomatorError) as refusal:
            read(text)
        assert refusal.value.message.startswith(str(SOURCE))
        assert said in refusal.value.message
        assert "\n" not in refusal.value.message

    def test_a_bomb_of_aliases_is_not_expanded(self) -> None:
        found = yaml_map(bomb(), SOURCE)
        last = found["t"][1].value
        assert len(last) == 10
        assert all(node is last[0] for node in last)

    @given(st.text(alphabet=st.sampled_from("ab01:-. \n\t'\"&*!|>%#{}[],?<~"), max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            found = read(text)
        except StoryAutomatorError:
            return
        assert all(isinstance(value, str) for value in found.values())


class TestProjectFile:
    def test_a_byte_order_mark_is_dropped(self, tmp_path: Path) -> None:
        file = tmp_path / "a"
        file.write_bytes(b"\xef\xbb\xbfa: 1")
        assert project.read_project_file(file) == "a: 1"

    def test_bytes_that_are_not_utf_8_are_named(self, tmp_path: Path) -> None:
        file = tmp_path / "a"
        file.write_bytes(b"ab\xff")
        with pytest.raises(StoryAutomatorError, match=r"not UTF-8 \(byte 2\)"):
            project.read_project_file(file)

    def test_a_directory_is_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(StoryAutomatorError, match="is a directory"):
            project.read_project_file(tmp_path)

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(StoryAutomatorError, match="not a regular file"):
            project.read_project_file(tmp_path / "pipe")

    def test_a_missing_file_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(StoryAutomatorError, match=r"cannot read .*No such file"):
            project.read_project_file(tmp_path / "none")

    def test_a_huge_file_is_refused_unread(self, tmp_path: Path) -> None:
        with (tmp_path / "huge").open("wb") as handle:
            handle.truncate(project.MOST_TEXT + 1)
        with pytest.raises(StoryAutomatorError, match="larger than"):
            project.read_project_file(tmp_path / "huge")


class TestImplementationArtifacts:
    @staticmethod
    def configure(root: Path, text: str) -> None:
        folder = root / "_bmad" / "bmm"
        folder.mkdir(parents=True)
        (folder / "config.yaml").write_text(text)

    def test_lie_in_bmads_folder_without_a_configuration(self, tmp_path: Path) -> None:
        assert implementation_artifacts(tmp_path) == (
            tmp_path / "_bmad-output" / "implementation-artifacts"
        )

    @pytest.mark.parametrize(
        ("line", "folder"),
        [
            pytest.param(
                'implementation_artifacts: "{project-root}/docs/impl"', "docs/impl", id="root"
            ),
            pytest.param("implementation_artifacts: docs/./impl", "docs/impl", id="relative"),
            pytest.param("user_name: Ann", "_bmad-output/implementation-artifacts", id="not-told"),
            pytest.param(
                "implementation_artifacts:", "_bmad-output/implementation-artifacts", id="empty"
            ),
        ],
    )
    def test_lie_where_the_configuration_says(self, line: str, folder: str, tmp_path: Path) -> None:
        self.configure(tmp_path, line)
        assert implementation_artifacts(tmp_path) == tmp_path / folder

    @pytest.mark.parametrize(
        "place", ["{project-root}/../elsewhere", "/etc", "../..", "{output_folder}/x"]
    )
    def test_never_lie_outside_the_project(self, place: str, tmp_path: Path) -> None:
        self.configure(tmp_path, f"implementation_artifacts: '{place}'")
        with pytest.raises(StoryAutomatorError, match="outside the project"):
            implementation_artifacts(tmp_path)

    def test_a_changed_configuration_is_read_anew(self, tmp_path: Path) -> None:
        self.configure(tmp_path, "implementation_artifacts: one")
        assert implementation_artifacts(tmp_path) == tmp_path / "one"
        (tmp_path / "_bmad" / "bmm" / "config.yaml").write_text("implementation_artifacts: other")
        assert implementation_artifacts(tmp_path) == tmp_path / "other"

    def test_braces_in_the_project_path_are_no_placeholder(self, tmp_path: Path) -> None:
        root = tmp_path / "{shop}"
        self.configure(root, "implementation_artifacts: '{project-root}/impl'")
        assert implementation_artifacts(root) == root / "impl"
