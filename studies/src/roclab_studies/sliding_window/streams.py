"""Real streams of events with the scores of a model, which was trained on the first quarter.

They are data sets whose rows are in the order of time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.sparse import csr_array, hstack

from roclab_studies import datasets
from roclab_studies.populations import Labels, Scores
from roclab_studies.real_data import load_known

ROWS = {one.name: one.rows for one in datasets.list_datasets()}


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a model sees of a stream.

    Attributes
    ----------
    rows : int
        Events in it.
    numbers, words : sequence of str
        Columns that the model sees: scaled to mean 0 and variance 1, and one indicator for each
        word.
    """

    rows: int
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
        rows=ROWS["electricity"],
        numbers=("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"),
        words=("day",),
    ),
    "airlines": Source(
        rows=ROWS["airlines"],
        numbers=("Time", "Length"),
        words=("Airline", "AirportFrom", "AirportTo", "DayOfWeek"),
    ),
}


@cache
def scored(name: str) -> tuple[Labels, Scores]:
    """Labels of the events after the first quarter, and a logistic regression's log odds."""
    # Here, since they take their time and not every study needs them.
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    source, data = SOURCES[name], load_known(name)
    numbers, words = (
        data.X[:, [data.feature_names.index(one) for one in wanted]]
        for wanted in (source.numbers, source.words)
    )
    learn, judge = slice(source.trained_on), slice(source.trained_on, None)
    scale = StandardScaler().fit(numbers[learn])
    encode = OneHotEncoder(handle_unknown="ignore").fit(words[learn])

    def features(part: slice) -> csr_array:
        columns = scale.transform(numbers[part]), encode.transform(words[part])
        return hstack(columns, format="csr")

    model = LogisticRegression(max_iter=1000)
    model.fit(features(learn), data.y[learn])
    scores: Scores = model.decision_function(features(judge)).astype(np.float64)
    return data.y[judge], scores
