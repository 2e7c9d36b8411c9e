"""Makes the labelled outputs: plays each source in a session and keeps what the monitor wrote.

python -m tests.real.make_outputs FOLDER [NAME...]

Real clients are those on the PATH. A source is a TOML file in FOLDER/sources.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from story_automator.canary.api import Api
from story_automator.run.agent_home import ALSO_INHERITED, AgentHome, furnish
from tests.conftest import CHECKOUT, KEPT_FROM_THE_CALLER
from tests.sessions import agent as rehearsed
from tests.sessions import run, tmux

MADE_BY = {
    "real": "real {agent} on the loopback API",
    "rehearsed": "scripted agent",
    "printed": "plain program in a pane",
}
KEPT = ("step", "agent", "made_by", "status", "next_action", "error_class", "note", "why", "kind")
SCENARIO = ("mode", "hooks")
ASKED_TO_DEVELOP = re.compile(r"Implement BMAD story 1\.1\..*?(?=canary:)", re.DOTALL)
ASKED_TO_BUILD = """Run one iteration of bmad-build-auto.

READ this skill first: .claude/skills/bmad-build-auto/SKILL.md
Spec folder: _bmad-output/specs/spec-greetings
Story id: 1

Nobody watches this session: end as done or as blocked.

"""
STAND_IN = """#!/bin/sh
n=$(cat "$0.count" 2>/dev/null || echo 0); n=$((n + 1)); echo $n >"$0.count"
[ -f "$0.$n" ] || n=1
cat "$0.$n"; exit $(cat "$0.$n.code")
"""


@contextmanager
def stage(place: Path) -> Iterator[tuple[Path, AgentHome, Api]]:
    """A project under git, a home and an API."""
    project = place / "greetings"
    shutil.copytree(CHECKOUT / "fixtures" / "projects" / "sample", project)
    scripts = place / "scripts"
    scripts.mkdir()
    with Api(scripts=scripts) as api, pytest.MonkeyPatch.context() as patch:
        path = os.pathsep.join([str(place / "bin"), os.environ["PATH"]])
        for name in set(os.environ) - set(KEPT_FROM_THE_CALLER):
            patch.delenv(name)
        home = furnish(place / "home", project, url=api.url, path=path, scratch=place / "t")
        for name, value in home.environ.items():
            patch.setenv(name, value)
        patch.setenv("CLAUDE_CODE_MAX_RETRIES", "1")
        patch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "")
        patch.delenv("CLAUDE_CODE_OAUTH_TOKEN")
        patch.setenv("PYTHONPATH", str(CHECKOUT / "src"))
        patch.setenv("STORY_AUTOMATOR_TMUX_SOCKET", str(place / "tmux"))
        patch.chdir(project)
        config = home.folder / ".config" / "story-automator" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(
            f"[environment]\nallow = {json.dumps([*ALSO_INHERITED, 'OPENCODE_*', 'GEMINI_*'])}\n"
            '[agents]\npermissions = "bypass"\n[policy]\nscreen_every = 1\nidle_stands = 1\n'
        )
        # A login shell, as Codex starts one, begins with a PATH of its own.
        (home.folder / ".bash_profile").write_text(f"export PATH={shlex.quote(path)}\n")
        shell(
            "git init -q -b main && git config user.name Dev && git config user.email d@e.example"
        )
        shell("git add -A && git commit -q -m 'feat: the first greeting'")
        try:
            yield project, home, api
        finally:
            run("tmux-wrapper", "kill-all")
            tmux("kill-server")


def shell(command: str) -> None:
    subprocess.run(["bash", "-ec", command], check=True, capture_output=True)


def stand_ins(place: Path, tools: Mapping[str, list[Mapping[str, Any]]]) -> None:
    """Programs that print what a tool prints and end with its code, call after call."""
    (place / "bin").mkdir(exist_ok=True)
    for name, calls in tools.items():
        program = place / "bin" / name
        program.write_text(STAND_IN)
        program.chmod(0o755)
        for number, one in enumerate(calls, start=1):
            program.with_name(f"{name}.{number}").write_text(one["prints"].lstrip("\n"))
            program.with_name(f"{name}.{number}.code").write_text(str(one.get("code", 0)))


def command(play: Mapping[str, Any], name: str, source: Path, place: Path, api: Api) -> str:
    agent, step = str(play["agent"]), str(play["step"])
    if play["made_by"] == "printed":
        text = place / "printed"
        text.write_bytes(str(play["prints"]).encode("utf-8", "surrogateescape"))
        return f"cat {shlex.quote(str(text))}; exit {play.get('code', 0)}"
    if play["made_by"] == "rehearsed":
        scene = place / f"{name}.toml"
        scene.write_text(_scenario(source.read_text()))
        return rehearsed(str(scene), str(play.get("prompt", f"Story 1.1: {step}")), tempo=0.02)
    # The name of a source tells the label, and the prompt is part of the output.
    shutil.copy(source, place / "scripts" / "play.toml")
    prompt = "canary:script:play"
    if agent == "opencode":
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{api.url}/v1", "apiKey": "none"},
            "models": {"canary": {}},
        }
        config = {"provider": {"canary": provider}, "autoupdate": False, "share": "disabled"}
        Path("opencode.json").write_text(json.dumps(config))
        return f"opencode run -m canary/canary {shlex.quote(prompt)}"
    asked = "dev" if step == "build" else step
    done = run("tmux-wrapper", "build-cmd", asked, "1.1", "--agent", agent, prompt)
    assert done.returncode == 0, done.stderr
    built = done.stdout.strip()
    return ASKED_TO_DEVELOP.sub(ASKED_TO_BUILD, built) if step == "build" else built


def _scenario(text: str) -> str:
    """A source without what a scenario does not know: its labels and tools."""
    raw = tomllib.loads(text)
    top = {"about": raw["note"], **{key: raw[key] for key in SCENARIO if key in raw}}
    lines = [f"{key} = {json.dumps(value)}" for key, value in top.items()]
    for act in raw["acts"]:
        lines.append("\n[[acts]]")
        lines += [f"{key} = {_toml(value)}" for key, value in act.items()]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value).replace("\x7f", "\\u007f")


def play(source: Path) -> bytes:
    """The output file of one source, with the places of this machine replaced."""
    raw = tomllib.loads(source.read_text())
    with tempfile.TemporaryDirectory(prefix="sa-", dir="/tmp") as short:
        place = Path(short)
        with stage(place) as (project, home, api):
            stand_ins(place, raw.get("tools", {}))
            if setup := raw.get("setup"):
                shell(setup)
            if raw.get("login") == "plan":
                os.environ.pop("ANTHROPIC_API_KEY")
                os.environ |= home.signed_in()
            wanted = ["--agent", "codex"] if raw["agent"] == "codex" else []
            step = "dev" if raw["step"] == "build" else str(raw["step"])
            words = command(raw, source.stem, source, place, api)
            done = run("tmux-wrapper", "spawn", step, "1", "1.1", "--command", words, *wanted)
            assert done.returncode == 0, done.stderr
            name, minutes = done.stdout.strip(), str(raw.get("minutes", 2))
            limit = float(minutes) * 60 * 2 + 60
            done = run(
                "monitor-session",
                "--json",
                name,
                "--workflow",
                step,
                "--timeout",
                minutes,
                limit=limit,
            )
            verdict = json.loads(done.stdout)
            told = verdict["final_state"], verdict["exit_reason"]
            print(f"{source.stem}: {told} {verdict['evidence']}", flush=True)
            data = Path(verdict["output_file"]).read_bytes()
        return normal(
            data, {project: "/home/dev/greetings", home.folder: "/home/dev", place: "/tmp/dev"}
        )


def normal(data: bytes, places: Mapping[Path, str]) -> bytes:
    """The same without the names of this machine."""
    python = Path(sys.base_prefix)
    for there, said in {**places, CHECKOUT: "/home/dev/story-automator", python: "/usr"}.items():
        data = data.replace(str(there).encode(), said.encode())
    return data


def row(source: Path) -> dict[str, str]:
    raw = tomllib.loads(source.read_text())
    raw["made_by"] = MADE_BY[raw["made_by"]].format(agent=raw["agent"])
    return {"file": f"{source.stem}.txt", **{key: raw[key] for key in KEPT if key in raw}}


def main(folder: Path, names: list[str]) -> None:
    sources = sorted((folder / "sources").glob("*.toml"))
    for source in sources:
        target = folder / f"{source.stem}.txt"
        if source.stem in names or (not names and not target.exists()):
            try:
                target.write_bytes(play(source))
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
                print(f"{source.stem}: FAILED {error!r}", flush=True)
    rows = [row(source) for source in sources if (folder / f"{source.stem}.txt").exists()]
    index = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    (folder / "index.jsonl").write_text(index)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
