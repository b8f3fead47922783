"""DeLong's estimates of many samples at once, for default tests of each.

The estimates are those of `joint_estimate`, which one sample at a time takes most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from roclab.inference.estimation.joint_estimate import JointEstimate

Floats = npt.NDArray[np.float64]

_CELLS = 4_000_000  # comparisons of a positive with a negative at a time
_NOTHING = 1e-14  # of a variance, from rounding


def joint_estimates(scores: npt.NDArray[np.float64], n_pos: int) -> Iterator[JointEstimate]:
    """Estimates of samples of shape (samples, models, rows), positives first."""
    _, models, rows = scores.shape
    n_neg = rows - n_pos
    step = max(1, _CELLS // (models * n_pos * n_neg))
    for first in range(0, len(scores), step):
        part = scores[first : first + step]
        pos, neg = part[..., :n_pos, np.newaxis], part[..., np.newaxis, n_pos:]
        wins = (pos > neg) + 0.5 * (pos == neg)
        values, of_pos, of_neg = wins.mean(axis=(2, 3)), wins.mean(axis=3), wins.mean(axis=2)
        covariance = _covariance(of_pos) + _covariance(of_neg)
        own = np.einsum("skk->sk", covariance)
        variance = own[:, :, np.newaxis] + own[:, np.newaxis] - 2 * covariance
        variance[variance < _NOTHING] = 0.0
        same = (variance == 0) & (np.abs(values[:, :, np.newaxis] - values[:, np.newaxis]) < 1e-12)
        for sample in range(len(part)):
            yield JointEstimate(
                measure="auc",
                names=tuple(f"model {number}" for number in range(models)),
                values=values[sample],
                covariance=covariance[sample],
                difference_variance=variance[sample],
                identical=tuple(int(np.argmax(row)) for row in same[sample]),
                n_pos=n_pos,
                n_neg=n_neg,
                effective_pos=float(n_pos),
                effective_neg=float(n_neg),
                clusters=None,
                design_effect=np.ones(models),
            )


def _covariance(placements: Floats) -> Floats:
    """Covariance of the means of placements of shape (samples, models, examples)."""
    n = placements.shape[2]
    deviations = placements - placements.mean(axis=2, keepdims=True)
    found = np.einsum("ske,sle->skl", deviations, deviations) / (n * (n - 1))
    diagonal = np.einsum("skk->sk", found)
    diagonal[diagonal < _NOTHING] = 0.0
    return found
