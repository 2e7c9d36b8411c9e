"""validate-story-creation: did the create step write exactly one story file?"""

from itertools import takewhile
from pathlib import Path

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, usage_failure, wants_help
from story_automator.edges.project import implementation_artifacts, project_root
from story_automator.edges.stories import story_files
from story_automator.errors import StoryAutomatorError, UsageError
from story_automator.rules.keys import dashed, is_safe

USAGE = """validate-story-creation <action> [args]

Actions:
  count <story_id> [--artifacts-dir DIR]    how many story files there are
  list <story_id> [--artifacts-dir DIR]     which ones
  prefix <story_id>                         how their names start
  check <story_id> [--before N --after N] [--state-file PATH]
  <story_id> <before> <after>               the same as check"""
FLAGS = ("--before", "--after", "--artifacts-dir", "--state-file")
NO_FOLDER = (
    "validate-story-creation check no longer supports --artifacts-dir overrides; "
    "use count/list for custom folders"
)
UNSAFE_ID = "story_id may not hold path separators or control characters"


def run(name: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    if not argv:
        return usage_failure(USAGE)
    action, rest = argv[0], argv[1:]
    if action in ("count", "list", "prefix"):
        return _names(name, action, rest)
    if action == "check":
        if wants_help(rest, USAGE):
            return 0
        return _check(rest[0] if rest else "", rest[1:])
    numbers = list(takewhile(lambda word: not word.startswith("--"), rest[:2]))
    flags = [word for pair in zip(FLAGS, numbers, strict=False) for word in pair]
    return _check(action, [*flags, *rest[len(numbers) :]], counts_required=True)


def _names(name: str, action: str, argv: list[str]) -> int:
    usage = f"{name} {action} <story_id>"
    if wants_help(argv, usage):
        return 0
    parser = Parser(usage)
    parser.add_argument("story_id", nargs="?")
    if action != "prefix":
        parser.add_argument("--artifacts-dir")
    given = parser.parse_args(argv)
    if given.story_id is None:
        return 1 if action == "prefix" else usage_failure(usage)
    if not is_safe(given.story_id):
        raise UsageError(UNSAFE_ID, hint=parser.line)
    prefix = dashed(given.story_id)
    if action == "prefix":
        print(prefix)
        return 0
    chosen = given.artifacts_dir
    folder = Path(chosen) if chosen else implementation_artifacts(project_root())
    files = story_files(folder, prefix)
    if action == "count":
        print(len(files))
        return 0
    print(f"Story files matching {prefix}-*.md:")
    print("\n".join(map(_listed, files)) or "  (none found)")
    return 0


def _listed(path: Path) -> str:
    facts = path.stat()
    return f"-rw-r--r-- 1 {facts.st_mode} {facts.st_size} {path}"


def _check(story_id: str, argv: list[str], *, counts_required: bool = False) -> int:
    from story_automator.model.step import Step
    from story_automator.rules.verify import EXPECTED_STORY_FILES, Payload, creation_reason
    from story_automator.watch.verifier import check_state_file, finding

    given, problem = _flags(argv)
    if not story_id or story_id.startswith("--"):
        story_id, problem = "", "story_id required"
    elif not is_safe(story_id):
        story_id, problem = "", UNSAFE_ID
    counts: tuple[int, ...] = ()
    found: Payload = {}
    try:
        counts = _counts(given, required=counts_required and not problem)
        if "--artifacts-dir" in given:
            problem = problem or NO_FOLDER
        if not problem:
            if "--state-file" in given:
                check_state_file(str(project_root() / given["--state-file"]))
            found = finding(Step.CREATE, project_root(), story_id).payload
    except StoryAutomatorError as error:
        problem = problem or error.message
    matches = found.get("matches", [])
    actual = len(matches) if isinstance(matches, list) else 0
    created = counts[1] - counts[0] if counts else actual
    valid = not problem and created == EXPECTED_STORY_FILES
    answer: Payload = {
        "valid": valid,
        "verified": valid,
        "created_count": created,
        "expected": EXPECTED_STORY_FILES,
        "prefix": dashed(story_id),
        "action": "proceed" if valid else "escalate",
        "reason": problem or creation_reason(created),
        "source": found.get("source", ""),
        "pattern": found.get("pattern", ""),
        "matches": matches,
    }
    answer |= dict(zip(("before", "after"), counts, strict=False))
    if "story" in found:
        answer["story"] = found["story"]
    print(json_line(answer))
    return 1 if problem else 0


def _flags(argv: list[str]) -> tuple[dict[str, str], str]:
    """The flags up to the first mistake, and that mistake in the contract's words."""
    given: dict[str, str] = {}
    words = iter(argv)
    for flag in words:
        if flag not in FLAGS:
            return given, f"unsupported check argument: {flag}"
        value = next(words, "")
        if not value or value.startswith("--"):
            return given, f"{flag} requires a value"
        given[flag] = value
    return given, ""


def _counts(given: dict[str, str], *, required: bool) -> tuple[int, ...]:
    counts = [given[flag] for flag in ("--before", "--after") if flag in given]
    if len(counts) == 1 or (required and not counts):
        raise StoryAutomatorError("both --before and --after are required together")
    try:
        return tuple(map(int, counts))
    except ValueError:
        raise StoryAutomatorError("before/after must be integers") from None
