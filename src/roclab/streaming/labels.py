"""Delayed labels: predictions that wait for their labels."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from roclab import _core
from roclab.checks.options import check_count, shown
from roclab.data.serialization import Serializable, checked_counts, from_json, to_json
from roclab.errors import InputError
from roclab.result import Record, Result
from roclab.streaming.event_time import Clock
from roclab.streaming.events import check_event, check_key


@dataclass(frozen=True, kw_only=True, repr=False)
class LabelledScore(Record):
    """A prediction with its label: ``window.update(**joined.event)``.

    Attributes
    ----------
    y_true : object
        Label, as it was passed.
    y_score : float
        Score of the prediction.
    time : object
        Time of the prediction, not of its label.
    sample_weight : float or None
        Weight of the prediction.
    segments : dict
        Segments of the prediction, by name.
    """

    y_true: Any
    y_score: float
    time: Any = None
    sample_weight: float | None = None
    segments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def event(self) -> dict[str, Any]:
        """The arguments of `update` and `revert` of windows."""
        return {
            "y_true": self.y_true,
            "y_score": self.y_score,
            "time": self.time,
            "sample_weight": self.sample_weight,
        }

    def __repr__(self) -> str:
        more = {"time": self.time, "sample_weight": self.sample_weight, "segments": self.segments}
        given = {name: value for name, value in more.items() if value is not None and value != {}}
        shown = {"y_true": self.y_true, "y_score": self.y_score} | given
        return f"LabelledScore({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


class _Prediction(NamedTuple):
    """A prediction that waits for its label."""

    moment: float | None  # its time as a number, if ages are limited
    y_score: float
    time: Any
    sample_weight: float | None
    segments: dict[str, Any] | None


class _Label(NamedTuple):
    """A label that waits for its prediction."""

    moment: float | None
    y_true: Any


@dataclass(frozen=True, kw_only=True, repr=False)
class JoinCounts(Result):
    """Counts of predictions and labels by outcome.

    Predictions are `joined`, `pending`, `evicted`, `expired` or `duplicates`, labels are `joined`,
    `early` or `unmatched`: each group sums to the total number received.

    Attributes
    ----------
    joined : int
        Pairs that were returned.
    pending : int
        Predictions that wait for their label.
    evicted : int
        Predictions dropped because there were too many.
    expired : int
        Predictions dropped because they were too old.
    duplicates : int
        Predictions of an id that is already pending. The first one is kept.
    early : int
        Labels that wait for their prediction.
    unmatched : int
        Labels without a prediction that do not wait: of an unknown id, too late, a second one,
        or early ones dropped because they were too many or too old.
    """

    joined: int = 0
    pending: int = 0
    evicted: int = 0
    expired: int = 0
    duplicates: int = 0
    early: int = 0
    unmatched: int = 0


class PendingLabels(Serializable):
    """Joins predictions with delayed labels, by id, in bounded memory.

    Parameters
    ----------
    max_pending : int
        Maximum number of pending predictions; the oldest are dropped first. The same limit holds
        for early labels.
    max_age : number or timedelta, optional
        Maximum delay of a label after its prediction. Needs the `time` of every call: a datetime or
        datetime64 with a timedelta, in UTC if it has no time zone; else a number in the same unit.
    keep_early_labels : bool, default False
        Whether to keep labels that arrive before their prediction.

    Notes
    -----
    O(1) for each call, and about 220 bytes for each pending prediction without its id, or 450 with
    time, weight and a segment. `counts` shows the outcome of everything received, so that lost
    events are visible. They are rarely a random sample: if labels of positives arrive later than
    those of negatives, a small `max_pending` loses positives.

    Ages are computed from the latest `time` seen, so that a time far in the future makes everything
    expire. Not thread-safe.

    Examples
    --------
    >>> pending = PendingLabels(max_pending=3)
    >>> for key, score in [("a", 0.1), ("b", 0.4), ("c", 0.4), ("d", 0.8)]:
    ...     pending.add_prediction(key, score)
    >>> pending.add_label("c", 1)
    LabelledScore(y_true=1, y_score=0.4)
    >>> pending.add_label("a", 0) is None
    True
    >>> pending
    PendingLabels(1 joined, 2 pending, 1 evicted, 1 unmatched)
    """

    _kind: ClassVar = b"PL"
    _version: ClassVar = 2

    def __init__(
        self, max_pending: int, *, max_age: Any = None, keep_early_labels: bool = False
    ) -> None:
        self._most = check_count("max_pending", max_pending)
        dated = isinstance(max_age, timedelta | np.timedelta64)
        self._clock = Clock(dated=dated, named="{max_age}")
        self._max_age = None if max_age is None else self._clock.length(max_age, "max_age")
        if self._max_age is not None and not self._max_age > 0:
            raise InputError(
                found="{max_age=}{value} is out of range",
                needed="a number or timedelta above 0 is needed",
                value=shown(max_age),
            )
        self._keep_early = bool(keep_early_labels)
        self.reset()

    def reset(self) -> None:
        """Remove all predictions, labels and counts."""
        # Finding the oldest entry of a plain dict is slow after many deletions.
        self._predictions: OrderedDict[Hashable, _Prediction] = OrderedDict()
        self._labels: OrderedDict[Hashable, _Label] = OrderedDict()
        self._now: float | None = None
        self._joined = self._evicted = self._expired = 0
        self._duplicates = self._unmatched = 0

    def add_prediction(
        self,
        id: Hashable,
        y_score: float,
        *,
        time: Any = None,
        sample_weight: float | None = None,
        segments: Mapping[str, Any] | None = None,
    ) -> LabelledScore | None:
        """Add a prediction.

        Parameters
        ----------
        id : hashable
            Identifier that its label will have.
        y_score : float
            Finite score.
        time : number or datetime, optional
            Time of the prediction; required with `max_age`. It is returned with the label, like the
            following.
        sample_weight : float, optional
            Weight of the event.
        segments : mapping, optional
            Segments of the prediction by name, such as ``{"region": "north"}``.

        Returns
        -------
        LabelledScore or None
            The pair, if an early label was kept.
        """
        check_key("id", id)
        score = _core.checked_score(y_score)
        if sample_weight is not None:
            check_event(True, score, sample_weight)
        named = None if segments is None else _checked_segments(segments)
        moment = self._pass_time(time)
        found = _Prediction(moment, score, time, sample_weight, named)
        early = self._labels.pop(id, None)
        if early is not None:
            if not self._too_far(early.moment, moment):
                return self._join(early.y_true, found)
            self._unmatched += 1
        if id in self._predictions:
            self._duplicates += 1
            return None
        self._predictions[id] = found
        if len(self._predictions) > self._most:
            self._predictions.popitem(last=False)
            self._evicted += 1
        return None

    def add_label(self, id: Hashable, y_true: Any, *, time: Any = None) -> LabelledScore | None:
        """Add a label.

        Parameters
        ----------
        id : hashable
            Identifier of its prediction.
        y_true : bool, int or other
            The label, returned unchanged.
        time : number or datetime, optional
            Time at which the label became known; required with `max_age`.

        Returns
        -------
        LabelledScore or None
            The pair, if the prediction was pending; it is then removed.
        """
        check_key("id", id)
        moment = self._pass_time(time)
        found = self._predictions.pop(id, None)
        if found is not None:
            if not self._too_far(found.moment, moment):
                return self._join(y_true, found)
            self._expired += 1
        elif self._keep_early and id not in self._labels:
            self._labels[id] = _Label(moment, y_true)
            if len(self._labels) <= self._most:
                return None
            self._labels.popitem(last=False)
        self._unmatched += 1
        return None

    @property
    def counts(self) -> JoinCounts:
        """Counts of predictions and labels by outcome."""
        return JoinCounts(
            joined=self._joined,
            pending=len(self._predictions),
            evicted=self._evicted,
            expired=self._expired,
            duplicates=self._duplicates,
            early=len(self._labels),
            unmatched=self._unmatched,
        )

    def __len__(self) -> int:
        """Return the number of pending predictions."""
        return len(self._predictions)

    def __repr__(self) -> str:
        shown = {
            name: count
            for name, count in self.counts.to_dict().items()
            if count or name in ("joined", "pending")
        }
        return f"PendingLabels({', '.join(f'{count:,} {name}' for name, count in shown.items())})"

    def _content(self) -> bytes:
        age = None if self._max_age is None else self._clock.shown_length(self._max_age)
        settings = [self._most, age, self._keep_early, self._now]
        counts = [self._joined, self._evicted, self._expired, self._duplicates, self._unmatched]
        predictions = [
            [id, *one[1:-1], one.segments and [list(pair) for pair in one.segments.items()]]
            for id, one in self._predictions.items()
        ]
        labels = [[id, *one] for id, one in self._labels.items()]
        return to_json([settings, counts, predictions, labels])

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (most, max_age, early, now), counts, predictions, labels = from_json(content)
        pending = cls(most, max_age=max_age, keep_early_labels=early)
        pending._joined, pending._evicted, pending._expired = checked_counts(counts[:3])
        pending._duplicates, pending._unmatched = checked_counts(counts[3:])
        for id, score, time, weight, segments in predictions:
            check_event(True, score, weight)
            moment = None if max_age is None else pending._clock.moment(time)
            named = segments and dict(segments)
            pending._predictions[id] = _Prediction(moment, float(score), time, weight, named)
        for id, moment, label in labels:
            pending._labels[id] = _Label(moment, label)
        pending._now = now
        for given, kept in ((predictions, pending._predictions), (labels, pending._labels)):
            if not len(given) == len(kept) <= pending._most:
                raise ValueError("an id occurs twice, or there are too many")
        moments = [one.moment for one in pending._labels.values()]
        if predictions or labels or now is not None:
            moments.append(now)
        for moment in moments:
            known = moment is not None and math.isfinite(moment)
            if known == (max_age is None):
                raise ValueError("a time is missing, or has no age to be compared with")
        return pending

    def _join(self, y_true: Any, found: _Prediction) -> LabelledScore:
        self._joined += 1
        return LabelledScore(
            y_true=y_true,
            y_score=found.y_score,
            time=found.time,
            sample_weight=found.sample_weight,
            segments=found.segments or {},
        )

    def _pass_time(self, time: Any) -> float | None:
        """Drop what is now too old, and return the time as a number, if ages are limited."""
        if self._max_age is None:
            return None
        if time is None:
            raise InputError(
                found="{time} is None, but {max_age} needs the time of every prediction and label",
                fix="Pass {time}, or omit {max_age}.",
            )
        moment = self._clock.moment(time)
        self._now = moment if self._now is None else max(self._now, moment)
        self._expired += _drop_old(self._predictions, self._now, self._max_age)
        self._unmatched += _drop_old(self._labels, self._now, self._max_age)
        return moment

    def _too_far(self, one: float | None, other: float | None) -> bool:
        """Whether two times differ by more than the age, in either order."""
        if self._max_age is None or one is None or other is None:
            return False
        return abs(one - other) > self._max_age


def _drop_old(waiting: OrderedDict[Hashable, Any], now: float, max_age: float) -> int:
    """Drop what is now too old, and return the number of dropped entries."""
    dropped = 0
    while waiting and now - next(iter(waiting.values())).moment > max_age:
        waiting.popitem(last=False)
        dropped += 1
    return dropped


def _checked_segments(segments: Any) -> dict[str, Any]:
    if isinstance(segments, Mapping):
        return dict(segments)
    raise InputError(
        found="{segments} is {value}",
        needed="a mapping of names to values is needed",
        fix='Pass for example {"region": "north"}.',
        value=shown(segments),
    )
