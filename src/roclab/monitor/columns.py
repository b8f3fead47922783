"""Batches, checked by columns: what `Checker` says about each row, for many rows at once.

Most batches are alike in all rows: ids are UUIDs, times have one format, and few segments occur. A
column is checked as a whole if it is like that, and value by value by the `Checker` otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from roclab.monitor.schema import (
    CONTROL,
    EARLIEST,
    UUID_LENGTHS,
    Checker,
    Identifier,
    Label,
    LabelRow,
    Labels,
    Prediction,
    PredictionRow,
    Predictions,
    Refused,
    Rejected,
    Segments,
    label_of,
)

Value = TypeVar("Value")
Columns = TypeVar("Columns", Predictions, Labels)

_FEW = 16  # rows that are checked one by one: columns would take longer
_HYPHENS = (8, 13, 18, 23)  # of a UUID with 36 characters
_MINUTE = 60_000_000


def _layouts() -> dict[int, tuple[str, int]]:
    """Ways to write a time in ISO 8601, by their lengths, and the length of the zone."""
    fractions, zones = ("", ".000", ".000000"), ("", "Z", "+00:00")
    texts = [(f"0000-00-00T00:00:00{one}{zone}", len(zone)) for one in fractions for zone in zones]
    return {len(text): (text, zone) for text, zone in texts}


_LAYOUTS = _layouts()
# Of months by number, not in leap years; 0 where there is no such month.
_DAYS = np.zeros(100, np.int64)
_DAYS[1:13] = 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31


@dataclass(frozen=True)
class Checked(Generic[Columns]):
    """Rows of a request: why some are refused, and the others of each model with their places."""

    count: int
    refused: dict[int, str]
    groups: dict[str, tuple[Sequence[int], Columns]]


def check_predictions(
    rows: Sequence[PredictionRow | Rejected], model: str | None, checker: Checker, now: int
) -> Checked[Predictions]:
    """Check predictions, whose model is `model` unless they name one."""
    if len(rows) <= _FEW:
        return _one_by_one(rows, model, checker, checker.prediction, Predictions.of, now)
    batch = _Batch(rows, checker, now)
    names = batch.models(model)
    scores = batch.scores([row.score for row in batch.rows])
    times = batch.times([row.time for row in batch.rows])
    labels, label_times = batch.labels_of_predictions()
    ids = batch.identifiers([row.id for row in batch.rows])
    versions = batch.versions()
    segments, combinations = batch.segments()
    return batch.checked(
        names,
        lambda take: Predictions(
            id=take(ids),
            score=take(scores),
            time=take(times),
            version=take(versions),
            segments=take(segments),
            label=take(labels),
            label_time=take(label_times),
            combinations=combinations,
        ),
    )


def check_labels(
    rows: Sequence[LabelRow | Rejected], model: str | None, checker: Checker, now: int
) -> Checked[Labels]:
    """Check labels, whose model is `model` unless they name one."""
    if len(rows) <= _FEW:
        return _one_by_one(rows, model, checker, checker.label, Labels.of, now)
    batch = _Batch(rows, checker, now)
    names = batch.models(model)
    times = batch.times([row.time for row in batch.rows])
    ids = batch.identifiers([row.id for row in batch.rows])
    labels = batch.labels([row.label for row in batch.rows])
    return batch.checked(names, lambda take: Labels(take(ids), take(labels), take(times)))


def _one_by_one(
    rows: Sequence[Any],
    model: str | None,
    checker: Checker,
    check: Callable[[Any, int], Prediction | Label | Rejected],
    columns_of: Callable[[Any], Columns],
    now: int,
) -> Checked[Columns]:
    refused: dict[int, str] = {}
    groups: dict[str, tuple[list[int], list[Any]]] = {}
    for place, row in enumerate(rows):
        found = row
        if not isinstance(row, Rejected):
            try:
                name = checker.model(model if row.model is None else row.model)
                found = check(row, now)
            except Refused as error:
                found = Rejected(str(error))
        if isinstance(found, Rejected):
            refused[place] = found.reason
        else:
            places, some = groups.setdefault(name, ([], []))
            places.append(place)
            some.append(found)
    return Checked(
        len(rows), refused, {name: (at, columns_of(some)) for name, (at, some) in groups.items()}
    )


class _Batch:
    """Rows that are checked column by column; for each row the first reason counts.

    Parameters
    ----------
    rows : sequence
        Rows as decoded, some refused.
    checker : Checker
        What is accepted.
    now : int
        The time, in microseconds since 1970.
    """

    def __init__(self, rows: Sequence[Any], checker: Checker, now: int) -> None:
        self._checker, self._now = checker, now
        self._count = len(rows)
        self.refused = {
            place: row.reason for place, row in enumerate(rows) if type(row) is Rejected
        }
        self.rows = [row for row in rows if type(row) is not Rejected] if self.refused else rows
        self._places: Sequence[int] = (
            [place for place in range(len(rows)) if place not in self.refused]
            if self.refused
            else range(len(rows))
        )

    def checked(
        self,
        names: Sequence[str],
        columns_of: Callable[[Callable[[Sequence[Any]], Sequence[Any]]], Columns],
    ) -> Checked[Columns]:
        """The rows that are not refused, by model."""
        kept: Sequence[int] = range(len(self.rows))
        if any(place in self.refused for place in self._places):
            kept = [row for row, place in enumerate(self._places) if place not in self.refused]
        rows_of: dict[str, Sequence[int]] = {}
        if len(kept) == len(names) and len(set(names)) == 1:
            rows_of[names[0]] = kept
        else:
            found: dict[str, list[int]] = defaultdict(list)
            for row in kept:
                found[names[row]].append(row)
            rows_of.update(found)
        groups = {}
        for name, rows in rows_of.items():
            whole = isinstance(rows, range)
            places = self._places if whole else [self._places[row] for row in rows]
            groups[name] = (places, columns_of(_taker(None if whole else rows)))
        return Checked(self._count, self.refused, groups)

    def _refuse(self, row: int, reason: object) -> None:
        self.refused.setdefault(self._places[row], str(reason))

    def _each(
        self,
        values: Sequence[Any],
        check: Callable[[Any], Value],
        default: Value,
        rows: Sequence[int] | None = None,
    ) -> list[Value]:
        """Check values one by one."""
        found: list[Value] = []
        for row, value in zip(range(len(values)) if rows is None else rows, values, strict=True):
            try:
                found.append(check(value))
            except Refused as error:
                self._refuse(row, error)
                found.append(default)
        return found

    def _each_distinct(
        self, values: Sequence[Any], check: Callable[[Any], Value], default: Value
    ) -> Sequence[Value]:
        """Check each value once, and refuse all rows that have a bad one."""
        distinct = dict.fromkeys(values)
        known: dict[Any, Value] = {}
        for value in distinct:
            try:
                known[value] = check(value)
            except Refused:
                return self._each(values, check, default)
        return list(map(known.__getitem__, values))

    def models(self, model: str | None) -> Sequence[str]:
        """Names of models."""
        checker = self._checker
        return self._each_distinct(
            [row.model for row in self.rows],
            lambda name: checker.model(model if name is None else name),
            "",
        )

    def scores(self, given: Sequence[float]) -> Sequence[float]:
        """Finite scores, without the sign of a zero."""
        scores = np.array(given, np.float64) + 0.0
        for row in np.flatnonzero(~np.isfinite(scores)).tolist():
            self._refuse(row, f"score is {given[row]}; a finite number is needed")
        return scores.tolist()  # type: ignore[no-any-return]

    def versions(self) -> Sequence[str | None]:
        """Versions; None where there is none."""
        checker = self._checker
        return self._each_distinct(
            [row.version for row in self.rows],
            lambda name: None if name is None else checker.text(name, "version"),
            None,
        )

    def segments(self) -> tuple[Sequence[int], Sequence[Segments]]:
        """Places of the segments of each row among all combinations, and these."""
        keys = [tuple(row.segments.items()) if row.segments else () for row in self.rows]
        places: dict[tuple[Any, ...], int] = {}
        combinations: dict[Segments, int] = {}
        found: list[int] = []
        for row, key in enumerate(keys):
            place = places.get(key)
            if place is None:
                try:
                    checked = self._checker.segments(dict(key)) if key else ()
                except Refused as error:
                    self._refuse(row, error)
                    checked = ()
                place = combinations.setdefault(checked, len(combinations))
                # Only texts: 1 and true are equal as keys, and not as values.
                if self._places[row] not in self.refused and all(
                    isinstance(value, str) for _, value in key
                ):
                    places[key] = place
            found.append(place)
        return found, tuple(combinations)

    def labels_of_predictions(self) -> tuple[Sequence[bool | None], Sequence[int | None]]:
        """Labels that come with predictions, and when they became known."""
        given = [row.label for row in self.rows]
        given_times = [row.label_time for row in self.rows]
        labels: list[bool | None] = [None] * len(given)
        times: list[int | None] = [None] * len(given)
        with_label = [row for row, label in enumerate(given) if label is not None]
        if len(with_label) < len(given):
            for row, (label, time) in enumerate(zip(given, given_times, strict=True)):
                if label is None and time is not None:
                    self._refuse(row, "label_time without a label")
        if with_label:
            some = self.labels([given[row] for row in with_label], with_label)
            some_times = self.times([given_times[row] for row in with_label], with_label)
            for row, label, time in zip(with_label, some, some_times, strict=True):
                labels[row], times[row] = label, time
        return labels, times

    def labels(self, given: Sequence[Any], rows: Sequence[int] | None = None) -> Sequence[bool]:
        """Labels as truth values."""
        if {*given} <= {0, 1}:  # booleans as well
            return list(map(bool, given))
        return self._each(given, label_of, False, rows)

    # Ids

    def identifiers(self, given: Sequence[str]) -> Sequence[Identifier]:
        """Ids as they are stored."""
        lengths = set(map(len, given))
        if lengths == {36}:
            found = _uuids(given)
            if found is not None:
                return found
        elif lengths.isdisjoint(UUID_LENGTHS) and self._are_texts(given, lengths):
            return given
        return self._each(given, self._checker.identifier, "")

    def _are_texts(self, given: Sequence[str], lengths: set[int]) -> bool:
        """Whether all texts are accepted as they are."""
        return (
            min(lengths, default=1) > 0
            and max(lengths, default=1) <= self._checker.longest
            and not CONTROL.search("".join(given))
            and list(map(str.strip, given)) == given
        )

    # Times

    def times(self, given: Sequence[Any], rows: Sequence[int] | None = None) -> Sequence[int]:
        """Times in microseconds since 1970; now where none is given."""
        missing = given.count(None)
        if missing == len(given):
            return [self._now] * len(given)
        found = None if missing else _many_times(given)
        if found is None:
            return self._each(given, self._time, self._now, rows)
        times: list[int] = found.tolist()
        outside = (found < EARLIEST) | (found > self._now + self._checker.ahead)
        for place in np.flatnonzero(outside).tolist():
            row = place if rows is None else rows[place]
            [times[place]] = self._each([given[place]], self._time, self._now, [row])
        return times

    def _time(self, given: str | float | None) -> int:
        return self._now if given is None else self._checker.time(given, self._now)


def _taker(rows: Sequence[int] | None) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Takes some rows of a column, or all of them."""
    if rows is None:
        return lambda column: column
    return lambda column: list(map(column.__getitem__, rows))


def _uuids(given: Sequence[str]) -> list[Identifier] | None:
    """UUIDs of 36 characters as bytes; None if one of them is something else."""
    text, count = "".join(given), len(given)
    if any(text[place::36] != "-" * count for place in _HYPHENS):
        return None
    try:
        octets = bytes.fromhex(text.replace("-", ""))
    except ValueError:
        return None
    # It is shorter if there were spaces, or further hyphens.
    if len(octets) != 16 * count:
        return None
    found: list[Identifier] = np.frombuffer(octets, "V16").tolist()
    return found


def _many_times(given: Sequence[Any]) -> npt.NDArray[np.int64] | None:
    """Times of one kind, not yet compared with the present; None if they are of several kinds."""
    kinds = set(map(type, given))
    if kinds == {float}:
        seconds = np.array(given, np.float64)
        return np.rint(seconds * 1e6).astype(np.int64) if (abs(seconds) < 1e11).all() else None
    if kinds != {str}:
        return None
    lengths = np.fromiter(map(len, given), np.int64, len(given))
    times = np.empty(len(given), np.int64)
    for length in np.unique(lengths).tolist():
        chosen = lengths == length
        found = _iso_times(list(compress(given, chosen.tolist())), length)
        if found is None:
            return None
        times[chosen] = found
    return times


def _there_are(text: npt.NDArray[np.uint8]) -> bool:
    """Whether there are all of these dates and times of day, whose digits are where they belong.

    numpy must not find out: with more than 500 rows, the process crashes where it would raise.
    """
    digits = text.astype(np.int64) - ord("0")
    century, year, month, day, hour, minute, second = (
        10 * digits[:, place] + digits[:, place + 1] for place in (0, 2, 5, 8, 11, 14, 17)
    )
    leap = (year % 4 == 0) & ((year != 0) | (century % 4 == 0)) & (month == 2)
    dates = (day >= 1) & (day <= _DAYS[month] + leap)
    return bool((dates & (hour < 24) & (minute < 60) & (second < 60)).all())


def _iso_times(given: Sequence[str], length: int) -> npt.NDArray[np.int64] | None:
    """Times in ISO 8601 with one length; None if one of them is written in another way."""
    joined = "".join(given)
    if length not in _LAYOUTS or not joined.isascii():
        return None
    layout, zone = _LAYOUTS[length]
    text = np.frombuffer(joined.encode(), np.uint8).reshape(-1, length)
    least = np.frombuffer(layout.replace("T", " ").encode(), np.uint8)
    most = np.frombuffer(layout.replace("0", "9").replace("+", "-").encode(), np.uint8)
    between, sign = text[:, 10], text[:, -6]
    if (
        not ((least <= text) & (text <= most)).all()
        or not ((between == ord("T")) | (between == ord(" "))).all()
        or (zone == 6 and (sign == ord(",")).any())
    ):
        return None
    if not _there_are(text[:, : length - zone]):
        return None
    local = np.ascontiguousarray(text[:, : length - zone]).view(f"S{length - zone}")[:, 0]
    times = local.astype("datetime64[us]").astype(np.int64)
    if zone < 6:
        return times
    numbers = text[:, -5:].astype(np.int64) - ord("0")
    hours, minutes = 10 * numbers[:, 0] + numbers[:, 1], 10 * numbers[:, 3] + numbers[:, 4]
    if hours.max() > 23 or minutes.max() > 59:
        return None
    east = np.where(sign == ord("-"), -1, 1)
    shifted: npt.NDArray[np.int64] = times - east * (60 * hours + minutes) * _MINUTE
    return shifted
