"""Tables of features for a trained model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from roclab.errors import needs_extra
from roclab.readers.columns import AllColumns
from roclab.readers.opening import FileOptions, Files

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FeatureTable:
    """Features of every row, and the other columns.

    Attributes
    ----------
    features : ndarray of shape (n_rows, n_features)
        Numbers, and text if there are categories; nan where a value is missing.
    others : polars.DataFrame
        The other columns, unchanged.
    """

    features: npt.NDArray[Any]
    others: pl.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        others = self.others.to_dict(as_series=False)
        return {"features": self.features.tolist(), "others": others}

    def __repr__(self) -> str:
        rows, columns = self.features.shape
        return f"FeatureTable({rows:,} rows, {columns} features, {self.others.width} other columns)"


def read_features(
    source: Files,
    features: Sequence[str],
    *,
    categories: Sequence[str] = (),
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> FeatureTable:
    """Read the feature columns of a model, and keep the other columns.

    Parameters
    ----------
    source : path or binary file object
        A CSV, TSV, JSON-lines, Parquet, Arrow or Excel file (``.csv``, ``.tsv``, ``.jsonl``,
        ``.ndjson``; these also with ``.gz`` or ``.zst``; ``.parquet``, ``.arrow``, ``.xlsx``),
        several files of one table (a list, a pattern such as ``"scores/*.csv"``, or a directory of
        Parquet files), or an open binary file such as ``sys.stdin.buffer`` or its bytes.
    features : list of str
        The feature columns of the model, in its order.
    categories : list of str, default ()
        Those of them that hold categories, as text.
    format : {"csv", "tsv", "parquet", "jsonl", "arrow", "excel"}, optional
        File format. By default that of the suffix of a path; "csv" for a file object and for a pipe
        without a suffix.
    separator : str, optional
        What separates the fields of a CSV or TSV file. By default a comma or a tab, or, if that
        leaves one column or not those that are named, what the header shows of ``,``, ``;``, tab
        and ``|``.
    decimal : {".", ","}, optional
        Decimal sign of numbers in a CSV or TSV file. By default a point, or a comma if numbers in
        the first 100 lines have commas and none has a point, unless commas separate the fields.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. Both count the rows of a file;
        the total is known for Parquet, estimated for uncompressed text and None otherwise.

    Returns
    -------
    FeatureTable
        Every row of the file, also with missing values.
    """
    columns = AllColumns(scores=tuple(features), categories=tuple(categories))
    with needs_extra("cli", "Reading files", "narwhals", "polars"):
        import narwhals as nw

        from roclab.readers.file_table import FileTable
        from roclab.readers.frames import feature_columns
    options = FileOptions(format=format, separator=separator, decimal=decimal)
    frame = FileTable(source, columns, options, progress=progress).frame()
    return FeatureTable(
        features=feature_columns(nw.from_native(frame, eager_only=True), features, categories),
        others=frame.drop(columns.scores),
    )
