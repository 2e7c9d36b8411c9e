"""Our reading of a pane's log against what a real tmux shows for the same bytes."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from story_automator.rules.terminal import Transcript

# Writes a script to its pane, then asks for the cursor: the answer comes when all is drawn.
PLAYER = """
import os, sys, termios
keys = termios.tcgetattr(0)
keys[3] &= ~(termios.ICANON | termios.ECHO)
if sys.argv[3] == "raw":
    keys[1] &= ~termios.OPOST
termios.tcsetattr(0, termios.TCSANOW, keys)
tmux = ["tmux", "-S", sys.argv[1]]
os.spawnvp(os.P_WAIT, "tmux", [*tmux, "wait-for", "go"])
script = open(sys.argv[2], "rb").read()
while script:
    script = script[os.write(1, script[:4096]) :]
os.write(1, b"\\x1b[6n")
while not os.read(0, 100).endswith(b"R"):
    pass
os.spawnvp(os.P_WAIT, "tmux", [*tmux, "wait-for", "-S", "drawn"])
os.spawnvp(os.P_WAIT, "tmux", [*tmux, "wait-for", "never"])
"""

Play = Callable[..., tuple[str, str]]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Play bytes in a pane; gives what tmux shows with its history, and the pane's log."""
    socket = os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]
    script, log = tmp_path / "script", tmp_path / "log"

    def tmux(*argv: str) -> str:
        command = ["tmux", "-u", "-S", socket, "-f", "/dev/null", *argv]
        done = subprocess.run(command, capture_output=True, timeout=30, check=True)
        return done.stdout.decode()

    def call(sent: str | bytes, *, raw: bool = False) -> tuple[str, str]:
        script.write_bytes(sent.encode() if isinstance(sent, str) else sent)
        player = [
            sys.executable,
            "-c",
            PLAYER,
            str(socket),
            str(script),
            "raw" if raw else "cooked",
        ]
        tmux(
            *("start-server", ";", "set-option", "-g", "history-limit", "200000", ";"),
            *("new-session", "-d", "-s", "pane", "-x", "200", "-y", "50", *player),
        )
        tmux("pipe-pane", "-t", "=pane:", f"cat > {log}; tmux -S {socket} wait-for -S logged")
        tmux("wait-for", "-S", "go")
        tmux("wait-for", "drawn")
        shown = tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "=pane:")
        tmux("pipe-pane", "-t", "=pane:")
        tmux("wait-for", "logged")
        return shown, log.read_bytes().decode(errors="replace")

    yield call
    subprocess.run(["tmux", "-S", socket, "kill-server"], capture_output=True, check=False)


def text_of(log: str) -> str:
    transcript = Transcript()
    return transcript.feed(log) + transcript.close()


def tidy(shown: str) -> str:
    lines = "\n".join(line.rstrip() for line in shown.split("\n")).strip("\n")
    return re.sub("\n{4,}", "\n\n\n", lines) + "\n"


def lines(count: int, words: str = "line") -> str:
    return "".join(f"{words} {n}\n" for n in range(count))


ERASE_THE_BOX = "\x1b[2K" + "\x1b[1A\x1b[2K" * 5 + "\x1b[G"
INK = "".join(
    f"{ERASE_THE_BOX}said {n}\n\x1b[38;5;174m✻\x1b[39m Working… ({n}s)\n"
    f"╭{'─' * 198}╮\n│ >{' ' * 196}│\n╰{'─' * 198}╯\nshop | ctx({n}%) | 12:00:{n:02}\n"
    for n in range(90)
)
BOX_APP = "\x1b[r\x1b[2J\x1b[H" + "".join(
    f"\x1b[{row};5H│\x1b[{row};60H│\x1b[{row};7Hrow {row}\x1b[K\x1b[{row};60H│"
    for row in range(1, 40)
)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(lines(20_000), id="many-lines"),
        pytest.param("x" * 450 + "\nend\n" + "y" * 200 + "\nend\n", id="long-lines-wrap"),
        pytest.param("x" * 250 + "\r\x1b[2Know\n", id="a-wrapped-rest-that-is-erased"),
        pytest.param("x" * 250 + "\x1b[A\r\x1b[9P\n\n", id="a-wrapped-row-that-shrinks"),
        pytest.param("a\n" + "x" * 200 + "\x1b[Ay\x1b[Bz\n", id="up-and-down-from-a-full-row"),
        pytest.param("漢字かな" * 60 + "\n한국어 🎉 ok\n", id="wide-characters-wrap"),
        pytest.param("cafe\u0301 nai\u0308ve\n", id="accents-of-no-width"),
        pytest.param("10%\r50%\r100%\ndone\n|\b/\b-\b\\\b \n", id="spinner-and-progress-bar"),
        pytest.param("gone\n\n\n\n" + INK, id="a-box-redrawn-below-growing-text"),
        pytest.param(
            lines(70) + "\x1b[10A\x1b[2Kup\x1b[5B\rdown\n", id="cursor-up-after-scrolling"
        ),
        pytest.param("\x1b[1;40r\x1b[40;1H" + lines(90) + "\x1b[r\x1b[50;1Hfoot", id="top-region"),
        pytest.param("head\n\x1b[2;9r\x1b[9;1H" + lines(30) + "\x1b[r", id="region-below-a-head"),
        pytest.param(
            "\x1b[20;50r\x1b[20;1H\x1bM\x1bM\x1b[1;20r\x1b[20;1H" + lines(40, "\rhistory"),
            id="history-inserted-above-a-viewport",
        ),
        pytest.param(BOX_APP, id="a-form-drawn-by-address"),
        pytest.param("a\tb\tc\n" + "x" * 195 + "\t|\n", id="tabs"),
        pytest.param("abcdef\x1b[4D\x1b[2P\x1b[2@xy\x1b[1K\n\x1b[3Xz\n", id="cells-in-and-out"),
        pytest.param(
            lines(9) + "\x1b[5;1H\x1b[2L\x1b[7;1H\x1b[1M\x1b[9;1H\x1b[J", id="lines-in-out"
        ),
        pytest.param("┌─┬─┐\n│a│b│\n├─┼─┤\n│3│4│\n└─┴─┘\n" * 30, id="tables"),
        pytest.param("\x1b]0;t\x07a\x1b]8;;http://x\x1b\\b\x1bP$qm\x1b\\c\n", id="strings"),
        pytest.param("\x1b[1;4;38;2;1;2;3mbold\x1b[0m plain\x1b[?25l\n", id="colours"),
        pytest.param("one page\n\x1b[H\x1b[2Janother page\n", id="a-cleared-page-is-history"),
        pytest.param(
            "a\x1b7\x1b[9;9Hb\x1b8c\x1b[s\x1b[Hd\x1b[ue\n", id="cursor-saved-and-restored"
        ),
        pytest.param("ok\x1b]7717;end\x07\n", id="the-end-mark-of-a-session"),
    ],
)
def test_the_text_is_what_tmux_shows(play: Play, sent: str) -> None:
    shown, log = play(sent)
    assert text_of(log) == tidy(shown)


def test_a_bare_line_feed_moves_straight_down_as_in_tmux(play: Play) -> None:
    shown, log = play("first\r\none\ntwo\nthree\r\n\x1b[Hx\ny\n", raw=True)
    assert text_of(log) == tidy(shown)
    assert "   two" in shown


def test_the_alternate_screen_shows_as_tmux_shows_it_and_is_kept_when_left(play: Play) -> None:
    shown, log = play("before\n\x1b[?1049h\x1b[HRESULT\n  3 failed\n")
    assert tidy(shown) == "RESULT\n  3 failed\n"
    assert text_of(log) == "before\nRESULT\n  3 failed\n"
    assert text_of(log + "\x1b[?1049lafter") == "before\nRESULT\n  3 failed\nafter\n"


def test_bytes_that_are_no_text_do_not_disturb_the_rest(play: Play) -> None:
    shown, log = play(b"ok \xff\xfe\xc3( 3 failed\n\xe6\xbc\xa2 end\n")
    assert "3 failed\n漢 end\n" in text_of(log)
    assert "漢 end" in shown
