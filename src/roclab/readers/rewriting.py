"""Whole files, to be written again with an additional column and otherwise unchanged."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import polars as pl

from roclab.data.output_file import check_output, write_output
from roclab.data.table import ScoreTable
from roclab.errors import InputError
from roclab.formatting import plain_value
from roclab.readers.columns import AllColumns, Columns, Reading, quoted
from roclab.readers.csv_rows import SEPARATORS
from roclab.readers.file_table import FileTable, Progress
from roclab.readers.files import COMPRESSIONS, UNTYPED_FORMATS, format_of
from roclab.readers.frames import frame_to_table
from roclab.readers.opening import FileOptions, Files
from roclab.readers.text import TextType
from roclab.readers.values import (
    in_row,
    missing_values,
    numbers,
    refuse_rounded,
    refused_score,
)

Change = Callable[[npt.NDArray[Any]], npt.NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rows:
    """All rows and columns of a file, unchanged.

    Attributes
    ----------
    frame : polars.DataFrame
        In CSV and TSV every column is text.
    format : {"csv", "tsv", "parquet", "jsonl", "arrow", "excel"}
        Format of the file.
    decimal : {".", ","}
        Decimal sign of its numbers.
    rounded : mapping
        Columns that are not text with an integer that float64 rounds, as for `refuse_rounded`.
    """

    frame: pl.DataFrame
    format: str
    decimal: str = "."
    rounded: Mapping[str, tuple[int, str]] = field(default_factory=dict)

    def score_table(
        self,
        *,
        y_true: str,
        y_score: str | Sequence[str] | None,
        pos_label: Any,
        sample_weight: str | None,
        by: Sequence[str],
    ) -> ScoreTable:
        """The table that `read_scores` reads from the same file; parameters as there."""
        columns = Columns.named(
            y_true=y_true, y_score=y_score, sample_weight=sample_weight, by=by
        ).among(self.frame.columns)
        needed = self.frame.select(columns.needed(self.frame.columns))
        read = {name: self._read(name, columns.reading(name)) for name in needed.columns}
        return frame_to_table(
            needed.with_columns(column for column, _ in read.values()),
            columns,
            pos_label=pos_label,
            rounded={name: one for name, (_, one) in read.items() if one is not None},
        )

    def with_changed(self, y_score: str | None, change: Change, *, suffix: str) -> pl.DataFrame:
        """The rows with an additional column, computed from a score column.

        Parameters
        ----------
        y_score : str or None
            Name of the score column; None if there is only one numeric column.
        change : callable
            Computes new scores from old ones. Rows without a score get none.
        suffix : str
            Appended to the name of the score column to name the new one.
        """
        name = self._only_numeric() if y_score is None else y_score
        column, rounded = self._read(name)
        if not column.dtype.is_numeric():
            raise InputError(
                found="Column `{column}` is not numeric",
                needed="scores are numbers",
                fix="Convert it, or name another column with {y_score}.",
                column=name,
            )
        refuse_rounded({} if rounded is None else {name: rounded}, [name])
        series: nw.Series[Any] = nw.from_native(column, series_only=True)
        missing = missing_values(series)
        present = np.ones(len(column), bool) if missing is None else ~missing.to_numpy()
        series = series if missing is None else series.filter(~missing)
        refused = refused_score(series)
        if refused is not None:
            raise in_row(refused[1], int(np.flatnonzero(present)[refused[0]]))
        values = np.full(len(column), np.nan)
        values[present] = change(numbers(series))
        return with_column(self.frame, f"{name}{suffix}", values)

    def _only_numeric(self) -> str:
        names = self.frame.columns
        numeric = [name for name in names if self._read(name)[0].dtype.is_numeric()]
        if len(numeric) != 1:
            raise InputError(
                found="Numeric columns: {columns}",
                needed="the score column is ambiguous",
                fix="Name it with {y_score}.",
                columns=quoted(numeric),
            )
        return numeric[0]

    def _read(
        self, name: str, reading: Reading = "value"
    ) -> tuple[pl.Series, tuple[int, str] | None]:
        """A column in its type, and what `refuse_rounded` needs to know of it."""
        column = self.frame[name]
        if column.dtype != pl.String or self.format not in UNTYPED_FORMATS:
            return column, self.rounded.get(name)
        text = TextType(reading, self.decimal)
        return text.add(column), text.rounded


def read_rows(
    source: Files,
    *,
    named: Sequence[str] = (),
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Progress | None = None,
) -> Rows:
    """Read a whole file.

    Parameters
    ----------
    source : path or binary file object
        File to read.
    named : list of str
        Columns that must exist.
    format, separator, decimal : str, optional
        File format, and what separates fields and decimals of a text file; by default detected.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. Both count rows.
    """
    options = FileOptions(format=format, separator=separator, decimal=decimal)
    table = FileTable(source, AllColumns(others=tuple(named)), options, progress=progress)
    return Rows(
        frame=table.frame(), format=table.format, decimal=table.decimal, rounded=table.rounded
    )


def with_column(frame: pl.DataFrame, name: str, values: npt.NDArray[np.float64]) -> pl.DataFrame:
    """A frame with an additional column; nan becomes null."""
    if name in frame.columns:
        raise InputError(found="There is a column `{name}` already", fix="Rename it.", name=name)
    return frame.with_columns(pl.Series(name, values).fill_nan(None))


def csv_bytes(frame: pl.DataFrame) -> bytes:
    """A frame as CSV."""
    page = io.BytesIO()
    _write_csv(frame, page)
    return page.getvalue()


def check_rows_output(path: str, *others: str | IO[bytes]) -> None:
    """Raise, before long work, if `write_rows` cannot write the output; see `check_output`."""
    check_output(path, *others)
    format_of(Path(path), written=True)


def write_rows(frame: pl.DataFrame, path: str) -> None:
    """Write a frame in the format and compression of the suffix of a path."""
    format = format_of(Path(path), written=True)
    compression = COMPRESSIONS.get(Path(path).suffix.lower(), "uncompressed")

    def write(file: IO[bytes]) -> None:
        try:
            if format == "parquet":
                frame.write_parquet(file)
            elif format == "arrow":
                frame.write_ipc(file)
            elif format == "jsonl":
                _write_jsonl(frame, file, compression)
            else:
                _write_csv(frame, file, separator=SEPARATORS[format], compression=compression)
        except pl.exceptions.PolarsError as error:  # such as a full disk with Parquet
            raise OSError(str(error)) from None

    write_output(path, write)


def _write_csv(frame: pl.DataFrame, file: IO[bytes], **options: Any) -> None:
    if frame.width == 1:
        options["null_value"] = '""'  # most readers skip an empty row
    frame.select(map(_in_text, frame)).write_csv(file, **options)


def _write_jsonl(frame: pl.DataFrame, file: IO[bytes], compression: Any) -> None:
    kept = (_in_text(column) if _has_bytes(column.dtype) else column for column in frame)
    frame.select(kept).write_ndjson(file, compression=compression)


def _in_text(column: pl.Series) -> pl.Series:
    """A column as CSV can hold it: nested values as JSON, durations in ISO 8601."""
    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if column.dtype == pl.Duration:
        return column.dt.to_string("iso")
    if column.dtype.is_nested():
        values = (
            None if value is None else json.dumps(value, ensure_ascii=False, default=_json_value)
            for value in column.to_list()
        )
        return pl.Series(column.name, values, pl.String)
    return column


def _json_value(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else plain_value(value)


def _has_bytes(dtype: Any) -> bool:
    """Whether a column contains bytes, which JSON lines cannot hold."""
    if isinstance(dtype, pl.Struct):
        return any(_has_bytes(field.dtype) for field in dtype.fields)
    inner = getattr(dtype, "inner", None)
    return bool(dtype == pl.Binary) if inner is None else _has_bytes(inner)
