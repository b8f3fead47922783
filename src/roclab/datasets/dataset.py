"""A table of examples with two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["Dataset"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dataset:
    """Features and labels of a data set with two classes.

    Attributes
    ----------
    name : str
        Its name in `list_datasets`.
    version : str
        How it got its two classes.
    X : ndarray of float, shape (rows, features)
        Numbers as they are; a nominal value as its place in `categories`; nan where one is missing.
    y : ndarray of bool, shape (rows,)
        True for the positive class.
    numeric : ndarray of bool, shape (features,)
        Which columns hold numbers.
    feature_names : tuple of str
        A name for each column.
    categories : tuple of (tuple of str or None)
        The words of each nominal column, in alphabetical order; None for a column of numbers.
    positive : str
        Which class or classes are positive.
    source : str
        Where the table was read.
    checked : {"cells", "counts", "nothing"}
        What of it was compared with the table that is known by its name: every cell and label in
        their order, the counts of rows, features, numbers, positives and missing values, or
        nothing.
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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {
            "name": self.name,
            "version": self.version,
            "X": self.X.tolist(),
            "y": self.y.tolist(),
            "numeric": self.numeric.tolist(),
            "feature_names": list(self.feature_names),
            "categories": [None if words is None else list(words) for words in self.categories],
            "positive": self.positive,
            "source": self.source,
            "checked": self.checked,
        }

    def __repr__(self) -> str:
        rows, features = self.X.shape
        return (
            f"Dataset({self.name!r}: {rows} rows, {int(self.y.sum())} positive ({self.positive}); "
            f"{features} features, {int(self.numeric.sum())} numeric; "
            f"{int(np.isnan(self.X).sum())} values missing)"
        )
