"""A file written anew with one more column: changed scores beside the old ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab.errors import ColumnError, InputError
from roclab.readers.columns import quoted, unknown_column
from roclab.readers.files import SEPARATORS, File, explained, format_of, open_file, refuse_foreign
from roclab.readers.text import typed

__all__ = ["add_scores"]

Change = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]


def add_scores(
    source: str | os.PathLike[str] | IO[bytes],
    output: str | os.PathLike[str] | None,
    change: Change,
    *,
    y_score: str | None,
    suffix: str,
    format: str | None = None,
) -> str:
    """Write a table with one more column, made of a column of scores.

    Parameters
    ----------
    source : path or binary file object
        A table, as for `read_scores`. Every row is kept, and text stays as it is written.
    output : path or None
        Where to write; its suffix says the format. None: nowhere.
    change : callable
        New scores from old ones. Rows without a score keep none.
    y_score : str or None
        The column of scores; None if there is one numeric column only.
    suffix : str
        What the new column is called behind the name of the old one.
    format : {"csv", "tsv", "parquet", "jsonl"}, optional
        That of the source, if its name does not say it.

    Returns
    -------
    str
        The table as CSV if there is no `output`, and otherwise nothing.
    """
    target = None if output is None else format_of(Path(output))
    file = open_file(source, format)
    frame = _whole(file)
    name = _score_column(frame, y_score)
    column = _numeric(frame[name])
    new = f"{name}{suffix}"
    if new in frame.columns:
        raise InputError(f"There is a column `{new}` already. Rename it.")
    present = column.is_not_null() & column.is_not_nan().fill_null(False)
    values = np.full(len(column), np.nan)
    values[present.to_numpy()] = change(column.filter(present).to_numpy())
    frame = frame.with_columns(pl.Series(new, values).fill_nan(None))
    if output is None or target is None:
        return frame.write_csv()
    _write(frame, Path(output), target)
    return ""


def _whole(file: File) -> pl.DataFrame:
    with explained(file):
        if file.format == "parquet":
            return pl.read_parquet(file.data, glob=False)
        refuse_foreign(file)
        if file.format == "jsonl":
            return pl.read_ndjson(file.data, infer_schema_length=None)
        return pl.read_csv(
            file.data, separator=SEPARATORS[file.format], infer_schema=False, glob=False
        )


def _score_column(frame: pl.DataFrame, name: str | None) -> str:
    if name is not None:
        if name not in frame.columns:
            raise ColumnError(unknown_column(name, frame.columns))
        return name
    numeric = [column.name for column in frame if _as_number(column) is not None]
    if len(numeric) != 1:
        raise InputError(
            f"Numeric columns: {quoted(numeric)}; which one holds the scores is not known. Name it "
            "with `y_score`."
        )
    return numeric[0]


def _numeric(column: pl.Series) -> pl.Series:
    found = _as_number(column)
    if found is None:
        raise InputError(
            f"Column `{column.name}` is not numeric; scores are numbers. Correct it, or name "
            "another column with `y_score`."
        )
    return found


def _as_number(column: pl.Series) -> pl.Series | None:
    found = typed(column) if column.dtype == pl.String else column
    return found.cast(pl.Float64) if found.dtype.is_numeric() else None


def _write(frame: pl.DataFrame, path: Path, format: str) -> None:
    written: dict[str, Callable[[Any], Any]] = {
        "csv": frame.write_csv,
        "tsv": lambda target: frame.write_csv(target, separator="\t"),
        "parquet": frame.write_parquet,
        "jsonl": frame.write_ndjson,
    }
    try:
        written[format](path)
    except OSError as error:
        raise InputError(f"`{path}` cannot be written: {error.strerror or error}.") from None
