"""The facts that `doctor` judges; no secret is among them, only that there is one."""

import os
import platform
from collections.abc import Mapping
from pathlib import Path

from story_automator.edges import claude_config, codex_config
from story_automator.edges.config import config_file, settings
from story_automator.edges.programs import version_of
from story_automator.errors import StoryAutomatorError
from story_automator.model.health import Claude, Codex, Facts, Program, Tried
from story_automator.rules import agent_setup
from story_automator.rules.codex_config import is_trusted, parse
from story_automator.run.agent_setup import OTHER_SERVICES, end_of_key
from story_automator.run.canary import NUMBER, last_canary
from story_automator.run.command import agent_type

TOKENS = ("CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN")
# Signs of an account in Claude's settings, where the login itself lies in a keychain.
ACCOUNTS = ("oauthAccount", "primaryApiKey")


def gather(project: Path, environ: Mapping[str, str]) -> Facts:
    permissions, trouble = "", ""
    try:
        permissions = str(settings().agents.permissions)
    except StoryAutomatorError as error:
        trouble = error.message
    custom = environ.get("AI_COMMAND", "").strip() and not environ.get("AI_AGENT", "").strip()
    return Facts(
        project=str(project),
        agent="" if custom else agent_type(environ, project),
        python=platform.python_version(),
        is_mac=platform.system() == "Darwin",
        is_root=os.geteuid() == 0,
        tmux=Program(*version_of("tmux", "-V", environ)),
        git=Program(*version_of("git", "--version", environ)),
        in_repository=_repository(project) is not None,
        permissions=permissions,
        config=str(config_file()),
        trouble=trouble,
        claude=_claude(project, environ),
        codex=_codex(project, environ),
    )


def _claude(project: Path, environ: Mapping[str, str]) -> Claude:
    program = _agent("claude", environ)
    try:
        path = claude_config.config_path(environ)
        config = claude_config.read(path)
        agent_setup.missing(config, project, end_of_key(environ))
    except (StoryAutomatorError, OSError, ValueError) as error:
        return Claude(
            program, trouble=f"claude's settings cannot be used: {error}", tried=_tried("claude")
        )
    answers = config if isinstance(config, dict) else {}
    return Claude(
        program,
        onboarded=agent_setup.is_onboarded(answers),
        trusted=agent_setup.is_trusted(answers, project),
        key=_key(answers, end_of_key(environ)),
        login=_claude_login(answers, environ),
        asks_by=str(claude_config.asking_settings(environ, project) or ""),
        tried=_tried("claude"),
    )


def _key(answers: Mapping[str, object], end: str) -> str:
    return (agent_setup.key_answer(answers, end) or "new") if end else ""


def _claude_login(answers: Mapping[str, object], environ: Mapping[str, str]) -> str:
    for name in (*OTHER_SERVICES, *TOKENS):
        if environ.get(name):
            return f"{name} in the environment"
    if claude_config.has_login(environ):
        return "a login"
    if any(answers.get(name) for name in ACCOUNTS):
        return "an account"
    return "an apiKeyHelper" if claude_config.has_key_helper(environ) else ""


def _codex(project: Path, environ: Mapping[str, str]) -> Codex:
    trusted, trouble, path = False, "", codex_config.config_path(environ)
    try:
        config = parse(codex_config.read(path))
        # Codex keeps trust by repository; that of the folder itself counts as well.
        trusted = any(
            is_trusted(config, place) for place in (project, _repository(project) or project)
        )
    except (StoryAutomatorError, OSError, ValueError) as error:
        trouble = f"codex's {path.name} cannot be used: {error}"
    login = "a login" if codex_config.has_login(environ) else ""
    brought = ("config.toml", "hooks.json")
    return Codex(
        _agent("codex", environ),
        config=str(path),
        trouble=trouble,
        trusted=trusted,
        # Codex looks at no other variable by itself: OPENAI_API_KEY is for providers that name it.
        login="CODEX_API_KEY in the environment" if environ.get("CODEX_API_KEY") else login,
        brings_settings=any((project / ".codex" / name).exists() for name in brought),
        tried=_tried("codex"),
    )


def _repository(project: Path) -> Path | None:
    folders = (project, *project.parents)
    return next((folder for folder in folders if (folder / ".git").exists()), None)


def _agent(name: str, environ: Mapping[str, str]) -> Program:
    probe, line = version_of(name, "--version", environ)
    number = NUMBER.search(line)
    return Program(probe, number[0] if number else line)


def _tried(agent: str) -> Tried | None:
    last = last_canary(agent)
    return Tried(last.version, last.missing, last.ok) if last else None
