"""Convert data frames to a `ScoreTable`: missing values, types, and the positive label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, Parameter
from roclab.readers.columns import SHOWN_NAMES, Columns, quoted, shortened
from roclab.readers.example_table import ExampleTable
from roclab.readers.identifiers import likely_identifiers
from roclab.table import MissingValues, ScoreTable, UnlabelledRows
from roclab.validation import as_labels, as_weights

CATEGORIES = (nw.String, nw.Boolean, nw.Categorical, nw.Enum, nw.Date, nw.Datetime, nw.Time)
BOOLEANS = {"true": True, "false": False, "1": True, "0": False}

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


def frame_to_table(
    source: Any, columns: Columns, *, pos_label: Any, keep_unlabelled: bool = False
) -> ScoreTable:
    """The rows of a frame without missing values, as a `ScoreTable`."""
    frame, columns = _needed(source, columns)
    masks = {name: _is_missing(frame[name]) for name in frame.columns}
    scores, identifiers = _score_names(frame, columns, masks)
    for name in scores:
        _refuse_text(frame[name], masks[name], columns.parameter)
    if columns.weight is not None:
        _refuse_text(frame[columns.weight], masks[columns.weight], "sample_weight")
    used = [*columns.others, *scores]
    free = [name for name in frame.columns if name not in {*used, *identifiers}]
    skipped = () if columns.scores else tuple(free)
    masks = {name: masks[name] for name in used}
    unlabelled = _unlabelled(frame, masks, columns, scores) if keep_unlabelled else None
    frame, missing = _without_missing(frame.select(used), masks, columns, skipped, identifiers)
    if unlabelled is not None:
        missing = _apart_from_labels(missing, masks, columns.label)
    label = _values(frame[columns.label])
    return ScoreTable(
        label,
        {name: _numbers(frame[name]) for name in scores},
        sample_weight=None if columns.weight is None else _numbers(frame[columns.weight]),
        pos_label=_as_label(pos_label, label, columns.label),
        groups={name: _values(frame[name]) for name in columns.groups} or None,
        missing=missing,
        unlabelled=unlabelled,
    )


def _unlabelled(
    frame: nw.DataFrame[Any], masks: Mapping[str, Mask], columns: Columns, scores: Sequence[str]
) -> UnlabelledRows:
    """The rows that lack a label and nothing else."""
    others = [mask for name, mask in masks.items() if name != columns.label]
    rows = masks[columns.label] & ~np.logical_or.reduce(others)
    frame = frame.filter(rows.tolist())
    return UnlabelledRows(
        scores={name: _numbers(frame[name]) for name in scores},
        groups={name: _values(frame[name]) for name in columns.groups},
    )


def _apart_from_labels(
    missing: MissingValues, masks: Mapping[str, Mask], label: str
) -> MissingValues:
    """What was left out if rows without a label were not."""
    others = [mask for name, mask in masks.items() if name != label]
    return replace(
        missing,
        rows_dropped=int(np.logical_or.reduce(others).sum()),
        by_column={name: count for name, count in missing.by_column.items() if name != label},
    )


def frame_to_examples(source: Any, columns: Columns, *, pos_label: Any) -> ExampleTable:
    """The rows of a frame with a label and a weight; text columns are categories."""
    frame, columns = _needed(source, columns)
    masks = {name: _is_missing(frame[name]) for name in frame.columns}
    free = [name for name in frame.columns if name not in columns.others]
    kinds = {name: _kind(frame[name], masks[name]) for name in free}
    known = {"numeric", "text", "Boolean"}
    numeric = [name for name in free if kinds[name] == "numeric"]
    asked = {*columns.categories, *(columns.scores or ())}
    identifiers = [
        name
        for name in likely_identifiers(frame.select(numeric), masks)
        if columns.scores is None and name not in asked
    ]
    names = [
        name
        for name in free
        if name in asked
        or (columns.scores is None and kinds[name] in known and name not in identifiers)
    ]
    if not names:
        raise InputError(
            found="No column can be a feature. Columns without another role: {columns}",
            needed="a feature is a number or text",
            fix="Convert a column, and name it with {features}.",
            columns=quoted(free),
        )
    categories = [name for name in names if name in columns.categories or kinds[name] == "text"]
    if columns.weight is not None:
        _refuse_text(frame[columns.weight], masks[columns.weight], "sample_weight")
    frame, missing = _without_missing(
        frame,
        {name: masks[name] for name in columns.others},
        columns,
        [name for name in free if name not in {*names, *identifiers}],
        identifiers,
    )
    label = _values(frame[columns.label])
    labels = as_labels(label, _as_label(pos_label, label, columns.label))
    weights = None if columns.weight is None else _numbers(frame[columns.weight])
    return ExampleTable(
        features=feature_columns(frame, names, categories, parameter="features"),
        names=tuple(names),
        categories=tuple(categories),
        y_true=labels.view(np.bool_),
        sample_weight=None if weights is None else as_weights(weights, len(labels)),
        missing=missing,
    )


def feature_columns(
    frame: nw.DataFrame[Any],
    names: Sequence[str],
    categories: Sequence[str],
    *,
    parameter: str | None = None,
) -> Array:
    """Columns side by side, nan where a value is missing.

    An array of numbers, or of objects if there are categories, which are text. `parameter` names
    the columns; None if a model does.
    """
    features = np.empty((len(frame), len(names)), object if len(categories) else np.float64)
    for at, name in enumerate(names):
        series = frame[name]
        mask = _is_missing(series)
        features[:, at] = np.nan
        if name not in categories:
            _refuse_text(series, mask, parameter)
        if mask.all():
            continue
        present = series.filter((~mask).tolist())
        features[~mask, at] = _texts(present) if name in categories else _numbers(present)
    return features


def _texts(series: nw.Series[Any]) -> Array:
    dtype = series.dtype
    if not (dtype.is_numeric() or dtype in CATEGORIES):
        raise InputError(
            found="Column `{column}` is {kind}",
            needed="a category is text, a number or a date",
            fix="Convert the column, or leave it out.",
            column=series.name,
            kind=shortened(dtype),
        )
    return np.array(series.cast(nw.String).to_list(), object)


def _needed(source: Any, columns: Columns) -> tuple[nw.DataFrame[Any], Columns]:
    """The named columns of a frame, and their names."""
    try:
        frame = nw.from_native(source)
        names = frame.collect_schema().names()
    except nw.exceptions.DuplicateError as error:
        raise InputError(
            found="Two columns have the same name ({reason})",
            needed="the names of the columns must differ",
            fix="Rename them.",
            reason=" ".join(str(error).split()),
        ) from None
    except TypeError:
        raise InputError(
            found="{source} is a {kind}",
            needed="a path, a binary file or a data frame (pandas, polars, Arrow) is needed",
            fix="For arrays use `ScoreTable` or `Ranking`.",
            kind=type(source).__name__,
        ) from None
    columns = columns.among(names)
    needed = frame.select(columns.needed(names))
    eager: nw.DataFrame[Any] = needed.collect() if isinstance(needed, nw.LazyFrame) else needed
    if len(eager) == 0:
        raise InputError(
            found="The table has no rows", fix="Columns: {columns}.", columns=quoted(names)
        )
    return eager, columns


def _is_missing(series: nw.Series[Any]) -> Mask:
    """Where a value is null or NaN."""
    if series.dtype.is_float():
        return np.isnan(series.to_numpy())  # null is NaN there too
    return series.is_null().to_numpy().astype(bool)


def _score_names(
    frame: nw.DataFrame[Any], columns: Columns, masks: Mapping[str, Mask]
) -> tuple[list[str], list[str]]:
    """The score columns, and numeric ones that are not taken since they look like identifiers."""
    if columns.scores is not None:
        return list(columns.scores), []
    free = [name for name in frame.columns if name not in columns.others]
    kinds = {name: _kind(frame[name], masks[name]) for name in free}
    numeric = [name for name in free if kinds[name] == "numeric"]
    identifiers = likely_identifiers(frame.select(numeric), masks)
    scores = [name for name in numeric if name not in identifiers]
    if scores:
        return scores, identifiers
    kinds |= dict.fromkeys(identifiers, "looks like an identifier")
    seen = [f"`{name}` ({kinds[name]})" for name in free[:SHOWN_NAMES]]
    raise InputError(
        found="No numeric column for the {noun}s. Columns without another role: {columns}",
        needed="a {noun} must be a number",
        fix="Convert a column, and name it with {parameter}.",
        noun=columns.noun,
        columns=", ".join(seen) or "none",
        parameter=Parameter(columns.parameter),
    )


def _kind(series: nw.Series[Any], mask: Mask) -> str:
    if mask.all():
        return "empty"
    if series.dtype.is_numeric():
        return "numeric"
    return "text" if series.dtype == nw.String else shortened(series.dtype)


def _refuse_text(series: nw.Series[Any], mask: Mask, parameter: str | None) -> None:
    kind = _kind(series, mask)
    if kind in {"numeric", "empty", "Boolean"}:
        return
    values = series.to_list()
    rows = np.flatnonzero(~mask).tolist()
    row = next((row for row in rows if not _is_number(values[row])), rows[0])
    raise InputError(
        found="Column `{column}` is {kind}, not numeric: `{value}` in row {row}",
        needed="{parameter} needs numbers" if parameter else "the model needs numbers",
        fix="Convert it, or name another column." if parameter else "Convert it.",
        column=series.name,
        kind=kind,
        value=shortened(values[row]),
        row=row + 1,
        parameter=Parameter(parameter or ""),
    )


def _is_number(value: object) -> bool:
    try:
        return "_" not in str(value) and float(str(value)) is not None
    except ValueError:
        return False


def _without_missing(
    frame: nw.DataFrame[Any],
    masks: Mapping[str, Mask],
    columns: Columns,
    skipped: Sequence[str],
    identifiers: Sequence[str],
) -> tuple[nw.DataFrame[Any], MissingValues]:
    """Drop the rows in which any column is missing, and count the missing values."""
    counts = {name: int(mask.sum()) for name, mask in masks.items()}
    dropped = np.logical_or.reduce(list(masks.values()))
    missing = MissingValues(
        rows_read=len(frame),
        rows_dropped=int(dropped.sum()),
        by_column={name: count for name, count in counts.items() if count},
        columns_skipped=tuple(skipped),
        identifiers=tuple(identifiers),
    )
    if missing.rows_dropped == missing.rows_read:
        raise _no_complete_row(missing, columns)
    if missing.rows_dropped:
        # Dropped before any conversion: NumPy's integers and booleans have no missing value.
        frame = frame.filter((~dropped).tolist())
    return frame, missing


def _no_complete_row(missing: MissingValues, columns: Columns) -> InputError:
    everywhere = [n for n, count in missing.by_column.items() if count == missing.rows_read]
    if everywhere:
        return InputError(
            found="Column {columns} is missing in all {rows} rows, so no row is left",
            fix="Leave it out, or check how the table was written.",
            rows=missing.rows_read,
            columns=quoted(everywhere),
        )
    return InputError(
        found="Every one of {rows} rows misses a value ({counts}), so no row is left",
        fix="Name fewer columns with {parameter}.",
        rows=missing.rows_read,
        counts=", ".join(f"`{name}` {count}" for name, count in missing.by_column.items()),
        parameter=Parameter(columns.parameter),
    )


def _numbers(series: nw.Series[Any]) -> Array:
    dtype = series.dtype
    if dtype == nw.Boolean:
        series = series.cast(nw.UInt8)
    elif dtype in (nw.Int128, nw.UInt128):
        low, high = series.min(), series.max()
        exact = nw.Int64 if high < 2**63 else nw.UInt64
        fits = (-(2**63) if exact == nw.Int64 else 0) <= low and high < 2**64
        series = series.cast(exact if fits else nw.Float64)
    elif dtype == nw.Decimal:
        series = series.cast(nw.Float64)
    return series.to_numpy()


def _values(series: nw.Series[Any]) -> Array:
    """Labels or groups: numbers, booleans, or objects of one kind."""
    dtype = series.dtype
    if dtype.is_numeric():
        numbers = _numbers(series)
        wide = dtype in (nw.Int128, nw.UInt128, nw.Decimal)
        if wide and len(set(numbers.tolist())) < series.n_unique():
            raise InputError(
                found="Column `{column}` ({kind}) holds different numbers that are equal as "
                "float64",
                needed="labels and groups must stay distinct",
                fix="Convert the column to text.",
                column=series.name,
                kind=dtype,
            )
        return numbers
    if dtype == nw.Boolean:
        return series.to_numpy().astype(bool)
    values = series.to_list()
    types = {type(value) for value in values}
    kinds = sorted(kind.__name__ for kind in types)
    if set(kinds) <= {"bool", "int", "float"}:
        return np.asarray(values)
    if len(kinds) > 1 or any(kind.__hash__ is None for kind in types):  # such as lists
        raise InputError(
            found="Column `{column}` holds values of type {kinds}",
            needed="one type is needed: bool, number or text",
            fix="Convert the column.",
            column=series.name,
            kinds=quoted(kinds),
        )
    # As objects: in a fixed-width array every row has the size of the longest text.
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_label(pos_label: Any, label: Array, name: str) -> Any:
    """A positive label given as text, in the type of the label column."""
    kind = label.dtype.kind
    if not isinstance(pos_label, str) or kind not in "biuf":
        return pos_label
    try:
        if kind == "b":
            return BOOLEANS[pos_label.strip().lower()]
        return float(pos_label) if kind == "f" else _whole(pos_label)
    except (KeyError, ValueError):
        raise InputError(
            found="{pos_label=}{value} does not fit column `{column}`, which holds {kind} "
            "({values})",
            fix="Pass one of its values.",
            value=repr(pos_label),
            column=name,
            kind="true and false" if kind == "b" else "numbers",
            values=quoted(_some(label)),
        ) from None


def _whole(text: str) -> int:
    return int(text.removesuffix(".0"))


def _some(label: Array) -> list[str]:
    return [str(value) for value in dict.fromkeys(label[:1000].tolist())][:5]
