"""Labels and scores from a file or a data frame."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any

from roclab.choices import MissingLabels
from roclab.errors import InputError, needs_extra
from roclab.options import check_choice
from roclab.readers.columns import Columns

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from roclab.table import ScoreTable


def read_scores(
    source: str | os.PathLike[str] | IO[bytes] | IntoFrame,
    *,
    y_true: str,
    y_score: str | Sequence[str] | None = None,
    pos_label: Any = None,
    sample_weight: str | None = None,
    by: str | Sequence[str] | None = None,
    missing_labels: MissingLabels = "drop",
    format: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> ScoreTable:
    r"""Read labels and scores from a file or a data frame.

    Parameters
    ----------
    source : path, binary file object or data frame
        A CSV, TSV, Parquet or JSON-lines file (``.csv``, ``.tsv``, ``.parquet``, ``.jsonl``,
        ``.ndjson``; the text formats also with ``.gz`` or ``.zst``), an open binary file such as
        ``sys.stdin.buffer``, or a pandas, polars, Arrow or other frame that narwhals supports.
    y_true : str
        Name of the label column.
    y_score : str or list of str, optional
        Names of the score columns; a text may hold several, separated by commas, unless a column
        has that name. By default every numeric column that has a name and no other
        role; text, dates, booleans, columns without any value and likely identifiers are then
        skipped: columns named ``id``, ``*_id`` or, with integers, ``fold``, and beside other
        numbers columns of at least 20 integers of which none repeats. In JSON lines these are the
        columns of the first 10,000 records.
    pos_label : optional
        Positive class label. Text is converted to the type of the label column: ``"1"`` to 1,
        ``"true"`` to True.
    sample_weight : str, optional
        Name of the weight column.
    by : str or list of str, optional
        Names of the columns kept as `ScoreTable.groups`.
    missing_labels : {"drop", "bounds"}, default "drop"
        What happens to rows without a label: they are left out, or kept as `ScoreTable.unlabelled`,
        for which `evaluate` gives bounds of the AUC.
    format : {"csv", "tsv", "parquet", "jsonl"}, optional
        File format. By default that of the suffix of a path; "csv" for a file object and for a
        pipe without a suffix.
    progress : callable, optional
        Called as ``progress(rows_done, rows_total)`` while a file is read. The total is known for
        Parquet, estimated for uncompressed text and None otherwise.

    Returns
    -------
    ScoreTable
        The rows with a label, every score and, if requested, a weight and a group. Its `missing`
        reports how many rows were read and how many were excluded, and why.

    Raises
    ------
    ColumnError
        A named column does not exist.
    FileFormatError
        The file is not a table in the given format.
    InputError
        The table cannot be used: no file, no rows, no numbers where numbers are needed.
    MissingExtraError
        polars (files) or narwhals (files and frames) is not installed.

    Notes
    -----
    In text formats a column has one type, inferred from all its rows: integers (64 bits, exact),
    else decimals, else true/false, else text; a group column is integer if written plainly and
    text otherwise, so ``007`` stays ``007``. An empty field, ``NA``, ``N/A``, ``null``, ``NULL``,
    ``NaN`` and ``nan`` are missing in every column; ``inf`` is a value; a blank line is a row
    without values. In Parquet files and frames null and NaN are missing. Integers beyond 64 bits
    are read as decimals. Messages count the rows of the data from 1 and the lines of a file,
    header included, from 1.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"label,score\n1,0.9\n1,0.4\n0,0.4\n0,NA\n")
    >>> table = read_scores(file, y_true="label")
    >>> table.scores["score"].tolist()
    [0.9, 0.4, 0.4]
    >>> table.missing.rows_dropped
    1
    """
    check_choice("missing_labels", missing_labels, MissingLabels)
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=sample_weight, by=by)
    is_file = isinstance(source, str | os.PathLike) or callable(getattr(source, "read", None))
    if format is not None and not is_file:
        raise InputError(
            found="{format} is for files, and {source} is a {kind}",
            fix="Leave it out.",
            kind=type(source).__name__,
        )
    purpose = "Reading files" if is_file else "Reading data frames"
    with needs_extra("cli", purpose, "narwhals", "polars"):
        # Imported here: both need optional packages.
        from roclab.readers.frames import frame_to_table

        if is_file:
            from roclab.readers.scans import read_file

            source = read_file(source, columns, format=format, progress=progress)
    keep = missing_labels == "bounds"
    return frame_to_table(source, columns, pos_label=pos_label, keep_unlabelled=keep)
