"""The base of every result: it can be printed, shown in a notebook and turned into a data frame.

`roclab.report` decides how it looks. `roclab` registers the module that presents results here, and
it is loaded when it is first needed: the only call from a lower room to a higher one.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from roclab.formatting import one_line

_presenter = ""


def register_presenter(module: str) -> None:
    """Name the module with `to_text`, `to_html`, `to_pandas` and `to_polars` of results."""
    global _presenter
    _presenter = module


def presented(how: str, result: Any) -> Any:
    """A result as a function of that module shows it."""
    return getattr(importlib.import_module(_presenter), how)(result)


# Metadata of a field that people see with every digit, such as thresholds.
EXACT = {"exact": True}


class Record:
    """A dataclass that `to_dict` turns into plain Python values."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values; undefined numbers stay nan."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}  # type: ignore[arg-type]


class Result(Record):
    """What a function of roclab returns if it has parts."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = (f"{one.name} {_short(getattr(self, one.name))}" for one in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        text: str = presented("to_text", self)
        return text.rstrip("\n")

    def _repr_html_(self) -> str:
        html: str = presented("to_html", self)
        return html

    def to_pandas(self) -> Any:
        """The main table as a data frame of pandas, with every digit."""
        return presented("to_pandas", self)

    def to_polars(self) -> Any:
        """The main table as a data frame of polars, with every digit."""
        return presented("to_polars", self)


class ReadOnlyArrays:
    """A result with read-only arrays, also in copies."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if hasattr(value, "setflags"):  # an array; NumPy itself is loaded later
                value.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickled and copied arrays come back writable.
        self.__dict__.update(state)
        ReadOnlyArrays.__post_init__(self)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_short, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else one_line(value)


def _plain(value: Any) -> Any:
    if value is None or type(value) in (float, int, str, bool):  # most of them, and quickly
        return value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") else value
