"""One value a row, whatever holds them: lists, NumPy, pandas, polars, Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.formatting import listed

__all__ = [
    "NUMBERS",
    "SeveralModels",
    "as_names",
    "as_vector",
    "is_missing",
    "refuse_nan",
    "refuse_several_models",
]

NUMBERS = (int, float, complex, np.number, np.bool_)
_PLAIN_TEXT = {str, bytes}
_EXACT_UP_TO = 2**53  # among doubles, every whole number
# Of polars; NumPy has none for them, and polars 2.0 panics when it is asked.
_WITHOUT_A_TYPE = {"Int128", "UInt128"}
_NO_SCORES = {
    *("cluster", "stratum", "fold", "groups", "fpr", "thresholds", "sample_weight", "y_true", "y"),
}


class SeveralModels:
    """What holds the scores of several models: `ScoreTable`, which functions of one refuse."""

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        raise NotImplementedError


def refuse_several_models(values: Any) -> None:
    """Say what to do with a table where the scores of one model are needed."""
    if isinstance(values, SeveralModels):
        raise InputError(
            f"A {type(values).__name__} was given (models: {listed(values.names)}); the scores of "
            f"one model are needed. Pass table[{values.names[0]!r}], or see all of them with "
            "evaluate(table)."
        )


def as_vector(values: Any, name: str) -> npt.NDArray[Any]:
    """One value a row, whatever holds them: text stays text, and whole numbers keep their digits.

    An array of numbers, booleans or dates, and otherwise one of Python objects. A missing value is
    refused, but for NaN among floats: what rows of weight 0 hold does not matter.
    """
    refuse_several_models(values)
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.getmaskarray(values).any():
            raise InputError(
                f"{name} is a masked array with {int(np.ma.getmaskarray(values).sum()):,} masked "
                f"values; every row needs a value. Pass {name}.compressed() and the same rows of "
                "the other arrays."
            )
        values = values.data
    try:
        _refuse_nulls(values, name)
        array = _read(values, name)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # whatever holds the values has its own exceptions
        raise InputError(
            f"{name} ({type(values).__name__}) cannot be read as an array "
            f"({' '.join(str(error).split())}); pass a flat sequence of one value a row."
        ) from None
    if array.ndim != 1:
        raise InputError(_wrong_shape(array, values, name))
    if array.dtype.kind == "O":
        _refuse_nested(array, name)
    if array.dtype.kind in "Mm" and np.isnat(array).any():
        row = int(np.argmax(np.isnat(array)))
        raise _no_value(name, row, array[row])
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def as_names(values: Any, name: str) -> npt.NDArray[Any]:
    """What each row is called or belongs to: any value that is not missing."""
    array = as_vector(values, name)
    refuse_nan(array, name)
    # As numbers, which is what `tolist` makes of some of them, nobody would recognise dates.
    return array.astype(str) if array.dtype.kind in "Mm" else array


def is_missing(value: Any) -> bool:
    """Whether a Python value stands for none."""
    if isinstance(value, Decimal):
        return value.is_nan()  # a signalling NaN cannot be compared
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (*NUMBERS, np.generic)) and bool(np.all(value != value))


def refuse_nan(array: npt.NDArray[Any], name: str) -> None:
    """Refuse NaN among floats, where every row counts."""
    if array.dtype.kind in "fc" and np.isnan(array).any():
        row = int(np.argmax(np.isnan(array)))
        raise _no_value(name, row, array[row].item())


def _refuse_nulls(values: Any, name: str) -> None:
    """Refuse missing values of pandas, polars and Arrow while they can be seen.

    In NumPy's arrays they are NaN, for which whole numbers would have become doubles.
    """
    if isinstance(getattr(values, "dtype", None), np.dtype):
        return
    find = getattr(values, "is_null", None) or getattr(values, "isna", None)
    if callable(find):
        null = np.asarray(find(), dtype=np.bool_)
        if null.any():
            raise _no_value(name, int(np.argmax(null)), None)


def _refuse_nested(array: npt.NDArray[Any], name: str) -> None:
    """Refuse objects such as lists, which are no labels, names or numbers: they have no hash."""
    for row, value in enumerate(array.tolist()):
        try:
            hash(value)
        except TypeError:
            raise InputError(
                f"{name} holds a value of type {type(value).__name__} in row {row}; one number, "
                "boolean or text a row is needed. Pass one column of them."
            ) from None


def _read(values: Any, name: str) -> npt.NDArray[Any]:
    """Values as an array, of a common type only where that changes none of them."""
    to_list = getattr(values, "to_list", None)
    if to_list is not None and str(getattr(values, "dtype", "")) in _WITHOUT_A_TYPE:
        return _typed(to_list(), name)
    array = np.asarray(values)
    kind = array.dtype.kind
    if array.ndim != 1 or (isinstance(values, np.ndarray) and kind not in "OT"):
        return array
    if isinstance(values, list | tuple):
        # NumPy makes text of all where some is text, and doubles where some are fractions.
        wide = kind == "f" and bool((np.abs(array) >= _EXACT_UP_TO).any())
        return _typed(values, name) if wide or kind in "OSU" else array
    if kind in "SU":
        return _typed(array.tolist() if to_list is None else to_list(), name)
    return _typed(array.tolist(), name) if kind in "OT" else array


def _typed(values: Sequence[Any], name: str) -> npt.NDArray[Any]:
    """Python values in the type they have in common, if there is one that holds them exactly."""
    kinds = set(map(type, values))
    if all(issubclass(kind, NUMBERS) for kind in kinds):
        array = np.asarray(values)
        whole = any(issubclass(kind, (int, np.integer)) for kind in kinds)
        if not (whole and array.dtype.kind == "f" and _loses_digits(values, array)):
            return array
        if all(isinstance(value, int) and 0 <= value < 2**64 for value in values):
            return np.array(values, np.uint64)  # where small ones are among them, NumPy does not
    elif not kinds <= _PLAIN_TEXT:
        for row, value in enumerate(values):
            if is_missing(value):
                raise _no_value(name, row, value)
    return np.fromiter(values, object, len(values))


def _loses_digits(values: Sequence[Any], doubles: npt.NDArray[Any]) -> bool:
    large = np.flatnonzero(np.abs(doubles) >= _EXACT_UP_TO).tolist()
    return any(
        isinstance(values[row], (int, np.integer)) and int(values[row]) != int(doubles[row])
        for row in large
    )


def _no_value(name: str, row: int, value: Any) -> InputError:
    return InputError(
        f"{name} has no value in row {row} ({value}); every row needs one. Drop such rows from "
        "all arrays, or fill in what is missing."
    )


def _wrong_shape(array: npt.NDArray[Any], values: Any, name: str) -> str:
    if array.ndim == 0:
        return (
            f"{name} is a single {type(values).__name__}; a sequence with one value a row is "
            "needed. Pass a list or an array."
        )
    advice = f"Pass {name}.ravel()." if array.size == max(array.shape) else "Pass one column."
    if array.ndim == 2 and array.shape[1] == 2 and name.split("[")[0] not in _NO_SCORES:
        advice = f"For predict_proba, pass the column of the positive class: {name}[:, 1]."
    return f"{name} has shape {array.shape}; one dimension is needed. {advice}"
