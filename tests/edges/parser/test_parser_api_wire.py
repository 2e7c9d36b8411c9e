"""The API parser on a real connection: it hangs, drips, drops, floods and goes on for ever."""

import json

import pytest

from story_automator.edges.parser_api import ask_api
from story_automator.errors import NoAdvice
from story_automator.model.advice import NextAction
from story_automator.model.patience import Patience
from tests.parser_http import (
    GOOD,
    REQUEST,
    Behaviour,
    Call,
    LoopbackApi,
    OwnTime,
    fails,
    message,
    says,
)

MEGABYTE = 1_000_000
# Real time for calls that never end; everything else has an answer to wait for.
BRIEF = 0.3
PIECES = 40


def hangs(call: Call) -> None:
    call.server.over.wait()


def drips(call: Call) -> None:
    """A good reply whose bytes all come in time for a read; the last of them is too late."""
    good = json.dumps(message(GOOD)).encode()
    call.answer(200, b"", Content_Length=str(len(good) + PIECES))
    for _ in range(PIECES):
        call.server.over.wait(BRIEF / 10)
        call.say(b" ")
    call.say(good)


def drips_headers(call: Call) -> None:
    call.say(b"HTTP/1.1 200 OK\r\n")
    for _ in range(PIECES):
        call.server.over.wait(BRIEF / 10)
        call.say(b"X-More: yes\r\n")
    call.say(b"\r\n" + json.dumps(message(GOOD)).encode())


def drops(call: Call) -> None:
    """The connection ends without a byte."""


def stops_in_the_middle(call: Call) -> None:
    call.answer(200, b'{"type": "mess', Content_Length="1000")


def floods(status: int) -> Behaviour:
    def flood(call: Call) -> None:
        start = b'{"type":"message","content":[{"type":"text","text":"'
        call.answer(status, start, Content_Length=str(51 * MEGABYTE))
        for _ in range(50):
            call.say(b"x" * MEGABYTE)

    return flood


def test_a_good_reply_comes_through(own_time: OwnTime) -> None:
    with LoopbackApi(says(GOOD)) as api:
        advice = ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
        assert advice.next_action is NextAction.PROCEED
        assert api.asked[0]["model"] == REQUEST.model


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(fails(429), id="row-79-429"),
        pytest.param(fails(529, "overloaded_error"), id="529"),
        pytest.param(drops, id="dropped-connection"),
        pytest.param(stops_in_the_middle, id="half-a-body"),
        pytest.param(lambda call: call.answer(200, b"{]"), id="malformed-body"),
    ],
)
def test_what_passes_is_overcome(behaviour: Behaviour, own_time: OwnTime) -> None:
    with LoopbackApi(behaviour, says(GOOD)) as api:
        assert ask_api(REQUEST, environ=api.environ, pace=own_time.pace()).parser == "api"
        assert len(api.asked) == 2
    assert own_time.waits == [0.5]


def test_row_80_529_for_ever_ends_within_the_limit(own_time: OwnTime) -> None:
    with LoopbackApi(fails(529, retry_after="9")) as api, pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=api.environ, pace=own_time.pace(), limit=60)
    assert caught.value.error_class == "api_down"
    assert own_time.passed <= 60
    assert len(api.asked) == 7


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(hangs, id="row-93-hangs"),
        pytest.param(drips, id="slow-body"),
        pytest.param(drips_headers, id="slow-headers"),
    ],
)
def test_a_call_that_never_ends_is_a_timeout(behaviour: Behaviour, own_time: OwnTime) -> None:
    patience = Patience(first=0.01, shortest_call=0.01, most_calls=2)
    with LoopbackApi(behaviour) as api, pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=api.environ, pace=own_time.pace(patience), limit=BRIEF)
    assert caught.value.error_class == "timeout"
    assert own_time.waits == [0.01]


def test_a_refusal_is_stated(own_time: OwnTime) -> None:
    with LoopbackApi(says("", stop="refusal")) as api, pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
    assert (caught.value.error_class, len(api.asked)) == ("refusal", 2)


def test_a_reply_cut_at_its_length_is_stated(own_time: OwnTime) -> None:
    cut = json.dumps(GOOD)[:40]
    with LoopbackApi(says(cut, stop="max_tokens")) as api, pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
    assert caught.value.error_class == "truncated"


def test_row_89_duplicate_keys_are_mended_in_the_second_reply(own_time: OwnTime) -> None:
    doubled = json.dumps(GOOD).replace("{", '{"next_action": "retry", ', 1)
    with LoopbackApi(says(doubled), says({**GOOD, "cmd": "rm -rf"})) as api:
        advice = ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
        assert "twice" in api.asked[1]["messages"][-1]["content"]
    assert set(advice.own) == {"tests_passed", "build_passed"}


@pytest.mark.parametrize("status", [200, 400, 529])
def test_row_94_a_reply_of_50_mb_is_left_unread(status: int, own_time: OwnTime) -> None:
    with LoopbackApi(floods(status)) as api, pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
    assert caught.value.error_class == "invalid_reply"
    assert (len(api.asked), api.sent < 25 * MEGABYTE) == (1, True)


def test_a_redirect_does_not_carry_the_key_away(own_time: OwnTime) -> None:
    with LoopbackApi(says(GOOD)) as elsewhere:
        away = fails(307, location=elsewhere.environ["ANTHROPIC_BASE_URL"] + "/v1/messages")
        with LoopbackApi(away) as api, pytest.raises(NoAdvice) as caught:
            ask_api(REQUEST, environ=api.environ, pace=own_time.pace())
        assert (caught.value.error_class, elsewhere.asked) == ("bad_request", [])


def test_nobody_at_the_address_is_api_down(own_time: OwnTime) -> None:
    with LoopbackApi(hangs) as api:
        environ = api.environ
    with pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=environ, pace=own_time.pace())
    assert caught.value.error_class == "api_down"
