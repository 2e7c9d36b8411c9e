"""Scripts: a model that says and does what a file lists, one tool call per reply."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from story_automator.canary.acts import Act, Answer, Failure, Reply, Run, Say, Use, WriteFile
from story_automator.canary.behaviours import answer
from story_automator.canary.directives import Aside, Directive
from story_automator.edges.files import read_text

SCRIPT = "script"


def played(folder: Path, asked: Directive, attempt: int) -> Answer:
    """What `canary:script:NAME` does now: NAME.toml in `folder`, up to its next tool call."""
    name = "".join(asked.args[:1])
    try:
        acts = tomllib.loads(read_text(folder / f"{name}.toml"))["acts"]
        return _reply(acts, asked, attempt)
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        return Failure(400, "invalid_request_error", f"canary cannot play {name!r}: {error!r}")


def _reply(acts: list[Mapping[str, object]], asked: Directive, attempt: int) -> Answer:
    reply: list[Act] = []
    calls = 0
    for raw in acts:
        if behaviour := raw.get("behave"):
            # Another behaviour takes over, from its own beginning.
            words = str(behaviour).split(":")
            taken_over = Directive(words[0], tuple(words[1:]), asked.step - calls)
            return _after(reply, answer(taken_over, Aside.NONE, attempt))
        act = _act(raw)
        if calls == asked.step:
            reply.append(act)
        if not isinstance(act, Say):
            calls += 1
            if calls > asked.step:
                break
    return Reply(tuple(reply))


def _after(words: list[Act], given: Answer) -> Answer:
    return replace(given, acts=(*words, *given.acts)) if isinstance(given, Reply) else given


def _act(raw: Mapping[str, object]) -> Act:
    match raw:
        case {"say": str(text)}:
            return Say(text.strip("\n"))
        case {"run": str(command)}:
            return Run(command, escalated=raw.get("escalated") is True)
        case {"write": str(name), "text": str(text)}:
            return WriteFile(name, text)
        case {"use": str(name), "input": dict(given)}:
            return Use(name, given)
    raise ValueError(f"no such act: {sorted(raw)}")
