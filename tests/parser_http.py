"""What tests of the API parser share: respx for httpx2, a loopback API, time of their own."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpx
import httpx2
import pytest
from respx.mocks import AbstractRequestMocker

from story_automator.edges.parser_api import Pace
from story_automator.model.advice import ParsedStep
from story_automator.model.parse_request import ParseRequest
from story_automator.model.patience import Patience

KEY = "sk-ant-test-0123456789abcdef"
REQUEST = ParseRequest(ParsedStep.DEV, "You read logs.", "What happened?", "claude-haiku-4-5")
GOOD = {
    "status": "SUCCESS",
    "summary": "All tests pass.",
    "next_action": "proceed",
    "confidence": 0.9,
    "error_class": "none",
    "questions": [],
    "tests_passed": True,
    "build_passed": True,
}


class Httpx2Mocker(AbstractRequestMocker):
    """respx patches httpx; the SDK talks through httpx2. Used by name: respx.mock(using=…)."""

    name = "httpx2"
    targets = ["httpx2._transports.default.HTTPTransport"]  # noqa: RUF012
    target_methods = ["handle_request"]  # noqa: RUF012

    @classmethod
    def to_httpx_request(cls, **kwargs: Any) -> httpx.Request:
        asked: httpx2.Request = kwargs["request"]
        return httpx.Request(
            asked.method,
            str(asked.url),
            headers=asked.headers.raw,
            content=asked.read(),
            extensions=asked.extensions,
        )

    @classmethod
    def from_sync_httpx_response(
        cls, httpx_response: httpx.Response, target: Any, **kwargs: Any
    ) -> httpx2.Response:
        return httpx2.Response(
            httpx_response.status_code,
            headers=httpx_response.headers.raw,
            stream=httpx2.ByteStream(httpx_response.read()),
        )


@contextlib.contextmanager
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test that connects beyond this machine, even where the SDK swallows the error."""
    real, strayed = socket.socket.connect, []

    def connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            strayed.append(address)
            raise ConnectionRefusedError("no test may leave this machine")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    yield
    assert not strayed, f"opened a connection to {strayed}"


@dataclass
class OwnTime:
    """A clock that moves only when somebody waits."""

    passed: float = 0.0
    waits: list[float] = field(default_factory=list)
    start: datetime = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.passed += seconds

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.passed)

    def pace(self, patience: Patience | None = None) -> Pace:
        return Pace(
            clock=lambda: self.passed,
            now=self.now,
            sleep=self.wait,
            draw=lambda: 0.0,
            patience=patience or Patience(),
        )


def message(said: object, stop: str = "end_turn", **usage: int) -> dict[str, Any]:
    """A message of the API that says this, in JSON unless it is text."""
    text = said if isinstance(said, str) else json.dumps(said)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": REQUEST.model,
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20, **usage},
    }


class Call(BaseHTTPRequestHandler):
    """One call of the loopback API; what it does is told by the test."""

    server: "LoopbackApi"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(json.loads(body))
        behaviours = self.server.behaviours
        behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
        with contextlib.suppress(ConnectionError):
            behaviour(self)
        self.close_connection = True

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        headers.setdefault("Content_Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.say(body)

    def say(self, body: bytes) -> None:
        self.wfile.write(body)
        self.wfile.flush()
        self.server.sent += len(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


Behaviour = Callable[[Call], None]


class LoopbackApi(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *behaviours: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Call)
        self.behaviours = list(behaviours)
        self.asked: list[dict[str, Any]] = []
        self.sent = 0
        self.over = threading.Event()

    @property
    def environ(self) -> dict[str, str]:
        address = f"http://127.0.0.1:{self.server_port}"
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": address}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()


def says(said: object, stop: str = "end_turn", status: int = 200, **headers: str) -> Behaviour:
    return lambda call: call.answer(status, json.dumps(message(said, stop)).encode(), **headers)


def fails(status: int, kind: str = "api_error", text: str = "no", **headers: str) -> Behaviour:
    error = {"type": "error", "error": {"type": kind, "message": text}}
    return lambda call: call.answer(status, json.dumps(error).encode(), **headers)
