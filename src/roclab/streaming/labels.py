"""Predictions that wait for their labels."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from roclab.errors import InputError
from roclab.options import check_count
from roclab.streaming.single_event import checked_score
from roclab.streaming.state import CopiedWhole

__all__ = ["JoinCounts", "LabelledScore", "PendingLabels"]


class LabelledScore(NamedTuple):
    """A score with its label, in the order in which windows take them: ``update(*joined)``."""

    y_true: Any
    y_score: float


@dataclass(frozen=True, kw_only=True)
class JoinCounts:
    """What became of the predictions and labels that arrived.

    Predictions are `joined`, `pending`, `evicted`, `expired` or `duplicates`, labels are `joined`,
    `early` or `unmatched`: each list adds up to all that arrived.

    Attributes
    ----------
    joined : int
        Pairs that were given out.
    pending : int
        Predictions that wait for their label.
    evicted : int
        Predictions let go because there were too many.
    expired : int
        Predictions let go because they were too old.
    duplicates : int
        Predictions of an id that waits already. The first one counts.
    early : int
        Labels that wait for their prediction.
    unmatched : int
        Labels that found no prediction and do not wait: of an unknown id, too late, a second one,
        or early ones let go because they were too many or too old.
    """

    joined: int = 0
    pending: int = 0
    evicted: int = 0
    expired: int = 0
    duplicates: int = 0
    early: int = 0
    unmatched: int = 0

    def to_dict(self) -> dict[str, int]:
        """The fields as plain Python values."""
        return asdict(self)


class PendingLabels(CopiedWhole):
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
    O(1) for each call, and some 300 bytes for each prediction that waits, its id not counted.
    `counts` says what became of everything that arrived, so that a join that loses events is seen.
    What it loses is seldom a random sample: if labels of positives come later than those of
    negatives, a small `max_pending` loses positives.

    Time does not run backwards: ages are counted from the latest `time` seen, so one that lies far
    in the future lets everything expire. Not for several threads at once.

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
        self._most = check_count("max_pending", max_pending)
        if max_age is not None and not _positive(max_age):
            raise InputError(f"max_age={max_age!r} is no duration above 0.")
        self._max_age = max_age
        self._keep_early = bool(keep_early_labels)
        self.reset()

    def reset(self) -> None:
        """Forget everything, counts too."""
        # A plain dict would search for its oldest among the places of those that have left.
        self._predictions: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        self._labels: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()
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
            The score; finite.
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
            self._unmatched += 1
        if id in self._predictions:
            self._duplicates += 1
            return None
        self._predictions[id] = (score, time)
        if len(self._predictions) > self._most:
            self._predictions.popitem(last=False)
            self._evicted += 1
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
        elif self._keep_early and id not in self._labels:
            self._labels[id] = (y_true, time)
            if len(self._labels) <= self._most:
                return None
            self._labels.popitem(last=False)
        self._unmatched += 1
        return None

    @property
    def counts(self) -> JoinCounts:
        """What became of everything so far."""
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

    def _pass_time(self, time: Any) -> None:
        """Let go of what is too old now."""
        if self._max_age is None:
            return
        if time is None or time != time:
            raise InputError(
                f"time={time!r} arrived, but max_age={self._max_age!r} needs the time of every "
                "prediction and label. Pass time=, or leave max_age out."
            )
        self._now = time if self._now is None else max(self._now, time)
        self._expired += self._let_go(self._predictions)
        self._unmatched += self._let_go(self._labels)

    def _let_go(self, waiting: OrderedDict[Hashable, tuple[Any, Any]]) -> int:
        """Forget what is too old now; gives how many there were."""
        gone = 0
        while waiting and self._now - next(iter(waiting.values()))[1] > self._max_age:
            waiting.popitem(last=False)
            gone += 1
        return gone

    def _too_far(self, one: Any, other: Any) -> bool:
        return self._max_age is not None and (
            max(one, other) - min(one, other) > self._max_age  # early labels are the earlier one
        )


def _positive(age: Any) -> bool:
    try:
        return bool(age > age - age)
    except TypeError:
        return False
