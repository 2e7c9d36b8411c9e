"""The OpenAI Chat Completions API: what a request says and how a reply is written."""

import json
from collections.abc import Iterator
from typing import Any

from story_automator.canary.acts import (
    Cut,
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
from story_automator.canary.responses import failed, words
from story_automator.canary.tools import call

Json = dict[str, Any]
__all__ = ["failed", "hear", "stream", "whole"]  # errors look alike in both APIs of OpenAI
STOPS = {"max_tokens": "length", "refusal": "content_filter"}


def hear(body: Json) -> Heard:
    messages = body.get("messages") or []
    said: list[str | ToolResult] = []
    for message in messages:
        if message.get("role") == "tool":
            said.append(ToolResult())
        elif message.get("role") == "user":
            said += words(message)
    orders = [m for m in messages if m.get("role") in ("system", "developer")]
    return Heard(
        said=tuple(said),
        system="\n".join(word for message in orders for word in words(message)),
        tools=frozenset(tool["function"]["name"] for tool in body.get("tools") or ()),
        model=body.get("model", "canary"),
        conversation=str(body.get("prompt_cache_key") or body.get("user") or ""),
        stream=bool(body.get("stream")),
        max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
    )


def envelope(kind: str, heard: Heard, choices: list[Json], usage: Json | None = None) -> Json:
    head = {"id": heard.name("chatcmpl"), "object": kind, "created": 0, "model": heard.model}
    return {**head, "choices": choices, **({"usage": usage} if usage else {})}


def usage(reply: Reply) -> Json:
    total = {"prompt_tokens": reply.tokens, "completion_tokens": 25}
    return {**total, "total_tokens": reply.tokens + 25}


def stop_reason(reply: Reply) -> str:
    return STOPS.get(reply.stop, "tool_calls" if reply.calls_tools else "stop")


def tool_call(act: ToolUse, heard: Heard, index: int) -> Json:
    name, given = call(act, heard)
    function = {"name": name, "arguments": json.dumps(given)}
    return {"id": heard.name("call", index), "type": "function", "function": function}


def event(data: Json | str) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return f"data: {text}\n\n".encode()


def stream(reply: Reply, heard: Heard) -> Iterator[bytes | Wait | Cut]:
    def chunk(delta: Json, stop: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": stop}
        return event(envelope("chat.completion.chunk", heard, [choice]))

    yield chunk({"role": "assistant", "content": ""})
    calls = 0
    for act in reply.acts:
        match act:
            case Wait() | Cut():
                yield act
            case Ping():
                for wait in act.beats():
                    yield b": ping\n\n"
                    yield wait
            case Stumble():
                yield event({"error": {"message": act.message, "type": act.kind}})
                return
            case Say() | Think():
                key = "content" if isinstance(act, Say) else "reasoning_content"
                for piece in spread(act):
                    yield piece if isinstance(piece, Wait) else chunk({key: piece})
            case _:
                yield chunk({"tool_calls": [{"index": calls, **tool_call(act, heard, calls)}]})
                calls += 1
    yield chunk({}, stop_reason(reply))
    yield event(envelope("chat.completion.chunk", heard, [], usage(reply)))
    yield event("[DONE]")


def whole(reply: Reply, heard: Heard) -> Json:
    text = "".join(act.text for act in reply.acts if isinstance(act, Say))
    uses = [act for act in reply.acts if isinstance(act, ToolUse)]
    message: Json = {"role": "assistant", "content": text}
    if uses:
        message["tool_calls"] = [tool_call(act, heard, index) for index, act in enumerate(uses)]
    choice = {"index": 0, "message": message, "finish_reason": stop_reason(reply)}
    return envelope("chat.completion", heard, [choice], usage(reply))
