"""One call of the Messages API: an answer, or what came in its way. Nothing is tried twice here."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from story_automator.errors import NoAdvice, Silence
from story_automator.model.answer import Answer, answer_in
from story_automator.model.patience import asked_wait

if TYPE_CHECKING:
    import anthropic
    import httpx2
    from anthropic.types import MessageParam

ADDRESS = "https://api.anthropic.com"
MOST_TOKENS = 4096
LONGEST_BODY = 1_000_000  # bytes; a hundred times what a reply needs
LONGEST_QUOTE = 200

SILENCE_OF_STATUS = {
    401: Silence.AUTH,
    402: Silence.AUTH,  # the account cannot pay
    403: Silence.AUTH,
    408: Silence.TIMEOUT,
    409: Silence.API_DOWN,
    429: Silence.RATE_LIMITED,
}


@dataclass(frozen=True, slots=True)
class Question:
    model: str
    system: str
    messages: tuple["MessageParam", ...]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A call that came to nothing. Its words hold no key and no header."""

    kind: Silence
    words: str
    asked: float | None = None  # the seconds that the server wants us to wait


class BodyTooLong(Exception):
    """The API sent more than any reply needs."""


def client_for(environ: Mapping[str, str]) -> "anthropic.Anthropic":
    """A client with the key and the address of these variables; NoAdvice without a key."""
    key = environ.get("ANTHROPIC_API_KEY", "").strip()
    token = "" if key else environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    secret = key or token
    if not secret.isascii() or not secret.isprintable() or not secret:
        raise NoAdvice(
            "the API key holds characters that no key has" if secret else "no API key is set",
            error_class=Silence.AUTH,
            hint="set ANTHROPIC_API_KEY, or use --parser rules",
        )
    import anthropic
    import httpx2

    try:
        return anthropic.Anthropic(
            api_key=key or None,
            auth_token=token or None,
            base_url=environ.get("ANTHROPIC_BASE_URL", "").strip() or ADDRESS,
            max_retries=0,
            open_telemetry=False,
            # A body that is not packed is as long in memory as on the wire, where it is measured.
            default_headers={"Accept-Encoding": "identity"},
            # A redirect would carry the key to another host.
            http_client=anthropic.DefaultHttpxClient(
                follow_redirects=False, event_hooks={"response": [_bound]}
            ),
        )
    except httpx2.InvalidURL:
        raise NoAdvice(
            "ANTHROPIC_BASE_URL is not an address", error_class=Silence.BAD_REQUEST
        ) from None


def call(
    client: "anthropic.Anthropic", question: Question, seconds: float, now: Callable[[], datetime]
) -> Answer | Trouble:
    """Ask once, for at most `seconds`."""
    import anthropic

    def send() -> bytes:
        raw = client.messages.with_raw_response.create(
            model=question.model,
            max_tokens=MOST_TOKENS,
            system=[
                {"type": "text", "text": question.system, "cache_control": {"type": "ephemeral"}}
            ],
            messages=question.messages,
            output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
            # The task is small; thinking would eat the tokens of the reply.
            thinking={"type": "disabled"} if "haiku" in question.model else anthropic.omit,
            timeout=seconds,
        )
        return raw.http_response.content

    try:
        answer = answer_in(_within(seconds, send), question.model)
    except anthropic.APIStatusError as error:
        return _trouble_of(error, client, question.model, now())
    except (anthropic.APITimeoutError, TimeoutError):
        return Trouble(Silence.TIMEOUT, f"the model API did not answer within {seconds:.3g} s")
    except anthropic.APIConnectionError as error:
        if isinstance(error.__cause__, BodyTooLong):
            return Trouble(Silence.INVALID_REPLY, f"the reply exceeds {LONGEST_BODY:,} bytes")
        return Trouble(Silence.API_DOWN, "the connection to the model API failed")
    return answer or Trouble(Silence.API_DOWN, "what answers is no model API, or a broken one")


def _within(seconds: float, work: Callable[[], bytes]) -> bytes:
    """The result of `work`, or TimeoutError.

    The timeouts of a connection start anew with each byte that arrives, and a look-up of a name has
    none: only a thread that may be left behind keeps the time.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    results: SimpleQueue[bytes | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            results.put(error)

    Thread(target=run, daemon=True).start()
    try:
        result = results.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if isinstance(result, BaseException):
        raise result
    return result


def _bound(response: "httpx2.Response") -> None:
    """No more than LONGEST_BODY bytes of a response are read, whatever its status."""
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self.stream = stream

        def __iter__(self) -> Iterator[bytes]:
            length = 0
            for chunk in self.stream:
                length += len(chunk)
                if length > LONGEST_BODY:
                    raise BodyTooLong
                yield chunk

        def close(self) -> None:
            self.stream.close()

    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = Bounded(response.stream)


def _trouble_of(
    error: "anthropic.APIStatusError", client: "anthropic.Anthropic", model: str, now: datetime
) -> Trouble:
    status = error.status_code
    kind = SILENCE_OF_STATUS.get(status, Silence.API_DOWN if status >= 500 else Silence.BAD_REQUEST)
    words = f"the model API answered {status}"
    if kind is Silence.AUTH:
        words = f"the model API does not take the key ({status})"
    elif status == 404:
        words = f"the model API knows no model {model} ({status})"
    elif kind is Silence.BAD_REQUEST and isinstance(error.api_message, str):
        said = " ".join(error.api_message.split())
        for secret in filter(None, (client.api_key, client.auth_token)):
            said = said.replace(secret, "***")
        words = f"{words}: {said[:LONGEST_QUOTE]}"
    after = error.response.headers.get("retry-after")
    return Trouble(kind, words, None if after is None else asked_wait(after, now))
