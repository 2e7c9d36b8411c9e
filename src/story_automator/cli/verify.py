"""orchestrator-helper verify-step and verify-code-review: the verifiers' answers."""

from story_automator.cli.render import json_line
from story_automator.cli.usage import Parser, wants_help
from story_automator.edges.project import project_root
from story_automator.errors import StoryAutomatorError
from story_automator.model.step import Step
from story_automator.watch.verifier import check_state_file, finding, known_step

USAGES = {
    "verify-step": "<step> <story_or_epic> [--state-file path] [--output-file path]",
    "verify-code-review": "<story> [--state-file path]",
}


def run(name: str, argv: list[str]) -> int:
    usage = f"orchestrator-helper {name} {USAGES[name]}"
    if wants_help(argv, usage):
        return 0
    any_step = name == "verify-step"
    parser = Parser(usage)
    parser.set_defaults(step=Step.REVIEW.value, output_file=None)
    if any_step:
        parser.add_argument("step", nargs="?")
        # A flag without its value has its own answer in the contract.
        parser.add_argument("--output-file", nargs="?", const="")
    parser.add_argument("story", nargs="?")
    parser.add_argument("--state-file", nargs="?", const="")
    given = parser.parse_intermixed_args(argv)
    if given.story is None:
        reason = "step_and_story_required" if any_step else "story_key_required"
        print(json_line({"verified": False, "reason": reason}))
        return 1
    try:
        _require_value("--state-file", given.state_file)
        _require_value("--output-file", given.output_file)
        root = project_root()
        if given.state_file:
            check_state_file(str(root / given.state_file))
        step = known_step(given.step)
        found = finding(step, root, given.story, given.output_file or "")
    except StoryAutomatorError as error:
        print(json_line(_invalid(any_step, given.step, given.story, error.message)))
        return 1
    print(json_line(found.payload))
    return 0 if any_step or found.passed else 1


def _require_value(flag: str, value: str | None) -> None:
    if value == "":
        raise StoryAutomatorError(f"{flag} requires a value")


def _invalid(any_step: bool, step: str, story: str, error: str) -> dict[str, object]:
    if any_step:
        reason = "verifier_contract_invalid"
        return {"verified": False, "step": step, "input": story, "reason": reason, "error": error}
    return {"verified": False, "reason": "review_contract_invalid", "input": story, "error": error}
