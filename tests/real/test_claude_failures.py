"""How a real Claude fails, and the word we have for each way."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.real.agents import World, instant, needs, outcome
from tests.sessions import wait_until

pytestmark = needs("claude")
# A connection to this port is refused.
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _few_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_MAX_RETRIES", "1")


@pytest.fixture
def signed_in(agents_world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A login of a plan in place of a key."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv(
        "CLAUDE_CODE_OAUTH_TOKEN", agents_world.home.signed_in()["CLAUDE_CODE_OAUTH_TOKEN"]
    )
    return agents_world


@pytest.mark.parametrize(
    ("trial", "reason"),
    [
        pytest.param("overloaded", "api_error", id="529"),
        pytest.param("broken", "api_error", id="500"),
        pytest.param("sse_error", "api_error", id="an-error-within-the-stream"),
        pytest.param("rate", "rate_limited", id="429"),
        pytest.param("unauthorized", "auth_error", id="401-with-a-key"),
        pytest.param("forbidden", "auth_error", id="403"),
        pytest.param("credit", "auth_error", id="no-credit"),
        pytest.param("model", "api_error", id="unknown-model"),
        pytest.param("toolong", "context_limit", id="prompt-too-long"),
        pytest.param("maxtok", "context_limit", id="reply-too-long"),
        pytest.param("drop", "api_error", id="connection-lost-in-the-reply"),
        pytest.param("refuse", "api_error", id="connection-lost-before-the-reply"),
        pytest.param("refusal", "turn_failed", id="refusal"),
    ],
)
class TestEveryFailure:
    def test_is_told_by_its_hook(self, agents_world: World, trial: str, reason: str) -> None:
        session = agents_world.start(f"canary:{trial}")
        assert outcome(session.verdict()) == ("incomplete", reason)
        assert session.event("StopFailure")["error"]

    def test_is_told_without_hooks_too(self, agents_world: World, trial: str, reason: str) -> None:
        agents_world.without_hooks()
        session = agents_world.start(f"canary:{trial}")
        assert outcome(session.verdict()) == ("incomplete", reason)
        assert session.events == []


def test_a_refused_connection_is_an_outage(
    agents_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)
    assert outcome(agents_world.start("canary:turn").verdict()) == ("incomplete", "api_error")


@pytest.mark.parametrize("hooks", [True, False], ids=["by-hooks", "without-hooks"])
def test_a_usage_limit_tells_when_it_ends(signed_in: World, *, hooks: bool) -> None:
    if not hooks:
        signed_in.without_hooks()
    before = datetime.now(UTC)
    verdict = signed_in.start("canary:limit:7200").verdict()
    assert outcome(verdict) == ("incomplete", "usage_limit")
    # The agent tells whole minutes.
    ends = before + timedelta(seconds=7200)
    assert abs(instant(verdict["resets_at"]) - ends) < timedelta(seconds=90)


def test_an_expired_login_is_told(signed_in: World) -> None:
    verdict = signed_in.start("canary:unauthorized").verdict()
    assert outcome(verdict) == ("incomplete", "auth_error")


@pytest.mark.parametrize(
    "trial",
    [
        pytest.param("overloaded:1", id="529-once"),
        pytest.param("rate:1", id="429-once"),
        pytest.param("drop:1", id="connection-lost-once"),
        pytest.param("sse_error:1", id="stream-error-once"),
    ],
)
def test_trouble_that_passes_is_no_failure(agents_world: World, trial: str) -> None:
    verdict = agents_world.start(f"canary:{trial}").verdict()
    assert outcome(verdict) == ("completed", "normal_completion")
    assert verdict["last_message"] == "It worked in the end."


def test_an_empty_reply_ends_the_turn(agents_world: World) -> None:
    verdict = agents_world.start("canary:empty").verdict()
    assert outcome(verdict) == ("completed", "normal_completion")


def test_words_about_a_limit_are_no_limit(agents_world: World) -> None:
    prompt = "Say this: You've hit your session limit · resets 9:41am (UTC). canary:turn"
    verdict = agents_world.start(prompt).verdict()
    assert outcome(verdict) == ("completed", "normal_completion")


def test_an_api_that_never_answers_is_watched_until_the_deadline(agents_world: World) -> None:
    session = agents_world.start("canary:hang")
    agents_world.asked("hang")
    began = time.monotonic()
    assert outcome(session.verdict(minutes=0.1))[0] == "timeout"
    assert time.monotonic() - began >= 6
    wait_until(lambda: session.own_file()["status"] == "busy")
