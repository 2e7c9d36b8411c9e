"""Claude-like screens, drawn as the client draws them."""

from collections.abc import Callable, Sequence

import pytest

RULE = "─" * 80
MODE = "  ⏵⏵ bypass permissions on (shift+tab to cycle) · ← for agents"
Draw = Callable[..., list[str]]


@pytest.fixture(scope="session")
def draw() -> Draw:
    """A transcript, what stands right above the box, the box and its footer, blank to the end."""

    def screen(
        *above: str,
        typed: str = "",
        status: str = "  proj | ctx(0%) | 07:46:52",
        height: int = 50,
        below: Sequence[str] = (),
    ) -> list[str]:
        box = [RULE, f"❯\xa0{typed}", RULE, *([status] if status else []), MODE, *below]
        drawn = [*above, "", *box]
        return [*drawn, *[""] * (height - len(drawn))]

    return screen
