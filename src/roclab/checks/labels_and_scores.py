"""Labels, scores and weights that callers pass, checked and converted to kernel types."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.refusals import EXTREME_WEIGHTS, INVALID_WEIGHTS, RESCALE_WEIGHTS
from roclab.checks.vectors import (
    EXACT_UP_TO,
    NUMBERS,
    are_real,
    as_vector,
    exact_floats,
    is_missing,
    parameter_or_text,
    refuse_nan,
)
from roclab.errors import InputError

Scores = npt.NDArray[Any]
Labels = npt.NDArray[np.uint8]

# Narrow types are widened, exactly, to the types for which kernels exist.
_SCORE_TYPES: dict[str, type[np.number[Any]]] = {
    **dict.fromkeys(("?", "b", "h", "B", "H", "i"), np.int32),
    **dict.fromkeys(("I", "l", "q"), np.int64),
    **dict.fromkeys(("L", "Q"), np.uint64),
    **dict.fromkeys(("e", "f"), np.float32),
    "d": np.float64,
}
_LABEL_TYPES = _SCORE_TYPES | {"B": np.uint8, "b": np.int8, "g": np.float64}
_MOST_VALUES = 20  # distinct labels counted for a message
_NOT_NUMBERS = {
    "U": "text",
    "S": "bytes",
    "T": "text",
    "M": "dates",
    "m": "durations",
    "V": "records",
}


def as_scores(values: Any, name: str = "y_score") -> Scores:
    """Scores as a contiguous vector of a kernel type. Kernels find NaN, see `nan_scores`."""
    array = as_vector(values, name)
    if array.dtype.char in _SCORE_TYPES:
        return widened(array)
    if array.dtype.char == "g" or are_real(array):
        return exact_floats(array.tolist(), name)
    raise _not_numbers(array, name)


def widened(array: npt.NDArray[Any]) -> Scores:
    """Booleans, integers or floats as a contiguous vector of a kernel type."""
    return np.require(array, _SCORE_TYPES[array.dtype.char], ["C", "ALIGNED"])


def as_numbers(values: Any, name: str) -> npt.NDArray[np.float64]:
    """Real numbers of any shape, as float64."""
    array = np.asarray(values)
    return as_scores(array.ravel(), name).astype(np.float64).reshape(array.shape)


def beyond_float64(ascending: Scores) -> bool:
    """Whether integers in ascending order include some that float64 may round."""
    if ascending.dtype.kind not in "iu" or not len(ascending):
        return False
    return max(-int(ascending[0]), int(ascending[-1])) > EXACT_UP_TO


def as_labels(y_true: Any, pos_label: Any = None, *, name: str = "y_true") -> Labels:
    """Labels as one byte per row: 1 for positive, 0 for negative."""
    array = as_vector(y_true, name)
    if pos_label is not None:
        return _labels_equal_to(array, pos_label, name)
    if array.dtype.kind == "b":
        # A copy: kernels read labels twice, while other threads may write to them, and a boolean
        # view of other bytes may hold more than 0 and 1.
        labels: Labels = np.not_equal(np.ascontiguousarray(array).view(np.uint8), 0).view(np.uint8)
        return labels
    if are_real(array):
        array = exact_floats(array.tolist(), name)
    if array.dtype.char not in _LABEL_TYPES:
        raise _ambiguous(array, name)
    numbers = np.require(array, _LABEL_TYPES[array.dtype.char], ["C", "ALIGNED"])
    found, zero, minus_one, other = _core.binary_labels(numbers)
    if other or (zero and minus_one):
        refuse_nan(numbers, name)
        raise _ambiguous(array, name)
    return found


def as_weights(sample_weight: Any, rows: int, *, labels: str = "y_true") -> npt.NDArray[np.float64]:
    """Finite, non-negative weights, one per row; `labels` is the caller's name for its labels."""
    array = as_vector(sample_weight, "sample_weight")
    if array.dtype.kind not in "bifu" and not are_real(array):
        raise _not_numbers(array, "sample_weight")
    # A copy: the checked values must not change before a kernel reads them.
    weights = np.array(array, np.float64, order="C")
    check_same_length(rows, len(weights), "sample_weight", first=labels)
    refused = refused_weights(weights)
    if refused is not None:
        bad, needed, fix = refused
        row = int(np.argmax(bad))
        raise InputError(
            found="{sample_weight} is {weight} in row {row} ({refused} rows refused)",
            needed=needed,
            fix=fix,
            weight=f"{weights[row]:g}",
            row=row,
            refused=_of(int(bad.sum()), len(weights)),
        )
    return weights


def refused_weights(
    weights: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.bool_], str, str] | None:
    """Where a weight cannot be used, what is needed, and what to do; None if nowhere."""
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        return bad, INVALID_WEIGHTS, "A weight of 0 excludes a row."
    extreme = (weights > _core.LARGEST_WEIGHT * _core.WEIGHT_SLACK) | (
        (weights < _core.SMALLEST_WEIGHT / _core.WEIGHT_SLACK) & (weights > 0)
    )
    return (extreme, EXTREME_WEIGHTS, RESCALE_WEIGHTS) if extreme.any() else None


def read_only(array: npt.NDArray[Any], given: Any) -> npt.NDArray[Any]:
    """A read-only array without memory shared with `given`: a copy unless newly made."""
    new = isinstance(given, list | tuple) or (
        isinstance(given, np.ndarray) and not np.may_share_memory(array, given)
    )
    array = array if new else array.copy()
    array.flags.writeable = False
    return array


def check_same_length(rows: int, other: int, name: str, *, first: str = "y_true") -> None:
    """Raise if two vectors differ in length."""
    if rows != other:
        raise InputError(
            found="{first} has {rows} rows and {name} has {other}",
            needed="they must describe the same rows",
            fix="Pass both from the same table, before filtering either of them.",
            first=parameter_or_text(first),
            rows=f"{rows:,}",
            name=parameter_or_text(name),
            other=f"{other:,}",
        )


def nan_scores(
    scores: Scores, name: str = "y_score", *, numbers: npt.NDArray[np.intp] | None = None
) -> InputError:
    """The error for scores with NaN; `numbers` are the rows of the input, None for all."""
    nan = np.isnan(scores)
    row = int(np.argmax(nan))
    return InputError(
        found="{name} holds NaN in {nan} rows, the first at row {row}",
        needed="a NaN cannot be ranked",
        fix="Drop these rows, or replace NaN by a score.",
        name=parameter_or_text(name),
        nan=_of(int(nan.sum()), len(scores)),
        row=row if numbers is None else int(numbers[row]),
    )


def _labels_equal_to(array: npt.NDArray[Any], pos_label: Any, name: str) -> Labels:
    pos_label = pos_label.as_py() if hasattr(pos_label, "as_py") else pos_label  # of Arrow

    def refusal(found: str, fix: str, needed: str = "") -> InputError:
        return InputError(
            found=found,
            needed=needed,
            fix=fix,
            name=parameter_or_text(name),
            value=repr(pos_label),
            values=_listed(array),
            kind=array.dtype,
        )

    if is_missing(pos_label):
        needed = "one of the values of {name} is needed"
        raise refusal("{pos_label} is missing ({value})", "They are {values}.", needed)
    if array.dtype.kind in "biuf" and isinstance(pos_label, (str, bytes)):
        found = "{pos_label=}{value} is text and {name} holds numbers: {values} ({kind})"
        raise refusal(found, "Pass a number.")
    refuse_nan(array, name)
    # As an object among objects: NumPy's text type drops a NUL at the end.
    sought = np.array(pos_label, object) if array.dtype.kind == "O" else pos_label
    equal = np.asarray(array == sought) if np.ndim(pos_label) == 0 else np.empty(0)
    if np.ndim(pos_label) or equal.shape != array.shape:
        found = "{pos_label=}{value} cannot be compared with the values of {name}: {values}"
        raise refusal(found, "Pass one of them.")
    labels = np.ascontiguousarray(equal, dtype=np.uint8)
    if not labels.any() and len(_distinct(array)) > 1:
        found = "{pos_label=}{value} is not among the values of {name}: {values}"
        raise refusal(found, "Pass one of them.")
    return labels


def _ambiguous(array: npt.NDArray[Any], name: str) -> InputError:
    values = _distinct(array)
    count = {1: "one value", 2: "two values"}.get(len(values), f"{len(values)} values")
    count = count if len(values) < _MOST_VALUES else f"{_MOST_VALUES} values or more"
    if len(values) > 2:
        needed = "AUC needs two classes"
        fix = (
            "Name the positive class, as in {pos_label=}{first}; the others are then negative. "
            "For more than two classes see multiclass_auc in Python."
        )
        if array.dtype.kind == "f":
            fix += " If these are scores, pass the labels as {y_true}."
    else:
        needed = "which one is positive is known only for 0/1, -1/1 and booleans"
        fix = "Name the positive class: {pos_label=}{first}"
        fix += " or {pos_label=}{second}." if len(values) == 2 else "."
    return InputError(
        found="{name} holds {count} ({values}; {rows} rows)",
        needed=needed,
        fix=fix,
        name=parameter_or_text(name),
        count=count,
        values=_listed(array),
        rows=f"{len(array):,}",
        first=repr(values[0]) if values else "",
        second=repr(values[-1]) if values else "",
    )


def _not_numbers(array: npt.NDArray[Any], name: str) -> InputError:
    named = parameter_or_text(name)
    if array.dtype.kind == "c":
        return InputError(
            found="{name} holds complex numbers, which have no order",
            needed="real numbers are needed",
            fix="Pass {name}.real or the modulus.",
            name=named,
        )
    first = f", first {array[:1].tolist()[0]!r}" if len(array) else ""
    kind = _NOT_NUMBERS.get(array.dtype.kind, str(array.dtype))
    if array.dtype.kind == "O":
        values = array.tolist()
        row = next((i for i, v in enumerate(values) if not isinstance(v, NUMBERS)), 0)
        if not all(isinstance(value, str) for value in values):
            return InputError(
                found="{name} holds Python objects: {value} ({kind}) in row {row}",
                needed="numbers are needed",
                fix="Convert each row to a number, for example with .astype(float).",
                name=named,
                value=repr(values[row]),
                kind=type(values[row]).__name__,
                row=row,
            )
        kind = "text"
    return InputError(
        found="{name} holds {kind}{first}",
        needed="numbers are needed",
        fix="Convert it with .astype(float).",
        name=named,
        kind=kind,
        first=first,
    )


def _distinct(array: npt.NDArray[Any]) -> list[Any]:
    """The distinct values in order of appearance, at most `_MOST_VALUES`."""
    seen: dict[Any, None] = {}
    for start in range(0, len(array), 4096):
        seen |= dict.fromkeys(array[start : start + 4096].tolist())
        if len(seen) >= _MOST_VALUES:
            break
    return list(seen)[:_MOST_VALUES]


def _listed(array: npt.NDArray[Any], most: int = 5) -> str:
    values = _distinct(array)
    shown = ", ".join(repr(value) for value in values[:most])
    return shown + (" and more" if len(values) > most else "")


def _of(count: int, total: int) -> str:
    return f"{count:,} of {total:,}"
