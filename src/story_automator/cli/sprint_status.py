"""orchestrator-helper sprint-status: what the sprint file says about a story or an epic."""

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, usage_failure, wants_help
from story_automator.edges import sprint
from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.rules.sprint import epic_count, is_done
from story_automator.watch.lookup import NO_SPRINT_FILE, sprint_entry

USAGE = "orchestrator-helper sprint-status <get|exists|check-epic> [args]"
WANTED = {"get": "<story_key>", "exists": "", "check-epic": "<epic>"}


def run(name: str, argv: list[str]) -> int:
    if wants_help(argv, USAGE):
        return 0
    if not argv or argv[0] not in WANTED:
        return usage_failure(USAGE)
    action = argv[0]
    usage = f"orchestrator-helper {name} {action} {WANTED[action]}".rstrip()
    if wants_help(argv[1:], usage):
        return 0
    parser = Parser(usage)
    if WANTED[action]:
        parser.add_argument("wanted", nargs="?")
    wanted = getattr(parser.parse_args(argv[1:]), "wanted", "")
    if wanted is None:
        return usage_failure(usage)
    if action == "exists":
        path = sprint.sprint_file(project_root())
        print("true" if path and path.is_file() else "false")
        return 0
    return _get(wanted) if action == "get" else _check_epic(wanted)


def _get(wanted: str) -> int:
    try:
        key, status = sprint_entry(project_root(), wanted)
    except StoryAutomatorError as error:
        answer = {"found": False, "story": wanted, "status": "unknown", "reason": error.message}
        print(json_line(answer))
        return 1
    if key:
        print(json_line({"found": True, "story": key, "status": status, "done": is_done(status)}))
    elif status == NO_SPRINT_FILE:
        reason = f"{sprint.FILE_NAME} not found"
        print(json_line({"found": False, "status": status, "reason": reason}))
    else:
        print(json_line({"found": False, "story": wanted, "status": status}))
    return 0


def _check_epic(epic: str) -> int:
    try:
        count = epic_count(sprint.statuses(project_root()) or {}, epic)
    except StoryAutomatorError as error:
        print(json_line(_nothing(epic, error.message)))
        return 1
    total = len(count.stories)
    if not total:
        print(json_line(_nothing(epic, "no_stories_found")))
        return 0
    answer = {
        "ok": True,
        "epic": epic,
        "allStoriesDone": count.complete,
        "total": total,
        "done": count.done,
        "count": total,
        "stories": list(count.stories),
    }
    print(json_line(answer))
    return 0


def _nothing(epic: str, reason: str) -> dict[str, object]:
    return {"ok": False, "epic": epic, "allStoriesDone": False, "reason": reason, "count": 0}
