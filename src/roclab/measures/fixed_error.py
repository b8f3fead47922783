"""What the error count alone says about the AUC."""

from __future__ import annotations

import math
import operator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.numeric.sums import dot

__all__ = ["AUCGivenErrors", "auc_given_errors"]

_MOST = 10**9  # examples of a class
_MOST_EXACT = 1000  # examples up to which whole numbers are fast enough


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCGivenErrors:
    """Mean and variance of the AUC over all rankings with a given number of errors.

    Attributes
    ----------
    mean, variance : float
        Of the AUC.
    n_pos, n_neg, n_errors : int
        For which they were computed.
    """

    mean: float
    variance: float
    n_pos: int
    n_neg: int
    n_errors: int

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"AUCGivenErrors(mean {self.mean:.4f}, standard deviation "
            f"{self.standard_deviation:.4f}; {self.n_pos:,}+ {self.n_neg:,}-, "
            f"{self.n_errors:,} errors)"
        )


def auc_given_errors(n_pos: int, n_neg: int, n_errors: int) -> AUCGivenErrors:
    """Mean and variance of the AUC when only the number of classification errors is known.

    They are taken over all rankings without ties, cut at all thresholds, that have exactly
    `n_errors` examples on the wrong side, each ranking and threshold being as likely as any other.

    Parameters
    ----------
    n_pos, n_neg : int
        Positive and negative examples, at least one of each.
    n_errors : int
        Examples on the wrong side of the threshold, from 0 to all.

    Returns
    -------
    AUCGivenErrors
        With fields `mean` and `variance`.

    Notes
    -----
    With P positives, Q negatives and k errors, x of which are false positives, M = P - k + 2x
    examples are called positive and N = Q + k - 2x negative. A number x has the weight
    C(M, x) C(N, k-x), the mean AUC 1 - (x/Q + (k-x)/P)/2 and the variance
    [x (P-k+x) (M+1) + (k-x) (Q-x) (N+1)] / (12 P^2 Q^2). M and N depend on x, which the quotation
    does not say.

    Up to 1,000 examples the sums are taken in whole numbers, and the results are the doubles
    nearest to the exact values. Beyond that they are taken in doubles, from the largest weight
    outwards, and agree with the exact ones to 1e-13 (the variance: 1e-12 of it) at a million
    examples. O(min(n_errors, n_neg)) time and memory.

    References
    ----------
    C. Cortes, M. Mohri, NIPS 16 (2004) 313-320; quoted, with equations 3 to 6, in C. L. Castro,
    A. P. Braga, Optimization of the area under the ROC curve (2008).

    Examples
    --------
    >>> auc_given_errors(10, 90, 10)
    AUCGivenErrors(mean 0.5116, standard deviation 0.0988; 10+ 90-, 10 errors)
    """
    n_pos, n_neg = _count(n_pos, "n_pos", 1), _count(n_neg, "n_neg", 1)
    n_errors = _count(n_errors, "n_errors", 0)
    if n_errors > n_pos + n_neg:
        raise InputError(
            f"n_errors={n_errors} is more than the {n_pos} + {n_neg} examples. Pass a number "
            f"from 0 to {n_pos + n_neg}."
        )
    moments = _exact if n_pos + n_neg <= _MOST_EXACT else _in_doubles
    mean, variance = moments(n_pos, n_neg, n_errors)
    return AUCGivenErrors(
        mean=float(mean), variance=float(variance), n_pos=n_pos, n_neg=n_neg, n_errors=n_errors
    )


def _count(value: Any, name: str, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= _MOST:
        raise InputError(
            f"{name}={value!r:.60} is not a count. Pass a whole number from {least} on, {_MOST:,} "
            "at most."
        )
    return number


# Symbols as in the papers: P positives, Q negatives, k errors, x of them false positives.


def _exact(P: int, Q: int, k: int) -> tuple[Fraction, Fraction]:
    total = first = second = within = 0
    for x in range(max(0, k - P), min(k, Q) + 1):
        M, N = P - k + 2 * x, Q + k - 2 * x
        weight = math.comb(M, x) * math.comb(N, k - x)
        total += weight
        first += weight * x
        second += weight * x * x
        within += weight * (x * (P - k + x) * (M + 1) + (k - x) * (Q - x) * (N + 1))
    mean_x = Fraction(first, total)
    slope = (Fraction(1, Q) - Fraction(1, P)) / 2
    between = slope**2 * (Fraction(second, total) - mean_x**2)
    mean = 1 - Fraction(k, 2 * P) - slope * mean_x
    return mean, between + Fraction(within, total * 12 * P**2 * Q**2)


def _in_doubles(P: int, Q: int, k: int) -> tuple[float, float]:
    x = np.arange(max(0, k - P), min(k, Q) + 1, dtype=np.float64)
    M, N = P - k + 2 * x, Q + k - 2 * x
    weight = _weights(x, M, N, P, Q, k)
    mean_x = dot(weight, x)
    slope = (1 / Q - 1 / P) / 2
    between = slope**2 * dot(weight, (x - mean_x) ** 2)
    within = dot(weight, x * (P - k + x) * (M + 1) + (k - x) * (Q - x) * (N + 1))
    mean = 1 - (mean_x / Q + dot(weight, k - x) / P) / 2
    return mean, between + within / 12 / P**2 / Q**2


def _weights(x: Any, M: Any, N: Any, P: int, Q: int, k: int) -> Any:
    """C(M, x) C(N, k-x) over their sum.

    From each to the next they grow by a simple ratio. Logarithms of the ratios are added up from
    the largest weight outwards: there, where it matters, the sums are small and keep their digits.
    """
    x, M, N = x[:-1], M[:-1], N[:-1]
    ratio = (M + 2) / (x + 1) * ((M + 1) / (P - k + x + 1)) * ((k - x) / N) * ((Q - x) / (N - 1))
    steps = np.log(ratio)
    top = int(np.argmax(np.concatenate(([0.0], np.cumsum(steps)))))
    up = np.cumsum(steps[top:])
    down = -np.cumsum(steps[:top][::-1])[::-1]
    weight = np.exp(np.concatenate((down, [0.0], up)))
    return weight / weight.sum()
