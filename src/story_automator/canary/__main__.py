"""The loopback API by hand: `python -m story_automator.canary`."""

import signal
import sys
import threading
from pathlib import Path

from story_automator.canary.api import Api
from story_automator.canary.behaviours import TABLE
from story_automator.errors import StoryAutomatorError, UsageError

USAGE = "usage: python -m story_automator.canary [--log FILE] [--port N] [--scripts DIR]"


def read_call(argv: list[str]) -> tuple[Path | None, int, Path | None]:
    log, port, scripts = None, 0, None
    words = iter(argv)
    for word in words:
        value = next(words, "")
        if word == "--log" and value:
            log = Path(value)
        elif word == "--scripts" and value:
            scripts = Path(value)
        elif word == "--port" and value.isdecimal() and int(value) < 65536:
            port = int(value)
        else:
            raise UsageError(USAGE)
    return log, port, scripts


def main(argv: list[str]) -> int:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    try:
        log, port, scripts = read_call(argv)
        with Api(log, port, scripts=scripts) as api:
            print(f"{api.url}\nprompts: {' '.join(f'canary:{name}' for name in TABLE)}", flush=True)
            ended.wait()
    except (StoryAutomatorError, OSError) as error:
        print(f"canary: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
