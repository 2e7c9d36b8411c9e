"""A home for a real agent: nothing of the user in it, no question open, loopback its only API."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from story_automator.edges.files import private_directory, write_atomic
from story_automator.rules.agent_setup import key_end

# No secret, and known to no service: the loopback API takes any.
KEY = "sk-ant-canary-this-key-opens-nothing"
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
}
# What spawn has to let through besides what agents inherit anyway.
ALSO_INHERITED = ("DISABLE_*",)


@dataclass(frozen=True, slots=True)
class AgentHome:
    """Where the agent lives, and the whole environment that it and our commands get."""

    folder: Path
    environ: Mapping[str, str]

    @property
    def claude(self) -> Path:
        return self.folder / ".claude"

    @property
    def codex(self) -> Path:
        return self.folder / ".codex"

    @property
    def state(self) -> Path:
        return state_in(self.folder)

    def signed_in(self) -> dict[str, str]:
        """The same environment with a login of a plan instead of a key: only plans have limits."""
        keyless = {
            name: value for name, value in self.environ.items() if name != "ANTHROPIC_API_KEY"
        }
        return {**keyless, "CLAUDE_CODE_OAUTH_TOKEN": KEY}


def state_in(home: Path) -> Path:
    """Where our own commands keep their records when they run with this home."""
    return home / ".local" / "state"


def furnish(folder: Path, project: Path, *, url: str, path: str, scratch: Path) -> AgentHome:
    """Make the home in `folder`.

    `url` is the loopback API, `path` where programs are found. `scratch` gets what agents leave in
    temporary places (Claude 20 MB when it is killed); its own path must be short, for sockets.
    """
    places = {"TMPDIR": str(scratch), "CLAUDE_CODE_TMPDIR": str(scratch)}
    home = AgentHome(folder, {**_environment(folder, url, path), **places})
    for made in (folder, home.claude, home.codex, home.state, scratch):
        private_directory(made)
    # All that a person would have been asked at the first start.
    answers = {
        "hasCompletedOnboarding": True,
        "customApiKeyResponses": {"approved": [key_end(KEY)], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True}},
    }
    write_atomic(folder / ".claude.json", json.dumps(answers), mode=0o600)
    write_atomic(home.codex / "config.toml", codex_config(project, url), mode=0o600)
    return home


def asks_first(project: Path) -> None:
    """Have Claude ask before it runs `touch`: such a rule of a project holds in every mode."""
    settings = {"permissions": {"ask": ["Bash(touch:*)"]}}
    place = private_directory(project / ".claude")
    write_atomic(place / "settings.json", json.dumps(settings), mode=0o600)


def codex_config(project: Path, url: str) -> str:
    """Codex's settings: the loopback API as its only provider, few retries, no look for updates."""
    return f"""\
model = "canary"
model_provider = "canary"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.canary]
name = "canary"
base_url = {json.dumps(f"{url}/v1")}
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1

[projects.{json.dumps(str(project))}]
trust_level = "trusted"
"""


@contextlib.contextmanager
def records_kept_in(state: Path) -> Iterator[None]:
    """Our own records go below `state` meanwhile."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = str(state)
    try:
        yield
    finally:
        del os.environ["XDG_STATE_HOME"]
        if before is not None:
            os.environ["XDG_STATE_HOME"] = before


def _environment(folder: Path, url: str, path: str) -> dict[str, str]:
    return {
        "PATH": path,
        "HOME": str(folder),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "XDG_STATE_HOME": str(state_in(folder)),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "OPENAI_API_KEY": KEY,
        **QUIET,
    }
