"""Batches of events: checked, then passed to the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.options import shown
from roclab.validation import as_labels, as_scores, as_weights, check_same_length

# Events of one call to the core; between calls, other threads run and interrupts are handled.
_AT_ONCE = 1 << 16
_LARGEST_WHOLE = 2**53

_Events = tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64] | None]


class ManyEvents:
    """`update_many` of a window whose events are a label, a score and a weight."""

    if TYPE_CHECKING:  # the core's

        def _update_many(self, *events: Any) -> npt.NDArray[np.float64]: ...

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        return_auc: bool = False,
    ) -> npt.NDArray[np.float64] | None:
        """Add events in order.

        Parameters
        ----------
        y_true, y_score : array-like
            Target labels and finite scores.
        sample_weight : array-like, optional
            Sample weights; events of weight 0 are ignored.
        return_auc : bool, default False
            Whether to return the AUC after each event.

        Returns
        -------
        ndarray or None
            AUC after each event; nan while a class is missing.
        """
        return in_parts(self._update_many, y_true, y_score, sample_weight, return_auc=return_auc)


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


def in_parts(
    update: Callable[..., npt.NDArray[np.float64]],
    y_true: Any,
    y_score: Any,
    sample_weight: Any,
    *times: npt.NDArray[np.float64],
    return_auc: bool,
) -> npt.NDArray[np.float64] | None:
    """Check events, pass them to the core in parts and return the AUC after each if requested.

    If a check fails, no event is added. Some windows also need the times of events.
    """
    labels, scores, weights = checked_events(y_true, y_score, sample_weight)
    for time in times:
        check_same_length(len(labels), len(time), "time")
    values = np.empty(len(scores) if return_auc else 0)
    for first in range(0, len(scores), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        some = None if weights is None else weights[part]
        found = update(
            labels[part], scores[part], some, *(time[part] for time in times), return_auc
        )
        if return_auc:
            values[part] = found
    return values if return_auc else None


def missing_event(y_true: Any, y_score: Any, more: str = "", **values: Any) -> InputError:
    """Return the error of reverting an event that is not in the window."""
    return InputError(
        found="No event with label {label} and score {score}" + more + " is in the window",
        fix="Revert only events that the window holds.",
        label=shown(y_true),
        score=shown(y_score),
        **{name: shown(value) for name, value in values.items()},
    )
