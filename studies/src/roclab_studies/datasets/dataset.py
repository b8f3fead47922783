"""A table of examples with two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dataset:
    """Features and labels of a data set with two classes.

    Attributes
    ----------
    name : str
        Its name in `list_datasets`.
    version : str
        Choice of the two classes.
    X : ndarray of float, shape (rows, features)
        Numbers unchanged; nominal values as their index in `categories`; nan if missing.
    y : ndarray of bool, shape (rows,)
        True for the positive class.
    numeric : ndarray of bool, shape (features,)
        Which columns are numeric.
    feature_names : tuple of str
        Names of the columns.
    categories : tuple of (tuple of str or None)
        Values of each nominal column, in alphabetical order; None for a numeric column.
    positive : str
        The class or classes that are positive.
    source : str
        Where the table was read from.
    checked : {"cells", "counts", "nothing"}
        What was compared with the known table of this name: all cells and labels in their order,
        the counts of rows, features, numbers, positives and missing values, or nothing.
    """

    name: str
    version: str
    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.bool_]
    numeric: npt.NDArray[np.bool_]
    feature_names: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    positive: str
    source: str
    checked: Literal["cells", "counts", "nothing"] = "nothing"

    def __repr__(self) -> str:
        rows, features = self.X.shape
        return (
            f"Dataset({self.name!r}: {rows} rows, {int(self.y.sum())} positive ({self.positive}); "
            f"{features} features, {int(self.numeric.sum())} numeric; "
            f"{int(np.isnan(self.X).sum())} values missing)"
        )
