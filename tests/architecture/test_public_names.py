"""`__init__.pyi` tells type checkers the names that `__init__.py` finds when they are used."""

import ast
from pathlib import Path

import roclab as rl

STUB = ast.parse((Path(rl.__file__).parent / "__init__.pyi").read_text())


def test_the_stub_has_the_same_names_from_the_same_homes() -> None:
    homes = {
        alias.name: node.module
        for node in STUB.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert homes == rl._HOME_OF


def test_the_stub_exports_them_all_in_order() -> None:
    exported = next(
        ast.literal_eval(node.value)
        for node in STUB.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    assert exported == rl.__all__ == sorted(exported)


def test_every_name_is_there() -> None:
    for name in rl.__all__:
        assert getattr(rl, name).__name__ == name or name == "MEASURES"
