"""Find the command, import only that one, turn its errors into one sentence and an exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from story_automator.errors import StoryAutomatorError, UsageError

# Commands of the published contract answer a usage error with 1, our own with 2.
CONTRACT = {
    "codex-status-check": "status",
    "derive-project-slug": "derive_project_slug",
    "ensure-marker-gitignore": "ensure_marker_gitignore",
    "ensure-stop-hook": "ensure_stop_hook",
    "heartbeat-check": "status",
    "list-sessions": "list_sessions",
    "monitor-session": "monitor_session",
    "orchestrator-helper": "orchestrator_helper",
    "stop-hook": "stop_hook",
    "tmux-status-check": "status",
    "tmux-wrapper": "tmux_wrapper",
    "validate-story-creation": "validate_story_creation",
}
OWN = {
    "agent": "agent",
    "bench": "bench",
    "canary": "canary",
    "classify": "classify",
    "demo": "demo",
    "doctor": "doctor",
}
# What a person can do about an error of the system.
NEXT = {
    errno.EACCES: "look who may use it: ls -ld PATH",
    errno.EDQUOT: "make room, and try again",
    errno.ENOSPC: "make room, and try again",
    errno.ENOTDIR: "move away what stands where a folder should be",
    errno.EPERM: "look who may use it: ls -ld PATH",
    errno.EROFS: "name a place that can be written to: XDG_STATE_HOME for our own files",
}


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code. No traceback leaves this function."""
    _never_fail_to_print()
    if not argv:
        print(_usage(), file=sys.stderr)
        return 1
    name, rest = argv[0], list(argv[1:])
    if name in ("-h", "--help"):
        print(_usage())
        return 0
    if name in ("-V", "--version"):
        from story_automator import __version__

        print(f"story-automator {__version__}")
        return 0
    module = CONTRACT.get(name) or OWN.get(name)
    if module is None:
        print(f"Unknown command: {name}\n{_usage()}", file=sys.stderr)
        return 1
    usage_code = 1 if name in CONTRACT else 2
    try:
        command = import_module(f"story_automator.cli.{module}")
        code = int(command.run(name, rest))
        sys.stdout.flush()
        return code
    except UsageError as error:
        _say(name, error)
        return usage_code
    except StoryAutomatorError as error:
        _say(name, error)
        return 1
    except BrokenPipeError:
        # The reader left (`| head`): what remains buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _say(name, _of_the_system(error))
        return 1
    except Exception as error:  # noqa: BLE001 - a mistake of ours is told in one sentence, too
        _say(name, _our_mistake(error))
        return 1


def _usage() -> str:
    names = "\n".join(f"  {name}" for name in sorted({**CONTRACT, **OWN}))
    return f"story-automator <command> [args]\n\nCommands:\n{names}"


def _say(command: str, error: StoryAutomatorError) -> None:
    between = "; " if isinstance(error, UsageError) else "\n  next: "
    hint = f"{between}{error.hint}" if error.hint else ""
    print(f"story-automator {command}: {error.message}{hint}", file=sys.stderr)


def _of_the_system(error: OSError) -> StoryAutomatorError:
    where = f" ({error.filename})" if error.filename else ""
    message = f"{error.strerror or type(error).__name__}{where}"
    return StoryAutomatorError(message, hint=NEXT.get(error.errno or 0, ""))


def _our_mistake(error: Exception) -> StoryAutomatorError:
    """Keep the traceback for a report; a person gets one sentence."""
    import traceback

    message = f"internal error: {type(error).__name__}: {error}"
    try:
        from story_automator.edges.files import write_atomic
        from story_automator.edges.state import state_root

        path = state_root() / "last-internal-error.txt"
        write_atomic(path, "".join(traceback.format_exception(error)), mode=0o600)
    except (OSError, StoryAutomatorError):
        return StoryAutomatorError(message, hint="please report it")
    return StoryAutomatorError(message, hint=f"please report it with {path}")


def _never_fail_to_print() -> None:
    # A locale without UTF-8 must not turn a story title into a crash.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
