"""Labels and groups as values of Python, the same whatever library a column comes from.

Times are `datetime`, `date`, `time` and `timedelta`, which end at microseconds and have years from
1 to 9999. A column with other ones is refused: its values would become equal, or have no value.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.readers.columns import quoted

OBJECTS = (nw.Object, nw.Unknown)
_NESTED = (nw.List, nw.Array, nw.Struct)
_CATEGORIES = (nw.Categorical, nw.Enum)
_TIMES = (nw.Date, nw.Datetime, nw.Duration, nw.Time)
_KINDS = {"bool", "int", "float"}
_ONE_KIND = {"str", "bytes", "date", "datetime", "time", "timedelta", "Decimal"}
_DAY = 86_400_000  # milliseconds
_FIRST_DAY = date.min.toordinal() - date(1970, 1, 1).toordinal()
_LAST_DAY = date.max.toordinal() - date(1970, 1, 1).toordinal()
_LONGEST = 999_999_999  # days of a timedelta


def python_values(series: nw.Series[Any]) -> list[Any]:
    """The values of a column; `refused_key` and `refuse_objects` have judged them."""
    values = series.to_list()
    if series.dtype in (*_TIMES, *OBJECTS, *_CATEGORIES):
        return [python_value(value) for value in values]
    return values


def python_value(value: Any) -> Any:
    """A value of Python in place of one of pandas, Arrow or NumPy."""
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    for convert in ("to_pytimedelta", "as_py"):
        if hasattr(value, convert):
            value = getattr(value, convert)()
    if isinstance(value, datetime) and value.tzinfo is not None:
        # With its zone the hour that a clock shows twice would be one.
        return value.replace(tzinfo=timezone(value.utcoffset() or timedelta()), fold=0)
    if not isinstance(value, np.generic):
        return value
    if value.dtype.kind in "mM" and isinstance(value.item(), int):  # NumPy counts nanoseconds
        whole = value.astype(f"{value.dtype.kind}8[us]")
        return whole.item() if whole == value else value
    return value.item()


def refuse_objects(series: nw.Series[Any]) -> None:
    """Raise if the values of a column can be neither labels nor groups: lists, objects."""
    if series.dtype not in (*OBJECTS, *_NESTED):
        return
    kinds = {type(python_value(value)).__name__ for value in series.drop_nulls().to_list()}
    if kinds <= _KINDS or (len(kinds) == 1 and kinds <= _ONE_KIND):
        return
    raise InputError(
        found="Column `{column}` holds values of type {kinds}",
        needed="one type is needed: bool, number, text or date",
        fix="Convert the column.",
        column=series.name,
        kinds=quoted(sorted(kinds)),
    )


def refused_key(series: nw.Series[Any]) -> tuple[int, InputError] | None:
    """The first row whose time Python does not have, and its error; nothing is missing."""
    found = (
        _refused_object(series) if series.dtype in (*OBJECTS, *_CATEGORIES) else _refused(series)
    )
    if found is None:
        return None
    row, value = found
    return row, InputError(
        found="Column `{column}` is {value}{place}",
        needed="times of labels and groups end at microseconds, in the years 1 to 9999",
        fix="Round it, or convert it to text.",
        column=series.name,
        value=value,
        place="",
    )


def _refused_object(series: nw.Series[Any]) -> tuple[int, str] | None:
    """The row and the value of the first time of pandas that is not one of Python."""
    for row, value in enumerate(series.to_list()):
        if not hasattr(value, "nanosecond") and not hasattr(value, "nanoseconds"):
            return None
        if python_value(value) != value:
            return row, str(value)
    return None


def _refused(series: nw.Series[Any]) -> tuple[int, str] | None:
    """The row and the value of the first time of a column that is not one of Python."""
    dtype = series.dtype
    if dtype == nw.Date:
        days = _integers(series.cast(nw.Int32))
        bad = (days < _FIRST_DAY) | (days > _LAST_DAY)
        times: npt.NDArray[Any] = days.view("M8[D]")
    elif dtype == nw.Time:
        times = _time_of_day(series)
        bad = times.view(np.int64) % 1000 > 0
    elif isinstance(dtype, nw.Duration) and dtype.time_unit == "ns":
        times = _integers(series.dt.total_nanoseconds()).view("m8[ns]")
        bad = times.view(np.int64) % 1000 > 0
    elif isinstance(dtype, nw.Duration):
        times = _integers(series.dt.total_milliseconds()).view("m8[ms]")
        bad = np.abs(times.view(np.int64)) > _LONGEST * _DAY
    elif isinstance(dtype, nw.Datetime) and dtype.time_unit == "ns":  # 1677 to 2262
        times = _integers(series.dt.timestamp("ns")).view("M8[ns]")
        bad = times.view(np.int64) % 1000 > 0
    elif isinstance(dtype, nw.Datetime):
        times = _integers(series.dt.timestamp("ms")).view("M8[ms]")
        inner = 1 if dtype.time_zone else 0  # elsewhere it may be another day
        days = times.view(np.int64) // _DAY
        bad = (days < _FIRST_DAY + inner) | (days > _LAST_DAY - inner)
    else:
        return None
    if not bad.any():
        return None
    row = int(np.argmax(bad))
    written = str(times[row]).replace("T", " ")
    if dtype == nw.Time:
        written = written.split()[1]
    return row, f"{written} UTC" if getattr(dtype, "time_zone", None) else written


def _time_of_day(series: nw.Series[Any]) -> npt.NDArray[Any]:
    if series.implementation.is_pandas_like():  # which has such columns from Arrow, without parts
        import pyarrow as pa

        series = nw.from_native(pa.chunked_array([series.to_arrow()]), series_only=True)
    seconds = (series.dt.hour().cast(nw.Int64) * 60 + series.dt.minute()) * 60 + series.dt.second()
    return (_integers(seconds) * 10**9 + _integers(series.dt.nanosecond())).view("M8[ns]")


def _integers(series: nw.Series[Any]) -> npt.NDArray[np.int64]:
    return np.array(series.to_numpy(), np.int64)


def time_of_text(text: str, dtype: Any) -> date | None:
    """The date or time that a text in ISO 8601 says, for a column of them; raise if it is none."""
    if dtype == nw.Date:
        return date.fromisoformat(text.strip())
    return datetime.fromisoformat(text.strip()) if dtype == nw.Datetime else None
