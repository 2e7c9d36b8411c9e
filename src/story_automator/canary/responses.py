"""The OpenAI Responses API: what a request says and how a reply is streamed."""

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
# This API has its own words for the same troubles.
CODES = {
    "overloaded_error": "server_is_overloaded",
    "rate_limit_error": "rate_limit_exceeded",
    "authentication_error": "invalid_api_key",
    "not_found_error": "model_not_found",
    "api_error": "server_error",
}


def texts(item: Json) -> Iterator[str | ToolResult]:
    if str(item.get("type", "")).endswith("_call_output"):
        yield ToolResult()
    elif item.get("role") == "user":
        yield from words(item)


def words(item: Json) -> Iterator[str]:
    content = item.get("content")
    for part in [{"text": content}] if isinstance(content, str) else content or ():
        yield part.get("text", "")


def hear(body: Json) -> Heard:
    given = body.get("input") or []
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    orders = [word for item in items if item.get("role") == "developer" for word in words(item)]
    return Heard(
        said=tuple(word for item in items for word in texts(item)),
        system="\n".join([body.get("instructions") or "", *orders]),
        tools=frozenset(tool.get("name") or tool["type"] for tool in body.get("tools") or ()),
        model=body.get("model", "canary"),
        conversation=str(body.get("prompt_cache_key") or ""),
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_output_tokens"),
    )


class Events:
    """Numbers the events of one stream."""

    def __init__(self) -> None:
        self.sent = -1

    def __call__(self, kind: str, **fields: Any) -> bytes:
        self.sent += 1
        data = json.dumps({"type": kind, "sequence_number": self.sent, **fields})
        return f"event: {kind}\ndata: {data}\n\n".encode()


def envelope(reply: Reply, heard: Heard, status: str, output: list[Json]) -> Json:
    usage = {
        "input_tokens": reply.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 25,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.tokens + 25,
    }
    ended = status != "in_progress"
    return {
        "id": heard.name("resp"),
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": heard.model,
        "output": output,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "usage": usage if ended else None,
    }


def item(act: Say | Think | ToolUse, heard: Heard, index: int) -> Json:
    """One finished item of the output."""
    if isinstance(act, Say):
        part = {"type": "output_text", "text": act.text, "annotations": []}
        message = {"type": "message", "id": heard.name("msg", index), "role": "assistant"}
        return {**message, "status": "completed", "content": [part]}
    if isinstance(act, Think):
        summary = [{"type": "summary_text", "text": act.text}]
        return {"type": "reasoning", "id": heard.name("rs", index), "summary": summary}
    name, given = call(act, heard)
    head = {
        "type": "function_call",
        "id": heard.name("fc", index),
        "call_id": heard.name("call", index),
    }
    return {**head, "status": "completed", "name": name, "arguments": json.dumps(given)}


def stream(reply: Reply, heard: Heard) -> Iterator[bytes | Wait | Cut]:
    event = Events()
    begun = envelope(reply, heard, "in_progress", [])
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    output: list[Json] = []
    for act in reply.acts:
        match act:
            case Wait() | Cut():
                yield act
            case Ping():
                for wait in act.beats():
                    yield event("response.in_progress", response=begun)
                    yield wait
            case Stumble():
                error = {"code": CODES.get(act.kind, act.kind), "message": act.message}
                failure = envelope(reply, heard, "failed", output)
                yield event("response.failed", response={**failure, "error": error})
                return
            case _:
                done = item(act, heard, len(output))
                yield from item_events(event, act, done, len(output))
                output.append(done)
    status = "incomplete" if reply.stop == "max_tokens" else "completed"
    yield event(f"response.{status}", response=envelope(reply, heard, status, output))


def item_events(
    event: Events, act: Say | Think | ToolUse, done: Json, index: int
) -> Iterator[bytes | Wait]:
    empty: dict[str, Json] = {"message": {"content": []}, "reasoning": {"summary": []}}
    begun = {**done, **empty.get(done["type"], {"arguments": ""}), "status": "in_progress"}
    yield event("response.output_item.added", output_index=index, item=begun)
    at = {"item_id": done["id"], "output_index": index}
    if isinstance(act, ToolUse):
        arguments = done["arguments"]
        yield event("response.function_call_arguments.delta", **at, delta=arguments)
        yield event("response.function_call_arguments.done", **at, arguments=arguments)
    else:
        yield from text_events(event, act, done, at)
    if not (isinstance(act, Say) and act.broken):
        yield event("response.output_item.done", output_index=index, item=done)


def text_events(event: Events, act: Say | Think, done: Json, at: Json) -> Iterator[bytes | Wait]:
    if isinstance(act, Say):
        part, word, at = "content_part", "output_text", {**at, "content_index": 0}
    else:
        part, word = "reasoning_summary_part", "reasoning_summary_text"
        at = {**at, "summary_index": 0}
    whole = (done["content"] if isinstance(act, Say) else done["summary"])[0]
    yield event(f"response.{part}.added", **at, part={**whole, "text": ""})
    for piece in spread(act):
        if isinstance(piece, Wait):
            yield piece
        else:
            yield event(f"response.{word}.delta", **at, delta=piece)
    if isinstance(act, Say) and act.broken:
        return
    yield event(f"response.{word}.done", **at, text=act.text)
    yield event(f"response.{part}.done", **at, part=whole)


def whole(reply: Reply, heard: Heard) -> Json:
    made = [act for act in reply.acts if isinstance(act, Say | Think | ToolUse)]
    output = [item(act, heard, index) for index, act in enumerate(made)]
    return envelope(reply, heard, "completed", output)


def failed(failure: Failure, now: float) -> tuple[dict[str, str], Json]:
    headers = {}
    if failure.retry_after is not None:
        headers["retry-after"] = f"{failure.retry_after:g}"
    code = CODES.get(failure.kind, failure.kind)
    error: Json = {"message": failure.message, "type": failure.kind, "code": code, "param": None}
    if failure.resets_in is not None:
        resets_at = int(now + failure.resets_in)
        error |= {"type": "usage_limit_reached", "plan_type": "plus", "resets_at": resets_at}
    return headers, {"error": error}
