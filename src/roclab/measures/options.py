"""The options of a measure: names, types and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np


@dataclass(frozen=True, kw_only=True)
class MeasureOption:
    """An option of a measure.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        The values it takes, such as ``"a number or None"``.
    required : bool
        Whether it must be given.
    default : object
        Its default; None if it is required.
    accepts : callable
        Whether it accepts a value.
    """

    name: str
    kind: str
    required: bool
    default: Any
    accepts: Callable[[Any], bool] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The description as plain Python values."""
        kept = ("name", "kind", "required", "default")
        return {field: getattr(self, field) for field in kept}

    def __str__(self) -> str:
        return self.name if self.required else f"{self.name}={self.default!r}"


_DATA = {"y_true", "y_score", "sample_weight", "pos_label"}


def options_of(function: Callable[..., Any]) -> tuple[MeasureOption, ...]:
    """The options of a measure: all parameters but the data."""
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    return tuple(_option(p) for p in parameters if p.name not in _DATA)


def _option(parameter: inspect.Parameter) -> MeasureOption:
    union = get_origin(parameter.annotation) in (Union, UnionType)
    kinds = get_args(parameter.annotation) if union else (parameter.annotation,)
    required = parameter.default is parameter.empty
    return MeasureOption(
        name=parameter.name,
        kind=" or ".join(map(_in_words, kinds)),
        required=required,
        default=None if required else parameter.default,
        accepts=partial(_is_of_any, kinds),  # which can be pickled
    )


_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    tuple[float, float]: "a pair of numbers",
    NoneType: "None",
}


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    return _WORDS.get(kind, "a value")


def _is_of_any(kinds: tuple[Any, ...], value: Any) -> bool:
    return any(_is_of(kind, value) for kind in kinds)


def _is_of(kind: Any, value: Any) -> bool:
    truth = isinstance(value, bool | np.bool_)
    if kind is bool:
        return truth
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not truth
    if kind == tuple[float, float]:
        pair = isinstance(value, tuple | list | np.ndarray) and len(value) == 2
        return pair and all(_is_of(float, end) for end in value)
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return value is None if kind is NoneType else True
