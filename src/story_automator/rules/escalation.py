"""When a person has to be asked: the contract's triggers against the limits of the policy."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from story_automator.model.step import Step

LONGEST_NUMBER = 9  # digits
POLICY_KEYS = {"version", "snapshot", "runtime", "workflow", "steps"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How often a step may be tried again before a person is asked."""

    review_cycles: int = 5
    crash_retries: int = 2


def escalation(trigger: str, context: str, limits: Limits) -> dict[str, object]:
    """The contract's answer to one trigger; a number that is not told counts as 0."""
    match trigger:
        case "review-loop":
            cycles = number("cycles", context)
            if cycles >= limits.review_cycles:
                return _ask(f"Review loop exceeded max cycles ({cycles}/{limits.review_cycles})")
            return {"escalate": False}
        case "session-crash":
            retries = number("retries", context)
            if retries >= limits.crash_retries:
                return _ask(f"Session crashed after {retries} retries")
            return {"escalate": False, "action": "retry"}
        case "story-validation":
            created = number("created", context)
            if created == 0:
                return _ask("No story file created")
            if created > 1:
                return _ask(f"Runaway creation: {created} files")
            return {"escalate": False}
        case _:
            return {"escalate": False, "reason": "Unknown trigger"}


def number(key: str, context: str) -> int:
    """The first `key=<digits>` in free text; `review_cycles=3` tells the cycles as well."""
    found = re.search(rf"{re.escape(key)}=([0-9]{{1,{LONGEST_NUMBER}}})", context)
    return int(found[1]) if found else 0


def limits_from(policy: Mapping[str, object], base: Limits) -> Limits:
    """The limits a policy document sets over `base`; ValueError names what is wrong in it."""
    if unknown := policy.keys() - POLICY_KEYS:
        raise ValueError(f"unknown top-level policy keys: {', '.join(sorted(unknown))}")
    steps = policy.get("steps")
    if isinstance(steps, Mapping) and (strange := steps.keys() - set(Step)):
        raise ValueError(f"unknown step names: {', '.join(sorted(strange))}")
    return Limits(
        _whole(policy, "workflow.repeat.review.maxCycles", base.review_cycles),
        _whole(policy, "workflow.crash.maxRetries", base.crash_retries),
    )


def limits_told(environ: Mapping[str, str], base: Limits) -> Limits:
    """The limits that the environment sets over `base`."""
    return Limits(
        _told(environ, "MAX_REVIEW_CYCLES", base.review_cycles),
        _told(environ, "MAX_CRASH_RETRIES", base.crash_retries),
    )


def _ask(reason: str) -> dict[str, object]:
    return {"escalate": True, "reason": reason}


def _whole(policy: Mapping[str, object], path: str, default: int) -> int:
    value: object = policy
    walked: list[str] = []
    for key in path.split("."):
        if not isinstance(value, Mapping):
            raise ValueError(f"{'.'.join(walked)} must be an object")
        if key not in value:
            return default
        value = value[key]
        walked.append(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{path} must be an integer")
    return value


def _told(environ: Mapping[str, str], name: str, default: int) -> int:
    text = environ.get(name, "").strip()
    if not text:
        return default
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise ValueError(f"{name} must be an integer")
    return int(text)
