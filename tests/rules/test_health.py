"""What `doctor` makes of the facts."""

import re
import shlex
from dataclasses import replace
from typing import Any

import pytest

from story_automator.model.health import Claude, Codex, Facts, Finding, Program, Status, Tried
from story_automator.model.probe import Probe
from story_automator.rules.health import findings, would_run

ABSENT, SILENT = Program(Probe.ABSENT), Program(Probe.UNREACHABLE)


def program(version: str) -> Program:
    return Program(Probe.PRESENT, version)


CLAUDE = Claude(
    program("2.1.197"), onboarded=True, trusted=True, login="a login", tried=Tried("2.1.197")
)
CODEX = Codex(program("0.169.0"), trusted=True, login="a login")
WELL = Facts(
    project="/home/dev/my shop",
    agent="claude",
    python="3.12.1",
    is_mac=False,
    is_root=False,
    tmux=program("tmux 3.4"),
    git=program("git version 2.43.0"),
    in_repository=True,
    permissions="bypass",
    config="/home/dev/.config/story-automator/config.toml",
    claude=CLAUDE,
    codex=CODEX,
)
IN_CODEX = replace(WELL, agent="codex")
CUSTOM = replace(WELL, agent="")


def claude(facts: Facts = WELL, **changes: Any) -> Facts:
    return replace(facts, claude=replace(facts.claude, **changes))


def codex(facts: Facts = WELL, **changes: Any) -> Facts:
    return replace(facts, codex=replace(facts.codex, **changes))


def found(facts: Facts, check: str) -> Finding | None:
    return next((finding for finding in findings(facts) if finding.check == check), None)


def test_where_all_is_well_nothing_is_complained_about() -> None:
    said = findings(WELL)
    assert {finding.status for finding in said} == {Status.OK}
    assert not any(finding.remedy for finding in said)
    assert would_run(said)


@pytest.mark.parametrize(
    ("facts", "check", "status", "remedy"),
    [
        pytest.param(
            replace(WELL, tmux=ABSENT),
            *("tmux", "fail", "sudo apt-get install tmux"),
            id="no-tmux",
        ),
        pytest.param(
            replace(WELL, tmux=ABSENT, is_mac=True),
            *("tmux", "fail", "brew install tmux"),
            id="no-tmux-on-a-mac",
        ),
        pytest.param(
            replace(WELL, tmux=program("tmux 3.1c")),
            *("tmux", "fail", "sudo apt-get install tmux"),
            id="an-old-tmux",
        ),
        pytest.param(replace(WELL, tmux=program("tmux 3.2")), "tmux", "ok", "", id="tmux-3.2"),
        pytest.param(replace(WELL, tmux=program("tmux 10.0")), "tmux", "ok", "", id="tmux-10"),
        pytest.param(
            replace(WELL, tmux=program("tmux next-3.6")), "tmux", "ok", "", id="tmux-to-come"
        ),
        pytest.param(
            replace(WELL, tmux=program("tmux master")), "tmux", "warn", "tmux -V", id="tmux-master"
        ),
        pytest.param(
            replace(WELL, tmux=program("tmux openbsd-7.4")),
            *("tmux", "warn", "tmux -V"),
            id="openbsd-counts-itself-not-tmux",
        ),
        pytest.param(
            replace(WELL, tmux=SILENT),
            "tmux",
            "warn",
            "tmux -V",
            id="a-silent-tmux-condemns-nobody",
        ),
        pytest.param(
            replace(WELL, git=ABSENT), "git", "fail", "sudo apt-get install git", id="no-git"
        ),
        pytest.param(replace(WELL, git=SILENT), "git", "warn", "git --version", id="a-silent-git"),
        pytest.param(
            replace(WELL, in_repository=False),
            *("repository", "warn", "git init '/home/dev/my shop'"),
            id="no-repository",
        ),
        pytest.param(
            replace(IN_CODEX, in_repository=False),
            *("repository", "fail", "git init '/home/dev/my shop'"),
            id="codex-starts-only-in-a-repository",
        ),
        pytest.param(
            replace(WELL, trouble="it is not TOML", permissions=""),
            *("config", "fail", "${EDITOR:-vi} /home/dev/.config/story-automator/config.toml"),
            id="a-broken-config",
        ),
        pytest.param(
            replace(WELL, permissions="acceptEdits"),
            *("permissions", "warn", "${EDITOR:-vi} /home/dev/.config/story-automator/config.toml"),
            id="accept-edits-may-wait-for-a-person",
        ),
        pytest.param(
            replace(WELL, permissions="allowlist"), "permissions", "ok", "", id="an-allowlist"
        ),
        pytest.param(replace(WELL, is_root=True), "root", "ok", "", id="root-is-said-aloud"),
        pytest.param(CUSTOM, "agent", "ok", "", id="a-command-of-the-users-own"),
        pytest.param(
            claude(program=ABSENT),
            *("claude", "fail", "npm install -g @anthropic-ai/claude-code"),
            id="no-claude",
        ),
        pytest.param(
            claude(IN_CODEX, program=ABSENT), "claude", "ok", "", id="no-claude-where-none-is-used"
        ),
        pytest.param(
            claude(program=SILENT),
            *("claude", "warn", "claude --version"),
            id="a-silent-claude-condemns-nobody",
        ),
        pytest.param(
            claude(trouble="cut off"), "claude settings", "fail", "claude", id="broken-settings"
        ),
        pytest.param(
            claude(onboarded=False),
            "claude onboarding",
            "fail",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="not-onboarded",
        ),
        pytest.param(
            claude(trusted=False),
            "claude trust",
            "fail",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="not-trusted",
        ),
        pytest.param(
            claude(IN_CODEX, trusted=False),
            "claude trust",
            "warn",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="an-agent-that-is-not-used-only-warns",
        ),
        pytest.param(
            claude(CUSTOM, trusted=False),
            "claude trust",
            "warn",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="beside-a-command-of-the-users-own-too",
        ),
        pytest.param(
            claude(login=""), "claude login", "fail", "claude /login", id="nobody-logged-in"
        ),
        pytest.param(
            claude(login="", key="approved"), "claude login", "ok", "", id="an-approved-key"
        ),
        pytest.param(
            claude(key="new"),
            "claude login",
            "fail",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="a-new-key-is-asked-about-even-beside-a-login",
        ),
        pytest.param(
            claude(key="rejected"), "claude login", "ok", "", id="a-rejected-key-beside-a-login"
        ),
        pytest.param(
            claude(login="", key="rejected"),
            "claude login",
            "fail",
            "story-automator agent setup claude --project '/home/dev/my shop'",
            id="a-rejected-key-alone",
        ),
        pytest.param(
            claude(tried=Tried("2.1.196")),
            *("claude canary", "warn", "story-automator canary claude"),
            id="newer-than-the-last-canary",
        ),
        pytest.param(
            claude(tried=Tried("2.1.197", missing=("title",))),
            *("claude canary", "warn", "story-automator canary claude"),
            id="the-canary-missed-something",
        ),
        pytest.param(
            claude(tried=Tried("2.1.197", missing=("Stop",), ok=False)),
            *("claude canary", "warn", "story-automator canary claude"),
            id="the-canary-failed",
        ),
        pytest.param(
            claude(tried=None),
            *("claude canary", "warn", "story-automator canary claude"),
            id="never-tried",
        ),
        pytest.param(
            codex(IN_CODEX, tried=None),
            *("codex canary", "warn", "story-automator canary codex"),
            id="codex-never-tried",
        ),
        pytest.param(
            codex(IN_CODEX, program=ABSENT),
            *("codex", "fail", "npm install -g @openai/codex"),
            id="no-codex",
        ),
        pytest.param(
            codex(IN_CODEX, login=""), "codex login", "fail", "codex login", id="codex-login"
        ),
        pytest.param(
            codex(login=""), "codex login", "warn", "codex login", id="codex-login-where-not-used"
        ),
        pytest.param(
            codex(IN_CODEX, trusted=False), "codex trust", "ok", "", id="codex-needs-no-trust"
        ),
        pytest.param(
            codex(IN_CODEX, trusted=False, brings_settings=True),
            "codex trust",
            "warn",
            "story-automator agent setup codex --project '/home/dev/my shop'",
            id="without-trust-codex-leaves-out-what-the-project-brings",
        ),
        pytest.param(
            codex(IN_CODEX, trouble="no TOML", config="/c d.toml"),
            *("codex trust", "fail", "${EDITOR:-vi} '/c d.toml'"),
            id="codex-cannot-read-its-config",
        ),
        pytest.param(
            claude(asks_by="/p q/.claude/settings.json"),
            *("claude rules", "warn", "${EDITOR:-vi} '/p q/.claude/settings.json'"),
            id="rules-that-ask-a-person",
        ),
    ],
)
def test_a_check(facts: Facts, check: str, status: str, remedy: str) -> None:
    finding = found(facts, check)
    assert finding is not None
    assert (finding.status, finding.remedy) == (status, remedy)
    assert would_run(findings(facts)) is (status != "fail")
    assert finding.message
    assert "\n" not in finding.message + finding.remedy
    assert shlex.split(re.sub(r"\$\{.*\}", "vi", remedy)) or status == "ok"


@pytest.mark.parametrize(
    ("facts", "check"),
    [
        pytest.param(claude(program=ABSENT), "claude login", id="of-a-claude-that-is-not-there"),
        pytest.param(WELL, "claude rules", id="of-rules-that-ask-nobody"),
        pytest.param(claude(trouble="cut off"), "claude trust", id="of-settings-nobody-can-read"),
        pytest.param(claude(program=SILENT), "claude canary", id="of-a-version-nobody-knows"),
        pytest.param(
            claude(CUSTOM, tried=None), "claude canary", id="of-an-agent-that-is-not-used"
        ),
        pytest.param(codex(program=ABSENT), "codex trust", id="of-a-codex-that-is-not-there"),
        pytest.param(replace(IN_CODEX, is_root=True), "root", id="of-root-where-no-claude-runs"),
    ],
)
def test_nothing_is_said(facts: Facts, check: str) -> None:
    assert found(facts, check) is None


def test_the_worst_comes_first() -> None:
    said = findings(replace(claude(trusted=False), permissions="acceptEdits"))
    order = [finding.status for finding in said]
    assert order[:2] == [Status.FAIL, Status.WARN]
    assert order == sorted(order, key=list(Status).index)
