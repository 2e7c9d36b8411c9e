"""A program named claude that does what a test says, and writes down how it was called."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.sessions import is_running, wait_until

ENVELOPE = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "",
    "total_cost_usd": 0.002,
    "usage": {"input_tokens": 1200, "cache_read_input_tokens": 300, "output_tokens": 80},
    "modelUsage": {"claude-haiku-4-5-20251001": {}},
}
PROGRAM = """#!{python}
import json, os, sys
home = {home!r}
calls = os.path.join(home, "calls")
number = len(os.listdir(calls))
told = dict(argv=sys.argv[1:], stdin=sys.stdin.read(), cwd=os.getcwd(), env=dict(os.environ))
with open(os.path.join(calls, str(number)), "w") as file:
    json.dump(told, file)
os.chdir(home)
sys.argv = [sys.argv[0], str(number)]
exec(open(os.path.join(home, "play.py")).read())
"""


@dataclass
class Claude:
    """A program named claude that does what a test says, and writes down how it was called."""

    folder: Path
    environ: dict[str, str]

    def plays(self, *answers: object, code: int = 0, err: str = "") -> None:
        """It prints one answer after the other, and the last one for ever."""
        texts = [one if isinstance(one, str) else json.dumps(one) for one in answers]
        self.does(
            f"answers = {texts!r}\n"
            "print(answers[min(int(sys.argv[1]), len(answers) - 1)])\n"
            f"print({err!r}, file=sys.stderr, end='')\nsys.exit({code})"
        )

    def does(self, script: str) -> None:
        (self.folder / "play.py").write_text(script)

    def child_ends(self) -> None:
        child = int((self.folder / "child").read_text())
        wait_until(lambda: not is_running(child))

    @property
    def calls(self) -> list[dict[str, Any]]:
        stored = sorted((self.folder / "calls").iterdir(), key=lambda path: int(path.name))
        return [json.loads(path.read_text()) for path in stored]


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    folder = tmp_path / "claude"
    (folder / "calls").mkdir(parents=True)
    program = folder / "claude"
    program.write_text(PROGRAM.format(python=sys.executable, home=str(folder)))
    program.chmod(0o755)
    return Claude(folder, {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": os.environ["HOME"]})


def result(**told: object) -> dict[str, object]:
    return {**ENVELOPE, **told}


def failed(words: str, status: int | None = None, **told: object) -> dict[str, object]:
    return result(is_error=True, result=words, api_error_status=status, **told)
