"""Where the canary sings: a loopback API, a home, a project and a tmux server, all its own."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from story_automator.canary.api import Api
from story_automator.edges.config import Settings
from story_automator.edges.files import private_directory
from story_automator.edges.git import Repository
from story_automator.edges.processes import family
from story_automator.edges.state import session_folder
from story_automator.edges.tmux import Tmux
from story_automator.errors import StoryAutomatorError
from story_automator.model.agents import AgentSettings
from story_automator.model.policy import Policy
from story_automator.model.verdict import Verdict, Verification
from story_automator.run.agent_home import (
    ALSO_INHERITED,
    AgentHome,
    asks_first,
    furnish,
    records_kept_in,
)
from story_automator.run.canary_place import HOME, SOCKET, place
from story_automator.run.command import build_command
from story_automator.run.kill import find_all, kill
from story_automator.run.signals import Witness, awaited
from story_automator.run.spawn import Attempt, spawn
from story_automator.run.trials import PRIMARY, RESETS_IN, Trial
from story_automator.watch.case import Limits
from story_automator.watch.outcome import Outcome
from story_automator.watch.servers import server
from story_automator.watch.subjects import subject
from story_automator.watch.until import until

START_LIMIT = 30.0
PATIENCE = 3.0  # a signal may come a moment after the verdict
WHOLE_MINUTES = timedelta(seconds=90)  # an agent tells the end of a limit no finer
SECOND = timedelta(seconds=1)
POLICY = Policy(screen_every=SECOND, idle_stands=SECOND)
TURN_OVER = Verification(True, "normal_completion", "", proven=False)


@dataclass(frozen=True, slots=True)
class Tried:
    """How one trial went."""

    trial: str
    as_expected: bool
    expected: str
    final_state: str
    exit_reason: str
    signals: dict[str, bool]
    seconds: float

    @property
    def missing(self) -> list[str]:
        return [name for name, came in self.signals.items() if not came]

    @property
    def ok(self) -> bool:
        """It ended as it should, and all that a verdict rests on arrived."""
        return self.as_expected and PRIMARY.isdisjoint(self.missing)

    @property
    def verdict(self) -> str:
        return f"{self.final_state}/{self.exit_reason}"


@contextlib.contextmanager
def stage(environ: Mapping[str, str]) -> "Iterator[Stage]":
    """Set everything up; a signal that would end us ends the canary in order."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    with Api() as api, place() as folder:
        made = _set_up(folder, api, environ.get("PATH", os.defpath))
        with records_kept_in(made.home.state):
            yield made


def _set_up(folder: Path, api: Api, path: str) -> "Stage":
    project = private_directory(folder / "p")
    home = furnish(folder / HOME, project, url=api.url, path=path, scratch=folder / "t")
    # Codex works in nothing but repositories.
    Repository(project, home.environ).run("init", "--quiet")
    asks_first(project)
    often = AgentSettings(refresh_interval=1)
    return Stage(project, home, Settings(POLICY, str(folder / SOCKET), ALSO_INHERITED, often), api)


@dataclass(frozen=True, slots=True)
class Stage:
    project: Path
    home: AgentHome
    settings: Settings
    api: Api

    @property
    def tmux(self) -> Tmux:
        return server(self.settings.socket, self.home.environ, POLICY)

    def run(self, agent: str, trials: tuple[Trial, ...], limit: timedelta) -> Iterator[Tried]:
        """Trials that run at the same time, in the order of their verdicts."""
        running = {self._spawn(agent, number, trial): trial for number, trial in enumerate(trials)}
        for name, trial in running.items():
            if trial.killed:
                _kill_at_work(self._witness(name, trial))
        socket = self.settings.socket
        watched = [subject(name, agent="", socket=socket, policy=POLICY) for name in running]
        for outcome in until(
            watched,
            limits=Limits(deadline=limit),
            settings=self.settings,
            environ=self.home.environ,
            verify=lambda _: TURN_OVER,
        ):
            yield self._judged(running[outcome.name], outcome)
        kill(find_all(self.tmux, None), self.tmux, POLICY)

    def _spawn(self, agent: str, number: int, trial: Trial) -> str:
        environ = self.home.signed_in() if trial.signed_in else dict(self.home.environ)
        environ["CLAUDE_CODE_MAX_RETRIES"] = "1"
        story = f"1.{number + 1}"
        command = build_command(
            *("auto", story),
            root=self.project,
            agent=agent,
            extra=f"canary:{trial.behaviour}",
            environ=environ,
        )
        return spawn(Attempt("auto", "1", story, command), self.project, self.settings, environ)

    def _witness(self, name: str, trial: Trial) -> Witness:
        folder = session_folder(name)
        record = folder.record() if folder else None
        if folder is None or record is None:
            raise StoryAutomatorError(f"the records of {name} are gone", hint="try again")
        return Witness(folder, record, self.home.folder, self.tmux, trial.state)

    def _judged(self, trial: Trial, outcome: Outcome) -> Tried:
        verdict = outcome.concluded.verdict
        witness = self._witness(outcome.name, trial)

        def arrived(signal: str) -> bool:
            return (
                self._tells_the_end(trial, verdict)
                if signal == "resets_at"
                else witness.sees(signal)
            )

        as_expected = verdict.state is trial.state and trial.reason in ("", verdict.reason)
        if as_expected:
            awaited(lambda: all(map(arrived, trial.signals)), PATIENCE)
        signals = {name: arrived(name) for name in trial.signals}
        return Tried(
            trial=trial.name,
            as_expected=as_expected,
            expected=trial.expected,
            final_state=verdict.state.value,
            exit_reason=verdict.reason,
            signals=signals | dict.fromkeys(sorted(witness.events() - signals.keys()), True),
            seconds=round(outcome.duration, 1),
        )

    def _tells_the_end(self, trial: Trial, verdict: Verdict) -> bool:
        asked = [request.at for request in self.api.requests if request.trial == trial.behaviour]
        if verdict.resets_at is None or not asked:
            return False
        due = datetime.fromtimestamp(asked[-1], UTC) + RESETS_IN
        return abs(verdict.resets_at - due) < WHOLE_MINUTES


def _kill_at_work(witness: Witness) -> None:
    awaited(lambda: witness.tool_runs() or witness.exit(), START_LIMIT)
    # The tool's hook is among what is about to be killed.
    awaited(lambda: witness.sees("PreToolUse") or witness.exit(), PATIENCE)
    started = witness.folder.started()
    for pid in family(started.agent_pid) if started else ():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
