"""The loopback API over a real socket, with a plain HTTP client."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPException, IncompleteRead
from pathlib import Path
from typing import Any

import pytest

from story_automator.canary.api import Api, Request
from story_automator.canary.behaviours import TABLE, waiting

MESSAGES, RESPONSES, CHAT = "/v1/messages", "/v1/responses", "/v1/chat/completions"
GEMINI, AT_ONCE = "/v1beta/models/x:streamGenerateContent", "/v1beta/models/x:generateContent"
TIMEOUT = 30
# These never end an answer by themselves.
ENDLESS = {"hang", "stall"}
CUT = {"drop", "refuse"}
# Quick: the seconds of a trial are only waited for where it says so.
SPED_UP = {"slow": "0.01", "think": "0.01", "ping": "0.01"}


@pytest.fixture
def api(tmp_path: Path) -> Iterator[Api]:
    with Api(tmp_path / "log.jsonl") as api:
        yield api


def body(path: str, prompt: str, *, stream: bool = True) -> dict[str, Any]:
    if path in (GEMINI, AT_ONCE):
        tool = {"functionDeclarations": [{"name": "run_shell_command"}]}
        return {"contents": [{"role": "user", "parts": [{"text": prompt}]}], "tools": [tool]}
    shared: dict[str, Any] = {"model": "canary", "stream": stream}
    said = [{"role": "user", "content": prompt}]
    if path == MESSAGES:
        metadata = {"user_id": json.dumps({"session_id": "s-1"})}
        tools: list[Any] = [{"name": "Bash"}, {"name": "Write"}]
        return {**shared, "messages": said, "max_tokens": 9, "tools": tools, "metadata": metadata}
    if path == RESPONSES:
        return {**shared, "input": said, "tools": [{"type": "function", "name": "exec_command"}]}
    return {**shared, "messages": said, "tools": [{"function": {"name": "bash"}}]}


@dataclass(frozen=True, slots=True)
class Got:
    """A whole answer, as the client saw it."""

    status: int
    headers: Message
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)


def send(api: Api, method: str, path: str, content: bytes | None = None, **headers: str) -> Got:
    with contextlib.closing(HTTPConnection("127.0.0.1", api.port, timeout=TIMEOUT)) as connection:
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        return Got(response.status, response.headers, response.read())


def post(api: Api, path: str, content: dict[str, Any], **headers: str) -> Got:
    return send(api, "POST", path, json.dumps(content).encode(), **headers)


def trial(name: str) -> str:
    return f"canary:{name}" + (f":{SPED_UP[name]}" if name in SPED_UP else "")


def events(data: bytes) -> list[Any]:
    """The data of a stream of server-sent events; anything else than whole events is an error."""
    text = data.decode()
    assert text.endswith("\n\n")
    found = []
    for block in text.removesuffix("\n\n").split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        assert set(lines) <= {"event", "data"}
        if lines.get("data", "[DONE]") != "[DONE]":
            found.append(json.loads(lines["data"]))
            assert lines.get("event", found[-1].get("type")) == found[-1].get("type")
    return found


def said(path: str, data: bytes) -> str:
    """The text that a client would put together from the stream."""
    if path == MESSAGES:
        return "".join(e["delta"].get("text", "") for e in events(data) if "delta" in e)
    if path == RESPONSES:
        wanted = "response.output_text.delta"
        return "".join(e["delta"] for e in events(data) if e["type"] == wanted)
    if path == GEMINI:
        parts = [part for e in events(data) for part in e["candidates"][0]["content"]["parts"]]
        return "".join(part.get("text", "") for part in parts)
    deltas = [e["choices"][0]["delta"] for e in events(data) if e.get("choices")]
    return "".join(delta.get("content", "") for delta in deltas)


EVERY_API = pytest.mark.parametrize("path", [MESSAGES, RESPONSES, CHAT, GEMINI])


@EVERY_API
@pytest.mark.parametrize("name", [name for name in TABLE if name not in ENDLESS | CUT])
def test_every_behaviour_is_answered_in_every_api(api: Api, path: str, name: str) -> None:
    got = post(api, path, body(path, trial(name)))
    if got.status == 200:
        assert got.headers["content-type"] == "text/event-stream"
        assert events(got.data)
    else:
        assert got.json["error"]["message"]
    assert api.requests[0].trial == trial(name).removeprefix("canary:")


@EVERY_API
def test_a_turn_is_streamed_and_told_whole_alike(api: Api, path: str) -> None:
    streamed = said(path, post(api, path, body(path, "canary:turn")).data)
    whole = AT_ONCE if path == GEMINI else path
    answer = post(api, whole, body(path, "canary:turn", stream=False)).json
    assert streamed
    assert streamed in json.dumps(answer)


def test_a_message_is_framed_as_its_api_demands(api: Api) -> None:
    kinds = [e["type"] for e in events(post(api, MESSAGES, body(MESSAGES, "canary:bash")).data)]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert kinds == ["message_start", *block, *block, "message_delta", "message_stop"]


def test_a_tool_call_of_a_message_has_whole_arguments(api: Api) -> None:
    found = events(post(api, MESSAGES, body(MESSAGES, "canary:bash:7")).data)
    given = [e["delta"]["partial_json"] for e in found if "partial_json" in e.get("delta", {})]
    assert json.loads("".join(given))["command"] == waiting(7)
    assert found[-2]["delta"]["stop_reason"] == "tool_use"


def test_events_of_a_response_are_numbered_and_end_complete(api: Api) -> None:
    found = events(post(api, RESPONSES, body(RESPONSES, "canary:bash:7")).data)
    assert [e["sequence_number"] for e in found] == list(range(len(found)))
    assert found[-1]["type"] == "response.completed"
    call = found[-1]["response"]["output"][-1]
    assert (call["type"], call["name"]) == ("function_call", "exec_command")
    assert json.loads(call["arguments"])["cmd"] == waiting(7)


def test_a_chat_ends_with_done(api: Api) -> None:
    data = post(api, CHAT, body(CHAT, "canary:bash:7")).data
    assert data.endswith(b"data: [DONE]\n\n")
    call = next(e for e in events(data) if e["choices"][0]["delta"].get("tool_calls"))
    assert "time.sleep(7)" in call["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"]


def test_gemini_ends_with_a_reason_and_tells_its_tool_call(api: Api) -> None:
    found = events(post(api, GEMINI, body(GEMINI, "canary:bash:7")).data)
    assert found[-1]["candidates"][0]["finishReason"] == "STOP"
    call = found[-2]["candidates"][0]["content"]["parts"][0]["functionCall"]
    assert (call["name"], call["args"]["command"]) == ("run_shell_command", waiting(7))


@EVERY_API
def test_a_tool_result_leads_to_words(api: Api, path: str) -> None:
    content = body(path, "canary:bash")
    if path == MESSAGES:
        result = {"type": "tool_result", "tool_use_id": "t", "content": "canary:ask"}
        content["messages"].append({"role": "user", "content": [result]})
    elif path == RESPONSES:
        content["input"].append({"type": "function_call_output", "call_id": "c", "output": "x"})
    elif path == GEMINI:
        parts = [{"functionResponse": {"name": "run_shell_command", "response": {}}}]
        content["contents"].append({"role": "user", "parts": parts})
    else:
        content["messages"].append({"role": "tool", "tool_call_id": "c", "content": "x"})
    assert said(path, post(api, path, content).data) == "The command has run."
    assert api.requests[0].step == 1


def test_replies_have_ids_of_their_own(api: Api) -> None:
    ids = set()
    for _ in range(3):
        begun = events(post(api, MESSAGES, body(MESSAGES, "canary:turn")).data)[0]
        ids.add(begun["message"]["id"])
    assert len(ids) == 3


def test_a_limit_is_told_in_the_headers_with_its_reset(api: Api) -> None:
    got = post(api, MESSAGES, body(MESSAGES, "canary:limit:1800:weekly"))
    unified = "anthropic-ratelimit-unified"
    assert got.status == 429
    assert got.headers[f"{unified}-status"] == "rejected"
    assert got.headers[f"{unified}-representative-claim"] == "seven_day"
    assert got.headers[f"{unified}-reset"] == str(int(api.requests[0].at + 1800))


def test_a_limit_of_the_responses_api_is_told_in_the_body(api: Api) -> None:
    error = post(api, RESPONSES, body(RESPONSES, "canary:limit:1800")).json["error"]
    assert error["type"] == "usage_limit_reached"
    assert error["resets_at"] == int(api.requests[0].at + 1800)


def test_tries_are_counted_per_conversation(api: Api) -> None:
    def status(session: str) -> int:
        content = body(MESSAGES, "canary:overloaded:1")
        content["metadata"] = {"user_id": json.dumps({"session_id": session})}
        return post(api, MESSAGES, content).status

    assert [status("a"), status("b"), status("a"), status("b")] == [529, 529, 200, 200]
    assert [request.conversation for request in api.requests] == ["a", "b", "a", "b"]


def test_a_dropped_stream_breaks_off(api: Api) -> None:
    with pytest.raises(IncompleteRead):
        post(api, MESSAGES, body(MESSAGES, "canary:drop"))


@pytest.mark.parametrize(
    ("name", "stream"),
    [
        pytest.param("refuse", True, id="refused"),
        pytest.param("drop", False, id="dropped-without-a-stream"),
    ],
)
def test_a_line_may_close_before_any_byte(api: Api, name: str, stream: bool) -> None:
    with pytest.raises((HTTPException, OSError)):
        post(api, MESSAGES, body(MESSAGES, f"canary:{name}", stream=stream))


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        pytest.param("GET", "/v1/models", 200, id="models"),
        pytest.param("POST", "/v1/messages/count_tokens?beta=true", 200, id="count-tokens"),
        pytest.param("POST", "/v1beta/models/x:countTokens", 200, id="count-tokens-of-gemini"),
        pytest.param("HEAD", "/", 200, id="a-look-whether-we-are-there"),
        pytest.param("GET", "/v1/nothing", 404, id="unknown"),
    ],
)
def test_other_doors(api: Api, method: str, path: str, status: int) -> None:
    assert send(api, method, path, b"{}" if method == "POST" else None).status == status


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_object_is_a_bad_request(api: Api, content: bytes) -> None:
    assert send(api, "POST", MESSAGES, content).status == 400


@EVERY_API
@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({"messages": None, "input": None}, id="nothing-said"),
        pytest.param(
            {"messages": ["x"], "input": ["x"], "contents": ["x"], "tools": "y"}, id="wrong-shapes"
        ),
    ],
)
def test_a_request_of_an_unknown_shape_gets_an_answer(
    api: Api, path: str, odd: dict[str, Any]
) -> None:
    assert post(api, path, odd).status in (200, 400)


def test_a_connection_is_kept_for_the_next_request(api: Api) -> None:
    with contextlib.closing(HTTPConnection("127.0.0.1", api.port, timeout=TIMEOUT)) as connection:
        for _ in range(2):
            connection.request("POST", MESSAGES, json.dumps(body(MESSAGES, "canary:turn")))
            assert said(MESSAGES, connection.getresponse().read())
            assert connection.sock


@pytest.mark.parametrize("name", sorted(ENDLESS))
@pytest.mark.parametrize("stream", [True, False])
def test_closing_ends_a_silent_answer_and_its_thread(name: str, stream: bool) -> None:
    before = set(threading.enumerate())
    with Api() as api, socket.create_connection(("127.0.0.1", api.port), TIMEOUT) as client:
        data = json.dumps(body(MESSAGES, f"canary:{name}", stream=stream)).encode()
        head = f"POST {MESSAGES} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n"
        client.sendall(head.encode() + data)
        assert api.until(lambda request: request.trial == name, TIMEOUT)
        serving = set(threading.enumerate()) - before
        api.close()
        while client.recv(65536):
            pass
    for thread in serving:
        thread.join(TIMEOUT)
        assert not thread.is_alive()


def test_a_client_that_leaves_ends_the_silence(api: Api, tmp_path: Path) -> None:
    connection = HTTPConnection("127.0.0.1", api.port, timeout=TIMEOUT)
    connection.request("POST", MESSAGES, json.dumps(body(MESSAGES, "canary:hang")))
    assert api.until(lambda request: request.trial == "hang", TIMEOUT)
    connection.close()
    assert api.ended(api.requests[0], TIMEOUT) == "client left"


def test_closing_twice_is_harmless(api: Api) -> None:
    api.close()
    api.close()


def test_only_the_loopback_interface_is_bound(api: Api) -> None:
    assert api.url == f"http://127.0.0.1:{api.port}"
    listening = [
        line.split()[1]
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        if Path(table).exists()
        for line in Path(table).read_text().splitlines()[1:]
        if line.split()[3] == "0A" and int(line.split()[1].split(":")[1], 16) == api.port
    ]
    assert listening in ([], [f"0100007F:{api.port:04X}"])


def test_headers_and_words_are_never_kept(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Api(log) as api:
        secret = {"authorization": "Bearer s3cret", "x-api-key": "s3cret"}
        post(api, MESSAGES, body(MESSAGES, "canary:turn my s3cret plan"), **secret)
        kept = repr(vars(api)) + repr(api.requests)
    assert "s3cret" not in kept + log.read_text()


def test_the_log_tells_when_each_request_came_and_ended(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Api(log) as api:
        post(api, MESSAGES, body(MESSAGES, "canary:turn"))
        request = api.requests[0]
        assert api.ended(request, TIMEOUT) == "answered"
    received, answered = map(json.loads, log.read_text().splitlines())
    assert (received["event"], received["trial"]) == ("received", "turn")
    assert (answered["event"], answered["number"]) == ("answered", request.number)
    assert answered["at"] >= received["at"] == request.at
    assert log.stat().st_mode & 0o077 == 0


def test_waiting_for_a_request_that_never_comes_tells_so(api: Api) -> None:
    assert api.until(lambda _: True, 0) is None


def test_by_hand_it_serves_until_told_to_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "story_automator.canary", "--log", str(tmp_path / "log")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)) as connection:
            connection.request("GET", "/v1/models")
            assert connection.getresponse().read()
        server.terminate()
        assert server.wait(TIMEOUT) == 0


def test_by_hand_a_wrong_flag_is_one_line_of_usage() -> None:
    command = [sys.executable, "-m", "story_automator.canary", "--bogus"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "usage:" in done.stderr


def test_a_request_is_a_plain_record() -> None:
    request = Request(0, 1.0, "POST", MESSAGES)
    assert not any(word in Request.__slots__ for word in ("headers", "body"))
    with pytest.raises(AttributeError):
        request.path = "/"  # type: ignore[misc]
