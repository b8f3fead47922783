"""A table to train on: features, some of them categories, with a label and perhaps a weight."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from roclab.errors import MissingExtraError
from roclab.readers.columns import Columns
from roclab.table import MissingValues

__all__ = ["ExampleTable", "read_examples"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExampleTable:
    """Rows that have a label; a feature may be missing.

    Attributes
    ----------
    features : ndarray of shape (n_rows, n_features)
        Numbers, and texts if there are categories; nan where a value is missing.
    names : tuple of str
        The columns they came from.
    categories : tuple of str
        Those of them that hold categories.
    y_true : ndarray of bool
        Labels.
    sample_weight : ndarray or None
        Weights.
    missing : MissingValues
        Rows left out, since they had no label or no weight, and columns.
    """

    features: npt.NDArray[Any]
    names: tuple[str, ...]
    categories: tuple[str, ...]
    y_true: npt.NDArray[np.bool_]
    sample_weight: npt.NDArray[np.float64] | None
    missing: MissingValues

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        weights = self.sample_weight
        return {
            "features": self.features.tolist(),
            "names": list(self.names),
            "categories": list(self.categories),
            "y_true": self.y_true.tolist(),
            "sample_weight": None if weights is None else weights.tolist(),
            "missing": self.missing.to_dict(),
        }

    def __repr__(self) -> str:
        rows, columns = self.features.shape
        return (
            f"ExampleTable({rows:,} rows, {int(self.y_true.sum()):,} positive; {columns} features, "
            f"{len(self.categories)} of categories)"
        )


def read_examples(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    y_true: str,
    features: Sequence[str] | None = None,
    categories: Sequence[str] = (),
    pos_label: Any = None,
    sample_weight: str | None = None,
    format: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> ExampleTable:
    """Read a file to train a model on that takes categories and missing values.

    Parameters
    ----------
    source : path or binary file object
        As for `read_scores`.
    y_true : str
        The label column.
    features : list of str, optional
        The columns with features. By default every column of numbers, of true and false, or of
        text that has no other role.
    categories : list of str
        Columns whose values are categories whatever they look like, such as codes. Columns of text
        are that anyway.
    pos_label, sample_weight, format, progress
        As for `read_scores`.

    Returns
    -------
    ExampleTable
        The rows that have a label and, where asked for, a weight.
    """
    columns = Columns.named(
        y_true=y_true, y_score=features, sample_weight=sample_weight, categories=categories
    )
    try:
        from roclab.readers.frames import frame_to_examples
        from roclab.readers.scans import read_file
    except ModuleNotFoundError as error:
        if error.name not in {"narwhals", "polars"}:
            raise
        raise MissingExtraError(error.name, extra="cli", purpose="Reading files") from None
    frame = read_file(source, columns, format=format, progress=progress)
    return frame_to_examples(frame, columns, pos_label=pos_label)
