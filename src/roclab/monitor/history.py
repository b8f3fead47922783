"""History: files are replayed as if they had come live, and rows are written to files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.monitor.calendar import as_datetime
from roclab.monitor.installation import Installation
from roclab.monitor.schema import (
    Checker,
    Identifier,
    Label,
    Prediction,
    Refused,
    Rejected,
    shown_identifier,
)
from roclab.monitor.store.records import Alert
from roclab.readers import read_scores

_AT_ONCE = 50_000  # rows of a period
_PERIODS = 20  # of a transaction


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What an import did.

    Attributes
    ----------
    rows, labels : int
        Number of predictions and labels that were accepted.
    duplicates : int
        Number of rows that were known already.
    rejected : int
        Number of rows that were refused.
    reason : str or None
        Why the first of them was.
    left_out : str or None
        Rows that the reader left out, in words.
    alerts : tuple of Alert
        What the monitor would have told, in the order of time.
    """

    rows: int
    labels: int
    duplicates: int
    rejected: int
    reason: str | None
    left_out: str | None
    alerts: tuple[Alert, ...]


def read_history(
    source: Any,
    *,
    label: str,
    score: str,
    time: str,
    id: str | None = None,
    segments: Sequence[str] = (),
    label_time: str | None = None,
    positive: Any = None,
    now: int,
    checker: Checker,
) -> tuple[list[Prediction | Rejected], list[Label], str | None]:
    """Read predictions and labels from a table.

    Parameters
    ----------
    source : path or data frame
        The table; rows without a label are predictions whose label is not known.
    label, score, time : str
        Columns of labels, scores and prediction times.
    id : str, optional
        Column of ids. By default ids are made from the rows, so that the same file gives the same.
    segments : sequence of str
        Columns of segments.
    label_time : str, optional
        Column of the times at which labels became known; by default with their predictions.
    positive : object, optional
        Positive class label.
    now : int
        The time, in microseconds since 1970: later ones are refused.
    checker : Checker
        Checks rows as those that come by HTTP.
    """
    kept = [time, *([id] if id is not None else []), *segments]
    table = read_scores(
        source, y_true=label, y_score=score, by=kept, pos_label=positive, missing_labels="bounds"
    )
    arrival: Sequence[Any] | None = None
    if label_time is not None:
        labelled = read_scores(
            source, y_true=label, y_score=score, by=[*kept, label_time], pos_label=positive
        )
        if len(labelled) != len(table):
            raise InputError(
                found="{count} rows have a label, but no {column}",
                needed="the time at which a label became known is needed for each",
                fix="Fill it in, or leave out --label-time: labels then come with predictions.",
                count=f"{len(table) - len(labelled):,}",
                column=label_time,
            )
        arrival = labelled.group_column(label_time).tolist()
    predictions: list[Prediction | Rejected] = []
    labels: list[Label] = []
    seen: dict[bytes, int] = {}
    unlabelled = table.unlabelled
    parts: list[tuple[Any, Any, Any]] = [(table.scores[score], table.groups, table.y_true)]
    if unlabelled is not None:
        parts.append((unlabelled.scores[score], unlabelled.groups, None))
    for scores, groups, y_true in parts:
        columns = {name: _plain(groups[name]) for name in kept}
        for row, value in enumerate(np.asarray(scores, np.float64).tolist()):
            try:
                made = checker.time(columns[time][row], now)
                pairs = tuple(
                    sorted(
                        (name, checker.text(str(columns[name][row]), "value")) for name in segments
                    )
                )
                key: Identifier = (
                    _made_id(made, value, pairs, seen)
                    if id is None
                    else checker.identifier(str(columns[id][row]))
                )
                one = Prediction(key, value, made, None, pairs, None, None)
                if y_true is not None:
                    came = made if arrival is None else checker.time(_one(arrival[row]), now)
                    labels.append(Label(key, bool(y_true[row]), max(came, made)))
            except Refused as error:
                predictions.append(Rejected(str(error)))
            else:
                predictions.append(one)
    left_out = str(table.missing) if table.missing.rows_dropped else None
    return predictions, labels, left_out


def replay(
    installation: Installation,
    model: str,
    predictions: Sequence[Prediction | Rejected],
    labels: Sequence[Label],
    *,
    left_out: str | None = None,
    progress: Callable[[int, int | None], object] | None = None,
) -> Imported:
    """Add history in the order of time, and judge it as time goes by.

    Parameters
    ----------
    installation : Installation
        Where it is added.
    model : str
        Name of the model.
    predictions, labels : sequence
        The results of `read_history`.
    left_out : str, optional
        What the reader left out.
    progress : callable, optional
        Called as ``progress(done, total)``, in rows.
    """
    store = installation.store
    good = sorted(
        (row for row in predictions if isinstance(row, Prediction)), key=lambda row: row.time
    )
    refused = [row for row in predictions if isinstance(row, Rejected)]
    ordered = sorted(labels, key=lambda row: row.time)
    counts = {"accepted": 0, "duplicate": 0, "corrected": 0}
    accepted_labels = 0
    begun = {one.number for one in store.alerts(limit=100_000)}
    done = 0
    with store.transaction():
        state = installation.model_of(model)
    periods = _periods(state.calendar, good, ordered)
    with installation.silently():
        # Several periods a transaction, since each waits for the disk.
        while some_periods := list(islice(periods, _PERIODS)):
            with store.transaction():
                for until, some, few in some_periods:
                    for row in installation.predictions(model, some, None):
                        if isinstance(row, Rejected):
                            refused.append(row)
                        else:
                            counts[row] += 1
                    for row in installation.labels(model, few, None):
                        accepted_labels += row in ("accepted", "corrected")
                    installation.committed()
                    installation.replay_until(state, until)
                    done += len(some) + len(few)
            installation.committed()
            if progress is not None:
                progress(done, len(good) + len(ordered))
        while not _refreshed(installation):
            pass
    store.checkpoint()
    told = [one for one in store.alerts(limit=100_000) if one.number not in begun]
    return Imported(
        rows=counts["accepted"],
        labels=accepted_labels,
        duplicates=counts["duplicate"],
        rejected=len(refused),
        reason=refused[0].reason if refused else None,
        left_out=left_out,
        alerts=tuple(sorted(told, key=lambda one: one.number)),
    )


def _refreshed(installation: Installation) -> bool:
    with installation.store.transaction():
        done = installation.refresh(5.0)
    installation.committed()
    return done


def _periods(
    calendar: Any, predictions: list[Prediction], labels: list[Label]
) -> Iterator[tuple[int, list[Prediction], list[Label]]]:
    """Rows of each cohort period by their arrival, with its end; empty periods are left out."""
    first = second = 0
    while first < len(predictions) or second < len(labels):
        ahead = [
            *(row.time for row in predictions[first : first + 1]),
            *(row.time for row in labels[second : second + 1]),
        ]
        end = calendar.after(calendar.cohort(min(ahead)))
        start, begun = first, second
        while (
            first < len(predictions) and predictions[first].time < end and first - start < _AT_ONCE
        ):
            first += 1
        full = first < len(predictions) and predictions[first].time < end
        while not full and second < len(labels) and labels[second].time < end:
            second += 1
        # A period that is too large for one transaction ends with the last part of it.
        yield (min(ahead) if full else end), predictions[start:first], labels[begun:second]


def export(installation: Installation, model: str, path: Path) -> int:
    """Write the rows of a model to a Parquet file; return their number.

    Parameters
    ----------
    installation : Installation
        Where they are.
    model : str
        Name of the model.
    path : Path
        The file.
    """
    import polars as pl

    store = installation.store
    state = installation.models[model]
    names = sorted({name for pairs in store.segments.values() for name, _ in pairs})
    frames = []
    for rows in store.events(state.record.number):
        pairs = [dict(store.segments.get(row[5], ())) for row in rows]
        frames.append(
            pl.DataFrame(
                {
                    "id": [shown_identifier(row[0]) for row in rows],
                    "time": [None if row[2] is None else as_datetime(row[2]) for row in rows],
                    "score": [row[3] for row in rows],
                    "version": [row[4] for row in rows],
                    "label": [row[7] for row in rows],
                    "label_time": [None if row[9] is None else as_datetime(row[9]) for row in rows],
                    "implicit": [bool(row[10]) for row in rows],
                    **{f"segment.{name}": [one.get(name) for one in pairs] for name in names},
                },
                schema={
                    "id": pl.String,
                    "time": pl.Datetime("us", "UTC"),
                    "score": pl.Float64,
                    "version": pl.String,
                    "label": pl.Int8,
                    "label_time": pl.Datetime("us", "UTC"),
                    "implicit": pl.Boolean,
                    **{f"segment.{name}": pl.String for name in names},
                },
            )
        )
    frame = pl.concat(frames) if frames else pl.DataFrame()
    unfinished = path.with_name(path.name + ".part")
    frame.write_parquet(unfinished)
    unfinished.replace(path)
    return len(frame)


def _plain(column: Any) -> list[Any]:
    values = np.asarray(column)
    if values.dtype.kind == "M":
        return [str(value) for value in values.astype("datetime64[us]")]
    return [_one(value) for value in values.tolist()]


def _one(value: Any) -> Any:
    """A time for the checker: dates as text, numbers as they are."""
    return value.isoformat() if hasattr(value, "isoformat") else value


def _made_id(time: int, score: float, pairs: Any, seen: dict[bytes, int]) -> bytes:
    """An id that is the same when the same file is read again."""
    content = repr((time, score, pairs)).encode()
    again = seen[content] = seen.get(content, -1) + 1
    return blake2b(content + str(again).encode(), digest_size=16).digest()
