"""git, for one repository: commit what a story changed, with an identity of its own if asked."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from story_automator.errors import StoryAutomatorError

LIMIT = 60.0


class Repository:
    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = dict(environ)

    @classmethod
    def create(cls, root: Path, environ: Mapping[str, str]) -> "Repository":
        """A new repository with everything in `root` as its first commit."""
        made = cls(root, environ)
        made.run("init", "--quiet", "--initial-branch=main")
        made.commit_all("chore: start of the sample project")
        return made

    def commit_all(self, message: str) -> str:
        """Commit the whole work tree; the short id of the commit, or empty for no change."""
        self.run("add", "--all")
        if not self.run("status", "--porcelain"):
            return ""
        self.run("commit", "--quiet", "--message", message)
        return self.run("rev-parse", "--short", "HEAD")

    def run(self, *arguments: str) -> str:
        try:
            done = subprocess.run(
                ["git", "-C", str(self._root), *arguments],
                env=self._environ,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LIMIT,
                check=False,
            )
        except FileNotFoundError:
            raise StoryAutomatorError(
                "git is not installed", hint="sudo apt-get install git   (or: brew install git)"
            ) from None
        except subprocess.TimeoutExpired:
            raise StoryAutomatorError(f"git {arguments[0]} did not end in {LIMIT:g} s") from None
        if done.returncode:
            words = (done.stderr or done.stdout).strip().splitlines()
            raise StoryAutomatorError(f"git {arguments[0]}: {words[-1] if words else 'failed'}")
        return done.stdout.strip()
