"""The import table, pure rooms, file sizes and the one write path, read from the AST."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "story_automator"

MAY_IMPORT: dict[str, set[str]] = {
    "model": {"model"},
    "rules": {"model", "rules"},
    "agents": {"model", "agents"},
    "edges": {"model", "errors", "edges"},
    "rehearse": {"model", "edges", "errors", "rehearse"},
    "canary": {"model", "edges", "errors", "canary"},
    "watch": {"model", "rules", "agents", "edges", "errors", "watch"},
    "run": {"model", "rules", "agents", "edges", "watch", "canary", "errors", "run"},
    "cli": {
        "model",
        "rules",
        "agents",
        "edges",
        "watch",
        "run",
        "rehearse",
        "canary",
        "errors",
        "cli",
        "story_automator",
    },
}
# An edge touches one outside thing; the files, the project and each record are shared ground.
SHARED_EDGES = {
    *("files", "project", "state", "resources", "wrapper", "kqueue", "yaml"),
    *("bounded_call", "messages_api", "reply_schema"),
}
PURE_ROOMS = ("model", "rules", "agents")
IMPURE_MODULES = {
    "asyncio",
    "fcntl",
    "glob",
    "logging",
    "os",
    "random",
    "secrets",
    "select",
    "selectors",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
}
IMPURE_CALLS = {"open", "print", "input", "now", "today", "utcnow", "read_text", "read_bytes"}
# They are written in a heavy library, so they themselves are imported lazily, like the library.
WRITTEN_IN_IT = {"edges/reply_schema.py": "story_automator.edges.reply_schema"}
HEAVY = {"anthropic", "dbos", "jinja2", "libtmux", "pydantic", "rich", "ruamel", "textual", "typer"}
LONGEST_FILE = 300

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Every imported module with whether it stands at the top level of the file."""
    top = set(map(id, getattr(tree, "body", [])))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [node.module or ""]
            if node.module and node.module.count(".") <= 1 and node.module.startswith("story_"):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield name, id(node) in top


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
class TestEveryModule:
    def test_imports_only_what_its_room_may(self, path: Path) -> None:
        room = room_of(path)
        if room not in MAY_IMPORT:
            return
        for name, _ in imports(ast.parse(path.read_text())):
            if name.startswith("story_automator."):
                parts = name.split(".")
                target = parts[1]
                if target == "__version__":
                    target = "story_automator"
                assert target in MAY_IMPORT[room], f"{room} may not import {name}"
                if room == target == "edges":
                    assert parts[2] in SHARED_EDGES, f"{path.name} may not lean on {name}"

    def test_pure_rooms_touch_nothing_outside(self, path: Path) -> None:
        if room_of(path) not in PURE_ROOMS:
            return
        tree = ast.parse(path.read_text())
        for name, _ in imports(tree):
            root = name.split(".")[0]
            assert root not in IMPURE_MODULES, f"{path.name} imports {name}"
            known = root in sys.stdlib_module_names or root == "story_automator"
            assert known, f"{path.name} imports the library {name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func
                word = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                assert word not in IMPURE_CALLS, f"{path.name}:{node.lineno} calls {word}"

    def test_heavy_libraries_are_imported_lazily(self, path: Path) -> None:
        exempt = str(path.relative_to(PACKAGE)) in WRITTEN_IN_IT
        for name, at_top in imports(ast.parse(path.read_text())):
            heavy = name.split(".")[0] in HEAVY and not exempt
            heavy = heavy or any(name.startswith(module) for module in WRITTEN_IN_IT.values())
            assert not (at_top and heavy), f"{name} at the top of {path.name}"

    def test_is_small_and_says_what_it_is_for(self, path: Path) -> None:
        text = path.read_text()
        assert text.count("\n") < LONGEST_FILE
        assert ast.get_docstring(ast.parse(text)), "a module opens with one line saying its purpose"

    def test_writes_go_through_the_atomic_function(self, path: Path) -> None:
        relative = str(path.relative_to(PACKAGE))
        # The wrapper runs without our package; the stage plays an agent that writes like an agent.
        if relative in ("edges/files.py", "edges/wrapper.py") or relative.startswith("rehearse/"):
            return
        for node in ast.walk(ast.parse(text := path.read_text())):
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("write_text", "write_bytes"), f"{path.name}:{node.lineno}"
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open":
                modes = [a.value for a in node.args[1:2] if isinstance(a, ast.Constant)]
                assert not any(set(str(m)) & set("wax+") for m in modes), f"{node.lineno}: {text}"
