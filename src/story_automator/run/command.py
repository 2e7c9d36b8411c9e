"""The command that starts the agent on one step: prompt rendered, skill found, all quoted."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from story_automator.agents import launch
from story_automator.agents.codex_hooks import codex_hooks
from story_automator.agents.launch import skill_prefix
from story_automator.edges import codex_config
from story_automator.edges.files import private_directory, write_atomic
from story_automator.edges.project import implementation_artifacts
from story_automator.edges.prompts import render
from story_automator.edges.resources import resource, script
from story_automator.edges.skills import files_of, find_skill, runtime_provider, skill_roots
from story_automator.edges.state import state_root
from story_automator.errors import StoryAutomatorError, UsageError
from story_automator.model.agents import DEFAULT, AgentSettings, Permissions
from story_automator.model.step import Step
from story_automator.rules.assignment import NEEDS, chosen_files, subject
from story_automator.rules.names import project_slug

__all__ = ["agent_cli", "agent_type", "build_command", "codex_home", "skill_prefix"]

# Linux takes no single argument above 128 KiB.
LONGEST_PROMPT = 120_000
REVIEW_DEFAULT = "auto-fix all issues without prompting"


def build_command(
    step: str,
    story_id: str,
    *,
    root: Path,
    agent: str,
    extra: str,
    environ: Mapping[str, str],
    choice: AgentSettings = DEFAULT,
) -> str:
    """One shell command; whatever the caller passed reaches the agent as text and nothing else."""
    if step not in list(Step):
        raise UsageError(f"unknown step: {step}", hint=f"steps: {', '.join(Step)}")
    if agent and agent not in launch.AGENTS:
        raise UsageError(f"unknown agent: {agent}", hint=f"agents: {', '.join(launch.AGENTS)}")
    prompt = build_prompt(Step(step), story_id, root=root, extra=extra, environ=environ)
    custom = environ.get("AI_COMMAND", "").strip()
    if custom and not environ.get("AI_AGENT", "").strip():
        try:
            return launch.custom_command(custom, prompt, home=environ.get("HOME", ""))
        except ValueError as error:
            raise StoryAutomatorError(f"AI_COMMAND cannot be used: {error}") from None
    if (agent or agent_type(environ, root)) == "codex":
        if choice.permissions is Permissions.ALLOWLIST:
            raise StoryAutomatorError(
                "codex cannot be held to a list of tools",
                hint="set permissions in [agents] to bypass or acceptEdits: both keep its sandbox",
            )
        home = codex_home(root)
        return launch.codex_command(prompt, home=home, own=_codex_files(environ, home))
    return launch.claude_command(prompt, choice)


def build_prompt(
    step: Step, story_id: str, *, root: Path, extra: str, environ: Mapping[str, str]
) -> str:
    """The prompt of a step, naming only skill files that exist."""
    try:
        about = subject(step, story_id)
    except ValueError as error:
        raise UsageError(
            str(error), hint="say 5.3, 5-3 or 5-3-title; an epic number for retro"
        ) from None
    if not _can_be_typed(extra):
        raise UsageError("the extra instruction must be UTF-8 text without NUL")
    facts: dict[str, object] = {
        "subject": about.name,
        "story_file": _shown(implementation_artifacts(root) / about.story_files, root),
        "extra": extra or (REVIEW_DEFAULT if step is Step.REVIEW else ""),
        **_skill_files(step, root, environ),
    }
    prompt = render(resource("prompts"), f"sprint/{step}.md.j2", facts)
    if len(prompt.encode()) > LONGEST_PROMPT:
        raise UsageError(f"the prompt is longer than {LONGEST_PROMPT} bytes")
    return prompt


def agent_type(environ: Mapping[str, str], root: Path) -> str:
    """AI_AGENT if it names an agent we know, else the one the project's skills are for."""
    return launch.told_agent(environ) or runtime_provider(root, environ)


def agent_cli(environ: Mapping[str, str], root: Path, choice: AgentSettings) -> str:
    return launch.agent_cli(agent_type(environ, root), choice)


def _skill_files(step: Step, root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    need = NEEDS[step]
    skill = find_skill(need.names, skill_roots(root, environ))
    if skill is None and need.required:
        raise StoryAutomatorError(
            f"the {step} step needs the skill {need.names[0]}, which is not installed in {root}",
            hint=need.install,
        )
    present = files_of(skill) if skill else frozenset()
    return {
        kind: _shown(skill / name, root) if skill and name else ""
        for kind, name in chosen_files(need, present).items()
    }


def _shown(path: Path, root: Path) -> str:
    """Relative to the project, where the agent starts; absolute outside of it."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def _can_be_typed(text: str) -> bool:
    """A command line carries no NUL, and what was not UTF-8 arrives as a lone surrogate."""
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text)


def codex_home(root: Path) -> Path:
    """The project's private CODEX_HOME, with our hooks in it."""
    import hashlib

    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    homes = private_directory(state_root() / "codex")
    home = private_directory(homes / f"{project_slug(root)}-{key}")
    hook = home / "hook"
    write_atomic(hook, script("hook"), mode=0o600, durable=False)
    hooks = json.dumps(codex_hooks(hook))
    write_atomic(home / "hooks.json", hooks, mode=0o600, durable=False)
    return home


def _codex_files(environ: Mapping[str, str], home: Path) -> dict[str, Path]:
    """The user's login, and the settings that name the model and who serves it."""
    own = codex_config.codex_home(environ)
    # Resolved, and not those of the home: inside a session of ours they would link to themselves.
    files = {name: (own / name).resolve() for name in ("auth.json", "config.toml")}
    return {name: path for name, path in files.items() if path.parent != home.resolve()}
