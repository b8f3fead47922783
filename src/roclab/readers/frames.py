"""Convert data frames to a `ScoreTable`: missing values, types, and the positive label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from roclab.data.table import MissingValues, ScoreTable, UnlabelledRows
from roclab.errors import InputError
from roclab.formatting import plain_value
from roclab.readers.columns import Columns, quoted, shortened
from roclab.readers.example_table import ExampleTable
from roclab.readers.identifiers import likely_identifiers
from roclab.readers.keys import refuse_objects, refused_key
from roclab.readers.roles import HEAD_ROWS, find_roles
from roclab.readers.values import (
    Labels,
    check_labels,
    group_values,
    in_row,
    is_numeric,
    kind_of,
    label_of,
    missing_values,
    no_complete_row,
    not_numeric,
    numbers,
    positives,
    refuse_rounded,
    refused_score,
    refused_weight,
    whole_rows,
)

if TYPE_CHECKING:
    from roclab.readers.file_table import FileTable

CATEGORIES = (nw.String, nw.Boolean, nw.Categorical, nw.Enum, nw.Date, nw.Datetime, nw.Time)

Array = npt.NDArray[Any]
Missing = Mapping[str, nw.Series[Any] | None]


def frame_to_table(
    source: Any,
    columns: Columns,
    *,
    pos_label: Any,
    keep_unlabelled: bool = False,
    file: FileTable | None = None,
    rounded: Mapping[str, tuple[int, str]] | None = None,
) -> ScoreTable:
    """The rows of a frame, perhaps of a file, without missing values, as a `ScoreTable`.

    `rounded` is for `refuse_rounded`.
    """
    frame, columns = _needed(source, columns)
    absent = {name: missing_values(frame[name]) for name in frame.columns}
    empty = {name for name, one in absent.items() if one is not None and one.all()}
    decimal = "." if file is None else file.decimal
    roles = find_roles(columns, frame, empty, decimal)
    used = [*columns.others, *roles.scores]
    parameters = dict.fromkeys(roles.scores, columns.parameter)
    if columns.weight is not None:
        parameters[columns.weight] = "sample_weight"
    for name, parameter in parameters.items():
        _refuse_text(frame[name], parameter, decimal)
    for name in (columns.label, *columns.groups):
        refuse_objects(frame[name])
    refuse_rounded(rounded or {}, (*roles.scores, columns.label))
    wanted = label_of(pos_label, frame[columns.label].head(HEAD_ROWS))
    absent = {name: absent[name] for name in used}
    unlabelled = None
    if keep_unlabelled:
        unlabelled = _unlabelled(frame, absent, columns, roles.scores)
    kept, frame, missing = _complete(frame.select(used), absent, columns)
    missing = replace(
        missing,
        columns_skipped=roles.skipped,
        identifiers=roles.identifiers,
        separator=None if file is None else file.detected_separator,
        decimal=None if file is None else file.detected_decimal,
    )
    if unlabelled is not None:
        missing = _apart_from_labels(missing, absent, columns.label)
    weight = columns.weight
    for name in roles.scores:
        _refuse_value(refused_score(frame[name]), kept)
    if weight is not None:
        _refuse_value(refused_weight(frame[weight]), kept)
    for name in (columns.label, *columns.groups):
        _refuse_value(refused_key(frame[name]), kept)
    labels = _labels(frame[columns.label], wanted)
    return ScoreTable(
        labels.view(np.bool_),
        {name: numbers(frame[name]) for name in roles.scores},
        sample_weight=None if weight is None else numbers(frame[weight]),
        groups={name: group_values(frame[name]) for name in columns.groups} or None,
        missing=missing,
        unlabelled=unlabelled,
        positive=_positive(frame[columns.label], wanted),
    )


def _positive(series: nw.Series[Any], wanted: Any) -> str:
    """Which value of the label column is positive, in words."""
    if wanted is None:
        wanted = True if series.dtype == nw.Boolean else 1
    return f"{series.name} = {plain_value(wanted)}"


def _unlabelled(
    frame: nw.DataFrame[Any], absent: Missing, columns: Columns, scores: Sequence[str]
) -> UnlabelledRows:
    """The rows that lack a label and nothing else."""
    lacking = absent[columns.label]
    others = whole_rows(one for name, one in absent.items() if name != columns.label)
    if lacking is None:
        frame = frame.head(0)
    else:
        frame = frame.filter(lacking if others is None else lacking & others)
    return UnlabelledRows(
        scores={name: numbers(frame[name]) for name in scores},
        groups={name: group_values(frame[name]) for name in columns.groups},
    )


def _apart_from_labels(missing: MissingValues, absent: Missing, label: str) -> MissingValues:
    """What was left out if rows without a label were not."""
    whole = whole_rows(one for name, one in absent.items() if name != label)
    return replace(
        missing,
        rows_dropped=0 if whole is None else int((~whole).sum()),
        by_column={name: count for name, count in missing.by_column.items() if name != label},
    )


def _complete(
    frame: nw.DataFrame[Any], absent: Missing, columns: Columns
) -> tuple[Array | None, nw.DataFrame[Any], MissingValues]:
    """The numbers of the rows that miss nothing, if not all; these rows; and what is missing."""
    whole = whole_rows(absent.values())
    if whole is None:
        return None, frame, MissingValues(rows_read=len(frame))
    kept = np.flatnonzero(whole.to_numpy().astype(bool))
    missing = MissingValues(
        rows_read=len(frame),
        rows_dropped=len(frame) - len(kept),
        by_column={name: int(one.sum()) for name, one in absent.items() if one is not None},
    )
    if not len(kept):
        raise no_complete_row(missing, columns)
    # Dropped before any conversion: NumPy's integers and booleans have no missing value.
    return kept, frame.filter(whole), missing


def _labels(series: nw.Series[Any], wanted: Any) -> Labels:
    labels, values = positives(series, wanted)
    if wanted is None or not labels.any():
        check_labels(values, wanted, column=series.name, rows=len(labels))
    return labels


def _refuse_text(series: nw.Series[Any], parameter: str | None, decimal: str = ".") -> None:
    error = None if is_numeric(series) else not_numeric([series], parameter, decimal)
    if error is not None:
        raise error


def _refuse_value(found: tuple[int, InputError] | None, kept: Array | None) -> None:
    """Raise the error of a value, with its row among all rows."""
    if found is not None:
        row, error = found
        raise in_row(error, row if kept is None else int(kept[row]))


def frame_to_examples(source: Any, columns: Columns, *, pos_label: Any) -> ExampleTable:
    """The rows of a frame with a label and a weight; text columns are categories."""
    frame, columns = _needed(source, columns)
    absent = {name: missing_values(frame[name]) for name in frame.columns}
    free = [name for name in frame.columns if name not in columns.others]
    empty = {name for name, one in absent.items() if one is not None and one.all()}
    kinds = {name: "empty" if name in empty else kind_of(frame[name]) for name in free}
    known = {"numeric", "text", "Boolean"}
    numeric = [name for name in free if kinds[name] == "numeric"]
    asked = {*columns.categories, *(columns.scores or ())}
    identifiers = [
        name
        for name in likely_identifiers(frame.select(numeric).head(HEAD_ROWS))
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
    weight = columns.weight
    if weight is not None:
        _refuse_text(frame[weight], "sample_weight")
    kept, frame, missing = _complete(
        frame, {name: absent[name] for name in columns.others}, columns
    )
    _refuse_value(refused_key(frame[columns.label]), kept)
    labels = _labels(frame[columns.label], label_of(pos_label, frame[columns.label]))
    if weight is not None:
        _refuse_value(refused_weight(frame[weight]), kept)
    return ExampleTable(
        features=feature_columns(frame, names, categories, parameter="features"),
        names=tuple(names),
        categories=tuple(categories),
        y_true=labels.view(np.bool_),
        sample_weight=None if weight is None else numbers(frame[weight]).astype(np.float64),
        missing=replace(
            missing,
            columns_skipped=tuple(name for name in free if name not in {*names, *identifiers}),
            identifiers=tuple(identifiers),
        ),
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
        if name not in categories:
            _refuse_text(series, parameter)
        missing = missing_values(series)
        present = slice(None) if missing is None else ~missing.to_numpy().astype(bool)
        features[:, at] = np.nan
        if missing is not None:
            series = series.filter(~missing)
        if len(series):
            features[present, at] = (
                _texts(series) if name in categories else numbers(series).astype(np.float64)
            )
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
    frame = any_frame(source)
    names = frame.collect_schema().names()
    columns = columns.among(names)
    needed = frame.select(columns.needed(names))
    eager: nw.DataFrame[Any] = needed.collect() if isinstance(needed, nw.LazyFrame) else needed
    if len(eager) == 0:
        raise InputError(
            found="The table has no rows", fix="Columns: {columns}.", columns=quoted(names)
        )
    return eager, columns


def any_frame(source: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """A frame of any library, or the one line why it is none."""
    try:
        frame: nw.DataFrame[Any] | nw.LazyFrame[Any] = nw.from_native(source)
        frame.collect_schema()
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
    return frame
