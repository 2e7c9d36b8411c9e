"""The sprint file under parallel writers, kill -9, failing calls and a full disk."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

OLD = "# kept\n" + "".join(f"1-{n}-story: backlog  # {'x' * 60}\n" for n in range(12))
NEW = OLD.replace("1-3-story: backlog", "1-3-story: done")

PREAMBLE = """
import json, os, resource, signal, sys
from pathlib import Path
from story_automator.edges.sprint import set_status, statuses
from story_automator.errors import StoryAutomatorError
root = Path(sys.argv[1])
statuses(root)  # what is imported lazily is imported by now
"""

PARALLEL = """
ready, go = os.pipe()
children = []
for n in range(12):
    child = os.fork()
    if child == 0:
        os.close(go)
        os.read(ready, 1)
        os._exit(0 if set_status(root, f"1-{n}-story", "done") else 1)
    children.append(child)
os.close(go)
print(json.dumps([os.waitpid(child, 0)[1] for child in children]))
"""

# Every call into the system (open, write, rename, lock ...) is interrupted once, in turn:
# killed before it starts and after it returned, or failing instead of being made.
INTERRUPTED = """
path, old, how = Path(sys.argv[2]), sys.argv[3], sys.argv[4]
moments = ("c_call", "c_return") if how == "kill" else ("c_call",)
seen = []
def touches_the_outside(function):
    owner = type(getattr(function, "__self__", None)).__module__
    return owner == "_io" or getattr(function, "__module__", "") in ("posix", "fcntl", "_io", "io")
for nth in range(1, 1000):
    path.write_text(old)
    child = os.fork()
    if child == 0:
        count = 0
        def interrupt(frame, event, function):
            global count
            if event in moments and touches_the_outside(function):
                count += 1
                if count == nth:
                    if how == "kill":
                        os.kill(os.getpid(), signal.SIGKILL)
                    raise OSError(5, "Input/output error")
        code = 0
        sys.setprofile(interrupt)
        try:
            set_status(root, "1-3-story", "done")
        except StoryAutomatorError:
            code = 7
        except BaseException:
            code = 8
        sys.setprofile(None)
        os._exit(code or (0 if count < nth else 9))
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    seen.append([ended, path.read_text()])
    if ended == 0:
        break
print(json.dumps(seen))
"""

FULL = """
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
try:
    set_status(root, "1-3-story", "done")
except StoryAutomatorError as error:
    print(json.dumps([error.message, error.hint]))
"""


def play(program: str, *argv: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + program, *argv],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture
def sprint(project: Path) -> Path:
    path = project / "_bmad-output" / "implementation-artifacts" / "sprint-status.yaml"
    path.write_text(OLD)
    return path


def leftovers(sprint: Path) -> list[str]:
    return [path.name for path in sprint.parent.iterdir() if path.name.endswith(".tmp")]


def test_twelve_parallel_updates_all_survive(project: Path, sprint: Path) -> None:
    assert play(PARALLEL, str(project)) == [0] * 12
    assert sprint.read_text() == OLD.replace("backlog", "done")


def test_kill_9_at_any_call_leaves_the_old_or_the_new_file(project: Path, sprint: Path) -> None:
    seen = play(INTERRUPTED, str(project), str(sprint), OLD, "kill")
    codes = [code for code, _ in seen]
    assert len(codes) > 20, "the update was interrupted at many calls"
    assert codes == [-9] * (len(codes) - 1) + [0]
    assert {text for _, text in seen} == {OLD, NEW}
    assert seen[-1][1] == NEW


def test_a_call_that_fails_is_told_and_leaves_no_torn_file(project: Path, sprint: Path) -> None:
    seen = play(INTERRUPTED, str(project), str(sprint), OLD, "fail")
    codes = [code for code, _ in seen]
    assert len(codes) > 20, "many calls failed in turn"
    assert codes[-1] == 0
    assert set(codes[:-1]) <= {7, 9}, "every failure is one sentence, or was made up for"
    assert {text for _, text in seen} <= {OLD, NEW}
    assert leftovers(sprint) == []


def test_a_full_disk_leaves_the_old_file_and_says_so(project: Path, sprint: Path) -> None:
    message, hint = play(FULL, str(project))
    assert message == f"cannot update the sprint file of {project}: File too large"
    assert hint == "the file is whole; try again"
    assert sprint.read_text() == OLD
    assert leftovers(sprint) == []
