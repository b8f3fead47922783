"""Many events at once: they are checked, and then handed to the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.validation import as_labels, as_scores, as_weights, check_same_length

__all__ = ["ManyEvents", "checked_events", "in_parts", "not_there"]

# Events between which other threads run and an interrupt is heard.
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
        """Take events in, in their order.

        Parameters
        ----------
        y_true, y_score : array-like
            Labels and finite scores.
        sample_weight : array-like, optional
            Weights; events of weight 0 are left out.
        return_auc : bool, default False
            Give back the AUC after each event.

        Returns
        -------
        ndarray or None
            nan where a class was missing.
        """
        return in_parts(self._update_many, y_true, y_score, sample_weight, return_auc=return_auc)


def checked_events(y_true: Any, y_score: Any, sample_weight: Any = None) -> _Events:
    """Labels, scores and weights of events as the core wants them; scores are finite."""
    labels = as_labels(y_true, None)
    given = as_scores(y_score)
    check_same_length(len(labels), len(given), "y_score")
    whole = given.dtype.kind in "iu" and len(given) > 0
    if whole and max(int(given.max()), -int(given.min())) > _LARGEST_WHOLE:
        raise InputError(
            "y_score holds integers beyond 2**53, which float64 cannot represent exactly; the "
            "scores of a stream are float64. Subtract a constant from all scores first."
        )
    # A copy, which nobody writes to between the check and the update.
    scores = given.astype(np.float64)
    finite = np.isfinite(scores)
    if not finite.all():
        first = int(np.argmin(finite))
        raise InputError(
            f"y_score holds {scores[first]} (first in row {first}); a stream needs finite scores. "
            "Clip infinite ones, leave out missing ones."
        )
    weights = None if sample_weight is None else as_weights(sample_weight, len(labels))
    return labels, scores + 0.0, weights  # -0.0 and 0.0 are one score


def in_parts(
    take_in: Callable[..., npt.NDArray[np.float64]],
    y_true: Any,
    y_score: Any,
    sample_weight: Any,
    *times: npt.NDArray[np.float64],
    return_auc: bool,
) -> npt.NDArray[np.float64] | None:
    """Check many events, hand them to the core part by part and put together the AUC after each.

    None of them enters if one is refused. Some windows need the times of events too.
    """
    labels, scores, weights = checked_events(y_true, y_score, sample_weight)
    for time in times:
        check_same_length(len(labels), len(time), "time")
    values = np.empty(len(scores) if return_auc else 0)
    for first in range(0, len(scores), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        some = None if weights is None else weights[part]
        found = take_in(
            labels[part], scores[part], some, *(time[part] for time in times), return_auc
        )
        if return_auc:
            values[part] = found
    return values if return_auc else None


def not_there(y_true: Any, y_score: Any, more: str = "") -> InputError:
    """What to raise if an event is to be taken out that is not in the window."""
    return InputError(
        f"No event with label {y_true!r} and score {y_score!r}{more} is there, so it cannot be "
        "taken out."
    )
