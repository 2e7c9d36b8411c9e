"""What our tmux edge claims, checked against the same server through libtmux."""

import os
from collections.abc import Iterator
from pathlib import Path

import libtmux
import pytest

from story_automator.edges.tmux import Tmux, socket_path
from story_automator.errors import StoryAutomatorError
from story_automator.model.probe import Probe
from tests.sessions import wait_until


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Tmux]:
    tmux = Tmux(str(tmp_path / "t.sock"), {**os.environ})
    yield tmux
    tmux.call("kill-server")


@pytest.fixture
def witness(ours: Tmux) -> libtmux.Server:
    return libtmux.Server(socket_path=ours.socket)


def open_session(tmux: Tmux, name: str, log: Path, *command: str, **tags: str) -> bool:
    log.touch()
    return tmux.new_session(
        name,
        command or ("sleep", "300"),
        directory="/",
        tags={f"@{key}": value for key, value in tags.items()},
        log=str(log),
    )


def test_a_new_session_is_what_the_witness_sees(
    ours: Tmux, witness: libtmux.Server, tmp_path: Path
) -> None:
    assert open_session(ours, "sa-one", tmp_path / "log", story_automator_attempt="a1")
    (session,) = witness.sessions
    (pane,) = witness.panes
    assert session.session_name == "sa-one"
    assert (pane.pane_width, pane.pane_height) == ("200", "50")
    (seen,) = ours.look().panes
    assert (seen.pane, seen.session, seen.attempt) == (pane.pane_id, "sa-one", "a1")
    assert seen.pid == int(pane.pane_pid or 0)


def test_a_taken_name_is_answered_and_the_first_session_lives_on(
    ours: Tmux, witness: libtmux.Server, tmp_path: Path
) -> None:
    open_session(ours, "sa-one", tmp_path / "log")
    (before,) = witness.panes
    assert not open_session(ours, "sa-one", tmp_path / "log")
    (after,) = witness.panes
    assert after.pane_pid == before.pane_pid


def test_screens_come_with_the_facts_of_all_panes(
    ours: Tmux, witness: libtmux.Server, tmp_path: Path
) -> None:
    for number in (1, 2, 3):
        script = f"printf 'screen {number}\\n'; exec sleep 300"
        open_session(ours, f"sa-{number}", tmp_path / "log", "sh", "-c", script)
    wait_until(lambda: all(pane.capture_pane() for pane in witness.panes))
    panes = ours.look().panes
    look = ours.look([pane.pane for pane in panes])
    assert [look.screens[pane.pane][0] for pane in panes] == ["screen 1", "screen 2", "screen 3"]
    assert all(len(rows) >= 50 for rows in look.screens.values())


def test_a_pane_that_went_away_costs_only_its_own_screen(ours: Tmux, tmp_path: Path) -> None:
    open_session(ours, "sa-one", tmp_path / "log")
    (pane,) = ours.look().panes
    look = ours.look([pane.pane, "%99"])
    assert look.server is Probe.PRESENT
    assert set(look.screens) == {pane.pane}


def test_no_server_is_a_positive_nothing(ours: Tmux, tmp_path: Path) -> None:
    assert ours.look().server is Probe.ABSENT
    open_session(ours, "sa-one", tmp_path / "log")
    ours.call("kill-server")
    wait_until(lambda: ours.look().server is Probe.ABSENT)


def test_an_answer_that_says_nothing_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "t.sock").write_text("not a socket")
    odd = Tmux(str(tmp_path / "t.sock"), {**os.environ})
    assert odd.look().server is not Probe.PRESENT
    fake = tmp_path / "bin" / "tmux"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'lost server' >&2\nexit 1\n")
    fake.chmod(0o755)
    broken = Tmux("", {**os.environ, "PATH": f"{fake.parent}:{os.environ['PATH']}"})
    assert broken.look().server is Probe.UNREACHABLE


def test_a_title_with_tabs_and_glyphs_is_kept_whole(
    ours: Tmux, witness: libtmux.Server, tmp_path: Path
) -> None:
    open_session(ours, "sa-one", tmp_path / "log", "sh", "-c", "printf '\\033]2;✳ a | b\\007'; cat")
    wait_until(lambda: [pane.title for pane in ours.look().panes] == ["✳ a | b"])
    assert [pane.pane_title for pane in witness.panes] == ["✳ a | b"]


def test_every_byte_from_the_first_on_is_in_the_log(ours: Tmux, tmp_path: Path) -> None:
    log = tmp_path / "log #{pid} %H.txt"
    open_session(ours, "sa-one", log, "sh", "-c", "seq 1 2000; exec sleep 300")
    wait_until(lambda: log.read_bytes().endswith(b"2000\r\n"))
    assert log.read_bytes().startswith(b"1\r\n2\r\n")


def test_a_failed_session_leaves_nothing(
    ours: Tmux, witness: libtmux.Server, tmp_path: Path
) -> None:
    with pytest.raises(StoryAutomatorError, match="tmux: "):
        ours.new_session(
            "sa-one", ["sleep", "300"], directory="/", tags={"no such option": "x"}, log="/x"
        )
    assert ours.look().panes == ()


@pytest.mark.parametrize(
    ("setting", "environ", "path"),
    [
        pytest.param("/run/x.sock", {}, "/run/x.sock", id="a-path"),
        pytest.param("", {"TMUX": "/tmp/a/b,1,2"}, "/tmp/a/b", id="inside-tmux"),
        pytest.param("", {"TMUX_TMPDIR": "/var"}, f"/var/tmux-{os.getuid()}/default", id="tmpdir"),
        pytest.param("", {"TMUX_TMPDIR": "/t"}, f"/tmp/tmux-{os.getuid()}/default", id="no-tmpdir"),
        pytest.param("", {}, f"/tmp/tmux-{os.getuid()}/default", id="default"),
        pytest.param("work", {"TMUX": "/a,1"}, f"/tmp/tmux-{os.getuid()}/work", id="a-name"),
    ],
)
def test_the_socket_is_the_one_tmux_would_use(
    setting: str, environ: dict[str, str], path: str
) -> None:
    assert socket_path(setting, environ) == path
