"""Which old records go."""

import pytest

from story_automator.rules.retention import Kept, expired

DAY = 86_400.0
NOW = 100 * DAY


@pytest.mark.parametrize(
    ("kept", "gone"),
    [
        pytest.param([Kept("a", NOW - 15 * DAY, 1, alive=False)], ["a"], id="too-old"),
        pytest.param([Kept("a", NOW - 13 * DAY, 1, alive=False)], [], id="young-enough"),
        pytest.param([Kept("a", NOW - 99 * DAY, 1, alive=True)], [], id="the-living-stay"),
        pytest.param(
            [Kept(n, NOW - i * DAY, 40, alive=False) for i, n in enumerate("abc")],
            ["c"],
            id="the-oldest-go-first-beyond-the-total",
        ),
        pytest.param([Kept("a", NOW, 500, alive=True)], [], id="a-living-giant-stays"),
        pytest.param([Kept("a", NOW - 60, 500, alive=False)], [], id="a-young-giant-stays"),
    ],
)
def test_expired(kept: list[Kept], gone: list[str]) -> None:
    assert expired(kept, now=NOW, age=14 * DAY, total=100, young=3600) == gone
