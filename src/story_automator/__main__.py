"""Entry points: `story-automator`, `orchestrator-helper` and `python -m story_automator`."""

import sys


def main() -> int:
    from story_automator.cli.app import run

    return run(sys.argv[1:])


def orchestrator_helper() -> int:
    from story_automator.cli.app import run

    return run(["orchestrator-helper", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
