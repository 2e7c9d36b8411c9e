"""Scoring answers about labelled frames: what counts as right, and what no frame can show."""

import json
from typing import Any

import pytest

from story_automator.agents.classify import Frame
from story_automator.agents.look import State
from story_automator.agents.score import Answer, Sample, Score, Share, Signals, score

DEAD: dict[str, Any] = {"pane_dead": True, "pane_dead_status": "1"}


def answer(truth: str, said: str, name: str = "x", screen: str = "", **facts: Any) -> Answer:
    return Answer(Sample(name, truth, Frame("claude", screen, **facts)), State(said), "so")


def scored(*answers: Answer, signals: Signals = Signals.SCREEN) -> Score:
    return Score(signals, answers)


@pytest.mark.parametrize(
    ("truth", "said", "right"),
    [
        pytest.param("working", "working", True, id="the-same-word"),
        pytest.param("working", "idle_done", False, id="another-word"),
        pytest.param("crashed", "exited_error", True, id="two-words-for-a-bad-end"),
        pytest.param("exited_error", "crashed", True, id="and-the-other-way-round"),
        pytest.param("crashed", "exited_ok", False, id="a-bad-end-is-no-good-one"),
        pytest.param("hung", "working", True, id="hung-looks-like-work"),
        pytest.param("hung", "api_error", True, id="hung-may-look-like-an-error"),
        pytest.param("hung", "idle_done", False, id="hung-is-never-done"),
        pytest.param("hung", "exited_ok", False, id="hung-has-not-left"),
        pytest.param("idle_done", "unknown", False, id="not-knowing-is-not-right"),
    ],
)
def test_an_answer_is_right(truth: str, said: str, right: bool) -> None:
    assert answer(truth, said).right is right


@pytest.mark.parametrize(
    ("rate", "truth", "said", "expected"),
    [
        pytest.param("false_done", "working", "idle_done", Share(1, 1), id="done-in-mid-turn"),
        pytest.param("false_done", "hung", "idle_done", Share(1, 1), id="done-when-hung"),
        pytest.param("false_done", "waiting_input", "idle_done", Share(1, 1), id="done-but-asks"),
        pytest.param("false_done", "crashed", "exited_ok", Share(1, 1), id="left-well-but-crashed"),
        pytest.param("false_done", "working", "working", Share(0, 1), id="not-done"),
        pytest.param("false_done", "idle_done", "exited_ok", Share(0, 0), id="done-is-not-asked"),
        pytest.param("false_busy", "idle_done", "working", Share(1, 1), id="busy-after-the-end"),
        pytest.param("false_busy", "trust_prompt", "starting", Share(1, 1), id="busy-in-a-dialog"),
        pytest.param("false_busy", "api_error", "working", Share(0, 0), id="retrying-is-busy"),
        pytest.param("missed_person", "waiting_input", "working", Share(1, 1), id="person-missed"),
        pytest.param(
            "missed_person", "trust_prompt", "startup_dialog", Share(0, 1), id="person-by-any-name"
        ),
        pytest.param("missed_person", "auth_error", "working", Share(0, 0), id="errors-apart"),
        pytest.param("false_crashed", "working", "crashed", Share(1, 1), id="crashed-alive"),
        pytest.param("false_crashed", "crashed", "crashed", Share(0, 0), id="crashed-indeed"),
    ],
)
def test_a_mistake_is_counted_among_those_it_can_happen_to(
    rate: str, truth: str, said: str, expected: Share
) -> None:
    assert getattr(scored(answer(truth, said)), rate) == expected


def test_a_pane_that_ended_with_a_code_is_never_falsely_crashed() -> None:
    ended = answer("api_error", "exited_error", pane_dead=True, pane_dead_status="1")
    left = answer("exited_ok", "crashed", pane_dead=True, pane_dead_status="0")
    assert scored(ended).false_crashed == Share(0, 1)
    assert scored(left).false_crashed == Share(1, 1)


def test_a_rate_of_nothing_is_no_number() -> None:
    assert scored().right.rate is None
    assert Share(1, 4).rate == 0.25


def test_confusion_names_the_commonest_first() -> None:
    found = scored(
        answer("idle_done", "idle_done"),
        answer("working", "idle_done"),
        answer("working", "working"),
        answer("working", "working"),
    )
    assert json.dumps(found.confusion) == json.dumps(
        {"working": {"working": 2, "idle_done": 1}, "idle_done": {"idle_done": 1}}
    )


class TestUndecidable:
    def test_of_a_dead_pane_the_title_counts_for_nothing(self) -> None:
        twin = answer("exited_error", "exited_error", pane_title="host", **DEAD)
        miss = answer("api_error", "exited_error", **DEAD)
        assert scored(twin, miss, signals=Signals.TITLE).undecidable == [miss]

    def test_the_width_of_the_pane_makes_no_difference(self) -> None:
        twin = answer("working", "working", screen="Thinking...   sandbox\n────")
        miss = answer("api_error", "working", screen="Thinking...\n sandbox\n──────")
        assert scored(twin, miss).undecidable == [miss]

    def test_a_miss_that_looks_like_a_frame_of_the_answered_truth(self) -> None:
        twin = answer("starting", "starting", screen="")
        miss = answer("api_error", "starting", screen="\n")
        found = scored(twin, miss)
        assert (found.undecidable, found.right_of_decidable) == ([miss], Share(1, 1))

    def test_figures_spinner_and_prompt_make_no_difference(self) -> None:
        twin = answer("working", "working", screen=" > build it\n ⠴ Thinking... (12s)")
        miss = answer("rate_limited", "working", screen=" > Do it\n ⠼ Thinking... (28s)")
        assert scored(twin, miss).undecidable == [miss]

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param({"screen": "Thinking... Retrying"}, id="another-screen"),
            pytest.param({"screen": "Thinking...", "pane_title": "✳ x"}, id="another-title"),
            pytest.param({"screen": "Thinking...", **DEAD}, id="another-pane"),
            pytest.param(
                {"screen": "Thinking...", "session_file": {"status": "idle"}}, id="another-file"
            ),
            pytest.param(
                {"screen": "Thinking...", "hooks": ({"event": "Stop"},)}, id="another-hook"
            ),
        ],
    )
    def test_a_miss_whose_evidence_differs_is_ours(self, other: dict[str, Any]) -> None:
        twin = answer("working", "working", screen="Thinking...")
        miss = answer("rate_limited", "working", **other)
        assert scored(twin, miss, signals=Signals.HOOKS).undecidable == []

    def test_what_the_signals_do_not_show_makes_no_difference(self) -> None:
        twin = answer("working", "working", pane_title="⠂ x")
        miss = answer("idle_done", "working", pane_title="✳ x")
        assert scored(twin, miss, signals=Signals.SCREEN).undecidable == [miss]
        assert scored(twin, miss, signals=Signals.TITLE).undecidable == []

    def test_two_misses_excuse_nothing(self) -> None:
        found = scored(answer("working", "idle_done"), answer("starting", "idle_done"))
        assert found.undecidable == []

    def test_a_hung_frame_excuses_nothing(self) -> None:
        found = scored(answer("hung", "working"), answer("rate_limited", "working"))
        assert found.undecidable == []


class TestSignals:
    FRAME = Frame(
        "claude",
        "screen",
        pane_title="✳ x",
        pane_dead_status="1",
        session_file={"status": "idle"},
        hooks=({"event": "Stop"},),
    )

    @pytest.mark.parametrize(
        ("signals", "seen"),
        [
            pytest.param(Signals.SCREEN, ("", None, 0), id="screen"),
            pytest.param(Signals.TITLE, ("✳ x", None, 0), id="title"),
            pytest.param(Signals.SESSION_FILE, ("✳ x", {"status": "idle"}, 0), id="session-file"),
            pytest.param(Signals.HOOKS, ("✳ x", {"status": "idle"}, 1), id="hooks"),
        ],
    )
    def test_each_rung_adds_one(self, signals: Signals, seen: tuple[object, ...]) -> None:
        frame = signals.seen_of(self.FRAME)
        assert (frame.pane_title, frame.session_file, len(frame.hooks)) == seen
        assert (frame.screen, frame.pane_dead_status) == ("screen", "1")

    def test_a_signal_that_no_frame_carries_was_not_tried(self) -> None:
        bare = Sample("x", "starting", Frame("claude", ""))
        assert [score([bare], signals).carried for signals in Signals] == [1, 0, 0, 0]


class TestSample:
    def test_it_holds_the_truth_and_the_frame(self) -> None:
        row = {"agent": "claude", "file": "a.txt", "state": "hung"}
        sample = Sample.from_json(row, lambda file: f"screen of {file}")
        assert (sample.name, sample.truth) == ("a.txt", "hung")
        assert sample.frame.screen == "screen of a.txt"

    @pytest.mark.parametrize("state", [None, "", "unknown", "fine", 3])
    def test_a_truth_must_be_a_word_of_the_corpus(self, state: object) -> None:
        row = {"agent": "claude", "screen": "", "state": state}
        with pytest.raises(ValueError, match="is no word of the corpus"):
            Sample.from_json(row, str)

    @pytest.mark.parametrize("hooks", [{}, [1], [{"at": 1}], "Stop"])
    def test_hooks_must_be_events(self, hooks: object) -> None:
        row = {"agent": "claude", "screen": "", "state": "hung", "hooks": hooks}
        with pytest.raises(ValueError, match="hooks must be"):
            Sample.from_json(row, str)
