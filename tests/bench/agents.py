"""Agents: from the real Claude Code's own word to the verdict. Ours only; needs bin/fetch-real."""

from collections.abc import Iterator
from pathlib import Path

from story_automator.canary.api import Api
from story_automator.run.agent_home import ALSO_INHERITED, asks_first, furnish
from tests.bench.figures import Figure, Row
from tests.bench.watcher import gather
from tests.bench.world import Lab, World
from tests.real.agents import FOUND, programs

ROUNDS, QUICK_ROUNDS = 20, 5
LIMIT = 60.0
# What the model does, the agent's word for it, the right verdict.
SCENES = (("turn", "Stop", "completed"), ("permission", "PermissionRequest", "stuck"))


def measure(lab: Lab) -> Iterator[Row]:
    if FOUND["claude"] is None:
        return
    rounds = QUICK_ROUNDS if lab.quick else ROUNDS
    with Api() as api, lab.worlds(only_us=True) as (world,):
        home = furnish(
            world.root / "h", world.project, url=api.url, path=programs(), scratch=world.root / "t"
        )
        world.environ |= home.environ
        config = home.folder / ".config" / "story-automator" / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(f"[environment]\nallow = {list(ALSO_INHERITED)}\n")
        for behaviour, event, right in SCENES:
            if behaviour == "permission":
                asks_first(world.project)
            taken = [_late(world, behaviour, event, right, n) for n in range(rounds)]
            good = tuple(1000 * late for late in taken if late is not None)
            note = f"{len(good)} of {rounds} right"
            what = f"Claude Code's {event} hook → {right}"
            yield Row("agents", what, "ms", {world.name: Figure(good, note)})


def _late(world: World, behaviour: str, event: str, right: str, number: int) -> float | None:
    command = world.run("tmux-wrapper", "build-cmd", "dev", "5.3", f"canary:{behaviour}")
    session = world.spawn(f"5.{number}{behaviour[:1]}", command)
    watcher = world.watch(session)
    gather([watcher], LIMIT)
    world.run("tmux-wrapper", "kill", session)
    for moment, verdict in watcher.verdicts:
        if verdict.get("final_state") == right:
            return moment - _told(world, session, event)
    return None


def _told(world: World, session: str, event: str) -> float:
    state = Path(world.environ["HOME"], ".local", "state", "story-automator", "sessions")
    events = (state / session / "events").glob(f"[!.]*-{event}.json")
    return max(path.stat().st_mtime for path in events)
