"""Labels and scores from a file or a data frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from roclab.checks.choices import MissingLabels
from roclab.checks.options import check_choice
from roclab.errors import InputError, needs_extra
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions, Files, is_files

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from roclab.data.table import ScoreTable
    from roclab.readers.file_table import FileTable


def read_scores(
    source: Files | IntoFrame,
    *,
    y_true: str,
    y_score: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    sample_weight: str | None = None,
    pos_label: Any = None,
    missing_labels: MissingLabels = "drop",
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> ScoreTable:
    r"""Read labels and scores from a file or a data frame.

    Parameters
    ----------
    source : path, binary file object or data frame
        A CSV, TSV, JSON-lines, Parquet, Arrow or Excel file (``.csv``, ``.tsv``, ``.jsonl``,
        ``.ndjson``; these also with ``.gz`` or ``.zst``; ``.parquet``, ``.arrow``, ``.xlsx``),
        several files of one table (a list, a pattern such as ``"scores/*.csv"``, or a directory of
        Parquet files), an open binary file such as ``sys.stdin.buffer`` or its bytes, or a pandas,
        polars, Arrow or other frame that narwhals supports. A path may be the address of a file in
        an object store or on a web server that sends parts of files (``"s3://…"``,
        ``"https://…"``).
    y_true : str
        Name of the label column.
    y_score : str or list of str, optional
        Names of the score columns. A text may hold several, separated by commas, unless a column
        has that name. By default every numeric column that has a name and no other
        role; text, dates, booleans, columns without any value and likely identifiers are then
        skipped: columns named ``id``, ``*_id`` or, with integers, ``fold``, and beside other
        numbers columns of at least 20 integers of which none repeats in the first 10,000 rows. In
        JSON lines these are the columns of the first 10,000 records.
    by : str or list of str, optional
        Names of the columns kept as `ScoreTable.groups`.
    sample_weight : str, optional
        Name of the weight column.
    pos_label : object, optional
        Positive class label. Text is converted to the type of the label column: ``"1"`` to 1,
        ``"true"`` to True, ``"2024-05-31"`` to a date.
    missing_labels : {"drop", "bounds"}, default "drop"
        What happens to rows without a label: they are left out, or kept as `ScoreTable.unlabelled`,
        for which `evaluate` gives bounds of the AUC.
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
    ScoreTable
        The rows with a label, every score and, if requested, a weight and a group. Its `missing`
        reports how many rows were read and how many were excluded, and why.

    Raises
    ------
    ColumnError
        A named column does not exist.
    FileFormatError
        The file is not a table in the given format, or files are not parts of one table.
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
    without values. In JSON lines and Excel numbers are read as if they were written in CSV, so
    numbers that are stored as text are numbers. In Excel the first row of the first sheet that has
    values is the header, empty rows are left out, and cells with an error, formulas that were never
    computed and all but the first of merged cells are missing. In other files
    and in frames null and NaN are missing. What float64 would not keep apart is refused as a
    score: integers of text that are beyond 2**53, among decimals, or beyond 64 bits, unless float64
    holds them; and in frames columns of integers beyond 64 bits and of decimals with more than 15
    digits. A skipped column of text, of which at least half of the first 1,000 values are numbers,
    gives a `RoclabWarning` with the first value that is none, if it is in the first 10,000 rows.
    `roclab.scale` follows the same rules. Messages count the rows of the data from 1 and the lines
    of a file, header included, from 1.

    Examples
    --------
    Examples need the extra `cli`.

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
    options = FileOptions(format=format, separator=separator, decimal=decimal)
    is_file = is_files(source)
    if options != FileOptions() and not is_file:
        raise InputError(
            found="{given} is for files, and {source} is a {kind}",
            fix="Leave it out.",
            given=options.first_given,
            kind=type(source).__name__,
        )
    purpose = "Reading files" if is_file else "Reading data frames"
    file: FileTable | None = None
    with needs_extra("cli", purpose, "narwhals", "polars"):
        # Imported here: both need optional packages.
        from roclab.readers.frames import frame_to_table

        if is_file:
            from roclab.readers.file_table import FileTable

            file = FileTable(source, columns, options, progress=progress)
    return frame_to_table(
        source if file is None else file.frame(),
        columns,
        pos_label=pos_label,
        keep_unlabelled=missing_labels == "bounds",
        file=file,
        rounded=None if file is None else file.rounded,
    )
