"""HTTP on the loopback interface: every wait ends when the client leaves or the server closes."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler
from select import select
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any

from story_automator.canary.acts import FOR_EVER, Cut, HangUp, Silence, Wait

if TYPE_CHECKING:
    from story_automator.canary.api import Api

LARGEST_BODY = 64 << 20
PATIENCE = 1.0  # seconds for the last words of closing connections
Piece = bytes | Wait | Cut


class Gone(Exception):
    """The client left, or we close."""


class Server(ThreadingMixIn, TCPServer):
    """Binds 127.0.0.1 only; `close` ends every connection, however silent."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, api: "Api", port: int) -> None:
        self.api = api
        self.closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        super().__init__(("127.0.0.1", port), Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changed:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._changed:
            self._open.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves in the middle is no error of ours, and nothing is printed."""

    def close(self) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()
        with self._changed:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._open, PATIENCE)


class Handler(BaseHTTPRequestHandler):
    """Hands the body of a request to the Api and sends what it answers, piece by piece."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is logged here: a log line could hold what a header says."""

    def do_HEAD(self) -> None:
        self.whole(200, {})

    def do_GET(self) -> None:
        self.respond({})

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if length > LARGEST_BODY:
            self.whole(413, {"error": {"message": "the request is too large"}})
            return
        try:
            body = json.loads(self.rfile.read(length) or b"{}")
        except ValueError:
            body = None
        if isinstance(body, dict):
            self.respond(body)
        else:
            self.whole(400, {"error": {"message": "the body is not a JSON object"}})

    def respond(self, body: dict[str, Any]) -> None:
        api = self.server.api
        path = self.path.split("?")[0]
        sheet = api.receive(self.command, path, body)
        how = "answered"
        try:
            match sheet.content:
                case Silence():
                    self.wait(FOR_EVER)
                case HangUp():
                    how = "hung up"
                    self.close_connection = True
                case dict() as whole:
                    self.whole(sheet.status, whole, sheet.headers)
                case pieces:
                    how = self.stream(pieces)
        except (OSError, Gone):
            how = "closed" if self.server.closing.is_set() else "client left"
            self.close_connection = True
        api.finish(sheet.request, how)

    def whole(
        self, status: int, content: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def stream(self, pieces: Iterable[Piece]) -> str:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            match piece:
                case bytes():
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                case Wait():
                    self.wait(piece.seconds)
                case Cut():
                    self.close_connection = True
                    return "cut"
        self.wfile.write(b"0\r\n\r\n")
        return "answered"

    def wait(self, seconds: float) -> None:
        """Stay silent; raises Gone when the client leaves or the server closes first."""
        timeout = None if seconds == FOR_EVER else seconds
        readable, _, _ = select([self.connection], [], [], timeout)
        if readable:
            raise Gone
