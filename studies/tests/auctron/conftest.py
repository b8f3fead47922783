"""Small data instead of the real data sets."""

import pytest
from auctron_rows import LABELS, NUMERIC, VALUES

from roclab_studies import datasets
from roclab_studies.auctron import data as auctron_data


@pytest.fixture
def table(monkeypatch):
    table = datasets.Dataset(
        name="pima",
        version="",
        X=VALUES,
        y=LABELS,
        numeric=NUMERIC,
        feature_names=("a", "b", "time", "d"),
        categories=(None, None, ("x", "y", "z"), ("u", "v")),
        positive="yes",
        source="",
    )
    monkeypatch.setattr(datasets, "load", lambda _: table)
    auctron_data.examples.cache_clear()
    yield
    auctron_data.examples.cache_clear()
