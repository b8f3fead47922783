"""Paired comparison of the models of a table that is larger than memory, or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab.checks.choices import Correction, PairMethod
from roclab.checks.options import check_choice, check_level, check_method
from roclab.data.table import ScoreTable
from roclab.errors import needs_extra
from roclab.inference.comparison.pairwise import compare as compare_in_memory
from roclab.inference.comparison.pairwise import comparison_of
from roclab.inference.comparison.results import Comparison
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions

if TYPE_CHECKING:
    from roclab.scale.engine import Partitioned
    from roclab.scale.sources import Reading

# With fewer rows, which may be on a cluster, the default test may need all of them.
FEW_ROWS = 10_000
# In memory a score has its value, a copy of it, its place in the order and its placement; the
# placements are computed in further memory.
_BYTES_PER_SCORE = 52

Progress = Callable[[int, int | None], object]


def compare(
    source: Any,
    *,
    y_true: str,
    y_score: str | Sequence[str] | None = None,
    pos_label: Any = None,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    memory_limit: str | int | None = None,
    directory: str | os.PathLike[str] | None = None,
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare the AUCs of all models of a table that may be larger than memory, pairwise.

    Parameters
    ----------
    source : path, frame or table
        Files: a path or a pattern such as ``"scores/*.parquet"``, of Parquet, Arrow, CSV, TSV or
        JSON lines, also in object stores that polars reads (``"s3://…"``), or a directory of
        Parquet files. Frames: a LazyFrame or DataFrame of polars, a DataFrame of PySpark (classic
        or Connect) or of Dask. Or any object with ``__arrow_c_stream__``, such as a table of Arrow,
        a RecordBatchReader or a relation of DuckDB, which may be larger than memory too. All models
        are columns of the same table.
    y_true : str
        Name of the label column.
    y_score : str or list of str, optional
        Names of the score columns. By default every numeric column that is not named otherwise and
        does not look like an identifier. A row that misses one of their values is left out.
    pos_label : object, optional
        Positive class label. Not needed for booleans, 0/1 and -1/1.
    correction : {"holm", "fdr", "none"}, default "holm"
        Correction of the p-values for multiple testing: Holm, Benjamini-Hochberg or none.
    method : {"auto", "delong"}, default "auto"
        Test of each pair. ``"auto"`` holds its nominal level also in small samples; ``"delong"`` is
        the test of most other packages.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    memory_limit : int or str, optional
        Memory for rows on this machine, in bytes or as in ``"2GB"``; by default half of it. On a
        cluster: memory of each task for the rarer class, by default 512 MiB.
    directory : path, optional
        Directory for temporary files, which only a stream of Arrow needs; by default that of the
        system.
    format : {"csv", "tsv", "parquet", "jsonl", "arrow"}, optional
        File format. By default that of the suffix of the path.
    separator : str, optional
        What separates the fields of a CSV or TSV file. By default a comma or a tab, or, if that
        leaves one column or not those that are named, what the header shows of ``,``, ``;``, tab
        and ``|``.
    decimal : {".", ","}, optional
        Decimal sign of numbers in a CSV or TSV file. By default a point, or a comma if numbers in
        the first 100 lines have commas and none has a point, unless commas separate the fields.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. Both count the rows of one pass
        over the table; the total is None in the first pass. A cluster shows progress in its own
        way.

    Returns
    -------
    Comparison
        The numbers of `roclab.compare`, with its warnings.

    Raises
    ------
    InputError
        The table or the options cannot be used, or neither class fits into memory.
    MissingExtraError
        polars is not installed.

    Notes
    -----
    A row of the larger class is looked up among the scores of the rarer one, for each model. Sums
    of the products of placements for all pairs of models, in integers, give DeLong's covariance, by
    two passes over the table. Only the rarer class is kept in memory, with all models side by side:
    a score takes about 150 bytes. If it does not fit, there is an error: a covariance needs the
    models side by side, so that dividing the rows by score does not help.

    Weights, clusters, groups and other measures need all rows in memory: see `roclab.compare`.

    Examples
    --------
    Examples need the extra `cli`.

    >>> import polars as pl
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.1, 0.4, 0.8, 0.9]}
    >>> compare(pl.LazyFrame({"y": [0, 1, 0, 1], **scores}), y_true="y")
    Comparison(AUC: a 0.875 a, b 0.750 a; Simes p = 0.52)
    """
    check_choice("correction", correction, Correction)
    check_method(method, PairMethod)
    level = check_level(confidence_level)
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=None)
    with needs_extra("cli", "Reading large tables", "narwhals", "polars"):
        # Imported here: it needs polars.
        from roclab.scale.sources import open_table

    with open_table(
        source,
        columns,
        pos_label=pos_label,
        options=FileOptions(format=format, separator=separator, decimal=decimal),
        memory_limit=memory_limit,
        directory=directory,
        progress=progress,
    ) as (table, reading):
        return compared(table, reading, correction=correction, method=method, level=level)


def compared(
    table: Partitioned,
    reading: Reading,
    *,
    correction: Correction,
    method: PairMethod,
    level: float,
    few_rows: int = FEW_ROWS,
) -> Comparison:
    """Compare the models of a table in the hands of any engine."""
    from roclab.readers.rows import check_counts
    from roclab.scale.paired import (
        check_rare_class,
        gathered,
        rare_estimate,
        rare_row_bytes,
        rare_rows,
    )

    reader = reading.reader
    survey = table.survey(reader)
    counts = survey.counts
    check_counts(counts, reader)
    missing = reading.left_out(counts)
    rows = counts.pos + counts.neg
    # Of two plans that are possible, the one that needs less memory is also the faster one.
    by_rare_class = min(counts.pos, counts.neg) * rare_row_bytes(table, reader)
    in_memory = rows * len(reader.models) * _BYTES_PER_SCORE
    fits = survey.complete == "all" and in_memory <= min(by_rare_class, table.broadcast_bytes)
    if rows <= few_rows or fits:
        kept = survey.kept.whole() if survey.complete == "all" else gathered(table, reader)
        scores = dict(zip(reader.models, kept.scores, strict=True))
        return compare_in_memory(
            ScoreTable(kept.labels.view(np.bool_), scores, missing=missing),
            correction=correction,
            method=method,
            confidence_level=level,
        )
    check_rare_class(table, reader, counts)
    rare = rare_rows(table, reader, survey)
    del survey  # and all rows, if it has them
    joint = rare_estimate(table, reader, counts, rare)
    return comparison_of(joint, correction=correction, method=method, level=level, missing=missing)
