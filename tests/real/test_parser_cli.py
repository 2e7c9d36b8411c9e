"""The real `claude -p` as the parser: what it sends, what it answers, and what it leaves."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from story_automator.canary.api import Api, Sheet
from story_automator.edges.parser_cli import ask_cli
from story_automator.errors import NoAdvice, Silence
from story_automator.model.advice import NextAction, ParsedStep
from story_automator.model.parse_request import ParseRequest
from story_automator.run.agent_home import AgentHome, furnish
from tests.parser_http import GOOD
from tests.real.agents import at_work_in, needs, programs
from tests.sessions import run, state_folder

pytestmark = needs("claude")

FORM = """
[[acts]]
use = "StructuredOutput"
[acts.input]
status = "{status}"
summary = "All tests pass."
next_action = "{action}"
confidence = 0.9
error_class = "none"
questions = []
tests_passed = true
build_passed = true
[[acts]]
say = "That was it."
"""
OUTPUT = "● Bash(pytest)\n  ⎿  ===== 12 passed in 0.31s =====\n\n● All tests pass. {}\n"


class Spy(Api):
    """The loopback API, and all that it was sent."""

    def __init__(self, scripts: Path) -> None:
        super().__init__(scripts=scripts)
        self.bodies: list[dict[str, Any]] = []

    def receive(self, method: str, path: str, body: dict[str, Any]) -> Sheet:
        if path.endswith("/v1/messages"):
            self.bodies.append(body)
        return super().receive(method, path, body)


class World:
    def __init__(self, api: Spy, home: AgentHome, project: Path) -> None:
        self.api, self.home, self.project = api, home, project

    def ask(self, directive: str, limit: float = 60) -> Any:
        request = ParseRequest(ParsedStep.DEV, "You read logs.", f"Read: {directive}", "haiku")
        return ask_cli(request, environ=self.home.environ, limit=limit)

    def silence(self, directive: str, limit: float = 60) -> Silence:
        with pytest.raises(NoAdvice) as raised:
            self.ask(directive, limit)
        return raised.value.error_class


@pytest.fixture
def world(
    project: Path, private_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "good.toml").write_text(FORM.format(status="SUCCESS", action="proceed"))
    (scripts / "odd.toml").write_text(FORM.format(status="FINE", action="commit") * 9)
    with Spy(scripts) as api:
        scratch = Path(os.environ["STORY_AUTOMATOR_TMUX_SOCKET"]).with_name("t")
        home = furnish(private_world, project, url=api.url, path=programs(), scratch=scratch)
        for name, value in home.environ.items():
            monkeypatch.setenv(name, value)
        yield World(api, home, project)
        assert at_work_in(state_folder() / "parser") == []


def test_the_form_that_it_fills_in_is_the_advice(world: World) -> None:
    advice = world.ask("canary:script:good")
    assert advice.next_action is NextAction.PROCEED
    assert dict(advice.own) == {"tests_passed": True, "build_passed": True}
    assert advice.model.startswith("claude-haiku-")
    assert advice.input_tokens == 1000
    assert advice.output_tokens == 25
    assert advice.cost_usd > 0


def test_the_model_gets_our_words_one_form_and_nothing_of_the_user(world: World) -> None:
    ran = world.home.folder / "ran"
    hook = {"type": "command", "command": f"touch {ran}"}
    hooks = {name: [{"hooks": [hook]}] for name in ("SessionStart", "Stop", "UserPromptSubmit")}
    (world.home.claude / "settings.json").write_text(json.dumps({"hooks": hooks}))
    (world.home.claude / "CLAUDE.md").write_text("Always answer in rhymes.")
    (world.home.folder / "CLAUDE.md").write_text("Always answer in rhymes.")
    world.ask("canary:script:good")
    (body,) = world.api.bodies
    assert [tool["name"] for tool in body["tools"]] == ["StructuredOutput"]
    assert body["system"][-1]["text"] == "You read logs."
    assert "rhymes" not in json.dumps(body)
    assert body.get("thinking", {}).get("type") != "enabled"
    assert not ran.exists(), "no hook of anybody speaks"


def test_it_leaves_no_conversation(world: World) -> None:
    world.ask("canary:script:good")
    assert list(world.home.claude.rglob("*.jsonl")) == []
    assert list((state_folder() / "parser").iterdir()) == []


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("unauthorized", Silence.AUTH),
        ("forbidden", Silence.AUTH),
        ("limit", Silence.RATE_LIMITED),
        ("overloaded", Silence.API_DOWN),
        ("broken", Silence.API_DOWN),
        ("refuse", Silence.API_DOWN),
        ("model", Silence.BAD_REQUEST),
        ("credit", Silence.BAD_REQUEST),
        ("toolong", Silence.BAD_REQUEST),
        ("maxtok", Silence.TRUNCATED),
        ("refusal", Silence.REFUSAL),
        ("empty", Silence.EMPTY_REPLY),
        ("turn", Silence.INVALID_REPLY),
        ("script:odd", Silence.INVALID_REPLY),
    ],
)
def test_each_trouble_of_the_model_is_told_by_its_name(
    world: World, behaviour: str, kind: Silence
) -> None:
    assert world.silence(f"canary:{behaviour}") is kind


def test_nobody_logged_in_is_a_matter_of_the_login(world: World) -> None:
    environ = {**world.home.environ, "ANTHROPIC_API_KEY": ""}
    request = ParseRequest(ParsedStep.DEV, "You read logs.", "canary:script:good", "haiku")
    with pytest.raises(NoAdvice) as raised:
        ask_cli(request, environ=environ)
    assert raised.value.error_class is Silence.AUTH
    assert world.api.bodies == []


def test_a_model_that_never_answers_is_given_up(world: World) -> None:
    assert world.silence("canary:hang", limit=6) is Silence.TIMEOUT


def test_the_command_asks_it(world: World) -> None:
    path = world.project / "session.txt"
    path.write_text(OUTPUT.format("canary:script:good"))
    done = run("orchestrator-helper", "parse-output", str(path), "dev", "--parser", "cli")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["next_action"], answer["parser"]) == (GOOD["next_action"], "cli")
    assert answer["usage"]["input_tokens"] == 1000


def test_the_facts_outrank_it(world: World) -> None:
    path = world.project / "session.txt"
    path.write_text(OUTPUT.replace("12 passed", "3 failed").format("canary:script:good"))
    done = run("orchestrator-helper", "parse-output", str(path), "dev", "--parser", "cli")
    assert json.loads(done.stdout)["next_action"] == "escalate"
