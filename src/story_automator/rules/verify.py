"""What each step's source of truth says, as the contract's answer and as a reason in words."""

from collections.abc import Sequence
from typing import NamedTuple

from story_automator.model.verdict import Verification
from story_automator.rules.sprint import EpicCount, is_done

SPRINT_SOURCE = "sprint-status.yaml"
STORY_SOURCE = "story-file"
SESSION_EXIT = "session_exit"
EXPECTED_STORY_FILES = 1

Payload = dict[str, object]


class Finding(NamedTuple):
    """A verifier's answer and, in one sentence, what it rests on."""

    payload: Payload
    because: str

    @property
    def passed(self) -> bool:
        return self.payload["verified"] is True


def story_created(story: str, pattern: str, matches: Sequence[str]) -> Finding:
    """create: exactly one story file."""
    found = len(matches)
    payload: Payload = {
        "verified": found == EXPECTED_STORY_FILES,
        "story": story,
        "source": "artifact_glob",
        "pattern": pattern,
        "expectedMatches": EXPECTED_STORY_FILES,
        "actualMatches": found,
        "matches": list(matches),
    }
    if found != EXPECTED_STORY_FILES:
        payload["reason"] = "unexpected_story_artifact_count"
    return Finding(payload, f"{found} of {EXPECTED_STORY_FILES} expected story file for {pattern}")


def creation_reason(created: int) -> str:
    """The contract's sentence about so many new story files."""
    if created == EXPECTED_STORY_FILES:
        return "Exactly 1 story file created as expected"
    if created == 0:
        return "No story file created - session may have failed"
    if created < 0:
        return f"Story files decreased ({created}) - unexpected deletion"
    return f"RUNAWAY CREATION: {created} files created instead of {EXPECTED_STORY_FILES}"


def session_ended(story: str, output_file: str) -> Finding:
    """dev, auto: the end of the session is enough."""
    payload: Payload = {"verified": True, "source": SESSION_EXIT}
    if story:
        payload["story"] = story
    if output_file:
        payload["outputFile"] = output_file
    return Finding(payload, "the session ended, and this step asks for no more")


def review_finished(story: str, sprint_status: str, story_file_status: str) -> Finding:
    """review: done in the sprint file or, failing that, in the story file."""
    payload: Payload = {
        "verified": True,
        "story": story,
        "sprint_status": sprint_status,
        "story_file_status": story_file_status,
    }
    if is_done(sprint_status):
        payload["source"] = SPRINT_SOURCE
    elif is_done(story_file_status):
        payload |= {"source": STORY_SOURCE, "note": "sprint_status_not_updated"}
    else:
        payload |= {"verified": False, "reason": "workflow_not_complete"}
    said = f"{SPRINT_SOURCE} says {sprint_status}, the story file {story_file_status}"
    return Finding(payload, said)


def epic_finished(epic: str, story: str, count: EpicCount) -> Finding:
    """retro: every story of the epic is done."""
    total = len(count.stories)
    if not total:
        nothing: Payload = {
            "verified": False,
            "epic": epic,
            "reason": "no_stories_found",
            "source": SPRINT_SOURCE,
        }
        return Finding(nothing, f"{SPRINT_SOURCE} lists no story of epic {epic}")
    payload: Payload = {
        "verified": count.complete,
        "epic": epic,
        "story": story,
        "totalStories": total,
        "doneStories": count.done,
        "source": SPRINT_SOURCE,
    }
    if not count.complete:
        payload["reason"] = "epic_incomplete"
    return Finding(payload, f"{count.done} of {total} stories of epic {epic} are done")


def not_a_story(text: str) -> Finding:
    payload: Payload = {"verified": False, "reason": "could_not_normalize_key", "input": text}
    return Finding(payload, f"{text!r} does not name a story")


def concluded(finding: Finding) -> Verification:
    """The finding as the monitor needs it: with the contract's exit reason."""
    if not finding.passed:
        return Verification(False, str(finding.payload["reason"]), finding.because)
    by_exit = finding.payload["source"] == SESSION_EXIT
    reason = "normal_completion" if by_exit else "verified_complete"
    return Verification(True, reason, finding.because, proven=not by_exit)


def cannot_tell(sentence: str) -> Verification:
    """The facts could not be read, or nobody knows how to verify this workflow."""
    return Verification(False, "verifier_contract_invalid", sentence)


def story_required(step: str) -> Verification:
    return Verification(False, "story_key_required", f"{step} is verified by its story key")
