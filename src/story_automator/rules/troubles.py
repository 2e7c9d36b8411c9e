"""What stops an agent: its API, its login, a limit, a permission, a conflict."""

import re
from collections.abc import Sequence

from story_automator.model.advice import ErrorClass
from story_automator.model.facts import Seen, Trouble, Weight
from story_automator.rules.forms import Form
from story_automator.rules.voices import Said, Voice, runs_a_command

# At the start of a row, with as much of it as no sentence of a story would begin with.
OF_THE_AGENT = (
    # The model refused: the API works.
    (
        ErrorClass.UNKNOWN,
        Form(
            "unable to respond", r"API Error: .{0,40}unable to respond to this request", exact=True
        ),
    ),
    (
        ErrorClass.LIMIT,
        Form(
            "limit|429|out of usage|resource_exhausted|exceed",
            r"You['’]ve (?:hit|reached) your [^·|\n]{0,60}?\blimit\b"
            r"|You['’]re out of usage credits\b|Your org is out of usage\b"
            r"|Claude (?:AI )?usage limit reached\b|Usage limit reached\b"
            r"|(?:\d+-hour|[Ss]ession|[Ww]eekly|[Oo]pus|[Mm]onthly)(?: usage)? limit reached\b"
            r"|API Error: (?:Request rejected \()?429\b|exceeded retry limit, last status: 429"
            r"|(?:Error: |ERROR: )?unexpected status 429"
            r"|This request would exceed your account's rate"
            r"|(?:Error: |ERROR: )?Rate limit reached for |.{0,60}\bRESOURCE_EXHAUSTED\b",
            exact=True,
        ),
    ),
    (
        ErrorClass.AUTH,
        Form(
            "logged|login|api key|api error|unexpected status|api-key|credit|oauth|unauth|quota"
            "|missing env",
            r"(?:Not logged in|Please run /login|Invalid API key)(?: ·|$|\.)"
            r"|API Error: (?:Request rejected \()?40[123]\b|Failed to authenticate\. API Error"
            r"|(?:Error: |ERROR: )?unexpected status 40[123]\b|(?:Error: )?invalid x-api-key"
            r"|Credit balance (?:is )?too low|OAuth token (?:has )?expired|.{0,200}UNAUTHENTICATED"
            r"|(?:Error: |ERROR: )?(?:Quota exceeded|.{0,40}insufficient_quota)"
            r"|(?:Error: |ERROR: )?Missing environment variable:",
            exact=True,
        ),
    ),
    (
        ErrorClass.API,
        Form(
            "api error|too long|context limit|issue with|unexpected status|retry limit"
            "|stream disc|error sending|"
            "gemini api|high demand",
            r"API Error: |(?:Prompt is too long|Context limit reached)(?: ·|$)"
            r"|There['’]s an issue with the selected model \("
            r"|(?:Error: |ERROR: )?(?:unexpected status [45]\d\d"
            r"|exceeded retry limit, last status)"
            r"|(?:Error: |ERROR: )?stream disconnected before completion"
            r"|(?:Error: |ERROR: )?error sending request for url"
            r"|(?:✕ )?(?:\[API Error: |Error when talking to Gemini API)"
            r"|We['’]re currently experiencing high demand",
            exact=True,
        ),
    ),
)
# Words inside an error that the agent's own record marks as one.
OF_A_MARKED_ERROR = (
    (
        ErrorClass.LIMIT,
        Form(
            "429|limit|quota", r"\b429\b|rate.?limit|usage limit|session limit|weekly limit|quota"
        ),
    ),
    (
        ErrorClass.AUTH,
        Form(
            "40|log|auth|token|key|billing|credit|quota",
            r"\b40[123]\b|not logged in|log ?in again|authentication|unauthori[sz]ed|refresh token"
            r"|api.?key|billing|credit balance|insufficient_quota|oauth",
        ),
    ),
)
INTERRUPTED = "[Request interrupted"
WARNS = re.compile(r"Reconnecting\.\.\.")
DENIED = Form(
    "permission|approval|eacces|eperm|erofs|read-only|rejected|gh|denied|blocked|sandbox"
    "|not permitted",
    r"Claude requested permissions to|.{0,60}\bPermission to use \S+ .{0,40}\bdenied"
    r"|This command requires approval|.{0,200}\b(?:Permission denied|Operation not permitted)\b"
    r"|.{0,200}\b(?:EACCES|EPERM|EROFS)\b|.{0,200}\bRead-only file system\b"
    r"|\s*! \[(?:remote )?rejected\]|remote: Permission to .* denied|remote: error: GH\d+"
    r"|.{0,80}\bdenied by (?:policy|the sandbox|your permission)|.{0,80}\bblocked by (?:policy"
    r"|the sandbox)"
    r"|.{0,100}\bsandbox(?:-exec)?: .*deny|.{0,40}\bpatch rejected: writing outside",
    exact=True,
)
DENIED_WORDS = Form(
    "permission|denied|read-only|not allowed|forbidden|approval|sandbox|rejected|refused|protected",
    r"permission|denied|read-only|not allowed|forbidden|approval|sandbox|rejected|refused"
    r"|protected",
)
DIALOG = Form(
    "?|permission required|do you trust",
    r"\W*(?:Do you want to (?:proceed|make this edit|create|allow|run|overwrite)\b.*\?"
    r"|Would you like to (?:run the following command|make the following edits)\?"
    r"|Allow execution of\b.*\?|△ Permission required|Do you trust the (?:files|contents)\b.*"
    r"|(?:Apply this change|Allow this command)\?)",
    exact=True,
)
CONFLICT = Form(
    "conflict|merge|could not apply|<<<<<<<|both |unmerged|merging|pulling",
    r"CONFLICT \(|Automatic merge failed|error: could not apply |<{7} |\s*both (?:modified|added):"
    r"|Unmerged paths:|You have unmerged paths|.* needs merge$|error: (?:Merging"
    r"|Pulling) is not poss"
    r"|fatal: Exiting because of an unresolved conflict",
    exact=True,
)
GIT = Form(
    "git ", r"\bgit (?:merge|rebase|pull|cherry-pick|stash|commit|status|push)\b", exact=True
)
SOLVED = Form(
    "rebased|merge made|] |fixed|clean|fast-forward",
    r"Successfully rebased|Merge made by|\[[\w./-]+(?: \(root-commit\))? [0-9a-f]{7,}\] "
    r"|All conflicts fixed|nothing to commit, working tree clean|Fast-forward$",
    exact=True,
)


def kind_of(text: str) -> ErrorClass | None:
    """The class of an error in an agent's own form."""
    return next((kind for kind, form in OF_THE_AGENT if form.match(text)), None)


def last_error(said: Sequence[Said]) -> Trouble | None:
    """The agent's own error, when nothing of its work follows."""
    found: Trouble | None = None
    for one in said:
        text = one.text.strip()
        if not text:
            continue
        if one.voice is Voice.TROUBLE:
            kind = kind_of(text) or next(
                (kind for kind, words in OF_A_MARKED_ERROR if words.search(text)), ErrorClass.API
            )
            if INTERRUPTED in text:
                found = None
                continue
            # A row that goes on with the error before it says less than its beginning.
            if found is None or kind_of(text) or one.row > found.row + 1:
                found = Trouble(one.row, kind, text)
        elif one.voice in (Voice.AGENT, Voice.PLAIN) and (own := kind_of(text)):
            found = Trouble(one.row, own, text)
        elif one.voice in (Voice.AGENT, Voice.CALL) and not WARNS.match(text):
            found = None
    return found


def open_dialog(said: Sequence[Said]) -> Trouble | None:
    """A dialog that asks for a permission, at the end."""
    found = None
    for one in said[-60:]:
        if one.voice in (Voice.NOTE, Voice.PLAIN, Voice.AGENT) and DIALOG.match(one.text):
            found = Trouble(one.row, ErrorClass.PERMISSION, one.text.strip())
        elif one.voice in (Voice.CALL, Voice.TROUBLE, Voice.RESULT) and one.text:
            found = None
    return found


def denied(said: Sequence[Said], successes: Sequence[Seen], last_words: str) -> Trouble | None:
    """What was forbidden, unless it was done in another way afterwards."""
    found = None
    for one in said:
        shown = one.voice is Voice.PLAIN or (one.voice is Voice.RESULT and _is_own(one))
        if shown and DENIED.match(one.text):
            found = Trouble(one.row, ErrorClass.PERMISSION, one.text.strip())
    if found is None:
        return None
    went_on = any(s.row > found.row and s.weight > Weight.CLAIM for s in successes)
    return None if went_on and not DENIED_WORDS.search(last_words) else found


def conflict(said: Sequence[Said], greens: Sequence[Seen]) -> Trouble | None:
    """A merge that stopped, unless git or a later run of the tests says that it was solved."""
    found = None
    for one in said:
        if one.voice not in (Voice.RESULT, Voice.PLAIN) or not _is_own(one):
            continue
        if CONFLICT.match(one.text):
            found = Trouble(one.row, ErrorClass.CONFLICT, one.text.strip())
        elif found and SOLVED.match(one.text):
            found = None
    if found and any(seen.row > found.row and seen.weight > Weight.CLAIM for seen in greens):
        return None
    return found


def _is_own(one: Said) -> bool:
    """What a program printed, not a text that was read; a failed call of any tool counts."""
    if one.voice is Voice.PLAIN or one.failed or not one.call:
        return True
    return runs_a_command(one.call) or GIT.search(one.call) is not None
