"""`doctor`: would a run work here, and what to do where it would not."""

import os
from typing import Annotated

from story_automator.cli.human import answer

MARKS = {"fail": "✗", "warn": "!", "ok": "✓"}


def run(name: str, argv: list[str]) -> int:
    import typer

    def doctor(
        as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON line.")] = False,
    ) -> int:
        """Look at this machine and project: would a run work, and what to do where it would not."""
        return examine(as_json=as_json)

    return answer(doctor, name, argv)


def examine(*, as_json: bool) -> int:
    from story_automator.edges.project import project_root
    from story_automator.rules.health import findings, would_run
    from story_automator.run.health import gather

    said = findings(gather(project_root(), os.environ))
    well = would_run(said)
    if as_json:
        from dataclasses import asdict

        from story_automator.cli.render import json_line

        print(json_line({"ok": well, "findings": [asdict(finding) for finding in said]}))
    else:
        width = max(len(finding.check) for finding in said)
        for finding in said:
            print(f"{MARKS[finding.status]} {finding.check:<{width}}  {finding.message}")
            if finding.remedy:
                print(f"  {'':<{width}}  → {finding.remedy}")
        print("\nA run would work." if well else "\nA run would fail; see ✗ above.")
    return 0 if well else 1
