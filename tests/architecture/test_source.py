"""Rules of the house that a reader of the source may rely on."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "roclab"
FILES = sorted(SOURCE.rglob("*.py"))

# Where a package beyond numpy may be imported, by the first part of the path in src/roclab.
ROOMS_OF = {
    "scipy": {"decisions", "inference", "measures", "learning", "numeric", "selection"},
    "skops": {"learning"},
    "polars": {"readers", "scale", "monitor"},
    "narwhals": {"readers", "scale"},
    "pyspark": {"scale"},
    "dask": {"scale"},
    "distributed": {"scale"},
    "sklearn": {"learning", "repair", "selection"},
    "matplotlib": {"report"},
    "rich": {"report", "cli"},
    "typer": {"cli"},
    "click": {"cli"},
    "fastapi": {"monitor", "cli"},
    "starlette": {"monitor"},
    "uvicorn": {"monitor", "cli"},
    "msgspec": {"monitor", "cli"},
    "prometheus_client": {"monitor"},
}
# Who may use BLAS outside of learning, although it adds in another order on each processor.
BLAS_IN = {
    "inference/bands/binormal_likelihood.py": "steps to a maximum, which end within a tolerance",
    "inference/comparison/omnibus.py": "eigenvalues of all models together, for one chi-square",
    "streaming/drift/cusum.py": "run lengths, compared with the one wanted",
}
BLAS = {"dot", "einsum", "inner", "linalg", "matmul", "tensordot", "vdot"}
# Of scores; `unique` of labels, groups or dates is no sort of scores.
SORTS = {"sort", "argsort", "lexsort", "argpartition"}
# Events by time, and changes of labels by the number of their segments.
NO_SCORES = {
    "monitor/demo.py",
    "monitor/history.py",
    "monitor/replay.py",
    "monitor/store/records.py",
}


def calls(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute):
                yield function.attr, node.lineno
            elif isinstance(function, ast.Name):
                yield function.id, node.lineno


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def name_of(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", FILES, ids=name_of)
class TestFile:
    def test_scores_are_sorted_only_in_the_core(self, file: Path) -> None:
        found = [line for name, line in calls(ast.parse(file.read_text())) if name in SORTS]
        assert not found or name_of(file) in NO_SCORES

    def test_only_the_command_line_prints(self, file: Path) -> None:
        found = [line for name, line in calls(ast.parse(file.read_text())) if name == "print"]
        assert not found or room(file) == "cli"

    def test_results_do_not_depend_on_the_blas_of_the_processor(self, file: Path) -> None:
        """`roclab.numeric.sums.dot` has the same digits everywhere."""
        tree = ast.parse(file.read_text())
        products = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.MatMult)
            or (isinstance(node, ast.Attribute) and node.attr in BLAS)
        ]
        assert not products or room(file) == "learning" or name_of(file) in BLAS_IN

    def test_packages_are_imported_only_in_their_rooms(self, file: Path) -> None:
        for package in imported(ast.parse(file.read_text())):
            assert room(file) in ROOMS_OF.get(package, {room(file)}), package

    def test_no_assert_guards_user_input(self, file: Path) -> None:
        tree = ast.parse(file.read_text())
        assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]


def test_only_the_studies_import_the_studies() -> None:
    """They are a project of their own, which a source distribution goes without."""
    root = SOURCE.parents[1]
    for folder in ("src", "tests", "benchmarks", "docs", "examples"):
        for file in (root / folder).rglob("*.py"):
            assert "roclab_studies" not in imported(ast.parse(file.read_text())), file
