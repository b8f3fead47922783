"""AUC of a split, and integer weights, with which splits are compared exactly."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import shown
from roclab.checks.vectors import as_vector
from roclab.errors import InputError, Parameter, UndefinedMeasureWarning

_BITS = 61  # of the sum of all weights: twice the product of the classes fits in 127
_EXACT_BITS = 53


def split_auc(pos: npt.ArrayLike, neg: npt.ArrayLike) -> float:
    r"""AUC of a split: the ranking in which each child is one group of ties.

    Children are ranked by their proportion of positives, which is the optimal order. For two
    children the AUC is :math:`(1 + |p_1/P - n_1/N|) / 2`.

    Parameters
    ----------
    pos : array-like of shape (n_children,)
        Positives in each child, as a count or a sum of weights.
    neg : array-like of shape (n_children,)
        Negatives in each child.

    Returns
    -------
    float
        From 0.5 to 1; nan with UndefinedMeasureWarning if there are no positives or no negatives.

    Notes
    -----
    O(k log k) for k children. Exact for counts; weights have about 15 digits of the largest.

    References
    ----------
    C. Ferri, P. Flach, J. Hernandez-Orallo, Learning decision trees using the area under the ROC
    curve, ICML 2002.

    Examples
    --------
    >>> split_auc([1, 1], [0, 2])
    0.75
    >>> split_auc([3, 3], [3, 3])
    0.5
    """
    counts = [_counts(values, name) for values, name in ((pos, "pos"), (neg, "neg"))]
    if len(counts[0]) != len(counts[1]):
        raise InputError(
            found="{pos} has {n_pos} children and {neg} has {n_neg}",
            needed="every child needs both",
            fix="Pass 0 where a child has none of a class.",
            n_pos=len(counts[0]),
            n_neg=len(counts[1]),
        )
    masses, _ = integer_weights(np.concatenate(counts))
    masses[np.concatenate(counts) == 0] = 0
    in_pos, in_neg = np.split(masses, 2)
    pairs = int(in_pos.sum()) * int(in_neg.sum())
    if pairs == 0:
        UndefinedMeasureWarning(
            found="The children hold one class only",
            needed="the AUC of a split needs positives and negatives",
            fix="The result is nan.",
        ).issue()
        return math.nan
    return 0.5 + _core.split_excess(in_pos, in_neg) / (2 * pairs)


def _counts(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    counts = as_vector(values, name)
    if counts.dtype.kind not in "biuf" or not np.all(np.isfinite(counts) & (counts >= 0)):
        raise InputError(
            found="{name} is {value}",
            needed="finite numbers of at least 0 are needed, one for each child",
            fix="Pass the counts or the sums of weights.",
            name=Parameter(name),
            value=shown(values),
        )
    return counts.astype(np.float64)


def integer_weights(
    weights: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], int]:
    """Return weights as integer multiples of 2**-k, each at least 1, and k.

    k is 0 if all weights are integers. Sums of integers do not depend on the order of the rows.
    """
    largest = float(weights.max(initial=0))
    bits = math.frexp(largest)[1] + len(weights).bit_length()  # of the sum, at most
    if bits <= _EXACT_BITS and np.array_equal(weights, np.floor(weights)):
        return weights.astype(np.int64), 0
    shift = _BITS - bits
    masses = np.maximum(np.rint(np.ldexp(weights, shift)), 1).astype(np.int64)
    return masses, shift
