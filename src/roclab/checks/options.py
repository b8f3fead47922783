"""Options that callers pass, checked in one place for all rooms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar, cast, get_args

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative
from roclab.checks.vectors import EXACT_UP_TO
from roclab.errors import InputError, Parameter

Progress = Callable[[int, int], object]
RandomState = int | np.random.Generator | None
Choice = TypeVar("Choice", bound=str)

_MOST = 10**9
_BEYOND_INTEGERS = 2**64


def shown(value: Any) -> str:
    """A value in a message: its repr, cut at 60 characters; NumPy's numbers as plain ones."""
    return f"{value.item() if isinstance(value, np.generic) else value!r:.60}"


def number_or_nan(value: Any) -> float:
    """An option as float64, infinite if too large; nan if it is not a real number."""
    if not isinstance(value, Real) or isinstance(value, bool | np.timedelta64):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if cast("float", value) > 0 else -math.inf


def exact_number(value: Any) -> float:
    """An option as float64, or as an integer where float64 would round it; nan if it is neither."""
    if not isinstance(value, Integral) or abs(int(value)) <= EXACT_UP_TO:
        return number_or_nan(value)
    whole = int(value)
    # Beyond all integers that a score may be.
    if abs(whole) < _BEYOND_INTEGERS:
        return whole
    return math.inf if whole > 0 else -math.inf


def check_choice(parameter: str, value: Any, choices: Any) -> Any:
    """One of the words of a `Literal`, or of a sequence."""
    allowed: Sequence[str] = get_args(choices) or choices
    if isinstance(value, str) and value in allowed:
        return value
    raise InputError(
        found="{parameter=}{value} is not an option",
        fix="Choose {choices}.",
        parameter=Parameter(parameter),
        value=shown(value),
        choices=_either([repr(choice) for choice in allowed]),
    )


def check_alternative(alternative: Any, choices: Any = Alternative) -> Any:
    """One of the alternatives."""
    return check_choice("alternative", alternative, choices)


def check_method(method: Any, choices: Any) -> Any:
    """One of the methods."""
    return check_choice("method", method, choices)


def check_level(confidence_level: Any, alternative: str = "two-sided") -> float:
    """A confidence level between 0 and 1; above one half for a one-sided interval."""
    level = check_between(
        "confidence_level", confidence_level, 0, 1, fix="For 95 % pass {confidence_level=}0.95."
    )
    if alternative != "two-sided" and level <= 0.5:
        raise InputError(
            found="{confidence_level=}{value} with {alternative=}{side} would put the bound on "
            "the wrong side of the value",
            needed="one-sided intervals need a level above 0.5",
            fix="For 95 % pass {confidence_level=}0.95.",
            value=shown(confidence_level),
            side=repr(alternative),
        )
    return level


def check_interval(
    confidence_level: Any, alternative: Any, method: Any, methods: Any
) -> tuple[float, Alternative]:
    """The level and the side of an interval, whose method must be one of a `Literal`."""
    check_method(method, methods)
    side = check_alternative(alternative)
    return check_level(confidence_level, side), side


def check_between(
    parameter: str, value: Any, low: float, high: float, *, fix: str, or_low: bool = False
) -> float:
    """A number between two others, or equal to the lower one if `or_low`."""
    number = number_or_nan(value)
    if low < number < high or (or_low and number == low):
        return number
    between = f"from {low:g} to below {high:g}" if or_low else f"between {low:g} and {high:g}"
    if high == math.inf:
        between = f"of at least {low:g}" if or_low else f"above {low:g}"
    raise InputError(
        found="{parameter=}{value} is out of range",
        needed="a {finite}number {between} is needed",
        fix=fix,
        parameter=Parameter(parameter),
        value=shown(value),
        finite="finite " if high == math.inf else "",
        between=between,
    )


def check_count(
    parameter: str, value: Any, least: int = 1, *, most: int = _MOST, fix: str = ""
) -> int:
    """An integer from `least` to `most`, by default a billion."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and least <= int(value) <= most:
        return int(value)
    raise InputError(
        found="{parameter=}{value} is out of range",
        needed="an integer from {least} to {most} is needed",
        fix=fix,
        parameter=Parameter(parameter),
        value=shown(value),
        least=f"{least:,}",
        most=f"{most:,}",
    )


def check_resamples(n_resamples: Any) -> int:
    """The number of bootstrap replicates or permutations."""
    return check_count("n_resamples", n_resamples, fix="For a 95 % interval 2,000 are usual.")


def seed_of(rng: Any) -> int:
    """64 random bits from `rng`: None, an integer or a NumPy Generator."""
    whole = isinstance(rng, Integral) and not isinstance(rng, bool)
    if not (rng is None or isinstance(rng, np.random.Generator) or (whole and rng >= 0)):
        raise InputError(
            found="{rng=}{value} is not a random state",
            needed="None, a non-negative integer or a numpy Generator is needed",
            fix="For reproducible results pass {rng=}0.",
            value=shown(rng),
        )
    generator = np.random.default_rng(int(rng) if whole else rng)
    return int(generator.integers(2**64, dtype=np.uint64))


def check_splits(
    parameter: str, splits: Any, n_rows: int
) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """The training and test rows of each fold, from an iterable of pairs of row numbers or masks.

    Refused as a whole, before a model is trained.
    """
    if not isinstance(splits, Iterable):
        raise _no_splits(parameter, "{parameter} is a {kind}", kind=type(splits).__name__)
    checked = [_split(parameter, split, n_rows) for split in splits]
    if not checked:
        raise _no_splits(parameter, "{parameter} has no folds")
    for number, parts in enumerate(checked):
        for use, rows in zip(("training", "test"), parts, strict=True):
            if not len(rows):
                found = "Split {number} of {parameter} has no {use} rows"
                raise _no_splits(parameter, found, number=number, use=use)
    return checked


def _split(
    parameter: str, split: Any, n_rows: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    try:
        train, test = (np.asarray(part) for part in split)
    except (TypeError, ValueError):
        raise _no_splits(parameter, "{parameter} holds {value}", value=shown(split)) from None
    return _row_numbers(parameter, train, n_rows), _row_numbers(parameter, test, n_rows)


def _row_numbers(parameter: str, rows: npt.NDArray[Any], n_rows: int) -> npt.NDArray[np.intp]:
    if rows.dtype.kind == "b" and rows.shape == (n_rows,):
        return np.flatnonzero(rows)
    whole = rows.ndim == 1 and (rows.dtype.kind in "iu" or not rows.size)
    if not whole or (rows.size and not -n_rows <= rows.min() <= rows.max() < n_rows):
        found = "A fold of {parameter} does not fit the {rows} rows of X"
        raise _no_splits(parameter, found, rows=f"{n_rows:,}")
    return rows.astype(np.intp) % n_rows


def _no_splits(parameter: str, found: str, **values: Any) -> InputError:
    return InputError(
        found=found,
        needed="pairs of training and test rows, numbered from 0, are needed",
        fix="Pass a number of folds, a splitter, or list(splitter.split(X, y)).",
        parameter=Parameter(parameter),
        **values,
    )


def refuse_clusters(
    cluster: Any, method: str, independent: Sequence[str], instead: Sequence[str] = ("bootstrap",)
) -> None:
    """Refuse clusters for methods that assume independent rows."""
    if cluster is not None and method in independent:
        raise InputError(
            found="{method=}{value} assumes independent rows",
            fix="With {cluster} choose {instead}.",
            value=repr(method),
            instead=_either([repr(method) for method in instead]),
        )


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
