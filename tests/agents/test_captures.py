"""Every captured frame is named rightly, or stands in a short list with the reason."""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from story_automator.agents import (
    box,
    claude,
    claude_dialogs,
    claude_errors,
    claude_panel,
    codex,
    gemini,
    look,
    opencode,
    question,
    rows,
    statusline,
)
from story_automator.agents.classify import Frame, classify
from story_automator.agents.dialects import DIALECTS, read_screen
from story_automator.agents.score import ENDED_BADLY, FINISHED, HUNG, Sample, Score, Signals, score
from story_automator.agents.statusline import read_clock

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CAPTURES = FIXTURES / "captures"
HELD_OUT = FIXTURES / "captures-held-out"

# What one frame cannot show: the file, what we say, and why it is not what happened.
KNOWN_MISSES = {
    "claude/print_529/01.txt": ("starting", "print mode retries behind a blank screen"),
    "claude/print_529/02.txt": ("exited_error", "print mode left nothing but its exit code"),
    "codex/cx_tui_hooktrust/01.txt": ("trust_prompt", "taken at the start, the dialog is open"),
    "codex/cx_tui_trust2/01.txt": ("trust_prompt", "taken at the start, the dialog is open"),
    "gemini/gm_e429/01.txt": ("working", "it retries without a word on the screen"),
    "gemini/gm_e429/02.txt": ("working", "it retries without a word on the screen"),
    "gemini/gm_e500/01.txt": ("working", "it retries without a word on the screen"),
    "gemini/gm_e500/02.txt": ("working", "it retries without a word on the screen"),
}
MISSED_BY_THE_SCREEN_ALONE = {"claude/screenreader/02.txt"}  # accessible mode draws no box


def read(file: str) -> str:
    return (CAPTURES / file).read_text(encoding="utf-8")


def read_held_out(file: str) -> str:
    return (HELD_OUT / file).read_text(encoding="utf-8")


INDEX: list[dict[str, Any]] = [json.loads(line) for line in read("index.jsonl").splitlines()]
HELD_OUT_INDEX: list[dict[str, Any]] = [
    json.loads(line) for line in read_held_out("index.jsonl").splitlines()
]


def said(row: dict[str, Any], **changes: object) -> str:
    return classify(Frame.from_json({**row, **changes}, read)).state.value


def is_right(row: dict[str, Any], answer: str) -> bool:
    if row["state"] == HUNG:
        return answer not in FINISHED
    return answer == row["state"] or {answer, row["state"]} <= ENDED_BADLY


@pytest.mark.parametrize("row", INDEX, ids=lambda row: row["file"])
def test_a_frame_is_named_as_it_was(row: dict[str, Any]) -> None:
    answer = said(row)
    if row["file"] in KNOWN_MISSES:
        assert answer == KNOWN_MISSES[row["file"]][0]
    else:
        assert is_right(row, answer), answer


def test_the_clock_is_the_one_that_was_drawn() -> None:
    drawn = {row["file"]: row["clock"] for row in INDEX}
    assert {file: read_clock(read(file).split("\n")) for file in drawn} == drawn


@pytest.mark.parametrize(
    ("without", "also_missed"),
    [
        pytest.param({"session_file": None}, set(), id="title-and-screen"),
        pytest.param(
            {"session_file": None, "pane_title": ""}, MISSED_BY_THE_SCREEN_ALONE, id="screen-alone"
        ),
    ],
)
class TestWithFewerSignals:
    def test_only_the_listed_frames_are_missed(
        self, without: dict[str, object], also_missed: set[str]
    ) -> None:
        missed = {row["file"] for row in INDEX if not is_right(row, said(row, **without))}
        assert missed == {*KNOWN_MISSES, *also_missed}

    def test_nothing_unfinished_is_called_finished(
        self, without: dict[str, object], also_missed: set[str]
    ) -> None:
        for row in INDEX:
            if row["state"] not in FINISHED:
                assert said(row, **without) not in FINISHED, row["file"]


def test_what_is_missed_looks_like_something_else() -> None:
    """Each miss has a twin of another truth; the day it has none, a rule could tell them apart."""
    samples = [Sample.from_json(row, read) for row in INDEX]
    found = score(samples, Signals.HOOKS)
    assert {miss.sample.name for miss in found.undecidable} == set(KNOWN_MISSES)


WORKING = {"working"}
TURN_OVER = {"idle_done"}
ASKING = {"waiting_input", "permission_prompt"}
ERROR = {"api_error", "auth_error", "rate_limited"}


@pytest.mark.parametrize("agent", [name for name, each in DIALECTS.items() if each.has_executable])
@pytest.mark.parametrize(
    "states",
    [
        pytest.param(WORKING, id="working"),
        pytest.param(TURN_OVER, id="turn-over"),
        pytest.param(ASKING, id="asking"),
        pytest.param(ERROR, id="error"),
    ],
)
def test_a_dialect_has_a_capture_of(agent: str, states: set[str]) -> None:
    shown = [row for row in INDEX if row["agent"] == agent and row["state"] in states]
    assert any(said(row) == row["state"] for row in shown)


@pytest.mark.parametrize("state", sorted({row["state"] for row in INDEX} - {HUNG}))
def test_every_state_of_the_corpus_is_told_at_least_once(state: str) -> None:
    assert any(row["state"] == state == said(row) for row in INDEX)


def test_a_ticking_clock_does_not_change_the_body() -> None:
    for row in INDEX:
        if row["clock"]:
            screen = read(row["file"])
            later = screen.replace(f"| {row['clock']}", "| 23:59:59")
            bodies = {read_screen(row["agent"], text.split("\n")).body for text in (screen, later)}
            assert screen != later
            assert len(bodies) == 1, row["file"]


NEVER = re.compile(r"(?!)")
DIALECT_OF = {codex: "codex", gemini: "gemini", opencode: "opencode"}
# No capture shows what these are for; tables in the other tests do.
WITHOUT_CAPTURE = {
    "TODO",  # a todo list
    "SHELL_PROMPT",  # a shell prompt as the last row
    "TRANSCRIPT",  # a reply that quotes a dialog, above another dialog
    "KEYS",  # a menu without numbered choices
    "COMPOSER_ROW",  # text typed into opencode
}
NEEDED_WITH = {
    "gemini.BUSY_TITLE",  # every captured working frame shows a spinner as well
    "gemini.ACTION_TITLE",  # every captured dialog shows its choices as well
    "gemini.LIMIT",  # it retries a 429 in silence, for longer than anybody recorded
}
READERS = (
    box,
    claude,
    claude_dialogs,
    claude_errors,
    claude_panel,
    codex,
    gemini,
    look,
    opencode,
    question,
    rows,
    statusline,
)


def patterns() -> list[Any]:
    """Every pattern that a reader names at its top level."""
    return [
        pytest.param(module, name, id=f"{module.__name__.split('.')[-1]}.{name}")
        for module in READERS
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
        and f"\n{name} = " in Path(str(module.__file__)).read_text(encoding="utf-8")
        and name not in WITHOUT_CAPTURE
        and f"{module.__name__.split('.')[-1]}.{name}" not in NEEDED_WITH
    ]


def readings(agents: set[str]) -> list[object]:
    """Everything that is read from the distinct frames of these agents, by each set of signals."""
    found: dict[tuple[str, str], object] = {}
    both = [(row, read) for row in INDEX] + [(row, read_held_out) for row in HELD_OUT_INDEX]
    for row, read_it in both:
        if row["agent"] in agents:
            screen = read_it(row["file"])
            for title in (row["pane_title"], ""):
                quiet = {**row, "screen": screen, "session_file": None, "pane_title": title}
                if (key := (screen, title)) not in found:
                    reading = read_screen(row["agent"], screen.split("\n"), title)
                    found[key] = (reading, classify(Frame.from_json(quiet, read)))
    return list(found.values())


@pytest.fixture(scope="module")
def as_written() -> dict[str, list[object]]:
    return {agent: readings({agent}) for agent in ("claude", "codex", "gemini", "opencode")}


@pytest.mark.parametrize(("module", "name"), patterns())
def test_a_pattern_has_a_capture_that_breaks_without_it(
    module: ModuleType,
    name: str,
    as_written: dict[str, list[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mutation, not a stand-in: the pattern never matches, and some frame must read otherwise."""
    for user in READERS:
        if getattr(user, name, None) is getattr(module, name) and user is not module:
            monkeypatch.setattr(user, name, NEVER)
    monkeypatch.setattr(module, name, NEVER)
    agents = [DIALECT_OF[module]] if module in DIALECT_OF else list(as_written)
    assert any(readings({agent}) != as_written[agent] for agent in agents)


PRINT_MODE = {"claude/a_print_late/01.txt", "claude/a_print_quiet_401/01.txt"}
# The reply ends with the words of a done line, and the stream stalls there.
QUOTED_DONE = {"codex/x_quoted_stall/01.txt"}
# The reply is one paragraph and begins like an error.
QUOTED_ERROR = {"claude/c_fake_error/01.txt", "claude/d_fake_error/01.txt"}


class TestHeldOut:
    """Frames that the readers were not written on; see the README beside them."""

    @staticmethod
    def scored(signals: Signals) -> Score:
        return score([Sample.from_json(row, read_held_out) for row in HELD_OUT_INDEX], signals)

    @pytest.mark.parametrize(
        ("signals", "known"),
        [
            pytest.param(Signals.SCREEN, QUOTED_DONE, id="screen"),
            pytest.param(Signals.TITLE, set(), id="title"),
            pytest.param(Signals.SESSION_FILE, set(), id="session-file"),
            pytest.param(Signals.HOOKS, set(), id="hooks"),
        ],
    )
    def test_nothing_unfinished_is_called_finished(self, signals: Signals, known: set[str]) -> None:
        answers = self.scored(signals).answers
        wrong = {
            each.sample.name
            for each in answers
            if each.state in FINISHED and each.sample.truth not in FINISHED
        }
        assert wrong <= known

    @pytest.mark.parametrize("signals", list(Signals))
    def test_nothing_alive_is_called_crashed(self, signals: Signals) -> None:
        assert self.scored(signals).false_crashed.count == 0

    def test_with_title_and_screen_only_the_listed_frames_are_missed(self) -> None:
        missed = {miss.sample.name for miss in self.scored(Signals.TITLE).misses}
        assert missed <= PRINT_MODE | QUOTED_ERROR

    def test_hooks_tell_what_the_screen_does_not(self) -> None:
        missed = {miss.sample.name for miss in self.scored(Signals.HOOKS).misses}
        assert not missed
