"""The Gemini API (generateContent): what a request says and how a reply is written."""

import json
from collections.abc import Iterator
from typing import Any

from story_automator.canary.acts import (
    Cut,
    Failure,
    Heard,
    Ping,
    Reply,
    Say,
    Stumble,
    Think,
    ToolResult,
    ToolUse,
    Wait,
    spread,
)
from story_automator.canary.tools import call

Json = dict[str, Any]
STOPS = {"max_tokens": "MAX_TOKENS", "refusal": "SAFETY"}
STATUSES = {
    "rate_limit_error": "RESOURCE_EXHAUSTED",
    "overloaded_error": "UNAVAILABLE",
    "authentication_error": "UNAUTHENTICATED",
    "permission_error": "PERMISSION_DENIED",
    "not_found_error": "NOT_FOUND",
    "api_error": "INTERNAL",
}


def words(content: Json) -> Iterator[str | ToolResult]:
    for part in content.get("parts") or ():
        if "functionResponse" in part:
            yield ToolResult()
        elif "text" in part:
            yield part["text"]


def hear(body: Json) -> Heard:
    said = [
        word
        for content in body.get("contents") or ()
        if content.get("role", "user") != "model"
        for word in words(content)
    ]
    system = words(body.get("systemInstruction") or {})
    declared = [
        tool["name"]
        for tools in body.get("tools") or ()
        for tool in tools.get("functionDeclarations") or ()
    ]
    return Heard(
        said=tuple(said),
        system="\n".join(word for word in system if isinstance(word, str)),
        tools=frozenset(declared),
        max_tokens=(body.get("generationConfig") or {}).get("maxOutputTokens"),
    )


def envelope(reply: Reply, heard: Heard, parts: list[Json], *, last: bool) -> Json:
    candidate: Json = {"index": 0, "content": {"role": "model", "parts": parts}}
    if last:
        candidate["finishReason"] = STOPS.get(reply.stop, "STOP")
    counts = {"promptTokenCount": reply.tokens, "candidatesTokenCount": 25}
    usage = {**counts, "totalTokenCount": reply.tokens + 25}
    head = {"responseId": heard.name("resp"), "modelVersion": heard.model}
    return {"candidates": [candidate], "usageMetadata": usage, **head}


def event(data: Json) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def stream(reply: Reply, heard: Heard) -> Iterator[bytes | Wait | Cut]:
    def chunk(*parts: Json, last: bool = False) -> bytes:
        return event(envelope(reply, heard, list(parts), last=last))

    for act in reply.acts:
        match act:
            case Wait() | Cut():
                yield act
            case Ping():
                for wait in act.beats():
                    yield b": ping\n\n"
                    yield wait
            case Stumble():
                yield event(failed(Failure(503, act.kind, act.message), 0)[1])
                return
            case Say() | Think():
                thought = {"thought": True} if isinstance(act, Think) else {}
                for piece in spread(act):
                    yield piece if isinstance(piece, Wait) else chunk({"text": piece, **thought})
            case _:
                yield chunk(part(act, heard))
    yield chunk(last=True)


def part(act: ToolUse, heard: Heard) -> Json:
    name, given = call(act, heard)
    return {"functionCall": {"id": heard.name("call"), "name": name, "args": given}}


def whole(reply: Reply, heard: Heard) -> Json:
    made = [act for act in reply.acts if isinstance(act, Say | ToolUse)]
    parts = [{"text": act.text} if isinstance(act, Say) else part(act, heard) for act in made]
    return envelope(reply, heard, parts, last=True)


def failed(failure: Failure, _: float) -> tuple[dict[str, str], Json]:
    retry = failure.retry_after
    headers = {} if retry is None else {"retry-after": f"{retry:g}"}
    status = STATUSES.get(failure.kind, "INVALID_ARGUMENT")
    error = {"code": failure.status, "message": failure.message, "status": status}
    return headers, {"error": error}
