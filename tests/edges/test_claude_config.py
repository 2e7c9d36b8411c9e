"""Claude's own settings file: found where Claude looks, changed without losing anything."""

import json
import multiprocessing
import os
import threading
import time
from pathlib import Path

import pytest

from story_automator.edges.claude_config import Config, asking_settings, config_path, read, update
from story_automator.errors import StoryAutomatorError


def added(config: object) -> Config:
    assert isinstance(config, dict)
    return {**config, "new": True}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".claude.json"


class TestWhereItLies:
    def test_in_home(self, tmp_path: Path) -> None:
        assert config_path({"HOME": str(tmp_path)}) == tmp_path / ".claude.json"

    def test_in_the_folder_that_claude_is_told(self, tmp_path: Path) -> None:
        environ = {"HOME": "/nowhere", "CLAUDE_CONFIG_DIR": str(tmp_path)}
        assert config_path(environ) == tmp_path / ".claude.json"

    def test_the_old_place_counts_while_there_is_a_file(self, tmp_path: Path) -> None:
        old = tmp_path / ".claude" / ".config.json"
        old.parent.mkdir()
        old.write_text("{}")
        assert config_path({"HOME": str(tmp_path)}) == old
        told = {"HOME": "/nowhere", "CLAUDE_CONFIG_DIR": str(old.parent)}
        assert config_path(told) == old

    def test_without_home_it_is_said(self) -> None:
        with pytest.raises(StoryAutomatorError, match="HOME"):
            config_path({})


class TestTheShapeStays:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param(
                '{\n  "é": [],\n  "b": {}\n}',
                '{\n  "é": [],\n  "b": {},\n  "new": true\n}',
                id="two",
            ),
            pytest.param(
                '{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "new": true\n}\n', id="four-and-newline"
            ),
            pytest.param('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": true\n}', id="tabs"),
            pytest.param('{"a":1,"b":2}', '{"a":1,"b":2,"new":true}', id="compact"),
            pytest.param('{"a": 1, "b": 2}\n', '{"a": 1, "b": 2, "new": true}\n', id="one-line"),
            pytest.param(
                '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "new": true\r\n}\r\n', id="crlf"
            ),
            pytest.param('\ufeff{"a":1}', '\ufeff{"a":1,"new":true}', id="bom"),
            pytest.param("{}", '{\n  "new": true\n}', id="empty"),
            pytest.param(
                '{"a\\"b":"\\ud83d"}', '{"a\\"b":"\\ud83d","new":true}', id="half-a-character"
            ),
        ],
    )
    def test_of_the_text(self, file: Path, before: str, after: str) -> None:
        file.write_bytes(before.encode())
        update(file, added)
        assert file.read_bytes().decode() == after

    def test_of_the_mode(self, file: Path) -> None:
        file.write_text("{}")
        file.chmod(0o640)
        update(file, added)
        assert file.stat().st_mode & 0o777 == 0o640

    def test_of_a_link_which_is_written_through(self, file: Path, tmp_path: Path) -> None:
        target = tmp_path / "dotfiles.json"
        target.write_text('{"a":1}')
        file.symlink_to(target)
        update(file, added)
        assert file.is_symlink()
        assert json.loads(target.read_text()) == {"a": 1, "new": True}

    def test_a_new_file_is_private_and_its_folder_is_made(self, tmp_path: Path) -> None:
        file = tmp_path / "made" / ".claude.json"
        update(file, added)
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.read_text() == '{\n  "new": true\n}'


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"a":', id="cut"),
        pytest.param(b'{"a":NaN}', id="not-a-number"),
        pytest.param(b'{"a":1e999}', id="a-number-beyond-all"),
        pytest.param(b'{"a":"\xff"}', id="not-utf-8"),
        pytest.param(b"[" * 100_000, id="too-deep"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_stays(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(StoryAutomatorError):
        update(file, added)
    assert file.read_bytes() == content
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["a-folder", "a-pipe"])
def test_what_is_no_file_is_refused(file: Path, make: object) -> None:
    make(file)  # type: ignore[operator]
    with pytest.raises(OSError, match="not a regular file") as refused:
        read(file)
    assert refused.value.filename == str(file)


class TestBesideClaude:
    def test_its_lock_is_waited_for_and_what_it_wrote_is_kept(self, file: Path) -> None:
        file.write_text('{"a":1}')
        lock = file.with_name(".claude.json.lock")
        lock.mkdir()

        def claude() -> None:
            file.write_text('{"a":2}')
            lock.rmdir()

        late = threading.Timer(0.3, claude)
        late.start()
        update(file, added)
        late.join()
        assert json.loads(file.read_text()) == {"a": 2, "new": True}
        assert not lock.exists()

    def test_its_lock_is_held_while_we_change_the_file(self, file: Path) -> None:
        seen = []

        def looking(config: object) -> Config:
            seen.append(file.with_name(".claude.json.lock").is_dir())
            return added(config)

        update(file, looking)
        assert seen == [True]

    def test_a_forgotten_lock_is_taken_over(self, file: Path) -> None:
        lock = file.with_name(".claude.json.lock")
        lock.mkdir()
        os.utime(lock, (time.time() - 60,) * 2)
        update(file, added)
        assert read(file) == {"new": True}
        assert not lock.exists()

    def test_what_it_writes_in_spite_of_the_lock_is_read_again(self, file: Path) -> None:
        file.write_text('{"a":1}')
        writes = iter(['{"a":2}'])

        def interrupted(config: object) -> Config:
            for text in writes:
                file.write_text(text)
            return added(config)

        update(file, interrupted)
        assert read(file) == {"a": 2, "new": True}


def _count(file: Path) -> None:
    def edit(config: object) -> Config:
        assert isinstance(config, dict)
        return {**config, "n": config.get("n", 0) + 1}

    update(file, edit)


def test_eight_of_us_at_once_lose_nothing(file: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_count, args=(file,)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert read(file) == {"n": 8}


class TestRulesThatAsk:
    @pytest.mark.parametrize(
        "place",
        [
            pytest.param("shop/.claude/settings.json", id="of-the-project"),
            pytest.param("shop/.claude/settings.local.json", id="of-the-project-here"),
            pytest.param("home/.claude/settings.json", id="of-the-user"),
        ],
    )
    def test_are_found(self, tmp_path: Path, place: str) -> None:
        path = tmp_path / place
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"permissions": {"ask": ["Bash(git push:*)"]}}))
        environ = {"HOME": str(tmp_path / "home")}
        assert asking_settings(environ, tmp_path / "shop") == path

    @pytest.mark.parametrize(
        "text", ["{", "[]", "{}", '{"permissions": 3}', '{"permissions": {"ask": []}}']
    )
    def test_other_settings_have_none(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / ".claude" / "settings.json"
        path.parent.mkdir()
        path.write_text(text)
        assert asking_settings({"HOME": str(tmp_path / "home")}, tmp_path) is None
