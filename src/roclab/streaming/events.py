"""Events at the door, many at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.validation import as_labels, as_scores, as_weights, check_same_length

__all__ = ["checked_events"]

_Events = tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64] | None]


def checked_events(y_true: Any, y_score: Any, sample_weight: Any = None) -> _Events:
    """Labels, scores and weights of events as the core wants them; scores are finite."""
    labels = as_labels(y_true, None)
    scores = as_scores(y_score).astype(np.float64)
    check_same_length(len(labels), len(scores), "y_score")
    finite = np.isfinite(scores)
    if not finite.all():
        first = int(np.argmin(finite))
        raise InputError(
            f"y_score holds {scores[first]} (first in row {first}); a stream needs finite scores. "
            "Clip infinite ones, leave out missing ones."
        )
    weights = None if sample_weight is None else as_weights(sample_weight, len(labels))
    return labels, scores + 0.0, weights  # -0.0 and 0.0 are one score
