"""`_native.pyi` says what the compiled module has: the same names with the same arguments."""

import ast
import re
from pathlib import Path

from roclab._core import _native

STUB = Path(__file__).parents[2] / "src" / "roclab" / "_core" / "_native.pyi"


def stub_arguments(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def runtime_arguments(signature: str) -> list[str]:
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    flat = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", inside))
    return [part.split(":")[0].strip() for part in flat.split(",") if part.strip()]


def of_our_own(names: set[str]) -> set[str]:
    """Without the names that mean something to Python."""
    return {name for name in names if not (name.startswith("_") and name.endswith("_"))}


def test_stub_and_runtime_have_the_same_names() -> None:
    tree = ast.parse(STUB.read_text())
    declared = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    } | {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert declared == {name for name in vars(_native) if not name.startswith("__")}


def test_functions_have_the_declared_arguments() -> None:
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            for overload in getattr(_native, node.name).__nb_signature__:
                assert runtime_arguments(overload[0]) == stub_arguments(node), node.name


def test_classes_have_the_declared_members() -> None:
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name not in ("NanScore", "BadBytes"):
            declared = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
            declared |= {m.targets[0].id for m in node.body if isinstance(m, ast.Assign)}
            actual = set(vars(getattr(_native, node.name)))
            assert of_our_own(declared) == of_our_own(actual), node.name


def test_windows_have_the_declared_docstrings() -> None:
    """Editors show those of the stub, `help` those of the compiled module."""
    windows = ("EventScores", "SlidingWindow", "DecayedWindow", "CumulativeScores")
    windows += ("TimeWindow", "CompressedWindow")
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name in windows:
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    found = vars(getattr(_native, node.name))[member.name].__doc__
                    found = re.sub(r"^\w+\(self.*\) -> .*\n\n", "", found)  # nanobind's signature
                    declared = ast.get_docstring(member) or ""
                    assert found.split() == declared.split(), f"{node.name}.{member.name}"
                    names = re.findall(r"^(\w+) : ", declared, flags=re.MULTILINE)
                    keywords = [argument.arg for argument in member.args.kwonlyargs]
                    assert names == [*stub_arguments(member)[1:], *keywords]
