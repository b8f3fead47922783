"""The first sheet of an Excel workbook as a table of text, of which dates are dates.

Cells have types of their own, and those of a column may differ: numbers that are stored as text,
a remark between numbers. So the type of a column is found from all its texts, as in CSV.
"""

from __future__ import annotations

import datetime
from typing import Any

import polars as pl

from roclab.errors import FileFormatError, InputError, needs_extra
from roclab.readers.columns import quoted
from roclab.readers.files import File

_TIME = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$"
_NO_DAY = datetime.date(1899, 12, 31)  # of a time of day


def read_workbook(file: File) -> tuple[list[str], pl.DataFrame, list[str]]:
    """The names in the header, the columns below it, and the names of all sheets.

    The header is the first row that is not empty; empty rows below it are left out. Columns of the
    frame have numbers as names, since those of the header may repeat.
    """
    with needs_extra("excel", "Reading Excel workbooks", "fastexcel"):
        import fastexcel
    if file.remote:
        raise FileFormatError(
            found="{file} is an Excel workbook elsewhere",
            needed="workbooks are read from files of this machine",
            fix="Download it, and name the copy.",
            file=file.name,
        )
    try:
        book = fastexcel.read_excel(file.data)
        texts = _sheet(book, "string")
        numbers = _sheet(book, "float")
    except fastexcel.FastExcelError as error:
        raise FileFormatError(
            found="{file} cannot be read as an Excel workbook: {reason}",
            file=file.name,
            reason=str(error).strip().split("\n")[0].rstrip("."),
        ) from None
    filled = texts.select(pl.any_horizontal(pl.all().is_not_null())) if texts.width else texts
    rows = filled.to_series().arg_true().to_list() if texts.width else []
    if not rows:
        raise InputError(
            found="The first sheet of {file} is empty (sheets: {sheets})",
            needed="a table with rows is needed",
            file=file.name,
            sheets=quoted(book.sheet_names),
        )
    header, *below = rows
    names = [name or "" for name in texts.row(header)]
    frame = pl.DataFrame(
        [
            _column(texts[name].gather(below), numbers[name].gather(below)).alias(str(at))
            for at, name in enumerate(texts.columns)
        ]
    )
    return names, frame, book.sheet_names


def _sheet(book: Any, dtype: str) -> pl.DataFrame:
    sheet: pl.DataFrame = book.load_sheet(0, header_row=None, skip_rows=0, dtypes=dtype).to_polars()
    return sheet


def _column(text: pl.Series, numbers: pl.Series) -> pl.Series:
    """A column of dates or times, or the texts of its cells with every digit of numbers."""
    if text.null_count() < len(text) and text.str.contains(_TIME).all():
        return _times(text.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us"))
    # The text of a number has nine decimals; that of a number stored as text is its own.
    rounded = (text.cast(pl.Float64, strict=False) != numbers).fill_null(False)
    return text.set(rounded, None).fill_null(numbers.cast(pl.String).set(~rounded, None))


def _times(moments: pl.Series) -> pl.Series:
    if (moments.dt.date() == _NO_DAY).all():
        return moments.dt.time()
    return moments.dt.date() if (moments.dt.time() == datetime.time()).all() else moments
