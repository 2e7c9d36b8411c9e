"""The bench runs: a start-up scene with us as our own peer tells rows of the right shape."""

import shlex
import sys

import pytest

from tests.bench.figures import Figure, Row, short, table
from tests.bench.startup import COMMANDS, measure
from tests.bench.world import US, Lab, peer, us
from tests.conftest import CHECKOUT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench reads /proc")


def test_startup_is_measured_for_us_and_a_peer() -> None:
    line = f"env PYTHONPATH={CHECKOUT / 'src'} {shlex.quote(sys.executable)} -m story_automator"
    with Lab([us(), peer("peer", line)]) as lab:
        rows = {row.what: row for row in measure(lab, rounds=1)}
    for command in COMMANDS:
        figures = rows[command].figures
        assert {name: len(figure.values) for name, figure in figures.items()} == {US: 1, "peer": 1}
        assert not any(figure.note for figure in figures.values()), "every command succeeds"
    assert all(figure.values for row in rows.values() for figure in row.figures.values())
    assert len(table(rows.values(), [US, "peer"]).splitlines()) == len(rows) + 2


def test_a_leading_env_of_a_peer_is_taken_over() -> None:
    made = peer("peer", "env A=1 B='two words' python3 -m tool --x=y")
    assert made.environ == {"A": "1", "B": "two words"}
    assert made.command == ("python3", "-m", "tool", "--x=y")


def test_the_table_shows_median_max_note_and_ratio() -> None:
    row = Row("scene", "what", "ms", {US: Figure((1.0, 2.0, 9.0), "3 of 3"), "peer": Figure((5,))})
    shown = table([row], [US, "peer"]).splitlines()[-1]
    assert [cell.strip() for cell in shown.strip("|").split("|")] == [
        "scene",
        "what",
        "ms",
        "2 / 9 (3 of 3)",
        "5",
        "×2.5",
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(0.0, "0", id="zero"),
        pytest.param(-1e-18, "0", id="rounding-error"),
        pytest.param(0.01234, "0.0123", id="three-digits-that-count"),
        pytest.param(59138.4, "59138", id="no-exponent"),
    ],
)
def test_a_value_is_short(value: float, shown: str) -> None:
    assert short(value) == shown
