"""Predictions that wait for their labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from roclab.errors import InputError
from roclab.streaming.single_event import checked_count, checked_score

__all__ = ["JoinCounts", "LabelledScore", "PendingLabels"]


class LabelledScore(NamedTuple):
    """A score with its label, in the order in which windows take them: ``update(*joined)``."""

    y_true: Any
    y_score: float


@dataclass(frozen=True, kw_only=True)
class JoinCounts:
    """What became of the predictions and labels that arrived.

    Attributes
    ----------
    joined : int
        Pairs that were given out.
    pending : int
        Predictions that wait for their label.
    early : int
        Labels that wait for their prediction.
    evicted : int
        Predictions, and early labels, let go because there were too many.
    expired : int
        Those let go because they were too old.
    duplicates : int
        Predictions, or early labels, of an id that waits already. The first one counts.
    unmatched : int
        Labels without a prediction that were not kept: too late, too early or of an unknown id.
    """

    joined: int = 0
    pending: int = 0
    early: int = 0
    evicted: int = 0
    expired: int = 0
    duplicates: int = 0
    unmatched: int = 0

    def to_dict(self) -> dict[str, int]:
        """The fields as plain Python values."""
        return asdict(self)


class PendingLabels:
    """Joins predictions with labels that come later, by id, in bounded memory.

    Parameters
    ----------
    max_pending : int
        Predictions to keep; of more, the oldest go. As many early labels are kept beside them.
    max_age : number or timedelta, optional
        How much later than its prediction a label may be. Needs the `time` of everything.
    keep_early_labels : bool, default False
        Keep labels that arrive before their prediction.

    Notes
    -----
    O(1) for each call. Every prediction that arrives is joined, waiting, or counted as evicted,
    expired or duplicate: ``counts`` says how many, so that a join that loses events is seen. What
    it loses is seldom a random sample: if labels of positives come later than those of negatives,
    a small `max_pending` loses positives.

    Not for several threads at once.

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

    def __init__(
        self, max_pending: int, *, max_age: Any = None, keep_early_labels: bool = False
    ) -> None:
        self._most = checked_count(max_pending, "max_pending")
        if max_age is not None and not _positive(max_age):
            raise InputError(f"max_age={max_age!r} is no duration above 0.")
        self._max_age = max_age
        self._keep_early = bool(keep_early_labels)
        self.reset()

    def reset(self) -> None:
        """Forget everything, counts too."""
        # Dictionaries keep the order of arrival, so the oldest is the first.
        self._predictions: dict[Hashable, tuple[float, Any]] = {}
        self._labels: dict[Hashable, tuple[Any, Any]] = {}
        self._now: Any = None
        self._joined = self._evicted = self._expired = 0
        self._duplicates = self._unmatched = 0

    def add_prediction(
        self, id: Hashable, y_score: float, time: Any = None
    ) -> LabelledScore | None:
        """Take in a prediction.

        Parameters
        ----------
        id : hashable
            What its label will be known by.
        y_score : float
            The score; not NaN.
        time : number or datetime, optional
            When it was made; needed with `max_age`.

        Returns
        -------
        LabelledScore or None
            The pair, if the label was there before and was kept.
        """
        score = checked_score(y_score)
        self._pass_time(time)
        early = self._labels.pop(id, None)
        if early is not None:
            label, labelled = early
            if not self._too_far(labelled, time):
                return self._join(label, score)
            self._expired += 1
        if id in self._predictions:
            self._duplicates += 1
            return None
        self._predictions[id] = (score, time)
        self._limit(self._predictions)
        return None

    def add_label(self, id: Hashable, y_true: Any, time: Any = None) -> LabelledScore | None:
        """Take in a label.

        Parameters
        ----------
        id : hashable
            That of its prediction.
        y_true : bool, int or other
            The label, given out as it is.
        time : number or datetime, optional
            When it became known; needed with `max_age`.

        Returns
        -------
        LabelledScore or None
            The pair, if the prediction waits; it waits no longer then.
        """
        self._pass_time(time)
        found = self._predictions.pop(id, None)
        if found is not None:
            score, predicted = found
            if not self._too_far(predicted, time):
                return self._join(y_true, score)
            self._expired += 1
        elif self._keep_early:
            if id in self._labels:
                self._duplicates += 1
            else:
                self._labels[id] = (y_true, time)
                self._limit(self._labels)
            return None
        self._unmatched += 1
        return None

    @property
    def counts(self) -> JoinCounts:
        """What became of everything so far."""
        return JoinCounts(
            joined=self._joined,
            pending=len(self._predictions),
            early=len(self._labels),
            evicted=self._evicted,
            expired=self._expired,
            duplicates=self._duplicates,
            unmatched=self._unmatched,
        )

    def __len__(self) -> int:
        """Predictions that wait."""
        return len(self._predictions)

    def __repr__(self) -> str:
        shown = {
            name: count
            for name, count in self.counts.to_dict().items()
            if count or name in ("joined", "pending")
        }
        return f"PendingLabels({', '.join(f'{count:,} {name}' for name, count in shown.items())})"

    def _join(self, y_true: Any, y_score: float) -> LabelledScore:
        self._joined += 1
        return LabelledScore(y_true, y_score)

    def _limit(self, waiting: dict[Hashable, Any]) -> None:
        if len(waiting) > self._most:
            del waiting[next(iter(waiting))]
            self._evicted += 1

    def _pass_time(self, time: Any) -> None:
        """Let go of what is too old now. Time does not run backwards: the latest counts."""
        if self._max_age is None:
            return
        if time is None or time != time:
            raise InputError(
                f"time={time!r} arrived, but max_age={self._max_age!r} needs the time of every "
                "prediction and label. Pass time=, or leave max_age out."
            )
        self._now = time if self._now is None else max(self._now, time)
        for waiting in (self._predictions, self._labels):
            while waiting:
                oldest = next(iter(waiting))
                if not self._now - waiting[oldest][1] > self._max_age:
                    break
                del waiting[oldest]
                self._expired += 1

    def _too_far(self, one: Any, other: Any) -> bool:
        return self._max_age is not None and (
            max(one, other) - min(one, other) > self._max_age  # early labels are the earlier one
        )


def _positive(age: Any) -> bool:
    try:
        return bool(age > age - age)
    except TypeError:
        return False
