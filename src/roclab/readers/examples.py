"""Tables to train on: features, some of them categories, with a label and optional weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from roclab.errors import needs_extra
from roclab.readers.columns import Columns
from roclab.readers.example_table import ExampleTable
from roclab.readers.opening import FileOptions, Files


def read_examples(
    source: Files,
    *,
    y_true: str,
    features: Sequence[str] | None = None,
    categories: Sequence[str] | None = (),
    sample_weight: str | None = None,
    pos_label: Any = None,
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> ExampleTable:
    """Read training data from a file.

    Parameters
    ----------
    source : path or binary file object
        A CSV, TSV, JSON-lines, Parquet, Arrow or Excel file (``.csv``, ``.tsv``, ``.jsonl``,
        ``.ndjson``; these also with ``.gz`` or ``.zst``; ``.parquet``, ``.arrow``, ``.xlsx``),
        several files of one table (a list, a pattern such as ``"scores/*.csv"``, or a directory of
        Parquet files), or an open binary file such as ``sys.stdin.buffer`` or its bytes.
    y_true : str
        Name of the label column.
    features : list of str, optional
        Names of the feature columns. By default every column of numbers, of true and false, or of
        text that has no other role.
    categories : list of str or None, default ()
        Columns whose values are categories even if they look like numbers, such as codes. Columns
        of text are always categories. With None, for models that take complete numbers only, the
        features are numeric columns, and rows with a missing feature are excluded.
    sample_weight : str, optional
        Name of the weight column.
    pos_label : object, optional
        Positive class label. Text is converted to the type of the label column: ``"1"`` to 1,
        ``"true"`` to True.
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
    ExampleTable
        The rows with a label and, if requested, a weight.
    """
    columns = Columns.named(
        y_true=y_true,
        y_score=features,
        sample_weight=sample_weight,
        categories=categories or (),
        parameter="features",
    )
    with needs_extra("cli", "Reading files", "narwhals", "polars"):
        from roclab.readers.file_table import FileTable
        from roclab.readers.frames import frame_to_examples, frame_to_table
    options = FileOptions(format=format, separator=separator, decimal=decimal)
    frame = FileTable(source, columns, options, progress=progress).frame()
    if categories is not None:
        return frame_to_examples(frame, columns, pos_label=pos_label)
    table = frame_to_table(frame, columns, pos_label=pos_label)
    return ExampleTable(
        features=np.column_stack([scores.astype(np.float64) for scores in table.scores.values()]),
        names=table.names,
        categories=(),
        y_true=table.y_true,
        sample_weight=table.sample_weight,
        missing=table.missing,
    )
