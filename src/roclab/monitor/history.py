"""History: predictions and labels of a model, read from a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from roclab.data.table import MissingValues
from roclab.errors import InputError, Parameter
from roclab.monitor.schema import Checker, Identifier, Label, Prediction, Refused
from roclab.monitor.settings import Limits
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions
from roclab.streaming.calendar import iso, microseconds

if TYPE_CHECKING:
    import polars as pl

    from roclab.readers.file_table import FileTable

Integers = npt.NDArray[np.int64]
Segments = tuple[tuple[str, str], ...]

_ROW = "roclab: row"
# Times from here to the present need no further check.
_SURE = microseconds(datetime(1990, 1, 1))
_FIRST_DATE, _LAST_DATE = 19_720_101, 22_001_231  # dates that are written as integers


@dataclass(frozen=True, kw_only=True)
class History:
    """Predictions and labels of a model as columns, in the order of prediction time.

    Attributes
    ----------
    ids : sequence of str or bytes
        Ids, as the store has them.
    time : ndarray
        Prediction times, in microseconds since 1970.
    score : ndarray
        Scores.
    label : ndarray
        1, 0, or -1 where no label is known.
    label_time : ndarray
        Times at which labels became known, not before the prediction.
    segments : ndarray
        Number of the combination of segments of each row.
    combinations : tuple
        All combinations of segments.
    version : sequence of str or None, optional
        Versions of the model.
    rejected : int
        Number of rows that were refused.
    reason : str or None
        Which row is the first of them, and why.
    left_out : str or None
        Rows that the reader left out, in words.
    """

    ids: Sequence[Identifier]
    time: Integers
    score: npt.NDArray[np.float64]
    label: npt.NDArray[np.int8]
    label_time: Integers
    segments: Integers
    combinations: tuple[Segments, ...]
    version: Sequence[str | None] | None = None
    rejected: int = 0
    reason: str | None = None
    left_out: str | None = None

    def __len__(self) -> int:
        return len(self.time)

    def predictions(self, start: int, stop: int, known_before: int) -> list[Prediction]:
        """Rows as predictions, with the labels that were known before a time."""
        part = slice(start, stop)
        known = (self.label[part] >= 0) & (self.label_time[part] < known_before)
        versions = [None] * (stop - start) if self.version is None else self.version[part]
        return [
            Prediction(
                key,
                score,
                time,
                version,
                self.combinations[number],
                bool(label) if with_label else None,
                came if with_label else None,
            )
            for key, score, time, version, number, with_label, label, came in zip(
                self.ids[part],
                self.score[part].tolist(),
                self.time[part].tolist(),
                versions,
                self.segments[part].tolist(),
                known.tolist(),
                self.label[part].tolist(),
                self.label_time[part].tolist(),
                strict=True,
            )
        ]

    def labels(self, rows: Integers) -> list[Label]:
        """The labels of some rows."""
        return [
            Label(self.ids[row], bool(label), time)
            for row, label, time in zip(
                rows.tolist(),
                self.label[rows].tolist(),
                self.label_time[rows].tolist(),
                strict=True,
            )
        ]


def read_history(
    source: Any,
    *,
    label: str,
    score: str,
    time: str,
    id: str | None = None,
    segments: Sequence[str] = (),
    version: str | None = None,
    label_time: str | None = None,
    positive: Any = None,
    time_zone: str = "UTC",
    now: int,
    limits: Limits,
    options: FileOptions | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> History:
    """Read predictions and labels from a file, by the rules of `read_scores`.

    Parameters
    ----------
    source : path or binary file object
        The table; rows without a label are predictions whose label is not known.
    label, score, time : str
        Columns of labels, scores and prediction times.
    id : str, optional
        Column of ids. By default they are made from time and score, and for equal ones from their
        order, so that the same file gives the same ids.
    segments : sequence of str
        Columns of segments; a row without a value has no such segment.
    version : str, optional
        Column of versions of the model.
    label_time : str, optional
        Column of the times at which labels became known; by default with their predictions.
    positive : object, optional
        Positive class label.
    time_zone : str
        Time zone of times that have none.
    now : int
        The time, in microseconds since 1970: later ones are refused.
    limits : Limits
        What is accepted, as by HTTP.
    options : FileOptions, optional
        Format, separator and decimal sign of the file.
    progress : callable, optional
        Called as ``progress(done, total)``, in rows.
    """
    from roclab.readers.file_table import FileTable

    roles = {"label": label, "score": score, "time": time, "id": id, "version": version}
    roles["label_time"] = label_time
    _refuse_two_roles(roles, segments)
    checker = Checker(limits)
    given = [one for one in (time, id, version, label_time) if one is not None]
    columns = Columns.named(
        y_true=label, y_score=score, sample_weight=None, by=given, categories=tuple(segments)
    )
    file = FileTable(source, columns, options or FileOptions(), progress=progress)
    names = file.columns.categories
    if file.columns.scores != (score,):
        raise InputError(
            found="{score} names {count} columns",
            needed="a model has one score",
            fix="Import them one after the other, as two models.",
            count=len(file.columns.scores or ()),
        )
    if len(names) > limits.segments:
        raise InputError(
            found="{count} segments are named",
            needed="at most {most} are accepted",
            fix="Raise segments in [limits] for more.",
            count=len(names),
            most=limits.segments,
        )
    frame = file.frame().with_row_index(_ROW)
    needed = [one for one in (time, id) if one is not None]
    frame, labels, scores, missing = _labelled(file, frame, label, score, positive, needed)
    refused: dict[int, str] = {}  # rows with the reason
    zone = ZoneInfo(time_zone)
    times = _times(frame[time], zone, now, checker, refused)
    came = times
    if label_time is not None:
        came = _label_times(frame, label_time, labels, times, zone, now, checker, refused)
    for row in np.flatnonzero(~np.isfinite(scores)).tolist():
        refused.setdefault(row, f"score is {scores[row]}; a finite number is needed")
    numbers, combinations = _combinations(frame, names, checker, refused)
    ids = None if id is None else _ids(frame[id], checker, refused)
    versions = None if version is None else _texts(frame[version], "version", checker, refused)
    kept = np.ones(len(frame), np.bool_)
    kept[list(refused)] = False
    order = np.flatnonzero(kept)
    order = order[np.argsort(times[order], kind="stable")]
    return History(
        ids=_made_ids(times[order], scores[order])
        if ids is None
        else [ids[row] for row in order.tolist()],
        time=times[order],
        score=scores[order],
        label=labels[order],
        label_time=np.maximum(times, came)[order],
        segments=numbers[order],
        combinations=combinations,
        version=None if versions is None else [versions[row] for row in order.tolist()],
        rejected=len(refused),
        reason=f"the first is row {frame[_ROW][min(refused)] + 1}: {refused[min(refused)]}"
        if refused
        else None,
        left_out=str(missing) if missing.rows_dropped else None,
    )


def _refuse_two_roles(roles: dict[str, str | None], segments: Sequence[str]) -> None:
    named: dict[str, str] = {}
    pairs = [(column, role) for role, column in roles.items() if column is not None]
    pairs += [(one.strip(), "segments") for name in segments for one in name.split(",")]
    for column, role in pairs:
        if column in named:
            raise InputError(
                found="Column `{column}` is named twice, in {first} and {role}",
                needed="a column has one role",
                fix="Leave one of them out.",
                column=column,
                first=Parameter(named[column]),
                role=Parameter(role),
            )
        named[column] = role


def _labelled(
    file: FileTable,
    frame: pl.DataFrame,
    label: str,
    score: str,
    positive: Any,
    needed: Sequence[str],
) -> tuple[pl.DataFrame, npt.NDArray[np.int8], npt.NDArray[np.float64], MissingValues]:
    """The rows that miss nothing but a label, their labels and scores, and what was left out."""
    from roclab.readers.frames import frame_to_table

    counts = {one: frame[one].null_count() for one in needed}
    whole = frame.drop_nulls(needed)
    if not len(whole):
        raise InputError(
            found="Column `{column}` is missing in all {rows} rows",
            fix="Name another column.",
            column=max(counts, key=lambda one: counts[one]),
            rows=f"{len(frame):,}",
        )
    table = frame_to_table(
        whole,
        Columns(label=label, scores=(score,), weight=None, groups=(_ROW,)),
        pos_label=positive,
        keep_unlabelled=True,
        file=file,
        rounded=file.rounded,
    )
    labels, scores = np.full(len(frame), -2, np.int8), np.zeros(len(frame))
    rows = table.groups[_ROW]
    labels[rows], scores[rows] = table.y_true, table.scores[score]
    if table.unlabelled is not None:
        rows = table.unlabelled.groups[_ROW]
        labels[rows], scores[rows] = -1, table.unlabelled.scores[score]
    kept = labels > -2
    missing = MissingValues(
        rows_read=len(frame),
        rows_dropped=int((~kept).sum()),
        by_column={**{one: n for one, n in counts.items() if n}, **table.missing.by_column},
    )
    # Without the sign of a zero.
    return frame.filter(kept), labels[kept], scores[kept] + 0.0, missing


def _times(
    series: pl.Series, zone: ZoneInfo, now: int, checker: Checker, refused: dict[int, str]
) -> Integers:
    """Times in microseconds since 1970; 0 and a reason for those that are refused."""
    import polars as pl

    dtype = series.dtype
    values = series
    if dtype.is_integer() and series.is_between(_FIRST_DATE, _LAST_DATE).all():
        values = series.cast(pl.String)  # 20260131, long before 1972 if these were seconds
    if dtype == pl.Date or isinstance(dtype, pl.Datetime):
        found = values.cast(pl.Datetime("us", getattr(dtype, "time_zone", None)))
        if getattr(dtype, "time_zone", None) is None:
            found = found.dt.replace_time_zone(
                zone.key, ambiguous="earliest", non_existent="null"
            ).dt.convert_time_zone("UTC")
        times = found.to_physical()
    elif values.dtype == pl.String:
        known: dict[str, int | None] = {}
        times = pl.Series(
            [
                known[text] if text in known else known.setdefault(text, _time_of(text, zone))
                for text in values.to_list()
            ],
            dtype=pl.Int64,
        )
    elif dtype.is_numeric():
        seconds = values.cast(pl.Float64)
        times = (seconds.set(seconds.abs() >= 1e11, None) * 1e6).round().cast(pl.Int64)
    else:
        raise InputError(
            found="Column `{column}` holds {kind}",
            needed="times are text in ISO 8601, dates, or seconds since 1970",
            fix="Convert it, or name another column.",
            column=series.name,
            kind=str(dtype),
        )
    result = times.fill_null(0).to_numpy().astype(np.int64)
    unsure = ~times.is_between(_SURE, now).fill_null(False)
    for row in np.flatnonzero(unsure.to_numpy()).tolist():
        shown: Any = values[row]
        try:
            if times[row] is not None:
                shown = iso(times[row])
            elif isinstance(shown, datetime):
                raise Refused(f"time {shown} is skipped by the clock of {zone.key}")
            result[row] = checker.time(shown, now)
        except Refused as error:
            refused.setdefault(row, str(error))
    return result


def _time_of(text: str, zone: ZoneInfo) -> int | None:
    """A time of text in ISO 8601, or in seconds since 1970."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        try:
            seconds = float(text)
        except ValueError:
            return None
        return round(seconds * 1e6) if abs(seconds) < 1e11 else None
    try:
        return microseconds(found if found.tzinfo is not None else found.replace(tzinfo=zone))
    except OverflowError:
        return None


def _label_times(
    frame: pl.DataFrame,
    column: str,
    labels: npt.NDArray[np.int8],
    times: Integers,
    zone: ZoneInfo,
    now: int,
    checker: Checker,
    refused: dict[int, str],
) -> Integers:
    """When labels became known; the times of predictions for rows without a label."""
    known = np.flatnonzero(labels >= 0)
    series = frame[column].gather(known)
    empty = series.is_null().to_numpy()
    for row in known[empty].tolist():
        refused.setdefault(row, f"the row has a label, but no time in column {column}")
    known = known[~empty]
    of_labels: dict[int, str] = {}
    came = times.copy()
    came[known] = _times(series.drop_nulls(), zone, now, checker, of_labels)
    for row, reason in of_labels.items():
        refused.setdefault(int(known[row]), f"label_{reason}")
    return came


def _combinations(
    frame: pl.DataFrame, names: Sequence[str], checker: Checker, refused: dict[int, str]
) -> tuple[Integers, tuple[Segments, ...]]:
    """The combination of segments of each row, and all combinations."""
    import polars as pl

    if not names:
        return np.zeros(len(frame), np.int64), ((),)
    for name in names:
        _checked_name(name, checker)
    texts = frame.select(pl.col(name).cast(pl.String) for name in names)
    distinct = texts.unique(maintain_order=True).with_row_index(_ROW)
    joined = texts.join(distinct, on=names, how="left", nulls_equal=True, maintain_order="left")
    numbers = joined[_ROW].to_numpy().astype(np.int64)
    combinations: list[Segments] = []
    bad: dict[int, str] = {}
    for place, row in enumerate(distinct.select(names).iter_rows()):
        try:
            combinations.append(
                tuple(
                    sorted(
                        (name, checker.text(value, "value of a segment"))
                        for name, value in zip(names, row, strict=True)
                        if value is not None
                    )
                )
            )
        except Refused as error:
            bad[place] = str(error)
            combinations.append(())
    for place, reason in bad.items():
        for row_number in np.flatnonzero(numbers == place).tolist():
            refused.setdefault(row_number, reason)
    return numbers, tuple(combinations)


def _checked_name(name: str, checker: Checker) -> None:
    try:
        checker.text(name, "segment")
    except Refused as error:
        raise InputError(
            found="The column {name} cannot be a segment: {reason}",
            fix="Rename it.",
            name=repr(name),
            reason=error,
        ) from None


def _ids(series: pl.Series, checker: Checker, refused: dict[int, str]) -> list[Identifier]:
    import polars as pl

    found: list[Identifier] = []
    for row, value in enumerate(series.cast(pl.String).to_list()):
        try:
            found.append(checker.identifier(value))
        except Refused as error:
            refused.setdefault(row, str(error))
            found.append("")
    return found


def _texts(
    series: pl.Series, what: str, checker: Checker, refused: dict[int, str]
) -> list[str | None]:
    import polars as pl

    found: list[str | None] = []
    for row, value in enumerate(series.cast(pl.String).to_list()):
        try:
            found.append(None if value is None else checker.text(value, what))
        except Refused as error:
            refused.setdefault(row, str(error))
            found.append(None)
    return found


def _made_ids(time: Integers, score: npt.NDArray[np.float64]) -> list[Identifier]:
    """Ids that are the same when the same file is read again.

    They begin with the time, since the store is quicker with ids in their order. Segments and
    labels are no part of them: another prediction of the same time and score is refused or
    corrected, and not added a second time.
    """
    import polars as pl

    pairs = pl.DataFrame({"time": time, "score": score.view(np.int64)})
    equal = pairs.is_duplicated()
    again = np.zeros(len(time), np.uint64)
    again[equal.to_numpy()] = (
        pairs.filter(equal).select(pl.int_range(pl.len()).over("time", "score")).to_series()
    )
    mixed = _mix(score.view(np.uint64) ^ _mix(again))
    made = np.empty((len(time), 2), ">u8")
    made[:, 0], made[:, 1] = time, mixed
    content = made.tobytes()
    return [content[start : start + 16] for start in range(0, len(content), 16)]


def _mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Scatter numbers, each to its own (the last steps of SplitMix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
