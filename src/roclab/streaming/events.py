"""Events of a stream: batches, checked and passed to the core, and events to remove."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_labels, as_scores, as_weights, check_same_length
from roclab.checks.options import shown
from roclab.errors import EventNotFoundError, InputError, Parameter

# Events of one call to the core; between calls, other threads run and interrupts are handled.
_AT_ONCE = 1 << 16
_LARGEST_WHOLE = 2**53

_Events = tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64] | None]


class WindowEvents:
    """`update_many` and `revert` of a window, in addition to `update` of the core."""

    if TYPE_CHECKING:  # the core's

        def _update_many(self, *events: Any) -> npt.NDArray[np.float64]: ...
        def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool: ...

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        time: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
        return_auc: bool = False,
    ) -> npt.NDArray[np.float64] | None:
        """Add events in the order of arrival. If a check fails, none is added.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1 or -1/1, in the order of arrival.
        y_score : array-like
            Finite scores, higher for the positive class.
        time : array-like, optional
            Time of each event; required and used by `TimeWindowAUC` only.
        sample_weight : array-like, optional
            Sample weights. Events of weight 0 are ignored.
        return_auc : bool, default False
            Whether to return the AUC after each event.

        Returns
        -------
        ndarray or None
            AUC after each event; nan while a class is missing.
        """
        labels, scores, weights = checked_events(y_true, y_score, sample_weight)
        times = self._times(time)
        for each in times:
            check_same_length(len(labels), len(each), "time")
        values = np.empty(len(scores) if return_auc else 0)
        for first in range(0, len(scores), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            some = None if weights is None else weights[part]
            found = self._update_many(
                labels[part], scores[part], some, *(each[part] for each in times), bool(return_auc)
            )
            if return_auc:
                values[part] = found
        return values if return_auc else None

    def _times(self, _time: Any, /) -> tuple[npt.NDArray[np.float64], ...]:
        """Return the times for the core, if the window uses them."""
        return ()

    def revert(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: float | None = None
    ) -> None:
        """Remove the newest event that was added with these arguments.

        Events that it had removed from the window do not return.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required and used by `TimeWindowAUC` only.
        sample_weight : float, optional
            Weight of the event.

        Raises
        ------
        EventNotFoundError
            The window holds no such event; it is unchanged.
        """
        if not self._revert(y_true, y_score, time, sample_weight):
            raise event_not_found(
                "the window",
                "Revert only events that the window holds.",
                y_true=y_true,
                y_score=y_score,
                time=time,
                sample_weight=sample_weight,
            )


def event_not_found(place: str, fix: str, **event: Any) -> EventNotFoundError:
    """The error of a `revert` whose event is not in this place."""
    named = {name: shown(value) for name, value in event.items() if value is not None}
    return EventNotFoundError(
        found=f"No event with {', '.join(f'{{{n}=}}{{given_{n}}}' for n in named)} is in {place}",
        fix=fix,
        **{f"given_{name}": value for name, value in named.items()},
    )


def check_key(parameter: str, key: Any) -> None:
    """Check a key or id: it must be hashable, and one that is NaN would never be found again."""
    hash(key)
    if key != key or (isinstance(key, tuple) and not _equals_itself(key)):
        raise InputError(
            found="{parameter} is {value}",
            needed="NaN does not equal itself, so that it cannot be found again",
            fix="Pass None for a missing value.",
            parameter=Parameter(parameter),
            value=shown(key),
        )


def _equals_itself(key: Any) -> bool:
    # Tuples compare their parts by identity first.
    return all(map(_equals_itself, key)) if isinstance(key, tuple) else bool(key == key)


def check_event(y_true: Any, y_score: Any, sample_weight: Any, time: Any = 0.0) -> None:
    """Check an event as windows with weights and times do."""
    _core.TimeWindow(1.0, 0.0)._update(y_true, y_score, time, sample_weight)


def checked_events(y_true: Any, y_score: Any, sample_weight: Any = None) -> _Events:
    """Check labels, finite scores and weights, and convert them for the core."""
    labels = as_labels(y_true, None)
    given = as_scores(y_score)
    check_same_length(len(labels), len(given), "y_score")
    whole = given.dtype.kind in "iu" and len(given) > 0
    if whole and max(int(given.max()), -int(given.min())) > _LARGEST_WHOLE:
        raise InputError(
            found="{y_score} holds integers beyond 2**53, which float64 cannot represent exactly",
            needed="the scores of a stream are float64",
            fix="Subtract a constant from all scores first.",
        )
    # A copy, so that the scores cannot change between this check and the update.
    scores = given.astype(np.float64)
    finite = np.isfinite(scores)
    if not finite.all():
        first = int(np.argmin(finite))
        raise InputError(
            found="{y_score} holds {value} (first in row {row})",
            needed="a stream needs finite scores",
            fix="Clip infinite scores, drop missing ones.",
            value=scores[first],
            row=first,
        )
    weights = None if sample_weight is None else as_weights(sample_weight, len(labels))
    return labels, scores + 0.0, weights  # turns -0.0 into 0.0
