"""Scenario files, the prompt's story, and the command line of the scripted agent."""

import typing
from pathlib import Path

import pytest

from story_automator.agents.scripted import launch
from story_automator.edges.resources import resource
from story_automator.errors import StoryAutomatorError
from story_automator.rehearse.__main__ import chosen_scenario, read_call
from story_automator.rehearse.scenario import ACTS, read_scenario, scenario_file, scenario_names
from story_automator.rehearse.story import step_scenario, story_words

SAMPLE = resource("fixtures", "projects") / "sample"
WORDS = story_words("story 1.1", SAMPLE)
PROMISED = """
    hello exit-zero exit-three killed silent-clock-ticks silent-clock-frozen silent-no-clock
    quoted-done second-turn done-other-verb short-screen permission-menu question-dialog
    question-text startup-dialog midnight clock-backwards clock-12h fake-clocks ignores-term
    detached-children many-lines not-utf8 cjk-table alternate-screen print-mode no-hooks-done
    stop-with-background-task stop-failure crash-mid-turn crash-after-stop
    sprint-create sprint-dev sprint-auto sprint-review sprint-retro
""".split()


def test_every_promised_scenario_is_shipped() -> None:
    assert scenario_names() == sorted(PROMISED)


@pytest.mark.parametrize("name", scenario_names())
def test_scenario_loads_and_says_what_it_is_about(name: str) -> None:
    scenario = read_scenario(scenario_file(name), WORDS)
    assert scenario.about.endswith(".")
    assert scenario.acts


@pytest.mark.parametrize("name", sorted(ACTS))
def test_the_readme_tells_of_the_act_and_its_settings(name: str) -> None:
    readme = (resource("fixtures", "scenarios") / "README.md").read_text()
    row = next(line for line in readme.splitlines() if line.startswith(f"| `{name}` |"))
    for setting in typing.get_type_hints(ACTS[name]):
        assert f"`{setting}`" in row


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("about = 'x'", "needs a list of acts", id="no-acts"),
        pytest.param("acts = [{do='start'}]", "'about'", id="no-about"),
        pytest.param("about = 3\nacts = [{do='start'}]", "about cannot be 3", id="wrong-type"),
        pytest.param("about = 'x'\nmood = 1\nacts = [{do='start'}]", "'mood'", id="unknown-key"),
        pytest.param(
            "about = 'x'\nacts = [{do='start'}, {do='dance'}]",
            "act 2: there is no act 'dance'",
            id="unknown-act",
        ),
        pytest.param("about = 'x'\nacts = [{do=['say']}]", "no act ['say']", id="act-not-a-name"),
        pytest.param(
            "about = 'x'\nacts = [{do='say', txt='a'}]",
            "act 1 (say): unknown setting 'txt'",
            id="unknown-setting",
        ),
        pytest.param("about = 'x'\nacts = [{do='say'}]", "(say): missing", id="missing-setting"),
        pytest.param(
            "about = 'x'\nacts = [{do='wait', seconds='1'}]",
            "(wait): seconds cannot be '1'",
            id="text-for-a-number",
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='wait', seconds=true}]",
            "cannot be True",
            id="bool-for-number",
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='wait', seconds=nan}]", "cannot be nan", id="no-number"
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='todos', left=['a', 1]}]", "left cannot be", id="mixed-list"
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='wait', seconds=1, spinner='fast'}]",
            "one of moving, still, none",
            id="unknown-choice",
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='kill', signal='NINE'}]", "no such signal", id="no-signal"
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='statusline', at='noon'}]", "(statusline)", id="bad-clock"
        ),
        pytest.param("about = 'x'\nacts = [{do='bytes', hex='zz'}]", "(bytes)", id="bad-hex"),
        pytest.param(
            "about = 'x'\nacts = [{do='write', path='../up', text=''}]",
            "inside the project",
            id="path-climbs-out",
        ),
        pytest.param(
            "about = 'x'\nacts = [{do='append', path='/etc/x', text=''}]",
            "inside the project",
            id="absolute-path",
        ),
        pytest.param("about = ", "Invalid value", id="not-toml"),
    ],
)
def test_a_mistake_is_told_with_file_and_act(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(StoryAutomatorError) as caught:
        read_scenario(path, WORDS)
    assert caught.value.message.startswith(str(path))
    assert complaint in caught.value.message


def test_a_placeholder_without_a_story_is_told() -> None:
    with pytest.raises(StoryAutomatorError, match="names no story"):
        read_scenario(scenario_file("sprint-dev"), {})


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(StoryAutomatorError) as caught:
        scenario_file("helo")
    assert "hello" in caught.value.hint


@pytest.mark.parametrize(
    ("prompt", "story_id", "key"),
    [
        pytest.param("Create story 1.1.", "1.1", "1-1-good-morning", id="dotted"),
        pytest.param("see 1-2-*.md", "1.2", "1-2-good-night", id="dashed"),
        pytest.param("v2.1.197, story 1.2 now", "1.2", "1-2-good-night", id="not-a-version"),
        pytest.param("on 2026-11-18: story 1.1", "1.1", "1-1-good-morning", id="not-a-date"),
        pytest.param("story 1.10", "1.10", "1-10", id="ten-is-not-one"),
    ],
)
def test_the_story_in_a_prompt(prompt: str, story_id: str, key: str) -> None:
    words = story_words(prompt, SAMPLE)
    assert (words["story_id"], words["story_key"]) == (story_id, key)


def test_a_retrospective_knows_its_epic_only() -> None:
    words = story_words("Run the retrospective of epic 3", SAMPLE)
    assert words["epic"] == "3"
    assert "story_id" not in words


@pytest.mark.parametrize(
    ("skill", "scenario"),
    [
        ("bmad-create-story", "sprint-create"),
        ("bmad-dev-story", "sprint-dev"),
        ("bmad-qa-generate-e2e-tests", "sprint-auto"),
        ("bmad-story-automator-review", "sprint-review"),
        ("bmad-retrospective", "sprint-retro"),
        ("bmad-sprint-planning", ""),
    ],
)
def test_the_skill_in_a_prompt_names_the_step(skill: str, scenario: str) -> None:
    prompt = f"READ this skill first: .claude/skills/{skill}/SKILL.md\nfor story 1.1"
    assert step_scenario(prompt) == scenario


def test_the_sample_project_has_every_skill_and_the_stories_of_its_epic() -> None:
    skills = {path.parent.name for path in SAMPLE.glob(".claude/skills/*/SKILL.md")}
    assert skills == {
        "bmad-create-story",
        "bmad-dev-story",
        "bmad-qa-generate-e2e-tests",
        "bmad-retrospective",
        "bmad-story-automator-review",
    }
    epics = (SAMPLE / "_bmad-output/planning-artifacts/epics.md").read_text()
    assert [WORDS["title"] in epics, "### Story 1.2: Good night" in epics] == [True, True]


class TestCommandLine:
    def test_flags_of_the_agent_it_stands_in_for_are_no_prompt(self) -> None:
        flags = ["--dangerously-skip-permissions", "--session-id", "abc", "--model=haiku"]
        call = read_call([*flags, "--settings", '{"hooks":{}}', "Do", "it"])
        assert (call.prompt, call.session_id, call.print_mode) == ("Do it", "abc", False)

    def test_launch_is_understood(self) -> None:
        call = read_call(launch("python", "hello", "--why not")[3:])
        assert (call.prompt, call.scenario) == ("--why not", "hello")

    def test_launch_without_a_scenario_leaves_it_to_the_prompt(self) -> None:
        call = read_call(launch("python", "", "SCENARIO:midnight please")[3:])
        assert chosen_scenario(call) == "midnight"

    def test_the_flag_beats_the_environment_which_beats_the_prompt(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("STORY_AUTOMATOR_SCENARIO", "killed")
        assert chosen_scenario(read_call(["SCENARIO:midnight"])) == "killed"
        assert chosen_scenario(read_call(["--scenario", "hello", "SCENARIO:midnight"])) == "hello"

    def test_a_prompt_that_says_nothing_gets_the_happy_turn(self) -> None:
        assert chosen_scenario(read_call(["--print", "Good evening"])) == "hello"
