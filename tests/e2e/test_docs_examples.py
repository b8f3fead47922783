"""What the documentation shows is what happens."""

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import documents
import matplotlib as mpl
import pytest
from matplotlib import pyplot

import roclab

NOT_RUN = {"text", "py", "{toctree}", "{eval-rst}"}  # py: needs a package that tests do not
IDS = [str(page.relative_to(documents.ROOT)) for page in documents.PAGES]


# As installed by users: examples need no package that only tests have.
@pytest.mark.usefixtures("as_installed")
@pytest.mark.parametrize("page", documents.PAGES, ids=IDS)
class TestPage:
    def test_python(self, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(documents.with_examples(tmp_path))
        # A page may draw many pictures, and closes none.
        with mpl.rc_context({"figure.max_open_warning": 0}):
            documents.run_python(page)
        pyplot.close("all")

    def test_shell(self, page: Path, tmp_path: Path) -> None:
        documents.run_shell(page, documents.with_examples(tmp_path))

    def test_blocks_are_of_known_kinds(self, page: Path) -> None:
        assert documents.languages(page) <= {"python", "console", *NOT_RUN}


@pytest.mark.usefixtures("as_installed")
def test_packages_of_tests_are_not_found(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import polars, roclab, sklearn; import pandas"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "No module named 'pandas'" in done.stderr
    assert find_spec("pandas") is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("pyarrow")
    points = roclab.operating_points([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    assert type(points.to_polars()).__module__.startswith("polars")
    with pytest.raises(roclab.InputError, match=r"needs the package pandas.*pip install pandas"):
        points.to_pandas()
