"""What real agents said, from fixtures/agents."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

AGENTS = Path(__file__).resolve().parents[2] / "fixtures" / "agents"


def lines(agent: str, case: str, name: str) -> list[str]:
    return (AGENTS / agent / case / name).read_text(encoding="utf-8").splitlines()


def hooks(agent: str, case: str) -> Iterator[tuple[str, dict[str, Any], datetime]]:
    """The events of a case in order. The recording's own end is left out."""
    told = [json.loads(line) for line in lines(agent, case, "hooks.jsonl")]
    if told[-1]["event"] == "SessionEnd":
        told.pop()
    for row in told:
        yield row["event"], row["payload"], datetime.fromisoformat(row["at"])


def cases(agent: str, name: str) -> list[str]:
    """The cases that have such a file."""
    return sorted(path.parent.name for path in (AGENTS / agent).glob(f"*/{name}"))
