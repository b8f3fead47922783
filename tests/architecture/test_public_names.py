"""The public face: what `roclab` promises, and that asking for it brings in nothing else."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import roclab

DOCS = Path(__file__).parents[2] / "docs"
STUB = ast.parse((Path(roclab.__file__).parent / "__init__.pyi").read_text())


def test_all_is_sorted_and_without_repetition() -> None:
    assert list(roclab.__all__) == sorted(set(roclab.__all__))


@pytest.mark.parametrize("name", roclab.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(roclab, name).__doc__


@pytest.mark.parametrize("module", sorted(roclab._HOMES))
def test_rooms_export_their_public_names(module: str) -> None:
    room = importlib.import_module(module)
    assert set(roclab._HOMES[module]) <= set(room.__all__)
    # constants, classes, functions, as ruff sorts them
    assert list(room.__all__) == sorted(
        room.__all__, key=lambda n: (not n.isupper(), n.islower(), n)
    )


def test_all_lists_exactly_what_has_a_home() -> None:
    assert set(roclab.__all__) == set(roclab._HOME_OF)
    assert set(roclab.__all__) <= set(dir(roclab))


@pytest.mark.parametrize("room", roclab._ROOMS)
def test_rooms_can_be_reached_from_the_top(room: str) -> None:
    probe = f"import roclab as rl; print(rl.{room}.__name__)"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [f"roclab.{room}"]
    assert room in dir(roclab)


def test_the_stub_has_the_same_names_from_the_same_homes() -> None:
    homes = {
        alias.name: node.module
        for node in STUB.body
        if isinstance(node, ast.ImportFrom) and node.module != "roclab"
        for alias in node.names
    }
    assert homes == roclab._HOME_OF
    exported = next(
        ast.literal_eval(node.value)
        for node in STUB.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert exported == list(roclab.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rock_curve'"):
        _ = roclab.rock_curve


def test_every_public_name_is_in_the_reference() -> None:
    reference = "\n".join(page.read_text() for page in (DOCS / "reference").glob("*.md"))
    missing = [name for name in roclab.__all__ if name not in reference]
    assert not missing


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import roclab", {"numpy", "scipy", "sklearn", "polars", "pandas", "rich", "typer"}),
        (
            "import roclab; roclab.auc_interval([0, 1, 1, 0], [1, 2, 3, 4])",
            {"sklearn", "polars", "narwhals", "pandas", "pyarrow", "rich", "typer", "matplotlib"},
        ),
    ],
)
def test_optional_packages_stay_unloaded(code: str, unwanted: set[str]) -> None:
    probe = f"{code}\nimport sys; print(*({unwanted!r} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
