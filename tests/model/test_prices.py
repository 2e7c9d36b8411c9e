"""What tokens cost."""

import pytest

from story_automator.model.prices import Usage, cost

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        pytest.param("claude-haiku-4-5", Usage(fresh=MILLION), 1.0, id="input"),
        pytest.param("claude-haiku-4-5", Usage(output=MILLION), 5.0, id="output"),
        pytest.param("claude-haiku-4-5", Usage(written=1000, read=2000), 0.00145, id="cached"),
        pytest.param("claude-haiku-4-5-20251001", Usage(output=MILLION), 5.0, id="dated"),
        pytest.param("claude-haiku-5-5", Usage(fresh=6000, output=200), 0.0007, id="newest-haiku"),
        pytest.param("claude-haiku-5-5", Usage(fresh=100_001), None, id="dearer-when-long"),
        pytest.param("claude-sonnet-5", Usage(read=MILLION), 0.2, id="not-its-successor"),
        pytest.param("claude-haiku-6", Usage(fresh=1), None, id="unknown"),
        pytest.param("", Usage(), None, id="no-model"),
    ],
)
def test_cost(model: str, usage: Usage, dollars: float | None) -> None:
    assert cost(model, usage) == (None if dollars is None else pytest.approx(dollars))


def test_usage_adds_up() -> None:
    total = Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40)
    assert (total, total.input) == (Usage(11, 22, 33, 44), 66)
