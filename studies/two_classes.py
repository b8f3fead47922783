"""Data sets of Flach and Wu, and larger ones, each with two classes.

A set of two classes keeps them, the rarer one being positive. Of a set of more, the most frequent
class is positive and all others are negative: the paper says only that its sets have two classes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

# Those of the paper's table 3, by its names there.
SETS = {
    "australia": "australian",
    "sonar": "sonar",
    "glass": "glass",
    "german": "credit-g",
    "car": "car",
    "anneal": "anneal",
    "monk1": "monk1",
    "monk2": "monk2",
    "monk3": "monk3",
    "hepatitis": "hepatitis",
    "house": "house-votes-84",
    "tic-tac-toe": "tic-tac-toe",
    "heart": "heart-statlog",
    "ionosphere": "ionosphere",
    "breast cancer": "breast-cancer",
    "lymphography": "lymphography",
    "primary tumor": "primary-tumor",
    "soybean-large": "soybean-large",
    "solar flare": "solar-flare-1",
    "hayes-roth": "hayes-roth",
    "credit": "credit-a",
    "balance": "balance-scale",
    "bridges": "bridges-v1",
}
LARGE = {
    "kr-vs-kp": "kr-vs-kp",
    "sick": "sick",
    "spambase": "spambase",
    "caravan": "caravan",
    "satimage": "satimage",
    "electricity": "electricity",
    "covertype": "covertype",
    "airlines": "airlines",
}
OTHERS = {
    "pima": "pima",
    "abalone 18 vs 9": "abalone-18-vs-9",
    "wpbc": "wpbc",
    "wpbc without time": "wpbc",
    "spectf": "spectf",
    "spectf, faulty": "spectf-incorrect-test",
    "cleveland": "heart-cleveland",
    "hungarian": "heart-hungarian",
}
MOST_ROWS = 30_000
FEW_VALUES = 10
# What is known only with the class or after it, and so no attribute.
TARGETS = {"solar flare": ("M_class", "X_class"), "wpbc without time": ("time",)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Attributes and labels.

    Attributes
    ----------
    values : ndarray of float
        A column for each attribute; nominal values are numbered, a missing one is nan.
    numeric : ndarray of bool
        Which columns hold numbers: those of more than ten different values, all of them numbers.
    labels : ndarray of bool
        True for the positive class.
    """

    values: npt.NDArray[np.float64]
    numeric: npt.NDArray[np.bool_]
    labels: npt.NDArray[np.bool_]

    @cached_property
    def encoded(self) -> npt.NDArray[np.float64]:
        """For learners of numbers: a column for each nominal value, and medians for what misses."""
        columns = []
        for column, is_number in zip(self.values.T, self.numeric, strict=True):
            if is_number:
                columns.append(np.where(np.isnan(column), np.nanmedian(column), column))
            else:
                columns += [column == value for value in np.unique(column[~np.isnan(column)])]
        return np.column_stack(columns).astype(np.float64)


@lru_cache(maxsize=4)
def read(name: str) -> Table:
    """A data set by the name it has here."""
    folder = os.environ.get("ROCLAB_DATA")
    if not folder:
        raise SystemExit("This study needs data sets: let ROCLAB_DATA name their folder.")
    file = (SETS | LARGE | OTHERS)[name]
    path = next(p for p in sorted(Path(folder).glob(f"{file}.csv*")))
    frame = pl.read_csv(path, infer_schema=False).drop_nulls("class")
    frame = frame.drop(TARGETS.get(name, ()))
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, seed=1)
    classes = frame["class"]
    counts = classes.value_counts(sort=True)["class"].to_list()
    positive = counts[0] if len(counts) > 2 else counts[-1]
    columns, numeric = [], []
    for column in frame.drop("class").get_columns():
        numbers = column.cast(pl.Float64, strict=False)
        is_number = numbers.null_count() == column.null_count() and numbers.n_unique() > FEW_VALUES
        columns.append(numbers.to_numpy() if is_number else _numbered(column))
        numeric.append(is_number)
    return Table(
        values=np.column_stack(columns),
        numeric=np.array(numeric),
        labels=(classes == positive).to_numpy(),
    )


def _numbered(column: pl.Series) -> npt.NDArray[np.float64]:
    """Nominal values by their place in the alphabet."""
    order: dict[Any, int] = {
        value: at for at, value in enumerate(column.drop_nulls().unique().sort())
    }
    return np.array([order.get(value, np.nan) for value in column.to_list()], dtype=np.float64)
