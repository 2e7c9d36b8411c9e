"""Which variables of the caller a child may inherit: an allow-list, never the whole environment."""

from collections.abc import Mapping, Sequence

# A * at one end matches anything there.
FOR_THE_AGENT = (
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM TMPDIR XDG_* SSH_AUTH_SOCK "
    "*_PROXY *_proxy "
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE "
    "GIT_AUTHOR_* GIT_COMMITTER_* GIT_CONFIG_GLOBAL GIT_SSL_CAINFO "
    "ANTHROPIC_* CLAUDE_* CODEX_* OPENAI_* GEMINI_* GOOGLE_* OPENCODE_* IS_SANDBOX "
    "STORY_AUTOMATOR_SCENARIO STORY_AUTOMATOR_TEMPO PROJECT_ROOT VIRTUAL_ENV UV_* NVM_* PYENV_* "
    "JAVA_HOME GOPATH CARGO_HOME RUSTUP_HOME"
).split()
# When we start the tmux server, every later pane of the user inherits this: nothing secret.
FOR_THE_TMUX_SERVER = (
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM TMPDIR TMUX TMUX_TMPDIR "
    "XDG_RUNTIME_DIR"
).split()


# A session started from within an agent's own shell is not a part of that agent.
NEVER = frozenset(
    (
        "CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SSE_PORT "
        "CODEX_SESSION_ID CODEX_THREAD_ID CODEX_TOOL_CALL_ID CODEX_CI "
        "CODEX_SANDBOX_NETWORK_DISABLED"
    ).split()
)


def allowed(environ: Mapping[str, str], patterns: Sequence[str]) -> dict[str, str]:
    """The part of `environ` that `patterns` let through."""
    starts = tuple(pattern[:-1] for pattern in patterns if pattern.endswith("*"))
    ends = tuple(pattern[1:] for pattern in patterns if pattern.startswith("*"))
    return {
        name: value
        for name, value in environ.items()
        if name not in NEVER
        and (name in patterns or name.startswith(starts) or name.endswith(ends))
    }
