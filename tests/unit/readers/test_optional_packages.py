"""polars and narwhals are optional."""

import subprocess
import sys

import pandas as pd
import pytest
from score_files import ROWS

from roclab import MissingExtraError, read_scores


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


class TestOptionalPackages:
    def test_neither_is_imported_before_it_is_needed(self):
        code = (
            "import sys, roclab.readers; print('polars' in sys.modules, 'narwhals' in sys.modules)"
        )
        assert run(code).split()[0] == "False"

    def test_pandas_frames_work_without_polars(self):
        code = """
import sys
sys.modules["polars"] = None
import pandas, roclab
frame = pandas.DataFrame({"label": [1, 0], "a": [0.5, 0.25]})
print(roclab.read_scores(frame, y_true="label").scores["a"].tolist())
try:
    roclab.read_scores("x.csv", y_true="label")
except roclab.MissingExtraError as error:
    print(error)
"""
        scores, message = run(code).split("\n")
        assert scores == "[0.5, 0.25]"
        assert message == (
            "Reading files needs the package polars, which is not installed. "
            "Run: pip install 'roclab[cli]'"
        )

    def test_frames_without_narwhals(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "narwhals", None)
        monkeypatch.delitem(sys.modules, "roclab.readers.frames", raising=False)
        with pytest.raises(MissingExtraError, match=r"Reading data frames needs .*narwhals"):
            read_scores(pd.DataFrame(ROWS), y_true="label")
