"""The API parser against an API that answers, fails, refuses and stumbles as told."""

import json
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from email.utils import format_datetime
from typing import Any

import httpx
import httpx2
import pytest
import respx

from story_automator.edges.parser_api import ask_api
from story_automator.errors import NoAdvice
from story_automator.model.advice import NextAction, ParsedStep
from story_automator.model.patience import Patience
from tests.parser_http import GOOD, KEY, REQUEST, OwnTime, message

ENVIRON = {"ANTHROPIC_API_KEY": KEY}
FULL = {**GOOD, "next_action": "commit"}


@pytest.fixture
def api() -> Iterator[respx.Route]:
    with respx.mock(using="httpx2", base_url="https://api.anthropic.com") as router:
        yield router.post("/v1/messages")


def ok(said: object = GOOD, stop: str = "end_turn", **usage: int) -> httpx.Response:
    return httpx.Response(200, json=message(said, stop, **usage))


def failed(status: int, text: str = "no", **headers: str) -> httpx.Response:
    body = {"type": "error", "error": {"type": "api_error", "message": text}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json=body, headers=named)


def sent(api: respx.Route, number: int = -1) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(api.calls[number].request.content)
    return body


def silence(own_time: OwnTime, **options: Any) -> NoAdvice:
    with pytest.raises(NoAdvice) as caught:
        ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace(), **options)
    return caught.value


class TestAGoodReply:
    def test_becomes_advice_with_its_model_tokens_and_cost(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = ok(cache_read_input_tokens=1000, cache_creation_input_tokens=200)
        advice = ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace())
        assert advice.next_action is NextAction.PROCEED
        assert advice.own == {"tests_passed": True, "build_passed": True}
        assert (advice.parser, advice.model) == ("api", REQUEST.model)
        assert (advice.input_tokens, advice.output_tokens) == (1300, 20)
        assert advice.cost_usd == pytest.approx((100 + 200 * 1.25 + 1000 * 0.1 + 20 * 5) / 1e6)

    def test_of_an_unknown_model_has_no_cost(self, api: respx.Route, own_time: OwnTime) -> None:
        api.return_value = ok()
        request = replace(REQUEST, model="claude-next")
        advice = ask_api(request, environ=ENVIRON, pace=own_time.pace())
        assert (advice.model, advice.cost_usd) == ("claude-next", None)

    def test_may_follow_a_thought(self, api: respx.Route, own_time: OwnTime) -> None:
        body = message(GOOD)
        body["content"].insert(0, {"type": "thinking", "thinking": "{", "signature": "x"})
        api.return_value = httpx.Response(200, json=body)
        assert ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace()).parser == "api"


class TestTheRequest:
    def test_caches_the_fixed_part_and_bounds_and_shapes_the_reply(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = ok()
        ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace())
        body = sent(api)
        assert body["model"] == REQUEST.model
        assert body["system"] == [
            {"type": "text", "text": REQUEST.system, "cache_control": {"type": "ephemeral"}}
        ]
        assert body["messages"] == [{"role": "user", "content": REQUEST.prompt}]
        assert body["max_tokens"] == 4096
        assert body["output_config"]["format"]["type"] == "json_schema"
        assert "tests_passed" in body["output_config"]["format"]["schema"]["required"]
        assert body["thinking"] == {"type": "disabled"}
        assert not {"temperature", "top_p", "top_k"} & set(body)

    def test_asks_for_no_thinking_setting_that_a_larger_model_may_refuse(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = ok()
        request = replace(REQUEST, model="claude-opus-5-5")
        ask_api(request, environ=ENVIRON, pace=own_time.pace())
        assert "thinking" not in sent(api)

    @pytest.mark.parametrize(
        "environ",
        [
            pytest.param({"ANTHROPIC_API_KEY": KEY}, id="key"),
            pytest.param({"ANTHROPIC_AUTH_TOKEN": f" {KEY}\n"}, id="token"),
            pytest.param({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": "x"}, id="both"),
        ],
    )
    def test_carries_the_key_that_was_given_and_no_other(
        self,
        environ: dict[str, str],
        api: respx.Route,
        own_time: OwnTime,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-process")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example")
        api.return_value = ok()
        ask_api(REQUEST, environ=environ, pace=own_time.pace())
        assert api.calls[0].request.headers["authorization"] == f"Bearer {KEY}"

    @pytest.mark.parametrize(
        "environ",
        [
            pytest.param({}, id="none"),
            pytest.param({"ANTHROPIC_API_KEY": "  "}, id="blank"),
            pytest.param({"ANTHROPIC_API_KEY": "schlüssel"}, id="not-ascii"),
            pytest.param({"ANTHROPIC_API_KEY": "two\nlines"}, id="two-lines"),
        ],
    )
    def test_is_not_made_without_a_usable_key(
        self, environ: dict[str, str], own_time: OwnTime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        with pytest.raises(NoAdvice) as caught:
            ask_api(REQUEST, environ=environ, pace=own_time.pace())
        assert caught.value.error_class == "auth"
        assert caught.value.reason == "sub-agent call failed"

    @pytest.mark.parametrize("address", ["http://[::1", "http://a:b"])
    def test_is_not_made_to_a_broken_address(self, address: str, own_time: OwnTime) -> None:
        environ = {**ENVIRON, "ANTHROPIC_BASE_URL": address}
        with pytest.raises(NoAdvice) as caught:
            ask_api(REQUEST, environ=environ, pace=own_time.pace())
        assert caught.value.error_class == "bad_request"


class TestRow79:
    def test_429_once_is_tried_again_after_a_wait(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.side_effect = [failed(429), ok()]
        assert ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace()).parser == "api"
        assert own_time.waits == [0.5]

    @pytest.mark.parametrize("by", ["seconds", "date"])
    def test_429_waits_as_long_as_the_server_asks(
        self, by: str, api: respx.Route, own_time: OwnTime
    ) -> None:
        told = "7" if by == "seconds" else format_datetime(own_time.start.replace(second=7), True)
        api.side_effect = [failed(429, retry_after=told), ok()]
        ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace())
        assert own_time.waits == [7.0]

    def test_429_with_a_wait_beyond_the_limit_gives_up_at_once(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = failed(429, retry_after="3600")
        assert silence(own_time).error_class == "rate_limited"
        assert (own_time.waits, api.call_count) == ([], 1)


class TestRow80:
    @pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
    def test_a_server_that_always_fails_is_api_down_after_bounded_tries(
        self, status: int, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = failed(status)
        error = silence(own_time)
        assert (error.error_class, error.reason) == ("api_down", "sub-agent call failed")
        assert own_time.waits == [0.5, 1, 2, 4, 8, 8, 8]

    def test_the_limit_holds_for_calls_and_waits_together(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        def slow(request: httpx.Request) -> httpx.Response:
            own_time.passed += min(25.0, request.extensions["timeout"]["read"])
            return failed(529)

        api.side_effect = slow
        assert silence(own_time, limit=60.0).error_class == "api_down"
        assert api.call_count == 3
        assert own_time.passed <= 60

    def test_a_failure_that_passes_is_overcome(self, api: respx.Route, own_time: OwnTime) -> None:
        api.side_effect = [failed(529), httpx2.ConnectError("refused"), failed(500), ok()]
        assert ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace()).parser == "api"


class TestRow81:
    @pytest.mark.parametrize(
        "body",
        [
            pytest.param(b'{"type":"error","error":{"type":"overloaded_error"}}', id="error"),
            pytest.param(b"<html>please log in</html>", id="page"),
            pytest.param(b'{"type":"message"', id="cut"),
            pytest.param(b"[" * 100_000, id="deep"),
            pytest.param(b"", id="nothing"),
            pytest.param(b"[]", id="list"),
        ],
    )
    def test_an_error_with_status_200_is_an_error(
        self, body: bytes, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = httpx.Response(200, content=body)
        assert silence(own_time).error_class == "api_down"

    def test_a_message_without_its_parts_is_an_empty_reply(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = httpx.Response(200, json={"type": "message", "content": [7], "usage": 3})
        assert silence(own_time).error_class == "empty_reply"


class TestRow82:
    @pytest.mark.parametrize(
        ("first", "error_class"),
        [
            pytest.param(ok(""), "empty_reply", id="empty"),
            pytest.param(ok(" \n"), "empty_reply", id="blank"),
            pytest.param(ok("I cannot.", stop="refusal"), "refusal", id="refusal"),
            pytest.param(ok(GOOD, stop="refusal"), "refusal", id="refusal-with-an-object"),
        ],
    )
    def test_an_empty_reply_or_a_refusal_is_asked_once_more_then_stated(
        self, first: httpx.Response, error_class: str, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.side_effect = [first, ok()]
        assert ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace()).input_tokens == 200
        assert sent(api, 0) == sent(api, 1)

        api.side_effect = [first, first]
        error = silence(own_time)
        assert (error.error_class, error.reason) == (error_class, "sub-agent returned invalid json")

    @pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
    def test_a_reply_that_was_cut_is_truncated_even_if_it_reads_well(
        self, stop: str, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = ok(GOOD, stop=stop)
        assert silence(own_time).error_class == "truncated"
        assert api.call_count == 1


class TestTheRepairRound:
    @pytest.mark.parametrize(
        ("reply", "problem"),
        [
            pytest.param(FULL, "next_action", id="row-87-unknown-action"),
            pytest.param({**GOOD, "status": "FAILURE"}, "FAILURE", id="row-86-failure-proceeds"),
            pytest.param({**GOOD, "tests_passed": "maybe"}, "tests_passed", id="row-88-no-boolean"),
            pytest.param('{"status":"SUCCESS","status":"FAILURE"}', "twice", id="row-89-duplicate"),
            pytest.param("all good!", "no JSON object", id="prose"),
        ],
    )
    def test_tells_the_model_what_is_wrong_and_takes_the_mended_reply(
        self, reply: object, problem: str, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.side_effect = [ok(reply), ok({**GOOD, "next_action": "retry"})]
        advice = ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace())
        assert advice.next_action is NextAction.RETRY
        assert (advice.input_tokens, advice.output_tokens) == (200, 40)
        first, refused, again = sent(api)["messages"]
        assert [m["role"] for m in (first, refused, again)] == ["user", "assistant", "user"]
        assert problem in again["content"]

    def test_happens_once(self, api: respx.Route, own_time: OwnTime) -> None:
        api.return_value = ok(FULL)
        error = silence(own_time)
        assert (error.error_class, api.call_count) == ("invalid_reply", 2)
        assert error.reason == "sub-agent returned invalid json"

    def test_shares_the_time_of_the_first_question(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        def slow(request: httpx.Request) -> httpx.Response:
            own_time.passed += min(29.5, request.extensions["timeout"]["read"])
            return ok(FULL) if len(api.calls) == 0 else failed(529)

        api.side_effect = slow
        assert silence(own_time, limit=60.0).error_class == "api_down"
        assert own_time.passed <= 60


class TestRow93:
    def test_a_model_that_hangs_is_asked_again(self, api: respx.Route, own_time: OwnTime) -> None:
        def hang_first(request: httpx.Request) -> httpx.Response:
            if own_time.passed:
                return ok()
            own_time.passed += request.extensions["timeout"]["read"]
            raise httpx2.ReadTimeout("no byte")

        api.side_effect = hang_first
        assert ask_api(REQUEST, environ=ENVIRON, pace=own_time.pace(), limit=60).parser == "api"
        assert own_time.passed == 30.5

    def test_a_model_that_always_hangs_is_a_timeout(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.side_effect = httpx2.ReadTimeout("no byte")
        error = silence(own_time)
        assert (error.error_class, error.reason) == ("timeout", "sub-agent call timed out")


class TestAnAnswerThatNoOtherCallChanges:
    @pytest.mark.parametrize(
        ("status", "error_class"),
        [
            (400, "bad_request"),
            (401, "auth"),
            (402, "auth"),
            (403, "auth"),
            (404, "bad_request"),
            (413, "bad_request"),
            (422, "bad_request"),
        ],
    )
    def test_ends_at_once(
        self, status: int, error_class: str, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = failed(status)
        assert silence(own_time).error_class == error_class
        assert (api.call_count, own_time.waits) == (1, [])

    def test_names_the_model_that_is_not_there(self, api: respx.Route, own_time: OwnTime) -> None:
        api.return_value = failed(404)
        assert REQUEST.model in silence(own_time).message

    def test_quotes_what_the_api_says_of_a_bad_request(
        self, api: respx.Route, own_time: OwnTime
    ) -> None:
        api.return_value = failed(400, "max_tokens: too\n large")
        assert "max_tokens: too large" in silence(own_time).message


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 429, 529])
def test_no_word_and_no_log_line_holds_the_key(
    status: int, api: respx.Route, own_time: OwnTime, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    api.return_value = failed(status, f"bad key {KEY}", location="https://elsewhere.example/")
    error = silence(own_time)
    told = f"{error!r} {error.message} {error.hint} {error.__cause__} {caplog.text}"
    assert KEY not in told


def test_the_guard_stops_a_connection_to_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.parser_http import only_loopback

    with (
        pytest.raises(AssertionError, match="opened a connection"),
        monkeypatch.context() as patch,
        only_loopback(patch),
        socket.socket() as plug,
        pytest.raises(ConnectionRefusedError),
    ):
        plug.connect(("192.0.2.1", 443))


def test_waits_are_spread_by_chance() -> None:
    waits = {Patience().wait(3, None, 60, draw / 10) for draw in range(11)}
    assert (min(filter(None, waits)), max(filter(None, waits)), len(waits)) == (1.5, 2.0, 11)


def test_every_step_is_asked_with_its_own_schema(api: respx.Route, own_time: OwnTime) -> None:
    api.return_value = ok("nothing")
    asked = set()
    for step in ParsedStep:
        with pytest.raises(NoAdvice):
            ask_api(replace(REQUEST, step=step), environ=ENVIRON, pace=own_time.pace())
        asked.add(tuple(sent(api)["output_config"]["format"]["schema"]["required"]))
    assert len(asked) == len(ParsedStep)
