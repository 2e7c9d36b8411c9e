"""The errors that Claude Code shows, by how their text begins."""

import re

# Each is matched at the start of an error's text, with as much of it as no sentence of a story
# would begin with. The first hit wins.
TROUBLES = (
    # `You've used 97% of your limit` is a warning, not this. Capture: claude/limit_oauth/01.
    # Held-out claude/b_limit/01: the client says that it waits, and goes on by itself.
    ("rate_limited", re.compile(r"You['’]ve hit your [^·]*limit ·|Usage limit reached ·")),
    # Captures: claude/err_429_retryafter/04 and, while retrying, /03.
    ("rate_limited", re.compile(r"API Error: (?:Request rejected \()?429\b")),
    # Captures: claude/dlg_nologin/01, claude/err_403/01.
    (
        "auth_error",
        re.compile(
            r"(?:Not logged in|Please run /login|Invalid API key)(?: ·|$)|API Error: 40[13]\b"
        ),
    ),
    # Capture: claude/compact_reactive/03.
    ("context_limit", re.compile(r"(?:Prompt is too long|Context limit reached)(?: ·|$)")),
    # Captures: claude/err_529_final/02, claude/err_credit/01, claude/err_404/01.
    (
        "api_error",
        re.compile(
            r"API Error: |Credit balance (?:is )?too low(?: ·|$)"
            r"|There['’]s an issue with the selected model \("
        ),
    ),
)
# Whole row of the live area. Captures: claude/tui_529_retry/01, held-out claude/b_retry/01.
RETRY = re.compile(
    r"[·✢✳✶✻✽*] (?P<cause>.+) · [Rr]etrying in (?P<wait>\d+)s · attempt (?P<attempt>\d+)/\d+"
)


def trouble_of(text: str) -> str:
    """The class of an error's text, or nothing when it is no error that we know."""
    return next((trouble for trouble, pattern in TROUBLES if pattern.match(text)), "")


def trouble_of_retry(cause: str, wait: int, attempt: int) -> str:
    """Why the client retries; it names the status on the last attempt only."""
    trouble = trouble_of(f"API Error: {cause}")
    # Its own back-off starts below a second and doubles: a longer wait was ordered by the server.
    # Capture: claude/err_429_retryafter/01.
    ordered = wait > 2 ** (attempt + 1)
    return "rate_limited" if trouble == "api_error" and ordered else trouble
