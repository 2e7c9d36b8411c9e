"""What a finished watch hands over: the whole output as a file, and the contract's fields."""

import time
from dataclasses import dataclass, replace
from pathlib import Path

from story_automator.agents.look import newest_todos
from story_automator.edges.files import private_directory, write_atomic
from story_automator.edges.memory import foreign_memory
from story_automator.edges.output import tail
from story_automator.edges.tmux import Tmux
from story_automator.model.evidence import ProcessEnd, TurnState
from story_automator.model.told import Told
from story_automator.rules.masking import mask
from story_automator.watch.case import Concluded
from story_automator.watch.recording import write_recording
from story_automator.watch.session import Watched
from story_automator.watch.telling import told

TODO_TAIL = 1 << 18


@dataclass(frozen=True, slots=True)
class Outcome:
    """One session's result."""

    concluded: Concluded
    output_file: str  # empty only when there is nothing to save
    todos_done: int
    todos_total: int
    duration: float
    told: Told

    @property
    def name(self) -> str:
        return self.concluded.watched.known.name

    @property
    def end(self) -> ProcessEnd | None:
        return self.concluded.evidence.end


def outcome(concluded: Concluded, server: Tmux) -> Outcome:
    watched = concluded.watched
    known = told(watched)
    try:
        path = save_output(watched, known, server)
    except OSError as error:
        # The verdict is worth more than the text: the raw log is still there.
        words = f"{concluded.verdict.because}; the output could not be saved: {error.strerror}"
        concluded = replace(concluded, verdict=replace(concluded.verdict, because=words))
        path = None
    done, total = todos(watched, path, finished=concluded.evidence.verification is not None)
    saved = str(path) if path else ""
    return Outcome(concluded, saved, done, total, _duration(watched), known)


def save_output(watched: Watched, known: Told, server: Tmux) -> Path | None:
    """Write all that the session said and did to a private file; None when there is nothing."""
    folder = watched.known.folder
    if folder is not None:
        written = write_recording(
            folder.output,
            transcript=Path(known.transcript) if known.transcript else None,
            log=folder.log,
            agent=watched.known.agent,
            last_message=known.last_message,
            unfinished=watched.turn.state not in (TurnState.FINISHED, TurnState.FAILED),
        )
        # Whoever parses the output later looks for it there; Codex stores its own.
        if known.last_message and watched.known.agent != "codex":
            private_directory(folder.agent)
            write_atomic(folder.last_message, mask(known.last_message), mode=0o600)
        return folder.output if written else None
    if watched.pane is None:
        return None
    shown = server.history(watched.pane.pane)
    if not shown.strip():
        return None
    path = foreign_memory(watched.known.socket, watched.known.name).with_suffix(".txt")
    write_atomic(path, mask(shown.strip("\n") + "\n"), mode=0o600)
    return path


def todos(watched: Watched, output: Path | None, *, finished: bool) -> tuple[int, int]:
    """Todo boxes: from the end of the output, else as last seen on the screen.

    The contract counts a finished session that printed anything as at least one of one.
    """
    done, total = watched.memory.todos_done, watched.memory.todos_total
    if output is not None:
        text = tail(output, TODO_TAIL).decode(errors="replace")
        counted = newest_todos(text.splitlines())
        if counted[1]:
            done, total = counted
        elif finished and not total:
            done, total = 1, 1
    return done, total


def _duration(watched: Watched) -> float:
    record, ending = watched.known.record, watched.ending
    if record is None or ending is None:
        return time.monotonic() - watched.began
    until = ending.ended.at if ending.ended is not None else time.time()
    return max(until - record.created, 0.0)
