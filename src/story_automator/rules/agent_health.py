"""Would an agent start here without a person? Only the one the project uses can fail a run."""

import shlex

from story_automator.model.health import Facts, Finding, Program, Status, Tried
from story_automator.model.probe import Probe


def claude(f: Facts) -> Finding:
    install = "npm install -g @anthropic-ai/claude-code"
    return _installed(f, "claude", f.claude.program, install)


def claude_settings(f: Facts) -> Finding | None:
    if _absent(f.claude.program) or not f.claude.trouble:
        return None
    return Finding("claude settings", _grave(f, "claude"), f.claude.trouble, "claude")


def claude_onboarding(f: Facts) -> Finding | None:
    if _absent(f.claude.program) or f.claude.trouble:
        return None
    if f.claude.onboarded:
        return Finding("claude onboarding", Status.OK, "claude starts without its welcome")
    message = "claude would open with its welcome and wait"
    return Finding("claude onboarding", _grave(f, "claude"), message, _set_up(f, "claude"))


def claude_trust(f: Facts) -> Finding | None:
    if _absent(f.claude.program) or f.claude.trouble:
        return None
    if f.claude.trusted:
        return Finding("claude trust", Status.OK, f"claude trusts {f.project}")
    message = f"claude would ask whether you trust {f.project}"
    return Finding("claude trust", _grave(f, "claude"), message, _set_up(f, "claude"))


def claude_rules(f: Facts) -> Finding | None:
    """Rules that ask are obeyed even where all permissions are bypassed."""
    if _absent(f.claude.program) or not f.claude.asks_by:
        return None
    message = f"claude would ask before it acts: {f.claude.asks_by} has permissions.ask"
    edit = f"${{EDITOR:-vi}} {shlex.quote(f.claude.asks_by)}"
    return Finding("claude rules", Status.WARN, message, edit)


def claude_login(f: Facts) -> Finding | None:
    if _absent(f.claude.program) or f.claude.trouble:
        return None
    check, bad = "claude login", _grave(f, "claude")
    if f.claude.key == "new":
        message = "claude would ask whether to use ANTHROPIC_API_KEY"
        return Finding(check, bad, message, _set_up(f, "claude"))
    if f.claude.key == "approved":
        return Finding(check, Status.OK, "claude uses ANTHROPIC_API_KEY")
    if f.claude.login:
        return Finding(check, Status.OK, f"claude has {f.claude.login}")
    if f.claude.key == "rejected":
        message = "you told claude not to use ANTHROPIC_API_KEY, and there is no other login"
        return Finding(check, bad, message, _set_up(f, "claude"))
    return Finding(check, bad, "claude is not logged in for this HOME", "claude /login")


def claude_canary(f: Facts) -> Finding | None:
    return _canary(f, "claude", f.claude.program, f.claude.tried)


def codex(f: Facts) -> Finding:
    return _installed(f, "codex", f.codex.program, "npm install -g @openai/codex")


def codex_login(f: Facts) -> Finding | None:
    if _absent(f.codex.program):
        return None
    if f.codex.login:
        return Finding("codex login", Status.OK, f"codex has {f.codex.login}")
    message = "codex is not logged in for this HOME"
    return Finding("codex login", _grave(f, "codex"), message, "codex login")


def codex_trust(f: Facts) -> Finding | None:
    if _absent(f.codex.program):
        return None
    if f.codex.trouble:
        look = f"${{EDITOR:-vi}} {shlex.quote(f.codex.config)}"
        return Finding("codex trust", _grave(f, "codex"), f.codex.trouble, look)
    if f.codex.trusted:
        return Finding("codex trust", Status.OK, f"codex trusts {f.project}")
    if f.codex.brings_settings:
        message = f"codex does not trust {f.project}, so it leaves out its .codex folder"
        return Finding("codex trust", Status.WARN, message, _set_up(f, "codex"))
    return Finding("codex trust", Status.OK, "codex exec needs no trust in the project")


def codex_canary(f: Facts) -> Finding | None:
    return _canary(f, "codex", f.codex.program, f.codex.tried)


CHECKS = (
    claude,
    claude_settings,
    claude_onboarding,
    claude_trust,
    claude_rules,
    claude_login,
    claude_canary,
    codex,
    codex_login,
    codex_trust,
    codex_canary,
)


def _installed(f: Facts, name: str, program: Program, install: str) -> Finding:
    if program.probe is Probe.ABSENT:
        if f.agent == name:
            return Finding(name, Status.FAIL, f"{name} is not installed", install)
        return Finding(name, Status.OK, f"{name} is not installed, and not used here")
    if program.probe is Probe.UNREACHABLE:
        return Finding(name, Status.WARN, f"{name} does not tell its version", f"{name} --version")
    return Finding(name, Status.OK, f"{name} {program.version}")


def _canary(f: Facts, name: str, program: Program, tried: Tried | None) -> Finding | None:
    if f.agent != name or not program.version:
        return None
    check, again = f"{name} canary", f"story-automator canary {name}"
    if tried is None or tried.version != program.version:
        last = f"the last canary was with {tried.version}" if tried else "no canary has tried it"
        return Finding(check, Status.WARN, f"{name} {program.version} is new here: {last}", again)
    lost = ", ".join(tried.missing)
    if not tried.ok:
        what = f": {lost} did not arrive" if lost else ": a trial ended otherwise than it should"
        message = f"the canary does not trust {name} {tried.version}{what}"
        return Finding(check, Status.WARN, message, again)
    if lost:
        message = f"{name} {tried.version} gives no {lost}; the canary went well without"
        return Finding(check, Status.WARN, message, again)
    return Finding(check, Status.OK, f"the canary went well with {name} {tried.version}")


def _absent(program: Program) -> bool:
    return program.probe is Probe.ABSENT


def _grave(f: Facts, agent: str) -> Status:
    """Only the agent that the project uses can make a run fail."""
    return Status.FAIL if f.agent == agent else Status.WARN


def _set_up(f: Facts, agent: str) -> str:
    return f"story-automator agent setup {agent} --project {shlex.quote(f.project)}"
