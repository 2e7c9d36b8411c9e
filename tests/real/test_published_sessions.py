"""Living sessions of ours beside those of the published tool: names, states, verdicts, ends."""

import csv
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from tests.real.published import (
    ARTIFACTS,
    SPRINT,
    Answer,
    Files,
    World,
    Worlds,
    needs_the_published_tool,
)
from tests.sessions import wait_until

pytestmark = needs_the_published_tool
KEYS = ["final_state", "todos_done", "todos_total", "output_file", "exit_reason", "output_verified"]
T = TypeVar("T")


@pytest.fixture(autouse=True)
def _skills(worlds: Worlds) -> None:
    for world in worlds:
        world.install_skills(".claude")


def in_both(worlds: Worlds, what: Callable[[World], T]) -> tuple[T, T]:
    """Ask both tools at once: the published one likes to sleep."""
    with ThreadPoolExecutor(2) as pool:
        ours, theirs = pool.map(what, worlds)
    return ours, theirs


def spawn(world: World, command: str, *flags: str, step: str = "dev", story: str = "5.3") -> str:
    said = world.said("tmux-wrapper", "spawn", step, "5", story, "--command", command, *flags)
    assert (said.code, said.err, said.out.count("\n")) == (0, "", 1), said
    return said.out.strip()


def state(world: World, name: str) -> str:
    (row,) = csv.reader([world.said("tmux-status-check", name).out.strip()])
    return row[5]


def ended(world: World, command: str, *flags: str) -> str:
    """A session that is over, as its own tool sees it."""
    name = spawn(world, command, *flags)
    wait_until(lambda: state(world, name) not in ("just_started", "in_progress"))
    return name


def running(world: World, story: str = "5.3") -> str:
    name = spawn(world, "exec sleep 300", story=story)
    wait_until(lambda: state(world, name) == "in_progress")
    return name


def foreign(world: World, name: str) -> str:
    """A session that a person started, on the same server."""
    world.tmux("-f", "/dev/null", "new-session", "-d", "-s", name, "exec sleep 300")
    assert is_there(world, name)
    return name


def is_there(world: World, name: str) -> bool:
    return name in world.tmux("list-sessions", "-F", "#{session_name}").splitlines()


def told(world: World, *argv: str) -> Answer:
    """An answer in which names, pids and output files are told by their kind."""

    def output(found: "re.Match[str]") -> str:
        assert Path(found[0]).is_file(), f"{found[0]} is not there"
        return "<output>"

    said = world.said(*argv)
    out = re.sub(r"/[^,\"\s]+\.txt", output, said.out)
    out = re.sub(r"sa-shopapi-\d{6}-\d{6}", "sa-shopapi-<stamp>", out)
    return Answer(said.code, re.sub(r",\d+,(?=true|false)", ",<pid>,", out), said.err)


class TestNames:
    @pytest.mark.parametrize(
        ("step", "flags"),
        [
            pytest.param("create", (), id="plain"),
            pytest.param("review", ("--cycle", "2"), id="with-a-cycle"),
            pytest.param("dev", ("--agent", "codex"), id="with-an-agent"),
        ],
    )
    def test_a_session_has_the_same_name(
        self, worlds: Worlds, step: str, flags: tuple[str, ...]
    ) -> None:
        def start(world: World) -> str:
            name = spawn(world, "exec sleep 300", *flags, step=step)
            assert is_there(world, name)
            return re.sub(r"\d{6}-\d{6}", "<stamp>", name)

        ours, theirs = in_both(worlds, start)
        assert ours == theirs


class TestLists:
    @pytest.mark.parametrize(
        "argv",
        [
            pytest.param(("tmux-wrapper", "list"), id="list"),
            pytest.param(("tmux-wrapper", "list", "--project-only"), id="list-project-only"),
            pytest.param(("list-sessions", "--slug", "shopapi"), id="by-slug"),
            pytest.param(("list-sessions", "--slug", "other"), id="by-another-slug"),
            pytest.param(("list-sessions", "--slug", "shop"), id="by-half-a-slug"),
        ],
    )
    def test_the_same_sessions_are_listed(self, worlds: Worlds, argv: tuple[str, ...]) -> None:
        def listed(world: World) -> Answer:
            for story in ("5.3", "5.4"):
                spawn(world, "exec sleep 300", story=story)
            for name in ("sa-other-1", "sa-shopapi-mine", "mine"):
                foreign(world, name)
            return told(world, *argv)

        ours, theirs = in_both(worlds, listed)
        assert ours == theirs


ENDINGS = {
    "well": ("echo hello", ()),
    "well-for-codex": ("echo hello", ("--agent", "codex")),
    "with-a-code": ("echo oops; exit 3", ()),
    "with-the-largest-code": ("echo oops; exit 255", ()),
    "by-a-signal": ("echo oops; kill -9 $$", ()),
    "by-being-asked-to": ("echo oops; kill -TERM $$", ()),
    "with-todos": ("printf '☒ a\\n☐ b\\n'", ()),
    "with-a-child-left-behind": ("sleep 300 & echo hello", ()),
    "on-several-lines": ("echo a\necho b", ()),
    "with-quotes-and-variables": ('echo "it\'s $HOME"', ()),
    "in-bash": ("[[ 1 == 1 ]] && echo ünï", ()),
    "in-more-than-a-line": (f"echo {'x' * 3000}", ()),
    "with-words-on-stderr": ("echo hello >&2", ()),
    "at-an-unknown-program": ("no-such-program", ()),
    "at-a-file-that-is-no-program": ("/etc/passwd", ()),
    "at-an-open-quote": ("echo 'open", ()),
}
LOOKS = {
    "exists": ("tmux-wrapper", "exists", "{name}"),
    "status": ("tmux-status-check", "{name}"),
    "status-in-full": ("tmux-status-check", "{name}", "--full"),
    "codex-status": ("codex-status-check", "{name}"),
    "codex-status-in-full": ("codex-status-check", "{name}", "--full"),
    "monitor": ("monitor-session", "{name}", "--initial-wait", "0"),
}


class TestLooks:
    @pytest.mark.parametrize("ending", ENDINGS)
    def test_an_ended_session_looks_the_same(self, worlds: Worlds, ending: str) -> None:
        command, flags = ENDINGS[ending]

        def looked_at(world: World) -> dict[str, Answer]:
            name = ended(world, command, *flags)
            return {
                look: told(world, *(word.format(name=name) for word in argv))
                for look, argv in LOOKS.items()
            }

        ours, theirs = in_both(worlds, looked_at)
        assert ours == theirs

    def test_a_running_session_looks_the_same(self, worlds: Worlds) -> None:
        def looked_at(world: World) -> list[Answer]:
            name = running(world)
            checks = ("tmux-status-check", "codex-status-check", "heartbeat-check")
            return [
                *(told(world, check, name) for check in checks),
                told(world, "tmux-status-check", name, "--full"),
                told(world, "heartbeat-check", name, "--agent", "codex"),
                told(world, "monitor-session", name, "--timeout", "0", "--initial-wait", "0"),
            ]

        ours, theirs = in_both(worlds, looked_at)
        assert ours == theirs

    @pytest.mark.parametrize(("ending", "word"), [("well", "completed"), ("with-a-code", "dead")])
    def test_differs_a_process_that_is_gone_has_no_pid(
        self, worlds: Worlds, ending: str, word: str
    ) -> None:
        """C2 40: the number may be somebody else's by now."""
        command, flags = ENDINGS[ending]
        ours, theirs = in_both(
            worlds, lambda world: told(world, "heartbeat-check", ended(world, command, *flags)).out
        )
        assert (ours, theirs) == (f"{word},0.0,,false\n", f"{word},0.0,<pid>,false\n")

    def test_a_foreign_session_looks_the_same(self, worlds: Worlds) -> None:
        ours, theirs = in_both(
            worlds, lambda world: told(world, "tmux-status-check", foreign(world, "mine"))
        )
        assert ours == theirs

    def test_differs_a_living_foreign_session_is_neither_dead_nor_stuck(
        self, worlds: Worlds
    ) -> None:
        """C2 and the gate: a look that knows nothing condemns nobody."""

        def looked_at(world: World) -> list[str]:
            name = foreign(world, "mine")
            return [
                told(world, f"{check}-check", name).out for check in ("heartbeat", "codex-status")
            ]

        ours, theirs = in_both(worlds, looked_at)
        assert ours == ["idle,0.0,<pid>,false\n", "idle,0,0,,0,just_started\n"]
        assert theirs == ["dead,0.0,,false\n", "idle,0,0,,0,stuck\n"]

    def test_differs_a_session_is_called_by_the_agent_it_was_started_for(
        self, worlds: Worlds
    ) -> None:
        """F5: what was started is known; the command that asks says nothing about it."""

        def looked_at(world: World) -> str:
            name = spawn(world, "exec sleep 300", "--agent", "codex")
            wait_until(lambda: state(world, name) == "in_progress")
            return told(world, "tmux-status-check", name).out

        ours, theirs = in_both(worlds, looked_at)
        assert ours == "active,0,0,Codex working,60,in_progress\n"
        assert theirs == "active,0,0,Claude working,60,in_progress\n"

    def test_differs_a_session_is_known_from_everywhere(self, worlds: Worlds) -> None:
        """C2 77: the same verdict from another directory."""

        def looked_at(world: World) -> str:
            name = ended(world, "echo hello")
            return told(world, "tmux-status-check", name, "--project-root", "/").out

        ours, theirs = in_both(worlds, looked_at)
        assert ours == "idle,1,1,,0,completed\n"
        assert theirs == "idle,0,0,,0,just_started\n"

    def test_differs_a_session_taken_away_is_gone_at_once(self, worlds: Worlds) -> None:
        """F2: nobody is in progress without a session."""

        def looked_at(world: World) -> str:
            name = running(world)
            world.tmux("kill-session", "-t", f"={name}")
            return told(world, "tmux-status-check", name).out

        ours, theirs = in_both(worlds, looked_at)
        assert ours == "not_found,0,0,,0,not_found\n"
        assert theirs != ours

    def test_differs_names_match_exactly(self, worlds: Worlds) -> None:
        """C3: -t name is a prefix for tmux."""

        def asked(world: World) -> Answer:
            foreign(world, "sa-shopapi-mine")
            return told(world, "tmux-wrapper", "exists", "sa-shopapi-mi")

        ours, theirs = in_both(worlds, asked)
        assert (ours.code, ours.out) == (1, "false\n")
        assert (theirs.code, theirs.out) == (0, "true\n")


def sprint(*lines: str) -> Files:
    return {SPRINT: "development_status:\n" + "".join(f"  {line}\n" for line in lines)}


def verdict(world: World, *argv: str) -> list[tuple[str, object]]:
    """The contract's part of a verdict, after the shape of the whole was checked."""
    said = told(world, "monitor-session", *argv, "--json")
    assert (said.code, said.err, said.out.count("\n")) == (0, "", 1), said
    pairs = list(json.loads(said.out).items())
    assert [key for key, _ in pairs[:6]] == KEYS
    return pairs[:6]


class TestVerdicts:
    @pytest.mark.parametrize(
        ("command", "lasting"),
        [
            pytest.param("sleep 1; echo ok", "completed", id="well"),
            pytest.param("sleep 1; echo no; exit 3", "crashed", id="with-a-code"),
        ],
    )
    def test_a_session_is_watched_to_its_end(
        self, worlds: Worlds, command: str, lasting: str
    ) -> None:
        ours, theirs = in_both(worlds, lambda world: verdict(world, spawn(world, command)))
        assert ours == theirs
        assert dict(ours)["final_state"] == lasting

    @pytest.mark.parametrize(
        ("flags", "files"),
        [
            pytest.param((), {}, id="dev-by-default"),
            pytest.param(("--workflow", "auto"), {}, id="auto"),
            pytest.param(
                ("--workflow", "create", "--story-key", "5.3"),
                {f"{ARTIFACTS}/5-3-a.md": "# a\n"},
                id="created",
            ),
            pytest.param(
                ("--workflow", "review", "--story-key", "5.3"), sprint("5-3-a: done"), id="reviewed"
            ),
            pytest.param(
                ("--workflow", "review", "--story-key", "5-3-a"),
                {f"{ARTIFACTS}/5-3-a.md": "---\nstatus: done\n---\n"},
                id="reviewed-by-the-story-file",
            ),
            pytest.param(
                ("--workflow", "retro", "--story-key", "5"),
                sprint("5-1-a: done", "5-2-b: done"),
                id="looked-back",
            ),
        ],
    )
    def test_a_verified_step_is_completed(
        self, worlds: Worlds, flags: tuple[str, ...], files: Files
    ) -> None:
        def watched(world: World) -> list[tuple[str, object]]:
            world.put(files)
            return verdict(world, ended(world, "echo hello"), "--initial-wait", "0", *flags)

        ours, theirs = in_both(worlds, watched)
        assert ours == theirs
        assert dict(ours)["output_verified"] is True

    @pytest.mark.parametrize(
        ("flags", "files", "reason"),
        [
            pytest.param(
                ("--workflow", "create", "--story-key", "5.3"),
                {},
                "unexpected_story_artifact_count",
                id="nothing-created",
            ),
            pytest.param(("--workflow", "create"), {}, "story_key_required", id="no-key"),
            pytest.param(
                ("--workflow", "review", "--story-key", "5.3"),
                sprint("5-3-a: review"),
                "workflow_not_complete",
                id="not-reviewed",
            ),
            pytest.param(
                ("--workflow", "review", "--story-key", "x"),
                {},
                "could_not_normalize_key",
                id="no-story",
            ),
            pytest.param(
                ("--workflow", "retro", "--story-key", "5"),
                sprint("5-1-a: done", "5-2-b: review"),
                "epic_incomplete",
                id="epic-unfinished",
            ),
            pytest.param(
                ("--workflow", "retro", "--story-key", "5"), {}, "no_stories_found", id="no-epic"
            ),
            pytest.param(
                ("--workflow", "nope", "--story-key", "5.3"),
                {},
                "verifier_contract_invalid",
                id="unknown-workflow",
            ),
        ],
    )
    def test_an_unverified_step_is_incomplete(
        self, worlds: Worlds, flags: tuple[str, ...], files: Files, reason: str
    ) -> None:
        def watched(world: World) -> list[tuple[str, object]]:
            world.put(files)
            return verdict(world, ended(world, "echo hello"), "--initial-wait", "0", *flags)

        ours, theirs = in_both(worlds, watched)
        assert dict(ours)["exit_reason"] == reason
        assert ours == theirs

    def test_differs_an_ended_session_is_not_overdue(self, worlds: Worlds) -> None:
        """C5 100: look first, then at the clock."""
        ours, theirs = in_both(
            worlds,
            lambda world: dict(
                verdict(world, ended(world, "echo hi"), "--initial-wait", "0", "--timeout", "0")
            )["exit_reason"],
        )
        assert (ours, theirs) == ("normal_completion", "exceeded_0m")

    def test_differs_the_end_of_the_output_is_kept(self, worlds: Worlds) -> None:
        """O1, O3: the whole session's text and nothing else."""

        def output(world: World) -> str:
            name = ended(world, "seq 1 1000; echo FINAL-VERDICT")
            said = world.said("monitor-session", name, "--initial-wait", "0", "--json")
            return Path(json.loads(said.out)["output_file"]).read_text()

        ours, theirs = in_both(worlds, output)
        assert ours.splitlines() == [*map(str, range(1, 1001)), "FINAL-VERDICT"]
        assert "FINAL-VERDICT" not in theirs

    def test_differs_a_session_that_printed_nothing_has_no_output_file(
        self, worlds: Worlds
    ) -> None:
        """O3: nothing but the session's own text."""
        ours, theirs = in_both(
            worlds,
            lambda world: (
                told(world, "monitor-session", ended(world, "exit 3"), "--initial-wait", "0").out
            ),
        )
        assert ours == "crashed,0,0,,exit_code_3\n"
        assert theirs == "crashed,0,0,<output>,exit_code_3\n"


class TestSurroundings:
    def test_the_command_runs_in_the_same_place(self, worlds: Worlds) -> None:
        """Directory, size and the variables that the contract names."""
        command = 'echo "in=$PWD child=$STORY_AUTOMATOR_CHILD agent=$AI_AGENT"'

        def output(world: World) -> list[str]:
            name = ended(world, f"{command}; echo claudecode=$CLAUDECODE.")
            size = world.tmux("list-panes", "-t", f"={name}:", "-F", "#{pane_width}x#{pane_height}")
            said = world.said("monitor-session", name, "--initial-wait", "0", "--json")
            text = Path(json.loads(said.out)["output_file"]).read_text()
            lines = world.normal(text).splitlines()
            return [size, *(x for x in lines if x and not x.startswith("Pane is dead"))]

        ours, theirs = in_both(worlds, output)
        assert ours == theirs
        assert ours == [
            "200x50\n",
            "in=<world>/shop-api child=true agent=claude",
            "claudecode=.",
        ]


class TestKills:
    def test_a_session_of_its_own_is_gone(self, worlds: Worlds) -> None:
        def killed(world: World) -> list[Answer]:
            name = running(world)
            first = told(world, "tmux-wrapper", "kill", name)
            assert not is_there(world, name)
            looks = ("tmux-status-check", name), ("heartbeat-check", name)
            return [first, *(told(world, *look) for look in looks)]

        ours, theirs = in_both(worlds, killed)
        assert ours == theirs
        assert ours[0] == Answer(0, "", "")

    def test_differs_kill_loses_no_output(self, worlds: Worlds) -> None:
        """O4: the log outlives the session, and the verdict says who ended it."""

        def killed(world: World) -> str:
            name = spawn(world, "echo hello; exec sleep 300")
            wait_until(lambda: "hello" in world.tmux("capture-pane", "-p", "-t", f"={name}:"))
            world.said("tmux-wrapper", "kill", name)
            return told(world, "monitor-session", name, "--initial-wait", "0").out

        ours, theirs = in_both(worlds, killed)
        assert ours == "not_found,0,0,<output>,session_killed\n"
        assert theirs == "not_found,0,0,,session_gone\n"

    def test_all_of_a_project_are_counted(self, worlds: Worlds) -> None:
        def killed(world: World) -> list[Answer]:
            for story in ("5.3", "5.4"):
                spawn(world, "exec sleep 300", story=story)
            first = told(world, "tmux-wrapper", "kill-all", "--project-only")
            return [first, told(world, "tmux-wrapper", "list")]

        ours, theirs = in_both(worlds, killed)
        assert ours == theirs
        assert [answer.out for answer in ours] == ["Killed 2 sessions\n", "\n"]

    def test_differs_nobody_elses_session_is_killed(self, worlds: Worlds) -> None:
        """C1 5: a clear refusal."""

        def killed(world: World) -> tuple[int, bool]:
            name = foreign(world, "mine")
            return told(world, "tmux-wrapper", "kill", name).code, is_there(world, name)

        ours, theirs = in_both(worlds, killed)
        assert (ours, theirs) == ((1, True), (0, False))

    def test_differs_a_dead_name_kills_no_living_sibling(self, worlds: Worlds) -> None:
        """C1 3: `…-review` is not `…-review-r2`."""

        def killed(world: World) -> tuple[int, bool]:
            name = spawn(world, "exec sleep 300", "--cycle", "2", step="review")
            answer = told(world, "tmux-wrapper", "kill", name.removesuffix("-r2"))
            return answer.code, is_there(world, name)

        ours, theirs = in_both(worlds, killed)
        assert (ours, theirs) == ((0, True), (0, False))

    def test_differs_kill_all_spares_what_is_not_ours(self, worlds: Worlds) -> None:
        """C1 4, S4: names that begin like ours are not enough."""

        def killed(world: World) -> tuple[str, bool]:
            name = foreign(world, "sa-shopapi-mine")
            spawn(world, "exec sleep 300")
            return told(world, "tmux-wrapper", "kill-all").out, is_there(world, name)

        ours, theirs = in_both(worlds, killed)
        assert ours == ("Killed 1 sessions\n", True)
        assert theirs == ("Killed 2 sessions\n", False)
