"""Maximum likelihood for two normal classes, observed only in ordered categories.

Glossary, after Dorfman and Alf: a negative lies below the cut t_k with probability Phi(t_k), a
positive with Phi(b t_k - a), so that the ROC curve is TPR = Phi(a + b Phi^-1(FPR)). The cuts are
fitted with a and b.

References
----------
D. D. Dorfman and E. Alf, Journal of Mathematical Psychology 6 (1969) 487-496.
C. E. Metz, B. A. Herman, J.-H. Shen, Statistics in Medicine 17 (1998) 1033-1053.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from roclab.numeric.sums import dot

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_MOST_STEPS = 500
_MOST_HALVINGS = 40
_TOLERANCE = 1e-9
_LEAST = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class BinormalParameters:
    """Fitted parameters.

    Attributes
    ----------
    a, b : float
        Intercept and slope of the curve on normal deviates.
    covariance : ndarray
        Covariance of a and b, from the expected information.
    log_likelihood : float
        Maximum of the log-likelihood.
    chi_square : float
        Pearson's statistic of the observed against the fitted counts.
    converged : bool
        Whether the iterations converged.
    """

    a: float
    b: float
    covariance: Floats
    log_likelihood: float
    chi_square: float
    converged: bool


def grouped(pos: Counts, neg: Counts, most: int) -> tuple[Counts, Counts]:
    """Add up the counts of neighbouring scores, to at most `most` categories.

    Cuts are spread evenly along the ROC curve, in steps of FPR + TPR.
    """
    if len(pos) <= most:
        return pos, neg
    along = np.cumsum(pos / pos.sum() + neg / neg.sum())
    category = np.minimum((along / along[-1] * most).astype(np.int64), most - 1)
    sums = [np.bincount(category, counts, most).astype(np.int64) for counts in (pos, neg)]
    seen = (sums[0] > 0) | (sums[1] > 0)
    return sums[0][seen], sums[1][seen]


def degenerate_form(pos: Counts, neg: Counts) -> str | None:
    """Reason why the likelihood has no maximum, or None."""
    if len(pos) < 3:
        return "too few categories"
    tpr, fpr = (1 - np.cumsum(counts)[:-1] / counts.sum() for counts in (pos, neg))
    if np.all((fpr <= 0) | (tpr >= 1)) or np.all((tpr <= 0) | (fpr >= 1)):
        return "classes apart"
    if _all_alike(tpr[(fpr > 0) & (fpr < 1)]):
        return "horizontal curve"  # b would go to 0
    if _all_alike(fpr[(tpr > 0) & (tpr < 1)]):
        return "vertical curve"  # b would go to infinity
    return None


def _all_alike(values: Floats) -> bool:
    return not len(values) or bool(np.all(values == values[0]))


def fit(pos: Counts, neg: Counts) -> BinormalParameters:
    """Fit by Fisher scoring, halving steps that decrease the likelihood."""
    at = _first_guess(pos, neg)
    value = _log_likelihood(at, pos, neg)
    converged = False
    for _ in range(_MOST_STEPS):
        slope, information = _derivatives(at, pos, neg)
        step = np.linalg.lstsq(information, slope, rcond=None)[0]
        # Twice the gain of the step for a quadratic likelihood.
        converged = dot(slope, step) < _TOLERANCE
        if converged:
            break
        for _ in range(_MOST_HALVINGS):
            tried = at + step
            found = _log_likelihood(tried, pos, neg)
            if found > value:
                break
            step = step / 2
        else:
            break
        at, value = tried, found
    covariance = np.asarray(np.linalg.pinv(_derivatives(at, pos, neg)[1])[:2, :2], np.float64)
    return BinormalParameters(
        a=float(at[0]),
        b=float(at[1]),
        covariance=covariance,
        log_likelihood=value,
        chi_square=_chi_square(at, pos, neg),
        converged=converged,
    )


def _first_guess(pos: Counts, neg: Counts) -> Floats:
    """Cuts from slightly shrunken proportions, a and b from the regression line through them."""
    below = [(np.cumsum(counts)[:-1] + 0.5) / (counts.sum() + 1) for counts in (neg, pos)]
    # Cuts without a negative between them would coincide: a little of the other class separates
    # them.
    shares = below[0] + 1e-3 * (below[1] - below[1].mean())
    cuts = ndtri(np.clip(shares, 1e-6, 1 - 1e-6))
    cuts = np.maximum.accumulate(cuts + 1e-9 * np.arange(len(cuts)))
    deviates = ndtri(below[1])
    spread = float(np.sum((cuts - cuts.mean()) ** 2))
    line = float(np.sum((cuts - cuts.mean()) * (deviates - deviates.mean()))) / max(spread, 1e-9)
    b = min(max(line, 0.1), 10.0)
    return np.concatenate(([b * cuts.mean() - deviates.mean(), b], cuts))


def _log_likelihood(at: Floats, pos: Counts, neg: Counts) -> float:
    a, b, cuts = at[0], at[1], at[2:]
    if b <= 0 or np.any(np.diff(cuts) <= 0):
        return -np.inf
    total = 0.0
    for counts, deviates in ((neg, cuts), (pos, b * cuts - a)):
        shares = _shares(deviates)
        seen = counts > 0
        if np.any(shares[seen] < _LEAST):
            return -np.inf
        total += dot(counts[seen], np.log(shares[seen]))
    return total


def _chi_square(at: Floats, pos: Counts, neg: Counts) -> float:
    a, b, cuts = at[0], at[1], at[2:]
    total = 0.0
    for counts, deviates in ((neg, cuts), (pos, b * cuts - a)):
        expected = np.maximum(counts.sum() * _shares(deviates), _LEAST)
        total += float(np.sum((counts - expected) ** 2 / expected))
    return total


def _shares(deviates: Floats) -> Floats:
    """Probabilities between neighbouring deviates, from the nearer tail to avoid cancellation."""
    ends = np.concatenate(([-np.inf], deviates, [np.inf]))
    low, high = ends[:-1], ends[1:]
    return np.asarray(np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _derivatives(at: Floats, pos: Counts, neg: Counts) -> tuple[Floats, Floats]:
    """Gradient of the log-likelihood in (a, b, cuts), and the expected information."""
    a, b, cuts = at[0], at[1], at[2:]
    k = len(cuts)
    slope, information = np.zeros(k + 2), np.zeros((k + 2, k + 2))
    for counts, deviates, of_pos in ((neg, cuts, False), (pos, b * cuts - a, True)):
        shares = np.maximum(_shares(deviates), _LEAST)
        # Derivatives of Phi at each cut with respect to each parameter.
        moves = np.zeros((k, k + 2))
        density = np.exp(-(deviates**2) / 2) / np.sqrt(2 * np.pi)
        moves[np.arange(k), 2 + np.arange(k)] = density * (b if of_pos else 1)
        if of_pos:
            moves[:, 0], moves[:, 1] = -density, density * cuts
        ends = np.zeros((1, k + 2))
        changes = np.diff(np.concatenate((ends, moves, ends)), axis=0)
        slope += (counts / shares) @ changes
        information += counts.sum() * changes.T @ (changes / shares[:, None])
    return slope, information
