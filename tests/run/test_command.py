"""build-cmd: the prompt names what exists, and reaches the agent as it was said."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from story_automator.errors import StoryAutomatorError, UsageError
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions
from story_automator.model.step import Step
from story_automator.run.command import agent_cli, agent_type, build_command, build_prompt

SKILLS = {
    Step.CREATE: "bmad-create-story",
    Step.DEV: "bmad-dev-story",
    Step.AUTO: "bmad-qa-generate-e2e-tests",
    Step.REVIEW: "bmad-story-automator-review",
    Step.RETRO: "bmad-retrospective",
}
FAKE_AGENT = '#!/bin/sh\nprintf "%s\\0" "$@" > "$ARGV_FILE"\n'
START = "unset CLAUDECODE && claude --dangerously-skip-permissions "


def install(root: Path, skill: str, *files: str, host: str = ".claude") -> None:
    folder = root / host / "skills" / skill
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("SKILL.md", *files):
        (folder / name).touch()


@pytest.fixture
def world(project: Path, private_world: Path) -> dict[str, str]:
    """The environment of a caller, with fake agents on its PATH."""
    tools = private_world / "tools"
    tools.mkdir()
    for name in ("claude", "codex"):
        (tools / name).write_text(FAKE_AGENT)
        (tools / name).chmod(0o755)
    return {
        "HOME": str(private_world),
        "PATH": f"{tools}:{os.environ['PATH']}",
        "ARGV_FILE": str(private_world / "argv"),
    }


def build(
    root: Path,
    world: dict[str, str],
    step: str,
    story: str = "5.3",
    choice: AgentSettings = DEFAULT,
    **more: str,
) -> str:
    return build_command(
        step,
        story,
        root=root,
        agent=more.get("agent", ""),
        extra=more.get("extra", ""),
        environ=world,
        choice=choice,
    )


def argv_of(command: str, world: dict[str, str], root: Path) -> list[str]:
    """What the agent is started with when a real shell runs the command."""
    subprocess.run(["/bin/sh", "-c", command], env=world, cwd=root, check=True, timeout=30)
    return Path(world["ARGV_FILE"]).read_bytes().decode().split("\0")[:-1]


@pytest.mark.parametrize("step", list(Step))
def test_every_step_names_its_skill_and_starts_claude(
    project: Path, world: dict[str, str], step: Step
) -> None:
    install(project, SKILLS[step])
    command = build(project, world, step, "5" if step is Step.RETRO else "5.3")
    assert command.startswith(START)
    assert "IS_SANDBOX" not in command
    assert f"READ this skill first: .claude/skills/{SKILLS[step]}/SKILL.md\n" in command


def test_the_prompt_of_create_names_all_its_files_in_order(
    project: Path, world: dict[str, str]
) -> None:
    install(project, SKILLS[Step.CREATE], "workflow.md", "discover-inputs.md", "template.md")
    prompt = build_prompt(Step.CREATE, "5-3", root=project, extra="", environ=world)
    assert [line for line in prompt.splitlines() if ".claude/" in line or "artifacts" in line] == [
        "READ this skill first: .claude/skills/bmad-create-story/SKILL.md",
        "READ this workflow file next: .claude/skills/bmad-create-story/workflow.md",
        "Then read: .claude/skills/bmad-create-story/discover-inputs.md",
        "Use template: .claude/skills/bmad-create-story/template.md",
        "Create story file at: _bmad-output/implementation-artifacts/5-3-*.md",
    ]
    install(project, SKILLS[Step.CREATE], "checklist.md")
    prompt = build_prompt(Step.CREATE, "5-3", root=project, extra="", environ=world)
    assert "Validate with: .claude/skills/bmad-create-story/checklist.md" in prompt


def test_a_step_needs_only_its_own_skill(project: Path, world: dict[str, str]) -> None:
    install(project, SKILLS[Step.DEV])
    assert build(project, world, "dev")
    for step in ("create", "review", "retro"):
        with pytest.raises(StoryAutomatorError) as refusal:
            build(project, world, step)
        assert refusal.value.message.startswith(
            f"the {step} step needs the skill {SKILLS[Step(step)]}, which is not installed"
        )
        assert refusal.value.hint.startswith("npx bmad-method install")


def test_auto_can_do_without_its_skill(project: Path, world: dict[str, str]) -> None:
    command = build(project, world, "auto")
    assert "No skill for test generation is installed here" in command
    assert "READ this skill" not in command


def test_a_review_can_use_the_skill_that_bmad_brings(project: Path, world: dict[str, str]) -> None:
    install(project, "bmad-code-review")
    assert ".claude/skills/bmad-code-review/SKILL.md" in build(project, world, "review")


def test_a_review_fixes_what_it_finds_unless_told_otherwise(
    project: Path, world: dict[str, str]
) -> None:
    install(project, SKILLS[Step.REVIEW])
    default = "auto-fix all issues without prompting"
    assert default in build(project, world, "review")
    told = build(project, world, "review", extra="only report")
    assert default not in told
    assert "only report" in told


def test_skills_of_the_home_are_named_by_their_full_path(
    project: Path, world: dict[str, str], private_world: Path
) -> None:
    install(private_world, SKILLS[Step.DEV])
    place = private_world / ".claude/skills/bmad-dev-story/SKILL.md"
    assert f"READ this skill first: {place}\n" in build(project, world, "dev")


@pytest.mark.parametrize(
    "story", ["../5.3", "5.3\nx", "1-2-../../etc/passwd", "$(touch x)", "5", "", "5-3-a\x1bb"]
)
def test_a_story_that_is_none_is_refused_in_one_sentence(
    project: Path, world: dict[str, str], story: str
) -> None:
    install(project, SKILLS[Step.DEV])
    with pytest.raises(UsageError, match=r"^not a story id: "):
        build(project, world, "dev", story)


@pytest.mark.parametrize(
    ("step", "agent", "extra", "complaint"),
    [
        pytest.param("bogus", "", "", "unknown step: bogus", id="an-unknown-step"),
        pytest.param("dev", "weird", "", "unknown agent: weird", id="an-unknown-agent"),
        pytest.param("dev", "", "a\0b", "without NUL", id="a-nul"),
        pytest.param("dev", "", "a\udcffb", "must be UTF-8", id="bytes-that-were-no-text"),
        pytest.param("dev", "", "x" * 130_000, "longer than", id="more-than-a-shell-can-carry"),
    ],
)
def test_what_cannot_be_built_is_refused(
    project: Path, world: dict[str, str], step: str, agent: str, extra: str, complaint: str
) -> None:
    install(project, SKILLS[Step.DEV])
    with pytest.raises(UsageError, match=complaint):
        build(project, world, step, agent=agent, extra=extra)


ANY_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60
)
NASTY = st.sampled_from(
    ["$(touch pwned)", "`touch pwned`", "'; touch pwned; '", '"', "\\", "\n", "{{ x }}", "!!", "-x"]
)


@pytest.mark.parametrize("agent", ["claude", "codex"])
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(extra=st.lists(ANY_TEXT | NASTY, min_size=1, max_size=4).map("".join))
def test_any_extra_text_survives_a_real_shell(
    project: Path, world: dict[str, str], agent: str, extra: str
) -> None:
    install(project, SKILLS[Step.REVIEW])
    command = build(project, world, "review", agent=agent, extra=extra)
    prompt = argv_of(command, world, project)[-1]
    assert prompt.endswith(f"\n\n{extra}\n")
    assert not (project / "pwned").exists()


def test_a_home_with_a_substitution_in_its_name_is_only_a_name(
    project: Path, world: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(project, SKILLS[Step.DEV])
    home = tmp_path / "a $(touch pwned) 'b"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    command = build(project, {**world, "HOME": str(home)}, "dev", agent="codex")
    assert argv_of(command, world, project)[0] == "exec"
    assert not (project / "pwned").exists()


def test_codex_gets_a_private_home_with_the_users_files_linked(
    project: Path, world: dict[str, str], private_world: Path
) -> None:
    install(project, SKILLS[Step.DEV])
    own = private_world / ".codex"
    own.mkdir()
    for name in ("auth.json", "config.toml"):
        (own / name).write_text("secret")
    command = build(project, world, "dev", agent="codex")
    assert " /tmp/sa-codex-home" not in command
    home = codex_home(command, world, project)
    assert home.is_relative_to(private_world / ".local/state/story-automator")
    assert home.stat().st_mode & 0o777 == 0o700
    for name in ("auth.json", "config.toml"):
        assert (home / name).readlink() == own / name
    nested = build(project, {**world, "CODEX_HOME": str(home)}, "dev", agent="codex")
    assert nested == command, "inside a session of ours the files are still the user's"
    (home / "config.toml").unlink()
    (home / "config.toml").touch()
    nested = build(project, {**world, "CODEX_HOME": str(home)}, "dev", agent="codex")
    assert codex_home(nested, world, project) == home, "and one of its own is no obstacle"


def test_what_codex_tells_its_hooks_reaches_the_session_if_there_is_one(
    project: Path, world: dict[str, str], tmp_path: Path
) -> None:
    install(project, SKILLS[Step.DEV])
    home = codex_home(build(project, world, "dev", agent="codex"), world, project)
    ((group,),) = (json.loads((home / "hooks.json").read_text())["hooks"]["Stop"],)
    told, events = group["hooks"][0]["command"], tmp_path / "it's events"
    events.mkdir()
    for environ in ({}, {"STORY_AUTOMATOR_EVENTS": str(events)}):
        done = subprocess.run(
            ["/bin/sh", "-c", told],
            input=b"{}",
            env=world | environ,
            capture_output=True,
            check=True,
        )
        assert (done.stdout, done.stderr) == (b"", b"")
        assert len(list(events.glob("*-Stop.json"))) == len(environ)


def codex_home(command: str, world: dict[str, str], project: Path) -> Path:
    """The home that Codex sees when a real shell runs the command."""
    fake = Path(world["HOME"], "tools", "codex")
    fake.write_text('#!/bin/sh\nprintf "%s" "$CODEX_HOME" > home\n')
    subprocess.run(["/bin/sh", "-c", command], env=world, cwd=project, check=True, timeout=30)
    return Path((project / "home").read_text())


def test_permissions_are_those_of_the_config(project: Path, world: dict[str, str]) -> None:
    install(project, SKILLS[Step.DEV])
    choice = AgentSettings(Permissions.ACCEPT_EDITS)
    command = build(project, world, "dev", choice=choice)
    assert argv_of(command, world, project)[:-1] == ["--permission-mode", "acceptEdits"]
    assert agent_cli(world, project, choice) == "claude --permission-mode acceptEdits"
    assert build(project, world, "dev", choice=choice, agent="codex") == build(
        project, world, "dev", agent="codex"
    )


def test_codex_cannot_be_held_to_a_list_of_tools(project: Path, world: dict[str, str]) -> None:
    install(project, SKILLS[Step.DEV])
    choice = AgentSettings(Permissions.ALLOWLIST, ("Edit",))
    assert "--allowedTools Edit " in build(project, world, "dev", choice=choice)
    with pytest.raises(StoryAutomatorError, match=r"^codex cannot be held to a list of tools$"):
        build(project, world, "dev", choice=choice, agent="codex")


@pytest.mark.parametrize(
    ("environ", "agent", "start"),
    [
        pytest.param({}, "", START, id="claude-by-default"),
        pytest.param({"AI_AGENT": "codex"}, "", "mkdir -p -m 700 ", id="told-by-the-environment"),
        pytest.param({"AI_AGENT": "codex"}, "claude", START, id="the-option-wins"),
        pytest.param({"AI_AGENT": "weird"}, "", START, id="an-unknown-word-is-not-told"),
        pytest.param(
            {"AI_COMMAND": "claude --model x"},
            "",
            "unset CLAUDECODE && claude --model x ${STORY_AUTOMATOR_SETTINGS:+",
            id="a-command-of-the-users-own",
        ),
        pytest.param(
            {"AI_COMMAND": "claude; touch x"},
            "",
            "unset CLAUDECODE && 'claude;' touch x '",
            id="which-is-never-left-to-the-shell",
        ),
        pytest.param(
            {"AI_COMMAND": "mine", "AI_AGENT": "claude"}, "", START, id="an-agent-outranks-it"
        ),
    ],
)
def test_which_program_is_started(
    project: Path, world: dict[str, str], environ: dict[str, str], agent: str, start: str
) -> None:
    install(project, SKILLS[Step.DEV])
    assert build(project, world | environ, "dev", agent=agent).startswith(start)


def test_a_command_of_ones_own_that_is_none_is_one_sentence(
    project: Path, world: dict[str, str]
) -> None:
    install(project, SKILLS[Step.DEV])
    with pytest.raises(StoryAutomatorError, match="AI_COMMAND cannot be used"):
        build(project, world | {"AI_COMMAND": "claude 'open"}, "dev")


@pytest.mark.parametrize(
    ("environ", "host", "expected"),
    [
        pytest.param({}, "", "claude", id="claude-by-default"),
        pytest.param({"AI_AGENT": "Codex"}, "", "codex", id="told"),
        pytest.param({"AI_AGENT": "weird"}, ".agents", "codex", id="else-where-the-skills-are"),
        pytest.param({"AI_COMMAND": "codex x"}, "", "claude", id="a-command-names-no-type"),
        pytest.param({"BMAD_RUNTIME_PROVIDER": "codex"}, "", "codex", id="or-the-provider"),
    ],
)
def test_agent_words(project: Path, environ: dict[str, str], host: str, expected: str) -> None:
    if host:
        install(project, "bmad-story-automator", host=host)
    assert agent_type(environ, project) == expected
    assert agent_cli(environ, project, DEFAULT).startswith(expected)
