"""Evaluation of tables that are larger than memory, on one machine or on a cluster."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any

from roclab.checks.choices import ScaleMethod
from roclab.checks.options import check_between, check_choice, check_level
from roclab.errors import InputError, needs_extra
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.evaluation import Evaluation, EvaluationRow, evaluation_of
from roclab.inference.intervals.closed_form import default_interval
from roclab.inference.sampling_design import RowDesign
from roclab.measures.specification import find_measures
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions
from roclab.scale.histogram import ScoreHistogram

_FROM_SUMMARIES = ("scored_auc", "gini")

Progress = Callable[[int, int | None], object]


def evaluate(
    source: Any,
    *,
    y_true: str,
    y_score: str | Sequence[str] | None = None,
    by: str | None = None,
    sample_weight: str | None = None,
    pos_label: Any = None,
    measures: str | Sequence[str | Callable[..., Any]] = (),
    method: ScaleMethod = "exact",
    max_error: float = 1e-4,
    confidence_level: float = 0.95,
    memory_limit: str | int | None = None,
    directory: str | os.PathLike[str] | None = None,
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate all models of a table that may be larger than memory.

    Parameters
    ----------
    source : path, frame or table
        Files: a path or a pattern such as ``"scores/*.parquet"``, of Parquet, Arrow, CSV, TSV or
        JSON lines, also in object stores that polars reads (``"s3://…"``), or a directory of
        Parquet files. Frames: a LazyFrame or DataFrame of polars, a DataFrame of PySpark (classic
        or Connect) or of Dask. Or any object with ``__arrow_c_stream__``, such as a table of Arrow,
        a RecordBatchReader or a relation of DuckDB, which may be larger than memory too.
    y_true : str
        Name of the label column.
    y_score : str or list of str, optional
        Names of the score columns. By default every numeric column that is not named otherwise and
        does not look like an identifier.
    by : str, optional
        Name of a group column. Each group is evaluated by itself; there may be a million.
    sample_weight : str, optional
        Name of the weight column.
    pos_label : object, optional
        Positive class label. Not needed for booleans, 0/1 and -1/1.
    measures : str or sequence of str, optional
        ``"scored_auc"`` and ``"gini"``: measures that can be computed from summaries of parts.
    method : {"exact", "bounded"}, default "exact"
        ``"exact"`` gives the AUC and interval of all rows, the same numbers as `roclab.evaluate`.
        ``"bounded"`` counts rows in bins, or adds up their weights, in one pass and without
        sorting, with a guaranteed error. It has no groups.
    max_error : float, default 1e-4
        Largest error of the AUC with ``method="bounded"``. If some bins turn out to be too coarse,
        they are divided, and rows are counted again.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    memory_limit : int or str, optional
        Memory for rows on this machine, in bytes or as in ``"2GB"``; by default half of it. Beyond
        it, rows are written to temporary files. On a cluster: memory of each task for the rarer
        class, by default 512 MiB; beyond it, rows are shuffled.
    directory : path, optional
        Directory for temporary files; by default that of the system. The files have no names, so
        they vanish with the process, however it ends.
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
    Evaluation
        As from `roclab.evaluate`, with its rows in the same order: groups as they first appear in
        the table, a group whose rows all have weight 0 too. With ``method="bounded"`` each row has
        `max_error`, and the interval covers it too.

    Warns
    -----
    MaxErrorWarning
        The bounded method has not reached `max_error`.

    Raises
    ------
    InputError
        The table or the options cannot be used.
    MissingExtraError
        polars is not installed.

    Notes
    -----
    Rows that fit into memory are counted there, in one pass. So are distinct rows, if they are few.
    If the scores of the rarer class fit, they are collected in the first pass, and in the second
    one every row is looked up among them: nothing is sorted, shuffled or written. Otherwise rows
    are divided by score into parts, and the summaries of the parts are joined. All plans have the
    same pair counts, in integers.

    A stream of Arrow can be read only once, so its rows are kept for further passes: in memory
    while they fit, then in a temporary file. Tables in memory are not copied.

    Rows are read by the rules of `roclab.read_scores`. A text file is read once more than the plan
    says, for the types of its columns, unless it fits into memory.

    Examples
    --------
    Examples need the extra `cli`.

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"y": [0, 1, 0, 1], "a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]})
    >>> evaluate(frame, y_true="y")
    Evaluation(2 models: a 0.875 [0.23, 0.99], b 0.250 [0.02, 0.84]; 95 % Wilson-type)
    """
    check_choice("method", method, ScaleMethod)
    error = check_between("max_error", max_error, 0, 1, fix="Pass {max_error=}1e-4.")
    level = check_level(confidence_level)
    further = tuple(word for word in find_measures(measures) if word != "auc")
    _check_measures(further, method)
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=sample_weight, by=by)
    if by is not None and not isinstance(by, str):
        raise InputError(
            found="{by} is a {kind}",
            needed="the name of one column, a str, is needed",
            fix="Join several columns into one first.",
            kind=type(by).__name__,
        )
    if method == "bounded" and by is not None:
        raise InputError(
            found="The bounded method counts the rows of all groups in the same bins",
            needed="with {by}, every group would need bins of its own",
            fix="Leave out {by}, or evaluate the groups exactly: that takes one pass if their rows "
            "fit into memory.",
        )
    with needs_extra("cli", "Reading large tables", "narwhals", "polars"):
        # Imported here: they need polars.
        from roclab.scale.groups import grouped_summaries
        from roclab.scale.plans import bounded_histograms, exact_summaries
        from roclab.scale.sources import open_table

    rows: list[EvaluationRow] = []
    with open_table(
        source,
        columns,
        pos_label=pos_label,
        options=FileOptions(format=format, separator=separator, decimal=decimal),
        memory_limit=memory_limit,
        directory=directory,
        progress=progress,
    ) as (table, reading):
        if method == "bounded":
            counts, histograms = bounded_histograms(table, reading.reader, max_error=error)
            for model, histogram in histograms.items():
                interval = histogram.interval(confidence_level=level)
                values = _values(further, interval.value, math.nan)
                values["max_error"] = histogram.max_error
                rows.append(
                    EvaluationRow(model=model, group=None, interval=interval, values=values)
                )
        elif by is None:
            counts, summaries = exact_summaries(
                table, reading.reader, scored="scored_auc" in further
            )
            for model, summary in summaries.items():
                interval = default_interval(Estimate.of(summary, "auc"), level)
                scored = summary.scored_auc if "scored_auc" in further else math.nan
                values = _values(further, interval.value, scored)
                rows.append(
                    EvaluationRow(model=model, group=None, interval=interval, values=values)
                )
        else:
            counts, estimates = grouped_summaries(
                table, reading.reader, by, scored="scored_auc" in further
            )
            for model, group, estimate, scored in estimates:
                interval = default_interval(estimate, level)
                values = _values(further, interval.value, scored)
                rows.append(
                    EvaluationRow(model=model, group=group, interval=interval, values=values)
                )
    return evaluation_of(
        rows,
        by=by,
        missing=reading.left_out(counts),
        measures=(*further, *(("max_error",) if method == "bounded" else ())),
        design=RowDesign(),
    )


def score_histograms(
    source: Any,
    *,
    y_true: str,
    y_score: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    pos_label: Any = None,
    max_error: float = 1e-4,
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Progress | None = None,
) -> dict[str, ScoreHistogram]:
    """Count the scores of all models of a table in bins, for curves of very large tables.

    Parameters
    ----------
    source : path, frame or table
        Files: a path or a pattern such as ``"scores/*.parquet"``, of Parquet, Arrow, CSV, TSV or
        JSON lines, also in object stores that polars reads (``"s3://…"``), or a directory of
        Parquet files. Frames: a LazyFrame or DataFrame of polars, a DataFrame of PySpark (classic
        or Connect) or of Dask. Or any object with ``__arrow_c_stream__``, such as a table of Arrow,
        a RecordBatchReader or a relation of DuckDB, which may be larger than memory too.
    y_true : str
        Name of the label column.
    y_score : str or list of str, optional
        Names of the score columns. By default every numeric column that is not named otherwise and
        does not look like an identifier.
    sample_weight : str, optional
        Name of the weight column.
    pos_label : object, optional
        Positive class label. Not needed for booleans, 0/1 and -1/1.
    max_error : float, default 1e-4
        Largest error of the AUC. If some bins turn out to be too coarse, they are divided, and rows
        are counted again.
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
    dict of str to ScoreHistogram
        By model. Their `ranking` has the ROC curve and its hull, the area of each at most
        `max_error` off.

    Examples
    --------
    Examples need the extra `cli`.

    >>> import polars as pl
    >>> from roclab import roc_hull
    >>> frame = pl.LazyFrame({"y": [0, 1, 0, 1], "a": [0.1, 0.4, 0.4, 0.8]})
    >>> histogram = score_histograms(frame, y_true="y")["a"]
    >>> roc_hull(histogram.ranking()).auc
    0.875
    """
    error = check_between("max_error", max_error, 0, 1, fix="Pass {max_error=}1e-4.")
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    with needs_extra("cli", "Reading large tables", "narwhals", "polars"):
        from roclab.scale.plans import bounded_histograms
        from roclab.scale.sources import open_table

    with open_table(
        source,
        columns,
        pos_label=pos_label,
        options=FileOptions(format=format, separator=separator, decimal=decimal),
        progress=progress,
    ) as (table, reading):
        return bounded_histograms(table, reading.reader, max_error=error)[1]


def _values(measures: Sequence[str], auc: float, scored_auc: float) -> dict[str, float]:
    known = {"scored_auc": scored_auc, "gini": 2 * auc - 1}
    return {name: known[name] for name in measures}


def _check_measures(measures: Sequence[str], method: str) -> None:
    for name in measures:
        if name not in _FROM_SUMMARIES or (method == "bounded" and name == "scored_auc"):
            raise InputError(
                found="{measures} has {name}",
                needed="only {known} can be computed from summaries of parts"
                if method == "exact"
                else "with bins of scores only gini follows from the counts",
                fix="Use evaluate(read_scores(…)) for tables that fit into memory.",
                name=repr(name),
                known=" and ".join(_FROM_SUMMARIES),
            )
