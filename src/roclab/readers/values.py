"""What the values of a column are: missing, numbers, labels, groups.

Tables in memory, in parts and on clusters are all judged here, so that an engine never changes a
result or a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_labels, refused_weights
from roclab.data.table import MissingValues
from roclab.errors import InputError, Parameter
from roclab.readers.columns import Columns, quoted, shortened
from roclab.readers.keys import (
    OBJECTS,
    python_value,
    python_values,
    refuse_objects,
    time_of_text,
)
from roclab.readers.literals import as_number

Array = npt.NDArray[Any]
Labels = npt.NDArray[np.uint8]

MOST_LABELS = 20  # distinct values that a message needs
_GLANCE = 1_000  # rows by which `stray_text` judges a column
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}
_WIDE = (nw.Int128, nw.UInt128)
_EXACT_DIGITS = 15  # decimals with as many differ as float64 too
_CORE_TYPES = {  # of labels; scores of one byte are widened too
    "float16": np.float32,
    "int16": np.int32,
    "uint16": np.int32,
    "uint32": np.int64,
}
_SCORE_TYPES = _CORE_TYPES | {"int8": np.int32, "uint8": np.int32}


def missing_values(series: nw.Series[Any]) -> nw.Series[Any] | None:
    """Where a value is null or NaN; None if nowhere."""
    absent = series.is_null() if series.null_count() else None
    if series.dtype.is_float():
        # pandas finds every number of 16 bits that Arrow keeps different from itself.
        half = series.dtype == nw.Float16
        nan = (series.cast(nw.Float32) if half else series).is_nan()
        if nan.any():
            nan = nan.fill_null(False)
            absent = nan if absent is None else absent | nan
    return absent


def kind_of(series: nw.Series[Any]) -> str:
    """What a message calls the type of a column; ``"numeric"`` and ``"Boolean"`` can be scores."""
    if series.dtype.is_numeric():
        return "numeric"
    return "text" if series.dtype == nw.String else shortened(series.dtype)


def is_numeric(series: nw.Series[Any]) -> bool:
    """Whether the type of a column allows scores and weights."""
    return kind_of(series) in {"numeric", "Boolean"}


def not_numeric(
    parts: Iterable[nw.Series[Any]], parameter: str | None, decimal: str = "."
) -> InputError | None:
    """The error for a column that is not numeric, with the first value that is no number.

    None if all values are missing. `parts` are the values from the first row on; `parameter` names
    the column, None if a model does; `decimal` is the decimal sign of text.
    """
    first: tuple[int, Any, nw.Series[Any]] | None = None
    begin = 0
    for series in parts:
        values = series.to_list()
        for row in _present_rows(series):
            is_number = as_number(str(values[row]), decimal) is not None
            if first is None or not is_number:
                first = begin + row, values[row], series
            if not is_number:
                return _not_numeric(*first, parameter)
        begin += len(values)
    return None if first is None else _not_numeric(*first, parameter)


def stray_text(series: nw.Series[Any], decimal: str = ".") -> str | None:
    """The first value that is no number, with its row, if the first values mostly are numbers."""
    if kind_of(series) not in {"text", "Object"}:
        return None
    first = [number is not None for _, _, number in _numbers_in(series.head(_GLANCE), decimal)]
    if not first or sum(first) < len(first) / 2:
        return None
    for row, value, number in _numbers_in(series, decimal):
        if number is None:
            return f"`{shortened(value)}` in row {row + 1:,}"
    return None


def _numbers_in(series: nw.Series[Any], decimal: str) -> Iterator[tuple[int, Any, float | None]]:
    """Yield row, value and number of each value that is not missing."""
    values = series.to_list()
    for row in _present_rows(series):
        yield row, values[row], as_number(str(values[row]), decimal)


def _not_numeric(row: int, value: Any, series: nw.Series[Any], parameter: str | None) -> InputError:
    return InputError(
        found="Column `{column}` is {kind}, not numeric: `{value}` in row {row}",
        needed="{parameter} needs numbers" if parameter else "the model needs numbers",
        fix="Convert it, or name another column." if parameter else "Convert it.",
        column=series.name,
        kind=kind_of(series),
        value=shortened(value),
        row=row + 1,
        parameter=Parameter(parameter or ""),
    )


def _present_rows(series: nw.Series[Any]) -> list[int]:
    missing = missing_values(series)
    if missing is None:
        return [*range(len(series))]
    rows: list[int] = np.flatnonzero(~missing.to_numpy().astype(bool)).tolist()
    return rows


def numbers(series: nw.Series[Any]) -> Array:
    """The numbers of a column without missing values, in a type that kernels take.

    Integers stay exact. `refuse_numbers` has judged them.
    """
    dtype = series.dtype
    if dtype == nw.Boolean:
        series = series.cast(nw.UInt8)
    elif dtype in _WIDE:
        series = series.cast(nw.Int64 if dtype == nw.Int128 else nw.UInt64)
    elif not dtype.is_numeric() or dtype == nw.Decimal:  # without any value, or at most 15 digits
        series = series.cast(nw.Float64)
    array = series.to_numpy()
    return np.require(array, _SCORE_TYPES.get(array.dtype.name), "C")


def refused_score(series: nw.Series[Any]) -> tuple[int, InputError] | None:
    """The first row whose number has no exact type, and its error."""
    dtype = series.dtype
    if dtype in _WIDE:
        low, high = (0, 2**64 - 1) if dtype == nw.UInt128 else (-(2**63), 2**63 - 1)
        fine = ((series >= low) & (series <= high)).to_numpy()
    elif dtype == nw.Decimal:
        fine = np.array([_digits(value) <= _EXACT_DIGITS for value in series.to_list()], bool)
    else:
        return None
    if fine.all():
        return None
    row = int(np.argmin(fine))
    decimal = dtype == nw.Decimal
    return row, InputError(
        found="Column `{column}` ({kind}) is {value}{place}",
        needed=f"decimals may have {_EXACT_DIGITS} digits, which float64 can distinguish"
        if decimal
        else "integers may have 64 bits",
        fix="Round it, or convert it to Float64, which makes close values equal."
        if decimal
        else "Name other columns, or convert it to Float64, which makes close values equal.",
        column=series.name,
        kind=shortened(dtype),
        value=series[row],
        place="",
    )


def refuse_rounded(rounded: Mapping[str, tuple[int, str]], columns: Iterable[str]) -> None:
    """Raise if one of some columns of text has an integer that float64 rounds.

    `rounded` has the row, from 0, and the integer of each column that has one.
    """
    for name in columns:
        if name in rounded:
            row, written = rounded[name]
            raise InputError(
                found="Column `{column}` is {value} in row {row}, which float64 rounds",
                needed="integers beyond 2**53 are exact in a column of integers of 64 bits only",
                fix="Round it, or write it with a decimal point, which makes close values equal.",
                column=name,
                value=shortened(written),
                row=row + 1,
            )


def _digits(value: Decimal) -> int:
    """Significant digits; zeros at the ends do not count."""
    return len("".join(map(str, value.as_tuple().digits)).strip("0"))


def refused_weight(series: nw.Series[Any]) -> tuple[int, InputError] | None:
    """The first row whose weight cannot be used, and its error."""
    weights = numbers(series).astype(np.float64)
    found = refused_weights(weights)
    if found is None:
        return None
    bad, needed, fix = found
    row = int(np.argmax(bad))
    return row, InputError(
        found="Column `{column}` is {value}{place}",
        needed=needed,
        fix=fix,
        column=series.name,
        value=f"{weights[row]:g}",
        place="",
    )


def in_row(error: InputError, row: int) -> InputError:
    """The error of a refused value, with its row, from 0."""
    error.values["place"] = f" in row {row + 1}"
    return type(error)(found=error.found, needed=error.needed, fix=error.fix, **error.values)


def label_of(pos_label: Any, head: nw.Series[Any]) -> Any:
    """The positive label in the type of the label column, of which `head` has the first rows."""
    dtype = head.dtype
    pos_label = python_value(pos_label)
    if pos_label is None and dtype == nw.Boolean:
        return True
    times = dtype in (nw.Date, nw.Datetime)
    if isinstance(pos_label, str) and (dtype.is_numeric() or dtype == nw.Boolean or times):
        try:
            if times:
                return time_of_text(pos_label, dtype)
            if dtype == nw.Boolean:
                return _BOOLEANS[pos_label.strip().lower()]
            if dtype == nw.Decimal:
                return Decimal(pos_label.strip())
            return float(pos_label) if dtype.is_float() else _whole(pos_label)
        except (KeyError, ValueError, InvalidOperation):
            raise InputError(
                found="{pos_label=}{value} does not fit column `{column}`, which holds {kind} "
                "({values})",
                fix="Pass one of its values.",
                value=repr(pos_label),
                column=head.name,
                kind="true and false" if dtype == nw.Boolean else "times" if times else "numbers",
                values=quoted(_some(head)),
            ) from None
    if dtype.is_integer() and isinstance(pos_label, float) and pos_label.is_integer():
        return int(pos_label)  # compared exactly
    return pos_label


def _whole(text: str) -> int:
    return int(text.removesuffix(".0"))


def _some(head: nw.Series[Any]) -> list[str]:
    missing = missing_values(head)
    present = head if missing is None else head.filter(~missing)
    return [str(value) for value in dict.fromkeys(python_values(present.head(1000)))][:5]


def positives(series: nw.Series[Any], pos_label: Any) -> tuple[Labels, list[Any]]:
    """Labels of rows without missing values: 1 for positive; and values for `check_labels`.

    The values are the smallest ones, unless a row has the positive label that was named.
    """
    dtype = series.dtype
    if dtype == nw.Boolean and (pos_label is None or pos_label is True):
        truths: Labels = series.to_numpy().astype(np.bool_).view(np.uint8)
        return truths, [value for value in (False, True) if (truths == value).any()]
    if dtype.is_numeric() and dtype not in _WIDE and dtype != nw.Decimal:
        array = series.to_numpy()
        array = np.require(array, _CORE_TYPES.get(array.dtype.name), "C")
        if pos_label is None:
            labels, zero, minus_one, other = _core.binary_labels(array)
            if not other:
                seen = {-1: minus_one, 0: zero, 1: labels.any()}
                return labels, [value for value, found in seen.items() if found]
        elif isinstance(pos_label, int | float | np.number | Decimal):
            equal = _equal_numbers(array, pos_label)
            if equal.any():
                return equal.view(np.uint8), []
            return equal.view(np.uint8), smallest(_distinct(series).to_list())
    distinct = _distinct(series)
    values = python_values(distinct)
    named = True if pos_label is None else pos_label
    wanted = [
        own for own, value in zip(distinct.to_list(), values, strict=True) if _same(value, named)
    ]
    labels = np.zeros(len(series), np.uint8)
    if wanted and dtype in OBJECTS:  # which polars does not compare
        labels[:] = [value in wanted for value in series.to_list()]
    elif wanted:
        labels[:] = series.is_in(wanted).to_numpy().astype(np.uint8)
    return labels, [] if wanted and pos_label is not None else smallest(values)


def _equal_numbers(array: Array, value: Any) -> npt.NDArray[np.bool_]:
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        # Python's integers: NumPy compares large ones with a float64 as float64.
        if value != value or int(value) != value or not limits.min <= value <= limits.max:
            return np.zeros(len(array), np.bool_)
        value = int(value)
    return np.asarray(array == value)


def _same(value: Any, other: Any) -> bool:
    try:
        return bool(value == other)
    except (TypeError, ValueError):
        return False


def _distinct(series: nw.Series[Any]) -> nw.Series[Any]:
    refuse_objects(series)
    counted = series.value_counts()
    return counted[counted.columns[0]]


def smallest(values: Iterable[Any]) -> list[Any]:
    """The smallest of some values, by type and value: enough of them for a message."""
    distinct = {*values}
    try:
        # Parts of one column may give 0 and 0.5: numbers have one order.
        found = sorted(
            distinct,
            key=lambda value: (
                "" if isinstance(value, int | float) else type(value).__name__,
                value,
            ),
        )
    except TypeError:
        found = sorted(distinct, key=lambda value: (type(value).__name__, repr(value)))
    return found[:MOST_LABELS]


def check_labels(values: Sequence[Any], pos_label: Any, *, column: str, rows: int) -> None:
    """Raise if labels are not two classes, or the positive label that was named is none of them."""
    values = [int(one) if isinstance(one, Decimal) and one == int(one) else one for one in values]
    listed: Any = values
    if len({type(value) for value in values}) > 1 or isinstance(values[0], str | bytes | tuple):
        listed = np.empty(len(values), object)
        listed[:] = values
    try:
        as_labels(listed, pos_label)
    except InputError as error:
        error.values["rows"] = f"{rows:,}"
        raise error.about(f"Column `{column}`") from None


def group_values(series: nw.Series[Any]) -> Array:
    """The groups of rows without missing values: numbers, booleans, or objects of one kind."""
    dtype = series.dtype
    if dtype == nw.Boolean:
        return series.to_numpy().astype(bool)
    if dtype.is_numeric() and dtype not in _WIDE and dtype != nw.Decimal:
        return series.to_numpy()
    refuse_objects(series)
    values = python_values(series)
    if {type(value) for value in values} <= {bool, int, float} and dtype in OBJECTS:
        return np.asarray(values)
    # As objects: in a fixed-width array every row has the size of the longest text.
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def no_complete_row(missing: MissingValues, columns: Columns) -> InputError:
    """The error for a table of which every row misses a value."""
    everywhere = [n for n, count in missing.by_column.items() if count == missing.rows_read]
    if everywhere:
        return InputError(
            found="Column {columns} is missing in all {rows} rows, so no row is left",
            fix="Leave it out, or check how the table was written.",
            rows=f"{missing.rows_read:,}",
            columns=quoted(everywhere),
        )
    return InputError(
        found="Every one of {rows} rows misses a value ({counts}), so no row is left",
        fix="Name fewer columns with {parameter}.",
        rows=f"{missing.rows_read:,}",
        counts=", ".join(f"`{name}` {count:,}" for name, count in missing.by_column.items()),
        parameter=Parameter(columns.parameter),
    )


def whole_rows(missing: Iterable[nw.Series[Any] | None]) -> nw.Series[Any] | None:
    """Where a row misses nothing; None if no row does."""
    incomplete: nw.Series[Any] | None = None
    for absent in missing:
        if absent is not None:
            incomplete = absent if incomplete is None else incomplete | absent
    return None if incomplete is None else ~incomplete
