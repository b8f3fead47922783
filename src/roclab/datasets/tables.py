"""A file of the common layout into a `Dataset`.

A CSV file with a header, plain or with gzip; the class in the column ``class``; an empty cell where
a value is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from roclab.datasets.dataset import Dataset
from roclab.datasets.registry import Definition
from roclab.errors import ColumnError, FileFormatError, InputError, MissingExtraError
from roclab.wording import listed, one_line

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_table"]

CLASS = "class"
Floats = npt.NDArray[np.float64]


def read_table(path: Path, definition: Definition) -> Dataset:
    """The file as the definition has it."""
    frame = _read(path)
    if CLASS not in frame.columns:
        raise ColumnError(
            f"{path} has no column `{CLASS}`. Columns: {listed(map(one_line, frame.columns))}. "
            "Each file of the folder needs its classes under that name."
        )
    _check_known(path, frame.columns, (*definition.drop, *definition.nominal))
    if definition.first_rows is not None:
        frame = frame.head(definition.first_rows)
    frame = frame.drop_nulls(CLASS)
    if definition.negative:
        frame = frame.filter(frame[CLASS].is_in([*definition.positive, *definition.negative]))
    labels = frame[CLASS].is_in(list(definition.positive)).to_numpy()
    _check_classes(path, labels, frame[CLASS], definition)
    features = frame.drop(CLASS, *definition.drop)
    columns = [_column(column, definition.nominal) for column in features.get_columns()]
    return Dataset(
        name=definition.name,
        version=definition.version,
        X=np.column_stack([numbers for numbers, _ in columns]),
        y=labels,
        numeric=np.array([words is None for _, words in columns]),
        feature_names=tuple(features.columns),
        categories=tuple(words for _, words in columns),
        positive=", ".join(definition.positive),
        source=str(path),
    )


def _read(path: Path) -> pl.DataFrame:
    try:
        # Imported here: the library works without it.
        import polars as pl
    except ModuleNotFoundError:
        raise MissingExtraError("polars", extra="cli", purpose="Reading data sets") from None
    try:
        return pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = one_line(str(error).split("\n", 1)[0])
        raise FileFormatError(
            f"{path} cannot be read as CSV with a header: {reason}. Put a whole copy of the file "
            "in its place."
        ) from error


def _check_known(path: Path, columns: Iterable[str], wanted: Iterable[str]) -> None:
    """Every column that the definition names must be there."""
    present = list(columns)
    missing = [name for name in wanted if not any(fnmatchcase(one, name) for one in present)]
    if missing:
        raise ColumnError(
            f"{path} has no column {listed(f'`{name}`' for name in missing)}. Columns: "
            f"{listed(map(one_line, present))}. It is not the data set of that name."
        )


def _check_classes(
    path: Path, labels: npt.NDArray[np.bool_], classes: pl.Series, definition: Definition
) -> None:
    if not labels.size or labels.all() or not labels.any():
        found = listed(sorted(map(one_line, set(classes.to_list())))) or "none"
        wanted = listed(definition.negative) if definition.negative else "at least one other"
        raise InputError(
            f"{path} has the classes {found}; {definition.name!r} needs "
            f"{listed(definition.positive)} (positive) and {wanted} (negative). It is not the data "
            "set of that name."
        )


def _column(column: pl.Series, nominal: tuple[str, ...]) -> tuple[Floats, tuple[str, ...] | None]:
    """A column as numbers, with its words if they are its values."""
    import polars as pl

    if not any(fnmatchcase(column.name, name) for name in nominal):
        numbers = column.cast(pl.Float64, strict=False)
        if numbers.null_count() == column.null_count() < len(column):
            return numbers.to_numpy().astype(np.float64), None
    words = tuple(sorted(column.drop_nulls().value_counts()[column.name].to_list()))
    codes = column.replace_strict(
        list(words), list(range(len(words))), default=None, return_dtype=pl.Float64
    )
    return codes.to_numpy().astype(np.float64), words
