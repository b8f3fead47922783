"""Studies use the library as installed: nothing of its tests, benchmarks or documentation."""

import ast

import pytest

from roclab_studies.catalogue import FOLDER

FILES = [path for part in ("src", "pictures") for path in sorted((FOLDER / part).rglob("*.py"))]
OF_THE_REPOSITORY = {"benchmarks", "conftest", "docs", "examples", "tests"} | {
    path.stem for path in (FOLDER.parent / "tests").glob("*.py")
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_nothing_else_of_the_repository_is_imported(file):
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        assert not {name.partition(".")[0] for name in names} & OF_THE_REPOSITORY
