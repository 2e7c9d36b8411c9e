"""The Anthropic Messages API: what a request says and how a reply is written."""

import json
from collections.abc import Iterator
from typing import Any

from story_automator.canary.acts import (
    Cut,
    Failure,
    Heard,
    Limit,
    Ping,
    Reply,
    Say,
    Stumble,
    Think,
    ToolResult,
    Wait,
    spread,
)
from story_automator.canary.tools import call

Json = dict[str, Any]
CLAIMS = {Limit.SESSION: "five_hour", Limit.WEEKLY: "seven_day", Limit.OPUS: "seven_day_opus"}


def texts(content: Any) -> Iterator[str | ToolResult]:
    """The words and tool results of a message; both spellings of content are allowed."""
    if isinstance(content, str):
        yield content
        return
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "text":
            yield block.get("text", "")
        elif block.get("type") == "tool_result":
            yield ToolResult()


def hear(body: Json) -> Heard:
    said = [
        word
        for message in body.get("messages", ())
        if message.get("role") == "user"
        for word in texts(message.get("content"))
    ]
    system = "\n".join(word for word in texts(body.get("system")) if isinstance(word, str))
    return Heard(
        said=tuple(said),
        system=system,
        tools=frozenset(tool.get("name", "") for tool in body.get("tools") or ()),
        model=body.get("model", "canary"),
        conversation=session(body.get("metadata") or {}),
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_tokens"),
    )


def session(metadata: Json) -> str:
    """The session's id, which Claude Code hides in a JSON text."""
    user = str(metadata.get("user_id", ""))
    try:
        return str(json.loads(user)["session_id"])
    except (ValueError, TypeError, KeyError):
        return user


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def usage(reply: Reply) -> Json:
    return {
        "input_tokens": reply.tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 25,
    }


def stop_reason(reply: Reply) -> str:
    return reply.stop or ("tool_use" if reply.calls_tools else "end_turn")


def envelope(reply: Reply, heard: Heard) -> Json:
    return {
        "id": heard.name("msg"),
        "type": "message",
        "role": "assistant",
        "model": heard.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage(reply),
    }


def stream(reply: Reply, heard: Heard) -> Iterator[bytes | Wait | Cut]:
    yield event("message_start", message=envelope(reply, heard))
    index = 0
    for act in reply.acts:
        match act:
            case Wait() | Cut():
                yield act
            case Ping():
                for wait in act.beats():
                    yield event("ping")
                    yield wait
            case Stumble():
                yield event("error", error={"type": act.kind, "message": act.message})
                return
            case Say() | Think():
                yield from text_block(act, index)
                index += 1
            case _:
                name, given = call(act, heard)
                block = {
                    "type": "tool_use",
                    "id": heard.name("toolu", index),
                    "name": name,
                    "input": {},
                }
                yield event("content_block_start", index=index, content_block=block)
                delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
                yield event("content_block_delta", index=index, delta=delta)
                yield event("content_block_stop", index=index)
                index += 1
    yield event(
        "message_delta",
        delta={"stop_reason": stop_reason(reply), "stop_sequence": None},
        usage=usage(reply),
    )
    yield event("message_stop")


def text_block(act: Say | Think, index: int) -> Iterator[bytes | Wait]:
    kind = "text" if isinstance(act, Say) else "thinking"
    block = {"type": kind, kind: ""} | ({} if kind == "text" else {"signature": ""})
    yield event("content_block_start", index=index, content_block=block)
    for piece in spread(act):
        if isinstance(piece, Wait):
            yield piece
        else:
            delta = {"type": f"{kind}_delta", kind: piece}
            yield event("content_block_delta", index=index, delta=delta)
    if isinstance(act, Say) and act.broken:
        return
    if kind == "thinking":
        signature = {"type": "signature_delta", "signature": "canary"}
        yield event("content_block_delta", index=index, delta=signature)
    yield event("content_block_stop", index=index)


def whole(reply: Reply, heard: Heard) -> Json:
    content: list[Json] = []
    for act in reply.acts:
        match act:
            case Say():
                content.append({"type": "text", "text": act.text})
            case Think():
                content.append({"type": "thinking", "thinking": act.text, "signature": "canary"})
            case Wait() | Cut() | Ping() | Stumble():
                pass
            case _:
                name, given = call(act, heard)
                block = {"type": "tool_use", "id": heard.name("toolu", len(content)), "name": name}
                content.append({**block, "input": given})
    return {**envelope(reply, heard), "content": content, "stop_reason": stop_reason(reply)}


def failed(failure: Failure, now: float) -> tuple[dict[str, str], Json]:
    """The headers and the body of an HTTP error.

    Claude Code words a plan's limit from these three headers, and only when it is logged in with
    a token of a plan; with an API key the same answer is a plain 429.
    """
    headers = {}
    if failure.resets_in is not None:
        unified = "anthropic-ratelimit-unified"
        headers = {
            f"{unified}-status": "rejected",
            f"{unified}-reset": str(int(now + failure.resets_in)),
            f"{unified}-representative-claim": CLAIMS[failure.limit],
        }
    if failure.retry_after is not None:
        headers["retry-after"] = f"{failure.retry_after:g}"
    error = {"type": failure.kind, "message": failure.message}
    return headers, {"type": "error", "error": error, "request_id": "req_canary"}
