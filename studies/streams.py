"""Real streams of events with the scores of a model, which was trained on the first quarter.

The files are read where ``ROCLAB_DATA`` names the folder that holds them; they are no part of the
repository.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.sparse import hstack

from studies.populations import Labels, Scores


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file of events in the order of time.

    Attributes
    ----------
    rows : int
        Events in it.
    positive : str
        The label of a positive in the column ``class``.
    numbers, words : sequence of str
        Columns that the model sees: scaled to mean 0 and variance 1, and one indicator for each
        word.
    """

    rows: int
    positive: str
    numbers: Sequence[str]
    words: Sequence[str] = ()

    @property
    def trained_on(self) -> int:
        """Events that the model learns from."""
        return self.rows // 4

    @property
    def events(self) -> int:
        """Events that follow."""
        return self.rows - self.trained_on


SOURCES = {
    "electricity": Source(
        rows=45_312,
        positive="UP",
        numbers=("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"),
        words=("day",),
    ),
    "airlines": Source(
        rows=539_383,
        positive="1",
        numbers=("Time", "Length"),
        words=("Airline", "AirportFrom", "AirportTo", "DayOfWeek"),
    ),
}


@cache
def scored(name: str) -> tuple[Labels, Scores]:
    """Labels of the events after the first quarter, and a logistic regression's log odds."""
    # Here, since they take their time and not every study needs them.
    import polars as pl
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    source = SOURCES[name]
    table = pl.read_csv(_folder() / f"{name}.csv.gz", schema_overrides={"class": pl.String})
    if len(table) != source.rows:
        raise ValueError(f"{name}.csv.gz has {len(table):,} events; {source.rows:,} are known.")
    learn, judge = table[: source.trained_on], table[source.trained_on :]
    scale, encode = StandardScaler(), OneHotEncoder(handle_unknown="ignore")
    numbers, words = list(source.numbers), list(source.words)
    scale.fit(learn[numbers].to_numpy())
    encode.fit(learn[words].to_numpy())

    def features(part: pl.DataFrame) -> object:
        columns = (
            scale.transform(part[numbers].to_numpy()),
            encode.transform(part[words].to_numpy()),
        )
        return hstack(columns, format="csr")

    model = LogisticRegression(max_iter=1000)
    model.fit(features(learn), (learn["class"] == source.positive).to_numpy())
    scores: Scores = model.decision_function(features(judge)).astype(np.float64)
    return (judge["class"] == source.positive).to_numpy(), scores


def _folder() -> Path:
    folder = os.environ.get("ROCLAB_DATA")
    if not folder:
        raise FileNotFoundError(
            "ROCLAB_DATA is not set; this study reads electricity.csv.gz and airlines.csv.gz. Set "
            "it to the folder that holds them."
        )
    return Path(folder)
