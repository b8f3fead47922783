"""Delayed labels: predictions that wait for their labels."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from roclab import _core
from roclab.checks.options import check_count, shown
from roclab.data.serialization import Serializable, checked_counts, from_json, to_json
from roclab.errors import InputError
from roclab.result import Result


class LabelledScore(NamedTuple):
    """A label with its score, in the order of the arguments of windows: ``update(*joined)``.

    Parameters
    ----------
    y_true : object
        Label, as it was passed.
    y_score : float
        Score of the prediction.
    """

    y_true: Any
    y_score: float


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
        Maximum delay of a label after its prediction. Needs the `time` of every call.
    keep_early_labels : bool, default False
        Whether to keep labels that arrive before their prediction.

    Notes
    -----
    O(1) for each call, and about 300 bytes for each pending prediction, without its id. `counts`
    shows the outcome of everything received, so that lost events are visible. They are rarely a
    random sample: if labels of positives arrive later than those of negatives, a small
    `max_pending` loses positives.

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

    def __init__(
        self, max_pending: int, *, max_age: Any = None, keep_early_labels: bool = False
    ) -> None:
        self._most = check_count("max_pending", max_pending)
        if max_age is not None and not _positive(max_age):
            raise InputError(
                found="{max_age=}{value} is out of range",
                needed="a number or timedelta above 0 is needed",
                value=shown(max_age),
            )
        self._max_age = max_age
        self._keep_early = bool(keep_early_labels)
        self.reset()

    def reset(self) -> None:
        """Remove all predictions, labels and counts."""
        # Finding the oldest entry of a plain dict is slow after many deletions.
        self._predictions: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        self._labels: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()
        self._now: Any = None
        self._joined = self._evicted = self._expired = 0
        self._duplicates = self._unmatched = 0

    def add_prediction(
        self, id: Hashable, y_score: float, *, time: Any = None
    ) -> LabelledScore | None:
        """Add a prediction.

        Parameters
        ----------
        id : hashable
            Identifier that its label will have.
        y_score : float
            Finite score.
        time : number or datetime, optional
            Time of the prediction; required with `max_age`.

        Returns
        -------
        LabelledScore or None
            The pair, if an early label was kept.
        """
        score = _core.checked_score(y_score)
        self._pass_time(time)
        early = self._labels.pop(id, None)
        if early is not None:
            label, labelled = early
            if not self._too_far(labelled, time):
                return self._join(label, score)
            self._unmatched += 1
        if id in self._predictions:
            self._duplicates += 1
            return None
        self._predictions[id] = (score, time)
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
        self._pass_time(time)
        found = self._predictions.pop(id, None)
        if found is not None:
            score, predicted = found
            if not self._too_far(predicted, time):
                return self._join(y_true, score)
            self._expired += 1
        elif self._keep_early and id not in self._labels:
            self._labels[id] = (y_true, time)
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
        settings = [self._most, self._max_age, self._keep_early, self._now]
        counts = [self._joined, self._evicted, self._expired, self._duplicates, self._unmatched]
        waiting = (self._predictions, self._labels)
        return to_json([settings, counts, *([[k, *v] for k, v in w.items()] for w in waiting)])

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (most, max_age, early, now), counts, predictions, labels = from_json(content)
        pending = cls(most, max_age=max_age, keep_early_labels=early)
        pending._joined, pending._evicted, pending._expired = checked_counts(counts[:3])
        pending._duplicates, pending._unmatched = checked_counts(counts[3:])
        for key, score, time in predictions:
            pending._predictions[key] = (_core.checked_score(score), time)
        for key, label, time in labels:
            pending._labels[key] = (label, time)
        pending._now = now
        for given, kept in ((predictions, pending._predictions), (labels, pending._labels)):
            if not len(given) == len(kept) <= pending._most:
                raise ValueError("an id occurs twice, or there are too many")
            for *_, time in given:
                if max_age is not None and not now - time == now - time:
                    raise ValueError("a time is missing")
        return pending

    def _join(self, y_true: Any, y_score: float) -> LabelledScore:
        self._joined += 1
        return LabelledScore(y_true, y_score)

    def _pass_time(self, time: Any) -> None:
        """Drop what is now too old."""
        if self._max_age is None:
            return
        if time is None or time != time:
            raise InputError(
                found="{time=}{value}, but {max_age=}{age} needs the time of every prediction and "
                "label",
                fix="Pass {time}, or omit {max_age}.",
                value=shown(time),
                age=shown(self._max_age),
            )
        self._now = time if self._now is None else max(self._now, time)
        self._expired += self._drop_old(self._predictions)
        self._unmatched += self._drop_old(self._labels)

    def _drop_old(self, waiting: OrderedDict[Hashable, tuple[Any, Any]]) -> int:
        """Drop what is now too old and return the number of dropped entries."""
        dropped = 0
        while waiting and self._now - next(iter(waiting.values()))[1] > self._max_age:
            waiting.popitem(last=False)
            dropped += 1
        return dropped

    def _too_far(self, one: Any, other: Any) -> bool:
        return self._max_age is not None and (
            max(one, other) - min(one, other) > self._max_age  # early labels are the earlier one
        )


def _positive(age: Any) -> bool:
    try:
        return bool(age > age - age)
    except TypeError:
        return False
