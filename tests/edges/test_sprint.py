"""The sprint file: found, read as YAML, moved forward one value at a time."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story_automator.edges.sprint import set_status, sprint_file, statuses
from story_automator.errors import StoryAutomatorError
from story_automator.model.story import StoryStatus

REAL = """\
# generated: 05-06-2025 21:30
# A story moves: backlog, ready-for-dev, in-progress, review, done

generated: 05-06-2025 21:30
project: "Shop API"
story_location: "{project-root}/_bmad-output/implementation-artifacts"

development_status:
  epic-1: in-progress   # first release
  1-1-user-login: done
  1-2-user-logout: 'review'  # Ann looks at it
  1-10-late:

  # Second epic
  epic-1-retrospective: optional
  2-1-cart: backlog

action_items:
  - {epic: 1, action: "write docs", status: open}
"""


def artifacts(root: Path) -> Path:
    folder = root / "_bmad-output" / "implementation-artifacts"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write(root: Path, content: str | bytes = REAL) -> Path:
    path = artifacts(root) / "sprint-status.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


class TestFile:
    def test_lies_with_the_artifacts(self, tmp_path: Path) -> None:
        assert sprint_file(tmp_path) is None
        assert write(tmp_path) == sprint_file(tmp_path)

    def test_lies_directly_below_the_output_in_older_projects(self, tmp_path: Path) -> None:
        old = artifacts(tmp_path).parent / "sprint-status.yaml"
        old.write_text("1-1-a: done\n")
        assert sprint_file(tmp_path) == old
        assert write(tmp_path) == sprint_file(tmp_path)

    def test_lies_where_bmad_is_configured_to_put_it(self, tmp_path: Path) -> None:
        (tmp_path / "_bmad" / "bmm").mkdir(parents=True)
        (tmp_path / "_bmad" / "bmm" / "config.yaml").write_text(
            'implementation_artifacts: "{project-root}/docs"\n'
        )
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "sprint-status.yaml").write_text("1-1-a: review\n")
        write(tmp_path)
        assert statuses(tmp_path) == {"1-1-a": "review"}


class TestStatuses:
    def test_are_the_development_status_in_file_order(self, tmp_path: Path) -> None:
        write(tmp_path)
        assert list((statuses(tmp_path) or {}).items()) == [
            ("epic-1", "in-progress"),
            ("1-1-user-login", "done"),
            ("1-2-user-logout", "review"),
            ("1-10-late", ""),
            ("epic-1-retrospective", "optional"),
            ("2-1-cart", "backlog"),
        ]

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            pytest.param("1-1-a: done\n1.2: x\n", {"1-1-a": "done", "1.2": "x"}, id="flat-file"),
            pytest.param("development_status:\n", {}, id="nothing-planned"),
            pytest.param("", {}, id="empty-file"),
            pytest.param(b"\xef\xbb\xbf1-1-a: done\n", {"1-1-a": "done"}, id="byte-order-mark"),
            pytest.param("1-1-a: done\r\n1-2-b: x\r\n", {"1-1-a": "done", "1-2-b": "x"}, id="crlf"),
            pytest.param("1-1-a:\n1-2-b: done\n", {"1-1-a": "", "1-2-b": "done"}, id="empty-value"),
            pytest.param("1.1: done\n1.10: x\n", {"1.1": "done", "1.10": "x"}, id="1.1-and-1.10"),
            pytest.param(
                "1-1-a: &x 'done'\n1-2-b: *x\n", {"1-1-a": "done", "1-2-b": "done"}, id="anchor"
            ),
        ],
    )
    def test_are_read(self, content: str | bytes, expected: dict[str, str], tmp_path: Path) -> None:
        write(tmp_path, content)
        assert statuses(tmp_path) == expected

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            pytest.param(
                "development_status:\n  1-1-a: done\n  1-1-a: in-progress\n",
                r"1-1-a stands twice \(lines 2 and 3\)",
                id="duplicate-key",
            ),
            pytest.param(b"1-1-a: \xe9\n", r"not UTF-8 \(byte 7\)", id="not-utf-8"),
            pytest.param("development_status: [a]\n", "a map of keys was expected", id="list"),
        ],
    )
    def test_are_refused_in_one_sentence(
        self, content: str | bytes, said: str, tmp_path: Path
    ) -> None:
        write(tmp_path, content)
        with pytest.raises(StoryAutomatorError, match=said):
            statuses(tmp_path)

    def test_a_directory_in_place_of_the_file_is_said(self, tmp_path: Path) -> None:
        (artifacts(tmp_path) / "sprint-status.yaml").mkdir()
        with pytest.raises(StoryAutomatorError, match="is a directory"):
            statuses(tmp_path)


class TestSetStatus:
    @pytest.mark.parametrize(
        ("key", "status", "old_line", "new_line"),
        [
            pytest.param(
                "1-2-user-logout",
                "done",
                "  1-2-user-logout: 'review'  # Ann looks at it\n",
                "  1-2-user-logout: 'done'  # Ann looks at it\n",
                id="quotes-and-comment-stay",
            ),
            pytest.param(
                "1-10-late", "backlog", "  1-10-late:\n", "  1-10-late: backlog\n", id="empty"
            ),
            pytest.param(
                "epic-1",
                "done",
                "  epic-1: in-progress   # first release\n",
                "  epic-1: done   # first release\n",
                id="epic",
            ),
            pytest.param(
                "epic-1-retrospective",
                "done",
                "  epic-1-retrospective: optional\n",
                "  epic-1-retrospective: done\n",
                id="retrospective",
            ),
        ],
    )
    @pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order-mark"])
    def test_changes_nothing_but_the_value(
        self,
        key: str,
        status: str,
        old_line: str,
        new_line: str,
        line_end: str,
        mark: bytes,
        tmp_path: Path,
    ) -> None:
        def stored(text: str) -> bytes:
            return mark + text.replace("\n", line_end).encode()

        path = write(tmp_path, stored(REAL))
        path.chmod(0o640)
        assert set_status(tmp_path, key, status)
        assert path.read_bytes() == stored(REAL.replace(old_line, new_line))
        assert path.stat().st_mode & 0o777 == 0o640

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param("{1-1-a: review, 1-2-b: x}\n", "{1-1-a: done, 1-2-b: x}\n", id="flow-map"),
            pytest.param('{"1-1-a":"review"}\n', '{"1-1-a": "done"}\n', id="json"),
            pytest.param("1-1-a: &x review\n", "1-1-a: &x done\n", id="anchor-nobody-uses"),
            pytest.param(
                "b: &x review\n1-1-a: *x\n", "b: &x review\n1-1-a: done\n", id="alias-of-another"
            ),
            pytest.param("1-1-a: # why\n", "1-1-a: done # why\n", id="empty-with-a-comment"),
            pytest.param("1-1-a: |\n  review\nb: x\n", "1-1-a: done\nb: x\n", id="block"),
            pytest.param("1-1-a: review", "1-1-a: done", id="no-line-break-at-the-end"),
            pytest.param("? 1-1-a\n: review\n", "? 1-1-a\n: done\n", id="explicit-key"),
        ],
    )
    def test_understands_unusual_yaml(self, before: str, after: str, tmp_path: Path) -> None:
        path = write(tmp_path, before)
        assert set_status(tmp_path, "1-1-a", "done")
        assert path.read_text() == after

    def test_says_when_there_is_nothing_to_do(self, tmp_path: Path) -> None:
        path = write(tmp_path, "1-1-a: Done\n")
        before = path.stat()
        assert not set_status(tmp_path, "1-1-a", "done")
        assert path.stat().st_ino == before.st_ino

    @pytest.mark.parametrize(
        ("content", "key", "status", "said"),
        [
            pytest.param("1-1-a: done\n", "1-1-a", "review", "never goes back", id="backwards"),
            pytest.param("1-1-a: DONE\n", "1-1-a", "backlog", "never goes back", id="any-case"),
            pytest.param(
                "1-1-a: review\n", "1-1-a", "shipped", "is not a status", id="unknown-word"
            ),
            pytest.param("1-1-a: review\n", "1-1", "done", "no entry 1-1", id="only-exact-keys"),
            pytest.param("1-1-a: a\n1-1-a: b\n", "1-1-a", "done", "stands twice", id="duplicate"),
            pytest.param(
                "1-1-a: &x review\n1-2-b: *x\n", "1-1-a", "done", "shares the status", id="shared"
            ),
            pytest.param(b"1-1-a: \xe9\n", "1-1-a", "done", "not UTF-8", id="not-utf-8"),
        ],
    )
    def test_refuses_and_leaves_the_file_alone(
        self, content: str | bytes, key: str, status: str, said: str, tmp_path: Path
    ) -> None:
        path = write(tmp_path, content)
        before = path.read_bytes()
        with pytest.raises(StoryAutomatorError, match=said):
            set_status(tmp_path, key, status)
        assert path.read_bytes() == before

    def test_needs_a_sprint_file(self, tmp_path: Path) -> None:
        with pytest.raises(StoryAutomatorError, match="not found"):
            set_status(tmp_path, "1-1-a", "done")

    @given(
        rows=st.lists(
            st.tuples(
                st.sampled_from(list(StoryStatus)),
                st.sampled_from(["{}", "'{}'", '"{}"', "   {}"]),
                st.sampled_from(["", " # note", "  # 'a: b'", "\n# line\n"]),
            ),
            min_size=1,
            max_size=8,
        ),
        data=st.data(),
    )
    def test_every_other_character_stays(
        self,
        rows: list[tuple[StoryStatus, str, str]],
        data: st.DataObject,
        tmp_path_factory: pytest.TempPathFactory,
    ) -> None:
        root = tmp_path_factory.mktemp("sprint")
        chosen = data.draw(st.integers(0, len(rows) - 1))
        wanted = data.draw(st.sampled_from(list(StoryStatus)))

        def text(new: StoryStatus | None) -> str:
            lines = []
            for number, (status, form, note) in enumerate(rows):
                shown = new if new and number == chosen else status
                lines.append(f"  1-{number}-s: {form.format(shown.value)}{note}")
            return "development_status:\n" + "\n".join(lines) + "\n"

        path = write(root, text(None))
        try:
            changed = set_status(root, f"1-{chosen}-s", wanted)
        except StoryAutomatorError:
            ladder = list(StoryStatus)
            assert ladder.index(wanted) < ladder.index(rows[chosen][0])
            assert path.read_text() == text(None)
        else:
            assert changed is (wanted != rows[chosen][0])
            assert path.read_text() == text(wanted)
