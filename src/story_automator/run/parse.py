"""A session's output becomes advice: read it, choose from it, ask somebody, check the answer."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from story_automator.edges.long_text import read_long_text
from story_automator.errors import NoAdvice, Silence, StoryAutomatorError
from story_automator.model.advice import Advice, ParsedStep
from story_automator.model.long_text import LongText
from story_automator.model.parser_settings import DEFAULT, ParserKind, ParserSettings
from story_automator.rules.advice_check import checked
from story_automator.rules.advise import advice_on
from story_automator.rules.facts import facts
from story_automator.rules.secret_hints import may_hold_a_secret

if TYPE_CHECKING:
    from story_automator.model.parse_request import ParseRequest
    from story_automator.rules.excerpt import Excerpt

Say = Callable[[str], None]
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
LARGEST_MESSAGE = 4_000_000
# A subscription's own name for the model that we ask by default.
CLI_MODELS = {DEFAULT.model: "haiku"}
CLI_PATIENCE = 2  # it has to start first


def silent(_: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Parsing:
    """How an output is parsed: who is asked, and who is told about it."""

    settings: ParserSettings
    environ: Mapping[str, str]
    inherited: tuple[str, ...] = ()  # what a program may see of it besides the usual
    say: Say = silent  # who was chosen
    explain: Say = silent  # what was sent, and what the answer was made of


def parse(path: Path, step: ParsedStep, parsing: Parsing) -> Advice:
    """What the output at `path` comes to, or NoAdvice."""
    try:
        text = read_long_text(path, last_message(path))
    except StoryAutomatorError as error:
        raise NoAdvice(error.message, error_class=Silence.NO_OUTPUT, hint=error.hint) from None
    found = facts(text)
    kind = _chosen(parsing)
    parsing.explain(f"output: {text.lines:,} lines, {text.size:,} bytes")
    advice = None
    if kind is not ParserKind.RULES:
        try:
            advice = _asked(kind, step, text, parsing)
        except NoAdvice as silence:
            # A program that is there need not be logged in. Who was asked for by name answers.
            unusable = (Silence.AUTH, Silence.CLI_MISSING)
            falls_through = kind is ParserKind.CLI and silence.error_class in unusable
            if parsing.settings.kind is not ParserKind.AUTO or not falls_through:
                raise
            parsing.say(f"parser: rules ({silence.message})")
    if advice is None:
        parsing.explain("sent: nothing, the rules read it here")
        advice = _masked(advice_on(step, found))
    advice = checked(advice, found)
    for why in advice.because:
        parsing.explain(f"because: {why}")
    return advice


def last_message(path: Path) -> str:
    """What the agent said last, when `path` is the output of a session of ours."""
    if path.name != "output.txt":
        return ""
    from story_automator.edges.files import read_bounded
    from story_automator.edges.state import SessionFolder, sessions_root

    try:
        folder = SessionFolder(path.resolve().parent)
        if folder.path.parent != sessions_root().resolve():
            return ""
        return read_bounded(folder.last_message, LARGEST_MESSAGE).decode(errors="replace")
    except (OSError, StoryAutomatorError):
        return ""


def _chosen(parsing: Parsing) -> ParserKind:
    told = parsing.settings.kind
    if told is not ParserKind.AUTO:
        parsing.explain(f"parser: {told} (as asked)")
        return told
    kind, why = _first_there(parsing.environ)
    parsing.say(f"parser: {kind} ({why})")
    return kind


def _first_there(environ: Mapping[str, str]) -> tuple[ParserKind, str]:
    if key := next((name for name in KEYS if environ.get(name, "").strip()), ""):
        return ParserKind.API, f"{key} is set"
    import shutil

    if shutil.which("claude", path=environ.get("PATH", os.defpath)):
        return ParserKind.CLI, "no key is set, and claude is on the PATH"
    return ParserKind.RULES, "no key is set, and there is no claude on the PATH"


def _asked(kind: ParserKind, step: ParsedStep, text: LongText, parsing: Parsing) -> Advice:
    model, timeout = parsing.settings.model, parsing.settings.timeout
    if kind is ParserKind.CLI:
        model = CLI_MODELS.get(model, model)
    request, chosen = question(step, text, model, parsing.settings.budget_tokens)
    _explain_request(kind, request, chosen, parsing)
    if kind is ParserKind.API:
        from story_automator.edges.parser_api import ask_api

        advice = ask_api(request, limit=timeout, environ=parsing.environ)
    else:
        from story_automator.edges.parser_cli import ask_cli

        environ = _of_the_program(parsing)
        advice = ask_cli(request, environ=environ, limit=timeout * CLI_PATIENCE)
    _explain_answer(advice, parsing)
    return advice


def question(
    step: ParsedStep, text: LongText, model: str, budget: int
) -> tuple["ParseRequest", "Excerpt"]:
    """What a model is asked, the words of the session between tags that it could not know of."""
    from secrets import token_hex

    from story_automator.edges.prompts import render
    from story_automator.edges.resources import resource
    from story_automator.model.parse_request import ParseRequest
    from story_automator.rules.excerpt import excerpt, room
    from story_automator.rules.fence import fence

    def prompt(words: str, tag: str) -> str:
        facts = {"tag": tag, "fenced": fence(words, tag)}
        return render(folder, f"parse/{step}.md.j2", facts)

    folder = resource("prompts")
    system = render(folder, "parse/system.md.j2", {})
    tag = token_hex(8)
    chosen = excerpt(text, room(budget, system, prompt("", tag)))
    while tag in chosen.text.lower():
        tag = token_hex(8)
    return ParseRequest(step, system, prompt(chosen.text, tag), model), chosen


def _of_the_program(parsing: Parsing) -> dict[str, str]:
    """Nothing of a session of ours: the program is no part of it and may not speak for it."""
    from story_automator.rules.environment import FOR_THE_AGENT, allowed

    inherited = allowed(parsing.environ, (*FOR_THE_AGENT, *parsing.inherited))
    ours = ("STORY_AUTOMATOR_", "PROJECT_ROOT", "CLAUDECODE")
    return {name: value for name, value in inherited.items() if not name.startswith(ours)}


def _masked(advice: Advice) -> Advice:
    """What a model reads has no secret in it; who acts on our answer may be one, too."""
    if not may_hold_a_secret("\n".join((advice.summary, *advice.questions)).lower()):
        return advice
    from story_automator.rules.masking import mask

    questions = tuple(map(mask, advice.questions))
    because = tuple(map(mask, advice.because))
    return replace(advice, summary=mask(advice.summary), questions=questions, because=because)


def _explain_request(
    kind: ParserKind, request: "ParseRequest", chosen: "Excerpt", parsing: Parsing
) -> None:
    from story_automator.rules.excerpt import CHARACTERS_PER_TOKEN

    where = "the model API" if kind is ParserKind.API else "claude -p"
    size = len(request.system) + len(request.prompt)
    tokens = -(-size // CHARACTERS_PER_TOKEN)
    budget = parsing.settings.budget_tokens
    parsing.explain(f"sent: about {tokens:,.0f} of {budget:,} tokens to {request.model}, {where}")
    for part in chosen.parts:
        rows = f"lines {part.first:,}-{part.last:,}, " if part.first else ""
        parsing.explain(f"sent: {part.kind}: {rows}{part.chars:,} characters: {part.why}")


def _explain_answer(advice: Advice, parsing: Parsing) -> None:
    used = [f"{advice.input_tokens:,} tokens in" if advice.input_tokens is not None else ""]
    used.append(f"{advice.output_tokens:,} out" if advice.output_tokens is not None else "")
    used.append(f"${advice.cost_usd:.5f}" if advice.cost_usd is not None else "")
    told = f"{advice.status}, {advice.next_action}"
    parsing.explain(f"answer: {', '.join([advice.model, told, *filter(None, used)])}")
