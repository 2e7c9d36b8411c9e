"""Whole sequences of looks, replayed from fixtures/timelines through the pure rules."""

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from story_automator.agents.hooks import advance
from story_automator.model.evidence import Evidence, ProcessEnd, Turn
from story_automator.model.policy import policy_from
from story_automator.model.probe import Probe
from story_automator.model.screen import Need, ScreenReading, Shape
from story_automator.model.verdict import Verification
from story_automator.rules import looks
from story_automator.rules.decide import decide, over_because

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "timelines"
TIMELINES = sorted(FOLDER.glob("*.toml"))
KEYS = {"t", "shape", "body", "clock", "need", "trouble", "output", "event", "payload", "cpu"} | {
    "slept",
    "exit",
    "signal",
    "taken",
    "session",
    "expect",
}
BEGAN = 1000.0


@pytest.mark.parametrize("path", TIMELINES, ids=lambda p: p.stem)
def test_timeline(path: Path) -> None:
    timeline = tomllib.loads(path.read_text(encoding="utf-8"))
    policy = policy_from(timeline.get("policy", {}))
    memory = looks.fresh("boot", BEGAN)
    turn, events = Turn(), 0
    seen = Evidence(silent_by_design=timeline["mode"] == "print", speaks=timeline["mode"] == "tui")
    if "deadline" in timeline:
        seen = replace(seen, deadline=timedelta(seconds=timeline["deadline"]))
    for at in timeline["at"]:
        assert set(at) <= KEYS
        now = BEGAN + at["t"]
        if at.get("slept"):
            memory = looks.after_gap(memory, now)
        if "event" in at:
            turn = advance(
                turn, at["event"], at.get("payload", {}), datetime.fromtimestamp(now, UTC)
            )
            events += 1
            memory = looks.saw_events(memory, events, now)
        if "output" in at:
            alone = timeline["mode"] != "tui"
            memory = looks.saw_output(memory, at["output"], now, is_progress=alone)
        seen = replace(
            seen,
            turn=turn,
            session=Probe(at.get("session", "present")),
            end=end_of(at) or seen.end,
            elapsed=timedelta(seconds=at["t"]),
        )
        if "shape" in at:
            memory = looks.saw_screen(memory, reading_of(at), now, policy)
            if "cpu" in at:
                memory = looks.saw_cpu(memory, at["cpu"], now, policy)
            memory = looks.saw_silence(memory, looks.with_memory(seen, memory, now), now, policy)
        evidence = looks.with_memory(seen, memory, now)
        if over_because(evidence):
            passed = Verification(True, "normal_completion", "")
            evidence = replace(evidence, verification=passed)
        verdict = decide(evidence, policy)
        said = f"{verdict.state}/{verdict.reason}" if verdict else "alive"
        assert said == at["expect"], f"at {at['t']} s: {verdict}"


def reading_of(at: dict[str, Any]) -> ScreenReading:
    return ScreenReading(
        Shape(at["shape"]),
        because="as the timeline says",
        clock=at.get("clock"),
        need=Need(at["need"]) if "need" in at else None,
        trouble=at.get("trouble", ""),
        body=at.get("body", ""),
    )


def end_of(at: dict[str, Any]) -> ProcessEnd | None:
    if "exit" not in at and "signal" not in at:
        return None
    taken = at.get("taken", False)
    return ProcessEnd(at.get("exit"), at.get("signal"), "it ended", session_taken=taken)


def test_there_are_timelines() -> None:
    assert len(TIMELINES) >= 20
