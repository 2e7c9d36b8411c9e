"""What an agent's exit code says beyond "it failed"."""

from collections.abc import Mapping

from story_automator.agents.dialects import reader_of


def reason_of_exit(agent: str, code: int) -> str:
    """An exit reason, or nothing: most agents leave with 1 whatever went wrong."""
    reasons: Mapping[int, str] = getattr(reader_of(agent), "EXIT_REASONS", {})
    return reasons.get(code, "")
