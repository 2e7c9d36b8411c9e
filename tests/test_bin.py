"""The set-up scripts on machines that lack something, imitated by a PATH of our own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

BIN = Path(__file__).resolve().parent.parent / "bin"
TOOLS = ("sh", "sed", "awk", "id", "printf", "env", "dirname", "cmp", "cat")


class Machine:
    """A folder of programs that is the whole PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for tool in TOOLS:
            if found := shutil.which(tool):
                (folder / tool).symlink_to(found)

    def program(self, name: str, script: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env={"PATH": str(self.folder), "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


def need(machine: Machine, *programs: str) -> subprocess.CompletedProcess[str]:
    return machine.run(str(BIN / "need"), *programs)


@pytest.mark.parametrize(
    "version", ["tmux 3.2", "tmux 3.3a", "tmux 3.10", "tmux next-3.5", "tmux 4.0"]
)
def test_a_new_enough_tmux_is_enough(machine: Machine, version: str) -> None:
    machine.program("tmux", f"echo {version}")
    assert need(machine, "tmux").returncode == 0


@pytest.mark.parametrize("version", ["tmux 3.1c", "tmux 2.9"])
def test_an_old_tmux_is_told_in_one_line(machine: Machine, version: str) -> None:
    machine.program("tmux", f"echo {version}")
    done = need(machine, "tmux")
    assert done.returncode == 1
    assert "tmux 3.2 or newer is needed; install it: sudo apt-get install tmux" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_program_is_installed_where_no_password_is_needed(machine: Machine) -> None:
    made = machine.folder / "jq"
    machine.program("id", "echo 0")
    machine.program(
        "apt-get", f'[ "$1" = install ] && printf "#!/bin/sh\\n" >{made} && chmod +x {made}'
    )
    (machine.folder / "chmod").symlink_to(str(shutil.which("chmod")))
    done = need(machine, "jq")
    assert done.returncode == 0, done.stderr
    assert os.access(made, os.X_OK)


def test_sudo_is_asked_only_without_a_password(machine: Machine) -> None:
    machine.program("id", "echo 1000")
    machine.program("sudo", '[ "$1" = -n ] || exit 99; exit 1')
    machine.program("apt-get", "exit 99")
    done = need(machine, "jq")
    assert done.returncode == 1
    assert "sudo apt-get install jq" in done.stderr


def test_without_a_python_one_line_says_what_to_install(machine: Machine, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "bin").mkdir(parents=True)
    shutil.copy(BIN / "setup", checkout / "bin" / "setup")
    (checkout / "requirements.lock").write_text("")
    (machine.folder / "pwd").symlink_to("/bin/pwd")
    machine.program("python3", "exit 1")
    done = machine.run(str(checkout / "bin" / "setup"), "run")
    assert done.returncode == 1
    assert "python 3.11 or newer is needed" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(checkout.glob(".venv*"))


def test_an_environment_that_matches_its_lock_is_left_alone(
    machine: Machine, tmp_path: Path
) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "bin").mkdir(parents=True)
    (checkout / ".venv").mkdir()
    shutil.copy(BIN / "setup", checkout / "bin" / "setup")
    for name in ("requirements.lock", ".venv/.requirements.lock"):
        (checkout / name).write_text("typer==0.28.0\n")
    assert machine.run(str(checkout / "bin" / "setup"), "run").returncode == 0


class TestFetchReal:
    """In a copy of the checkout that holds nothing but the script."""

    @pytest.fixture
    def root(self, tmp_path: Path, machine: Machine) -> Path:
        root = tmp_path / "checkout"
        (root / "bin").mkdir(parents=True)
        shutil.copy(BIN / "fetch-real", root / "bin")
        for tool in ("mkdir", "mv", "rm", "ls", "tar"):
            (machine.folder / tool).symlink_to(shutil.which(tool) or tool)
        return root

    @pytest.mark.parametrize(
        ("npm", "why"),
        [
            pytest.param("", "is not fetched without npm", id="no-npm"),
            pytest.param("exit 1", "could not be fetched with npm", id="no-network"),
            pytest.param("exit 0", "could not be fetched with npm", id="no-binary"),
        ],
    )
    def test_what_cannot_be_had_is_told_and_no_failure(
        self, machine: Machine, root: Path, npm: str, why: str
    ) -> None:
        if npm:
            machine.program("npm", npm)
        done = machine.run(str(root / "bin" / "fetch-real"))
        assert done.returncode == 0
        assert done.stderr.count(why) == len(done.stderr.splitlines()) == 3
        assert list((root / ".real").iterdir()) == []

    def test_what_a_killed_one_left_goes_and_what_another_makes_stays(
        self, machine: Machine, root: Path
    ) -> None:
        gone = subprocess.Popen(["true"])
        gone.wait()
        for name in (f"codex@0.1.new.{gone.pid}", f"codex@0.2.new.{os.getpid()}", "codex@0.197"):
            (root / ".real" / name).mkdir(parents=True)
        machine.run(str(root / "bin" / "fetch-real"))
        left = {path.name for path in (root / ".real").iterdir()}
        assert left == {f"codex@0.2.new.{os.getpid()}", "codex@0.197"}
