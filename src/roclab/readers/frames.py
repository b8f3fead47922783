"""Data frames into a `ScoreTable`: missing values, types, and the positive label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.readers.columns import SHOWN_NAMES, Columns, quoted, shortened
from roclab.readers.examples import ExampleTable
from roclab.table import MissingValues, ScoreTable
from roclab.validation import as_labels, as_weights

CATEGORIES = (nw.String, nw.Boolean, nw.Categorical, nw.Enum, nw.Date, nw.Datetime, nw.Time)
BOOLEANS = {"true": True, "false": False, "1": True, "0": False}

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


def frame_to_table(source: Any, columns: Columns, *, pos_label: Any) -> ScoreTable:
    """Return the rows of a frame in which nothing is missing, as a `ScoreTable`."""
    frame = _needed(source, columns)
    masks = {name: _is_missing(frame[name]) for name in frame.columns}
    scores = _score_names(frame, columns, masks)
    for name in scores:
        _refuse_text(frame[name], masks[name], "y_score")
    if columns.weight is not None:
        _refuse_text(frame[columns.weight], masks[columns.weight], "sample_weight")
    used = [*columns.others, *scores]
    skipped = () if columns.scores else tuple(name for name in frame.columns if name not in used)
    frame, missing = _without_missing(
        frame.select(used), {name: masks[name] for name in used}, skipped
    )
    label = _values(frame[columns.label])
    return ScoreTable(
        label,
        {name: _numbers(frame[name]) for name in scores},
        sample_weight=None if columns.weight is None else _numbers(frame[columns.weight]),
        pos_label=_as_label(pos_label, label, columns.label),
        groups={name: _values(frame[name]) for name in columns.groups} or None,
        missing=missing,
    )


def frame_to_examples(source: Any, columns: Columns, *, pos_label: Any) -> ExampleTable:
    """Return the rows of a frame that have a label and a weight, with texts as categories."""
    frame = _needed(source, columns)
    masks = {name: _is_missing(frame[name]) for name in frame.columns}
    free = [name for name in frame.columns if name not in columns.others]
    kinds = {name: _kind(frame[name], masks[name]) for name in free}
    known = {"numeric", "text", "Boolean"}
    names = [
        name
        for name in free
        if name in {*columns.categories, *(columns.scores or ())}
        or (columns.scores is None and kinds[name] in known)
    ]
    if not names:
        raise InputError(
            f"No column with a feature. Columns without another role: {quoted(free)}. A feature "
            "is a number or a text: correct or convert a column, and name it with `y_score`."
        )
    categories = [name for name in names if name in columns.categories or kinds[name] == "text"]
    if columns.weight is not None:
        _refuse_text(frame[columns.weight], masks[columns.weight], "sample_weight")
    frame, missing = _without_missing(
        frame,
        {name: masks[name] for name in columns.others},
        tuple(name for name in free if name not in names),
    )
    label = _values(frame[columns.label])
    labels = as_labels(label, _as_label(pos_label, label, columns.label))
    weights = None if columns.weight is None else _numbers(frame[columns.weight])
    return ExampleTable(
        features=feature_columns(frame, names, categories, argument="y_score"),
        names=tuple(names),
        categories=tuple(categories),
        y_true=labels.view(np.bool_),
        sample_weight=None if weights is None else as_weights(weights, len(labels)),
        missing=missing,
    )


def feature_columns(
    frame: nw.DataFrame[Any], names: Sequence[str], categories: Sequence[str], *, argument: str
) -> Array:
    """Return columns side by side, nan where a value is missing.

    An array of numbers, or of objects if there are categories; these are texts.
    """
    features = np.empty((len(frame), len(names)), object if len(categories) else np.float64)
    for at, name in enumerate(names):
        series = frame[name]
        mask = _is_missing(series)
        features[:, at] = np.nan
        if name not in categories:
            _refuse_text(series, mask, argument)
        if mask.all():
            continue
        present = series.filter((~mask).tolist())
        features[~mask, at] = _texts(present) if name in categories else _numbers(present)
    return features


def _texts(series: nw.Series[Any]) -> Array:
    dtype = series.dtype
    if not (dtype.is_numeric() or dtype in CATEGORIES):
        raise InputError(
            f"Column `{series.name}` is {shortened(dtype)}; a category is a text, a number or a "
            "date. Convert the column, or leave it out."
        )
    return np.array(series.cast(nw.String).to_list(), object)


def _needed(source: Any, columns: Columns) -> nw.DataFrame[Any]:
    try:
        frame = nw.from_native(source)
        names = frame.collect_schema().names()
    except nw.exceptions.DuplicateError as error:
        raise InputError(
            f"The names of the columns must differ. {' '.join(str(error).split())}. Rename them."
        ) from None
    except TypeError:
        raise InputError(
            f"`source` is a {type(source).__name__}; a path, a binary file or a data frame "
            "(pandas, polars, Arrow) is needed. For arrays use `ScoreTable` or `Ranking`."
        ) from None
    needed = frame.select(columns.needed(names))
    eager: nw.DataFrame[Any] = needed.collect() if isinstance(needed, nw.LazyFrame) else needed
    if len(eager) == 0:
        raise InputError(f"The table has no rows; columns: {quoted(names)}.")
    return eager


def _is_missing(series: nw.Series[Any]) -> Mask:
    """Return where a value is null or NaN."""
    if series.dtype.is_float():
        return np.isnan(series.to_numpy())  # in which a null is NaN too
    return series.is_null().to_numpy().astype(bool)


def _score_names(
    frame: nw.DataFrame[Any], columns: Columns, masks: Mapping[str, Mask]
) -> list[str]:
    if columns.scores is not None:
        return list(columns.scores)
    free = [name for name in frame.columns if name not in columns.others]
    kinds = {name: _kind(frame[name], masks[name]) for name in free}
    scores = [name for name in free if kinds[name] == "numeric"]
    if scores:
        return scores
    seen = [f"`{name}` ({kinds[name]})" for name in free[:SHOWN_NAMES]]
    raise InputError(
        "No numeric column for the scores. Columns without another role: "
        f"{', '.join(seen) or 'none'}. A score must be a number: correct or convert a column, and "
        "name it with `y_score`."
    )


def _kind(series: nw.Series[Any], mask: Mask) -> str:
    if mask.all():
        return "empty"
    if series.dtype.is_numeric():
        return "numeric"
    return "text" if series.dtype == nw.String else shortened(series.dtype)


def _refuse_text(series: nw.Series[Any], mask: Mask, argument: str) -> None:
    kind = _kind(series, mask)
    if kind in {"numeric", "empty", "Boolean"}:
        return
    values = series.to_list()
    rows = np.flatnonzero(~mask).tolist()
    row = next((row for row in rows if not _is_number(values[row])), rows[0])
    raise InputError(
        f"Column `{series.name}` is {kind}, not numeric: `{shortened(values[row])}` in "
        f"row {row + 1}. `{argument}` needs numbers; correct or convert it, or name another column."
    )


def _is_number(value: object) -> bool:
    try:
        return "_" not in str(value) and float(str(value)) is not None
    except ValueError:
        return False


def _without_missing(
    frame: nw.DataFrame[Any], masks: Mapping[str, Mask], skipped: tuple[str, ...]
) -> tuple[nw.DataFrame[Any], MissingValues]:
    """Drop the rows in which any column is missing, and count what was missing."""
    counts = {name: int(mask.sum()) for name, mask in masks.items()}
    dropped = np.logical_or.reduce(list(masks.values()))
    missing = MissingValues(
        rows_read=len(frame),
        rows_dropped=int(dropped.sum()),
        by_column={name: count for name, count in counts.items() if count},
        columns_skipped=skipped,
    )
    if missing.rows_dropped == missing.rows_read:
        raise InputError(_nothing_left(missing))
    if missing.rows_dropped:
        # Dropped before any conversion: NumPy's integers and booleans know no missing value.
        frame = frame.filter((~dropped).tolist())
    return frame, missing


def _nothing_left(missing: MissingValues) -> str:
    everywhere = [n for n, count in missing.by_column.items() if count == missing.rows_read]
    if everywhere:
        return (
            f"Missing in all {missing.rows_read} rows: column {quoted(everywhere)}; so no row is "
            "left. Leave it out, or check how the table was written."
        )
    counts = ", ".join(f"`{name}` {count}" for name, count in missing.by_column.items())
    return (
        f"Every one of {missing.rows_read} rows misses a value ({counts}), so no row is left. "
        "Name fewer columns with `y_score`."
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
    """Return labels or groups: numbers, booleans, or objects of one kind."""
    dtype = series.dtype
    if dtype.is_numeric():
        numbers = _numbers(series)
        wide = dtype in (nw.Int128, nw.UInt128, nw.Decimal)
        if wide and len(set(numbers.tolist())) < series.n_unique():
            raise InputError(
                f"Column `{series.name}` ({dtype}) holds different numbers that are equal as "
                "float64; labels and groups must stay distinct. Convert the column to text."
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
            f"Column `{series.name}` holds values of type {quoted(kinds)}; one type is needed, "
            "bool, number or text. Convert the column."
        )
    # As objects: a fixed-width array takes the longest text's room in every row.
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_label(pos_label: Any, label: Array, name: str) -> Any:
    """Return a positive label given as text in the type of the label column."""
    kind = label.dtype.kind
    if not isinstance(pos_label, str) or kind not in "biuf":
        return pos_label
    try:
        if kind == "b":
            return BOOLEANS[pos_label.strip().lower()]
        return float(pos_label) if kind == "f" else _whole(pos_label)
    except (KeyError, ValueError):
        raise InputError(
            f"`pos_label` is `{pos_label}`, but column `{name}` holds "
            f"{'true and false' if kind == 'b' else 'numbers'} ({quoted(_some(label))}). Give one "
            "of its values."
        ) from None


def _whole(text: str) -> int:
    return int(text.removesuffix(".0"))


def _some(label: Array) -> list[str]:
    return [str(value) for value in dict.fromkeys(label[:1000].tolist())][:5]
