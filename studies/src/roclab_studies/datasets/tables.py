"""Read a file of the common layout as a `Dataset`.

A CSV file with a header, plain or with gzip; the class in the column ``class``; empty cells for
missing values.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import ColumnError, FileFormatError, InputError
from roclab_studies.datasets.dataset import Dataset
from roclab_studies.datasets.registry import Definition

CLASS = "class"
Floats = npt.NDArray[np.float64]


def read_table(path: Path, definition: Definition, *, source: str) -> Dataset:
    """Read a file as its definition says, without further checks."""
    frame = _read(path)
    if CLASS not in frame.columns:
        raise ColumnError(
            found=f"{{path}} has no column `{CLASS}`",
            fix="Columns: {columns}. Each file of the folder needs its classes under that name.",
            path=path,
            columns=", ".join(frame.columns),
        )
    _check_known(path, frame.columns, definition.drop)
    if definition.first_rows is not None:
        frame = frame.head(definition.first_rows)
    frame = frame.drop_nulls(CLASS)
    if definition.negative:
        frame = frame.filter(frame[CLASS].is_in([*definition.positive, *definition.negative]))
    labels = frame[CLASS].is_in(list(definition.positive)).to_numpy()
    _check_classes(path, labels, frame[CLASS], definition)
    features = frame.drop(CLASS, *definition.drop)
    if not features.columns:
        raise ColumnError(
            found="{path} has no column besides its classes",
            needed="features are needed",
            path=path,
        )
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
        source=source,
    )


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise FileFormatError(
            found="{path} cannot be read as CSV with a header: {reason}",
            fix="Replace it by a complete copy of the file.",
            path=path,
            reason=reason,
        ) from error


def _check_known(path: Path, columns: list[str], wanted: tuple[str, ...]) -> None:
    """Raise if a column that is to be dropped does not exist."""
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise ColumnError(
            found="{path} has no column {missing}",
            fix="Columns: {columns}. It is not the data set of that name.",
            path=path,
            missing=", ".join(f"`{name}`" for name in missing),
            columns=", ".join(columns),
        )


def _check_classes(
    path: Path, labels: npt.NDArray[np.bool_], classes: pl.Series, definition: Definition
) -> None:
    if not labels.size or labels.all() or not labels.any():
        found = ", ".join(sorted(set(classes.to_list()))) or "none"
        wanted = ", ".join(definition.negative) if definition.negative else "at least one other"
        raise InputError(
            found="{path} has the classes {found_classes}",
            needed="{dataset} needs {positive} (positive) and {negative} (negative)",
            fix="It is not the data set of that name.",
            path=path,
            found_classes=found,
            dataset=repr(definition.name),
            positive=", ".join(definition.positive),
            negative=wanted,
        )


def _column(column: pl.Series, nominal: tuple[str, ...]) -> tuple[Floats, tuple[str, ...] | None]:
    """A column as numbers, and its categories if it is nominal."""
    if not any(fnmatchcase(column.name, name) for name in nominal):
        numbers = column.cast(pl.Float64, strict=False)
        if numbers.null_count() == column.null_count() < len(column):
            return numbers.to_numpy().astype(np.float64), None
    words = tuple(sorted(column.drop_nulls().value_counts()[column.name].to_list()))
    codes = column.replace_strict(
        list(words), list(range(len(words))), default=None, return_dtype=pl.Float64
    )
    return codes.to_numpy().astype(np.float64), words
