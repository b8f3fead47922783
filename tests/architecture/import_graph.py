"""Which module imports which, imports inside functions and lazily loaded names included.

python tests/architecture/import_graph.py                  # edges between rooms
python tests/architecture/import_graph.py journeys         # modules that each journey passes
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
EXAMPLE = Path(__file__).parents[2] / "examples" / "scores.csv"
CORE = Path(__file__).parents[2] / "core"
# Registered from above and called from below: the only way up.
REGISTERED = {"roclab.result": "roclab.report.presenter"}


def modules() -> dict[str, Path]:
    found = {}
    for file in sorted(SOURCE.rglob("*.py")):
        name = ".".join(file.relative_to(SOURCE).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = file
    return found


def exported(package: Path) -> dict[str, str]:
    """Names of a package that its stub loads lazily, with the modules that define them."""
    stub = package / "__init__.pyi"
    text = stub.read_text("utf-8") if stub.exists() else ""
    found = re.findall(r"^from (\S+) import \(?\s*(\w+) as", text, re.MULTILINE)
    return {name: module for module, name in found}


def executed(tree: ast.AST):
    """All nodes but those for type checkers only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from executed(node)


def imports() -> dict[str, set[str]]:
    """The modules that each module imports, at its top or inside a function."""
    known = modules()
    lazy = {name: exported(file.parent) for name, file in known.items() if file.stem == "__init__"}

    def home(module: str, name: str) -> str:
        if f"{module}.{name}" in known:
            return f"{module}.{name}"
        while name in lazy.get(module, {}) and lazy[module][name] != module:
            module = lazy[module][name]
        return module

    graph: dict[str, set[str]] = defaultdict(set)
    for name, file in known.items():
        for node in executed(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("roclab")
            ):
                graph[name] |= {home(node.module, alias.name) for alias in node.names}
            elif isinstance(node, ast.Import):
                graph[name] |= {one.name for one in node.names if one.name.startswith("roclab")}
        graph[name] -= {name, "roclab"}
    return graph


def imports_of_the_core() -> list[str]:
    """Modules of ours that the compiled core imports by name."""
    pattern = re.compile(r'(?:import_|PyImport_ImportModule)\(\s*"(roclab[\w.]*)"')
    return [
        f"{file.name}: {found}"
        for file in sorted(CORE.rglob("*.[ch]pp"))
        for found in pattern.findall(file.read_text("utf-8"))
    ]


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def rooms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for module, imported in imports().items():
        found[room(module)] |= {room(one) for one in imported} - {room(module)}
    return found


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle; empty if there are none."""
    done: set[str] = set()
    path: list[str] = []

    def visit(module: str) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        path.append(module)
        for one in sorted(graph.get(module, ())):
            if found := visit(one):
                return found
        path.pop()
        done.add(module)
        return []

    for module in sorted(graph):
        if found := visit(module):
            return found
    return []


JOURNEYS = {
    "AUC with its interval from a file": [
        "evaluate",
        str(EXAMPLE),
        "--label",
        "malignant",
    ],
    "compare models": ["compare", str(EXAMPLE), "--label", "malignant"],
    "pick from models": ["select", str(EXAMPLE), "--label", "malignant", "--seed", "1"],
    "plan a study": ["power", "--auc", "0.8", "--n-pos", "30", "--n-neg", "40"],
    "repair a classifier": [
        *("repair", str(EXAMPLE), "--label", "malignant", "--score", "naive_bayes"),
        *("--check-on", "size=small"),
    ],
    "watch a stream": ["watch", "--label", "label", "--score", "score"],
    "a table larger than memory": [
        *("evaluate", str(EXAMPLE), "--label", "malignant"),
        *("--engine", "polars", "--memory", "10MB"),
    ],
}


def passed(arguments: list[str]) -> list[str]:
    """The modules of roclab whose functions a command runs, once everything is loaded."""
    import contextlib
    import io

    from roclab.cli import main

    files = {str(file): name for name, file in modules().items()}
    seen: set[str] = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_name != "<module>":
            name = files.get(frame.f_code.co_filename)
            if name is not None:
                seen.add(name)

    lines = b"label,score\n" + b"1,0.9\n0,0.2\n1,0.8\n0,0.3\n" * 50
    before = sys.stdin
    try:
        for profile in (None, note):
            sys.stdin = io.TextIOWrapper(io.BytesIO(lines))
            output = io.TextIOWrapper(io.BytesIO())
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                sys.setprofile(profile)
                main(arguments)
                sys.setprofile(None)
    finally:
        sys.stdin = before
    return sorted(seen)


if __name__ == "__main__":
    if sys.argv[1:] == ["journeys"]:
        for journey, arguments in JOURNEYS.items():
            found = passed(arguments)
            print(f"{journey}: {len(found)} modules\n   {' '.join(found)}")
    else:
        for name, below in sorted(rooms().items()):
            print(f"{name}: {' '.join(sorted(below))}")
