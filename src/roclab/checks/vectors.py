"""One value per row from lists, NumPy, pandas, polars or Arrow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, Parameter
from roclab.formatting import listed

NUMBERS = (int, float, complex, np.number, np.bool_)
_PLAIN_TEXT = {str, bytes}
EXACT_UP_TO = 2**53  # float64 holds every integer up to here
_REAL = (int, float, np.integer, np.floating, np.bool_, Decimal, Fraction)
# Types of polars that NumPy lacks: it would round them, and 128 bits make polars 2.0 panic.
_WITHOUT_A_TYPE = ("Int128", "UInt128", "Decimal")
_NO_SCORES = {
    *("cluster", "stratum", "fold", "groups", "fpr", "thresholds", "sample_weight", "y_true", "y"),
}
_ONE_OF_SEVERAL = "Pass one column; for several models see ScoreTable and read_scores."


class SeveralModels:
    """Base of `ScoreTable`, which functions of a single model refuse."""

    if TYPE_CHECKING:  # defined by the table

        @property
        def names(self) -> tuple[str, ...]:
            """The names of the models."""


def refuse_several_models(values: Any) -> None:
    """Raise if a table of several models is passed where one model is needed."""
    if isinstance(values, SeveralModels):
        raise InputError(
            found="A {kind} was passed (models: {models})",
            needed="the scores of one model are needed",
            fix="Pass table[{first}], or use evaluate(table) for all models.",
            kind=type(values).__name__,
            models=listed(values.names),
            first=repr(values.names[0]),
        )


def parameter_or_text(name: str) -> str:
    """What a message calls some values: a parameter, or a text such as ``column 'a'``."""
    return Parameter(name) if name.isidentifier() else name


def as_vector(values: Any, name: str) -> npt.NDArray[Any]:
    """Convert to an array with one value per row; text stays text, integers stay exact.

    The array holds numbers, booleans or dates, otherwise Python objects. Missing values are
    refused, except NaN among floats: rows of weight 0 may hold anything. A single column, of shape
    (n, 1), is accepted too.
    """
    refuse_several_models(values)
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.getmaskarray(values).any():
            raise InputError(
                found="{name} is a masked array with {masked} masked values",
                needed="every row needs a value",
                fix="Pass {name}.compressed() and the same rows of the other arrays.",
                name=parameter_or_text(name),
                masked=f"{int(np.ma.getmaskarray(values).sum()):,}",
            )
        values = values.data
    try:
        values = _flattened(values)
        _refuse_nulls(values, name)
        array = _read(values, name)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # each container has its own exceptions
        raise InputError(
            found="{name} ({kind}) cannot be read as an array ({reason})",
            needed="a flat sequence with one value per row is needed",
            name=parameter_or_text(name),
            kind=type(values).__name__,
            reason=" ".join(str(error).split()),
        ) from None
    if array.ndim != 1:
        raise _wrong_shape(array, values, name)
    if array.dtype.kind == "O":
        _refuse_nested(array, name)
    if array.dtype.kind in "Mm" and np.isnat(array).any():
        row = int(np.argmax(np.isnat(array)))
        raise _no_value(name, row, array[row])
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def split_missing(values: Any, name: str) -> tuple[Any, npt.NDArray[np.bool_]]:
    """The values that are present, and which rows have none."""
    refuse_several_models(values)
    values = _flattened(values)
    if isinstance(values, np.ma.MaskedArray):
        mask: npt.NDArray[np.bool_] = np.ma.getmaskarray(values).copy()
        return values.compressed(), mask
    array = np.asarray(values)
    if isinstance(values, list | tuple) and array.dtype.kind not in "biuf":
        array = np.fromiter(values, object, len(values))  # NumPy would make text of None
    if array.ndim != 1:
        raise _wrong_shape(array, values, name)
    kind = array.dtype.kind
    if kind == "f":
        mask = np.isnan(array)
    elif kind == "O":
        mask = np.fromiter(map(is_missing, array.tolist()), np.bool_, len(array))
    else:
        return values, np.zeros(len(array), np.bool_)
    present = array[~mask]
    return present.tolist() if kind == "O" else present, mask


def as_names(values: Any, name: str) -> npt.NDArray[Any]:
    """Names or groups of the rows: values of any kind, none missing."""
    array = as_vector(values, name)
    refuse_nan(array, name)
    # As text: `tolist` converts some dates to numbers, which nobody would recognise.
    return array.astype(str) if array.dtype.kind in "Mm" else array


def is_missing(value: Any) -> bool:
    """Whether a Python value is a missing value."""
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling NaN cannot be compared
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (*NUMBERS, np.generic)) and bool(np.all(value != value))


def refuse_nan(array: npt.NDArray[Any], name: str) -> None:
    """Raise if an array of floats contains NaN."""
    if array.dtype.kind in "fc" and np.isnan(array).any():
        row = int(np.argmax(np.isnan(array)))
        raise _no_value(name, row, array[row].item())


def are_real(array: npt.NDArray[Any]) -> bool:
    """Whether an array of objects holds real numbers only, exact ones such as Decimal included."""
    return array.dtype.kind == "O" and all(isinstance(value, _REAL) for value in array.tolist())


def exact_floats(values: Sequence[Any], name: str) -> npt.NDArray[np.float64]:
    """Real numbers of any type as float64, if that keeps different values different.

    Decimals, fractions, integers of more than 64 bits and long doubles have no other type that
    the core accepts.
    """
    seen: dict[float, Any] = {math.inf: math.inf, -math.inf: -math.inf}
    doubles = np.empty(len(values))
    for row, value in enumerate(values):
        doubles[row] = double = _float(value)
        other = seen.setdefault(double, value)
        if other != value and value == value:
            raise InputError(
                found="{name} holds {value} in row {row}, which float64 rounds to the same number "
                "as {other}",
                needed="scores are integers of 64 bits or float64",
                fix="Subtract a constant, or pass ranks instead.",
                name=parameter_or_text(name),
                value=f"{value!s:.40}",
                row=row,
                other=f"{other!s:.40}",
            )
    return doubles


def _float(value: Any) -> float:
    """A number as float64, infinite if too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _flattened(values: Any) -> Any:
    """A column of shape (n, 1) as a sequence with one value per row; anything else as it is."""
    if isinstance(values, list | tuple):
        nested = all(isinstance(row, list | tuple | np.ndarray) and len(row) == 1 for row in values)
        return [row[0] for row in values] if values and nested else values
    shape = getattr(values, "shape", None)
    if not (isinstance(shape, tuple) and len(shape) == 2 and shape[1] == 1):
        return values
    if hasattr(values, "iloc"):
        return values.iloc[:, 0]
    return values.column(0) if hasattr(values, "column") else values[:, 0]


def _refuse_nulls(values: Any, name: str) -> None:
    """Raise for missing values of pandas, polars and Arrow while they can be seen.

    NumPy's arrays hold NaN for them, which turns integers into floats.
    """
    if isinstance(getattr(values, "dtype", None), np.dtype):
        return
    find = getattr(values, "is_null", None) or getattr(values, "isna", None)
    if callable(find):
        null = np.asarray(find(), dtype=np.bool_)
        if null.any():
            raise _no_value(name, int(np.argmax(null)), None)


def _refuse_nested(array: npt.NDArray[Any], name: str) -> None:
    """Raise for objects such as lists, which are not labels, names or numbers: unhashable."""
    for row, value in enumerate(array.tolist()):
        try:
            hash(value)
        except TypeError:
            raise InputError(
                found="{name} holds a value of type {kind} in row {row}",
                needed="one number, boolean or text per row is needed",
                fix="Pass one column of them.",
                name=parameter_or_text(name),
                kind=type(value).__name__,
                row=row,
            ) from None


def _read(values: Any, name: str) -> npt.NDArray[Any]:
    """Convert to an array; to a common type only if that changes no value."""
    to_list = getattr(values, "to_list", None)
    if to_list is not None and str(getattr(values, "dtype", "")).startswith(_WITHOUT_A_TYPE):
        return _typed(to_list(), name)
    array = np.asarray(values)
    kind = array.dtype.kind
    if array.ndim != 1 or (isinstance(values, np.ndarray) and kind not in "OT"):
        return array
    if isinstance(values, list | tuple):
        # NumPy converts all values to text if some are text, and to floats if some are floats.
        wide = kind == "f" and bool((np.abs(array) >= EXACT_UP_TO).any())
        return _typed(values, name) if wide or kind in "OSU" else array
    if kind in "SU":
        return _typed(array.tolist() if to_list is None else to_list(), name)
    return _typed(array.tolist(), name) if kind in "OT" else array


def _typed(values: Sequence[Any], name: str) -> npt.NDArray[Any]:
    """Python values as an array of their common type, if it holds them exactly."""
    kinds = set(map(type, values))
    if all(issubclass(kind, NUMBERS) for kind in kinds):
        array = np.asarray(values)
        whole = any(issubclass(kind, (int, np.integer)) for kind in kinds)
        if not (whole and array.dtype.kind == "f" and _loses_digits(values, array)):
            return array
        if all(isinstance(value, int) and 0 <= value < 2**64 for value in values):
            return np.array(values, np.uint64)  # NumPy does not, if small ones are among them
    elif not kinds <= _PLAIN_TEXT:
        for row, value in enumerate(values):
            if is_missing(value):
                raise _no_value(name, row, value)
    return np.fromiter(values, object, len(values))


def _loses_digits(values: Sequence[Any], doubles: npt.NDArray[Any]) -> bool:
    large = np.flatnonzero(np.abs(doubles) >= EXACT_UP_TO).tolist()
    return any(
        isinstance(values[row], (int, np.integer)) and int(values[row]) != int(doubles[row])
        for row in large
    )


def _no_value(name: str, row: int, value: Any) -> InputError:
    return InputError(
        found="{name} has no value in row {row} ({value})",
        needed="every row needs one",
        fix="Drop such rows from all arrays, or fill in the missing values.",
        name=parameter_or_text(name),
        row=row,
        value=value,
    )


def _wrong_shape(array: npt.NDArray[Any], values: Any, name: str) -> InputError:
    scores = name.split("[")[0] not in _NO_SCORES
    if array.ndim == 0:
        return InputError(
            found="{name} is a single {kind}",
            needed="a sequence with one value per row is needed",
            fix=_ONE_OF_SEVERAL
            if isinstance(values, Mapping) and scores
            else "Pass a list or an array.",
            name=parameter_or_text(name),
            kind=type(values).__name__,
        )
    fix = "Pass {name}.ravel()." if array.size == max(array.shape) else "Pass one column."
    if array.ndim == 2 and hasattr(values, "columns") and scores:
        fix = _ONE_OF_SEVERAL
    elif array.ndim == 2 and array.shape[1] == 2 and scores:
        fix = "For predict_proba, pass the column of the positive class: {name}[:, 1]."
    return InputError(
        found="{name} has shape {shape}",
        needed="one dimension is needed",
        fix=fix,
        name=parameter_or_text(name),
        shape=array.shape,
    )
