"""A loopback model API for real agent clients: a prompt chooses how the model behaves."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from story_automator.canary import chat, gemini, messages, responses
from story_automator.canary.acts import Cut, Failure, HangUp, Heard, Reply, Silence, Wait
from story_automator.canary.behaviours import answer, at_once
from story_automator.canary.directives import Aside, aside, directive
from story_automator.canary.script import SCRIPT, played
from story_automator.edges.files import PRIVATE_FILE

if TYPE_CHECKING:
    from types import ModuleType, TracebackType

    from story_automator.canary.server import Server

# Gemini asks for a stream in the address.
STREAMED = ":streamGenerateContent"
# Clients put what they like before the version.
DIALECTS: dict[str, "ModuleType"] = {
    "/v1/messages": messages,
    "/v1/responses": responses,
    "/v1/chat/completions": chat,
    ":generateContent": gemini,
    STREAMED: gemini,
}
POLL = 0.1  # seconds until the server notices that it is to close
MODELS = {"object": "list", "data": [{"id": "canary", "object": "model", "owned_by": "canary"}]}


@dataclass(frozen=True, slots=True)
class Request:
    """What is kept of a request; never a header, never the text."""

    number: int
    at: float
    method: str
    path: str
    trial: str = ""
    step: int = 0
    attempt: int = 0
    aside: str = ""
    stream: bool = False
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the server is to send for a request."""

    request: Request
    content: dict[str, Any] | Iterable[bytes | Wait | Cut] | Silence | HangUp
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class Api:
    """`with Api() as api:` serves at `api.url` until the end of the block."""

    def __init__(
        self, log: Path | None = None, port: int = 0, *, scripts: Path | None = None
    ) -> None:
        self.requests: list[Request] = []
        self._scripts = scripts
        self._asked_port = port
        self._log_path = log
        self._log = -1
        self._tries: Counter[tuple[str, ...]] = Counter()
        self._ends: dict[int, str] = {}
        self._news = threading.Condition()
        self._server: Server | None = None

    def __enter__(self) -> Self:
        from story_automator.canary.server import Server

        if self._log_path:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._log = os.open(self._log_path, flags, PRIVATE_FILE)
        self._server = Server(self, self._asked_port)
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(POLL,), daemon=True, name="canary-api").start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    @property
    def port(self) -> int:
        assert self._server, "the API is not open"
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """End every connection and thread; harmless when already closed."""
        if self._server:
            self._server.close()
            self._server = None
        with self._news:
            log, self._log = self._log, -1
        if log >= 0:
            os.close(log)

    def until(self, seen: Callable[[Request], bool], timeout: float) -> Request | None:
        """The first request for which `seen` is true, awaited up to `timeout` seconds."""

        def found() -> Request | None:
            return next((request for request in self.requests if seen(request)), None)

        with self._news:
            return self._news.wait_for(found, timeout)

    def ended(self, request: Request, timeout: float) -> str:
        """How the answer to `request` ended, awaited up to `timeout` seconds; empty if it did not.

        One of: answered, cut, hung up, client left, closed.
        """
        with self._news:
            self._news.wait_for(lambda: request.number in self._ends, timeout)
            return self._ends.get(request.number, "")

    def receive(self, method: str, path: str, body: dict[str, Any]) -> Sheet:
        """Note a request and decide what is sent for it."""
        dialect = next((DIALECTS[end] for end in DIALECTS if path.endswith(end)), None)
        if dialect is None or method != "POST":
            return self._plain(method, path, body)
        try:
            heard: Heard = dialect.hear(body)
        except (AttributeError, KeyError, TypeError):
            error = {"type": "invalid_request_error", "message": "not a request of this API"}
            return Sheet(self._note(method, path), {"error": error}, status=400)
        asked, beside = directive(heard), aside(heard)
        streamed = heard.stream or path.endswith(STREAMED)
        key = (heard.conversation, asked.trial, str(len(heard.said)), beside)
        with self._news:
            self._tries[key] += 1
            attempt = self._tries[key]
        request = self._note(
            method,
            path,
            trial=asked.trial,
            step=asked.step,
            attempt=attempt,
            aside="" if beside is Aside.NONE else beside.value,
            stream=streamed,
            conversation=heard.conversation,
        )
        heard = replace(heard, number=request.number, stream=streamed)
        if asked.name == SCRIPT and beside is Aside.NONE and self._scripts:
            given = played(self._scripts, asked, attempt)
        else:
            given = answer(asked, beside, attempt)
        match given if heard.stream else at_once(given):
            case Failure() as failure:
                headers, error = dialect.failed(failure, request.at)
                return Sheet(request, error, failure.status, headers)
            case Reply() as reply if heard.stream:
                return Sheet(request, dialect.stream(reply, heard))
            case Reply() as reply:
                return Sheet(request, dialect.whole(reply, heard))
            case silent:
                return Sheet(request, silent)

    def _plain(self, method: str, path: str, body: dict[str, Any]) -> Sheet:
        request = self._note(method, path)
        if path.endswith("/count_tokens"):
            return Sheet(request, {"input_tokens": len(json.dumps(body)) // 4})
        if path.endswith(":countTokens"):
            return Sheet(request, {"totalTokens": len(json.dumps(body)) // 4})
        if path.endswith("/models"):
            return Sheet(request, MODELS)
        return Sheet(request, {"error": {"type": "not_found_error", "message": path}}, status=404)

    def _note(self, method: str, path: str, **facts: Any) -> Request:
        with self._news:
            request = Request(len(self.requests), time.time(), method, path, **facts)
            self.requests.append(request)
            self._write({"event": "received", **asdict(request)})
            self._news.notify_all()
        return request

    def finish(self, request: Request, how: str) -> None:
        """Note how the answer to a request ended."""
        with self._news:
            self._ends[request.number] = how
            self._write({"event": how, "number": request.number, "at": time.time()})
            self._news.notify_all()

    def _write(self, record: dict[str, Any]) -> None:
        if self._log >= 0:
            os.write(self._log, json.dumps(record).encode() + b"\n")
