"""What the exit code of an agent says."""

import pytest

from story_automator.agents.exits import reason_of_exit


@pytest.mark.parametrize(
    ("agent", "code", "reason"),
    [
        pytest.param("gemini", 145, "auth_error", id="gemini-401"),
        pytest.param("gemini", 147, "auth_error", id="gemini-403"),
        pytest.param("gemini", 41, "auth_error", id="gemini-without-a-key"),
        pytest.param("gemini", 173, "rate_limited", id="gemini-429"),
        pytest.param("gemini", 247, "api_error", id="gemini-503"),
        pytest.param("gemini", 1, "", id="gemini-1-says-nothing"),
        pytest.param("gemini", 143, "", id="gemini-terminated"),
        pytest.param("Gemini", 145, "auth_error", id="by-any-case"),
        pytest.param("claude", 1, "", id="claude"),
        pytest.param("codex", 1, "", id="codex"),
        pytest.param("opencode", 1, "", id="opencode"),
        pytest.param("claude", 145, "", id="only-gemini-counts-like-that"),
        pytest.param("make", 2, "", id="any-program"),
    ],
)
def test_an_exit_code_tells(agent: str, code: int, reason: str) -> None:
    assert reason_of_exit(agent, code) == reason
