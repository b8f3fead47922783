"""A table of features and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.table import MissingValues
from roclab.result import Record


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExampleTable(Record):
    """Rows with a label; features may be missing.

    Attributes
    ----------
    features : ndarray of shape (n_rows, n_features)
        Numbers, and text if there are categories; nan where a value is missing.
    names : tuple of str
        Columns of the features.
    categories : tuple of str
        Columns that hold categories.
    y_true : ndarray of bool
        Target labels.
    sample_weight : ndarray or None
        Sample weights.
    missing : MissingValues
        Rows excluded because a label or a weight is missing, and skipped columns.
    """

    features: npt.NDArray[Any]
    names: tuple[str, ...]
    categories: tuple[str, ...]
    y_true: npt.NDArray[np.bool_]
    sample_weight: npt.NDArray[np.float64] | None
    missing: MissingValues

    def __repr__(self) -> str:
        rows, columns = self.features.shape
        return (
            f"ExampleTable({rows:,} rows, {int(self.y_true.sum()):,} positive; {columns} features, "
            f"{len(self.categories)} of categories)"
        )
