"""The door: what users pass, checked once and turned into arrays that the kernels accept."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError
from roclab.vector import NUMBERS, as_vector, is_missing, refuse_nan

__all__ = [
    "Labels",
    "Scores",
    "as_labels",
    "as_numbers",
    "as_scores",
    "as_weights",
    "check_same_length",
    "nan_scores",
    "number_or_nan",
    "own",
]

_core.register_input_error(InputError)

Scores = npt.NDArray[Any]
Labels = npt.NDArray[np.uint8]

# Narrow types are widened, exactly, to the types for which kernels exist.
_SCORE_TYPES = {
    **dict.fromkeys(("?", "b", "h", "B", "H", "i"), np.int32),
    **dict.fromkeys(("I", "l", "q"), np.int64),
    **dict.fromkeys(("L", "Q"), np.uint64),
    **dict.fromkeys(("e", "f"), np.float32),
    "d": np.float64,
}
_LABEL_TYPES = {
    **dict.fromkeys(("B",), np.uint8),
    **dict.fromkeys(("b",), np.int8),
    **dict.fromkeys(("h", "H", "i"), np.int32),
    **dict.fromkeys(("I", "l", "q"), np.int64),
    **dict.fromkeys(("L", "Q"), np.uint64),
    **dict.fromkeys(("e", "f"), np.float32),
    **dict.fromkeys(("d", "g"), np.float64),
}
_SMALLEST_WEIGHT, _LARGEST_WEIGHT = 1e-60, 1e60
_MOST_VALUES = 20  # that a message about labels looks for
_NOT_NUMBERS = {
    "U": "text",
    "S": "bytes",
    "T": "text",
    "M": "dates",
    "m": "durations",
    "V": "records",
}


def as_scores(values: Any, name: str = "y_score") -> Scores:
    """A contiguous vector of a kernel type. NaN is found by the kernels, see `nan_scores`."""
    array = as_vector(values, name)
    kernel_type = _SCORE_TYPES.get(array.dtype.char)
    if kernel_type is not None:
        return np.require(array, kernel_type, ["C", "ALIGNED"])
    if array.dtype.char == "g":
        narrowed = array.astype(np.float64)
        if np.array_equal(narrowed.astype(array.dtype), array, equal_nan=True):
            return narrowed
        raise InputError(
            f"{name} holds {array.dtype} values that float64 cannot tell apart exactly; "
            f"scores are float64 at most. Round them yourself: {name}.astype(float)."
        )
    raise InputError(_not_numbers(array, name))


def as_numbers(values: Any, name: str) -> npt.NDArray[np.float64]:
    """Real numbers of any shape, as doubles."""
    array = np.asarray(values)
    return as_scores(array.ravel(), name).astype(np.float64).reshape(array.shape)


def number_or_nan(value: Any) -> float:
    """An option as a double, infinite beyond these; nan if it is no real number."""
    if not isinstance(value, Real) or isinstance(value, bool | np.timedelta64):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if cast("float", value) > 0 else -math.inf


def as_labels(y_true: Any, pos_label: Any = None) -> Labels:
    """One byte a row: 1 for positive, 0 for negative."""
    array = as_vector(y_true, "y_true")
    if pos_label is not None:
        return _labels_equal_to(array, pos_label)
    if array.dtype.kind == "b":
        # A copy: kernels read labels twice, while others may write to them, and a boolean that is
        # a view of other bytes may hold more than 0 and 1.
        labels: Labels = np.not_equal(np.ascontiguousarray(array).view(np.uint8), 0).view(np.uint8)
        return labels
    if array.dtype.char not in _LABEL_TYPES:
        raise InputError(_ambiguous(array))
    numbers = np.require(array, _LABEL_TYPES[array.dtype.char], ["C", "ALIGNED"])
    found, zero, minus_one, other = _core.binary_labels(numbers)
    if other or (zero and minus_one):
        refuse_nan(numbers, "y_true")
        raise InputError(_ambiguous(array))
    return found


def as_weights(sample_weight: Any, rows: int, *, labels: str = "y_true") -> npt.NDArray[np.float64]:
    """Finite, non-negative weights, one a row; `labels` is what the caller calls its labels."""
    array = as_vector(sample_weight, "sample_weight")
    if array.dtype.kind not in "bifu":
        raise InputError(_not_numbers(array, "sample_weight"))
    # A copy: what is checked here must not change before a kernel reads it.
    weights = np.array(array, np.float64, order="C")
    check_same_length(rows, len(weights), "sample_weight", first=labels)
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"sample_weight must be finite and not negative; row {row} holds {weights[row]:g} "
            f"({_of(int(bad.sum()), len(weights))} refused). Weights of 0 leave a row out."
        )
    slack = 1 + 1e-12  # 10.0**-60 is not quite 1e-60
    extreme = (weights > _LARGEST_WEIGHT * slack) | (
        (weights < _SMALLEST_WEIGHT / slack) & (weights > 0)
    )
    if extreme.any():
        row = int(np.argmax(extreme))
        raise InputError(
            f"sample_weight is {weights[row]:g} in row {row}; the fourth powers of weights must "
            f"stay finite, so they lie between {_SMALLEST_WEIGHT:g} and {_LARGEST_WEIGHT:g}, or "
            "are 0. Divide all by their mean: the scale of weights does not matter."
        )
    return weights


def own(array: npt.NDArray[Any], given: Any) -> npt.NDArray[Any]:
    """A read-only array that nobody else can write to: a copy, unless it was newly made."""
    new = isinstance(given, list | tuple) or (
        isinstance(given, np.ndarray) and not np.may_share_memory(array, given)
    )
    array = array if new else array.copy()
    array.flags.writeable = False
    return array


def check_same_length(rows: int, other: int, name: str, *, first: str = "y_true") -> None:
    """Refuse vectors that do not describe the same rows."""
    if rows != other:
        raise InputError(
            f"{first} has {rows:,} rows and {name} has {other:,}; they must describe the same "
            "rows. Pass both from the same table, before any filtering of one alone."
        )


def nan_scores(
    scores: Scores, name: str = "y_score", *, numbers: npt.NDArray[np.intp] | None = None
) -> InputError:
    """The error for scores among which a kernel met NaN; `numbers` are their rows, if not all."""
    nan = np.isnan(scores)
    row = int(np.argmax(nan))
    return InputError(
        f"{name} holds NaN in {_of(int(nan.sum()), len(scores))} rows, the first at row "
        f"{row if numbers is None else int(numbers[row])}; a NaN has no place in a ranking. "
        "Drop those rows, or give them a score that says where they belong."
    )


def _labels_equal_to(array: npt.NDArray[Any], pos_label: Any) -> Labels:
    pos_label = pos_label.as_py() if hasattr(pos_label, "as_py") else pos_label  # of Arrow
    if is_missing(pos_label):
        raise InputError(
            f"pos_label is missing ({pos_label!r}); one of the values of y_true is needed. They "
            f"are {_listed(array)}."
        )
    numeric = array.dtype.kind in "biuf"
    if numeric and isinstance(pos_label, (str, bytes)):
        raise InputError(
            f"pos_label is the text {pos_label!r}, but y_true holds {_listed(array)} "
            f"({array.dtype}). Pass it as a number."
        )
    refuse_nan(array, "y_true")
    # As an object among objects: NumPy's own text has no NUL at its end.
    sought = np.array(pos_label, object) if array.dtype.kind == "O" else pos_label
    equal = np.asarray(array == sought) if np.ndim(pos_label) == 0 else np.empty(0)
    if np.ndim(pos_label) or equal.shape != array.shape:
        raise InputError(
            f"pos_label={pos_label!r} cannot be compared with the values of y_true "
            f"({_listed(array)}). Name one of them."
        )
    labels = np.ascontiguousarray(equal, dtype=np.uint8)
    if not labels.any() and len(_distinct(array)) > 1:
        raise InputError(
            f"pos_label={pos_label!r} is not among the values of y_true: {_listed(array)}. "
            "Name one of them."
        )
    return labels


def _ambiguous(array: npt.NDArray[Any]) -> str:
    values = _distinct(array)
    count = {1: "one value", 2: "two values"}.get(len(values), f"{len(values)} values")
    count = count if len(values) < _MOST_VALUES else f"{_MOST_VALUES} values or more"
    if len(values) > 2:
        rule = "AUC needs two classes"
        advice = (
            "Name the one that means the event, the others are then negative: for example "
            f"pos_label={values[0]!r}; or see multiclass_auc."
        )
        if array.dtype.kind == "f":
            advice += " If these are scores, the arguments are swapped: y_true comes first."
    else:
        rule = "which one is positive is not known (only for 0/1, -1/1 and booleans it is)"
        options = " or ".join(f"pos_label={value!r}" for value in values)
        advice = f"Name the one that means the event: {options}."
    return f"y_true holds {count} ({_listed(array)}; {len(array):,} rows); {rule}. {advice}"


def _not_numbers(array: npt.NDArray[Any], name: str) -> str:
    if array.dtype.kind == "c":
        return (
            f"{name} holds complex numbers, which have no order; scores must be real. "
            f"Pass {name}.real, or the modulus, whichever is the score."
        )
    first = f", first {array[:1].tolist()[0]!r}" if len(array) else ""
    found = _NOT_NUMBERS.get(array.dtype.kind, str(array.dtype))
    if array.dtype.kind == "O":
        values = array.tolist()
        row = next((i for i, v in enumerate(values) if not isinstance(v, NUMBERS)), None)
        if row is None:
            return (
                f"{name} holds whole numbers that neither 64 bits nor float64 hold{first}; values "
                "would become equal that are not. Divide them, or round them yourself with "
                ".astype(float)."
            )
        if not all(isinstance(value, str) for value in values):
            return (
                f"{name} holds Python objects, not numbers: {values[row]!r} "
                f"({type(values[row]).__name__}) in row {row}. "
                "Convert it to one number a row first, for example with .astype(float)."
            )
        found = "text"
    return f"{name} holds {found}{first}; numbers are needed. Convert it with .astype(float)."


def _distinct(array: npt.NDArray[Any]) -> list[Any]:
    """The different values in the order in which they appear; no more than `_MOST_VALUES`."""
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
