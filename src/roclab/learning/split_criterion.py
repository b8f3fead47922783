"""The AUC of a split, and masses in whole numbers, in which splits are compared exactly."""

from __future__ import annotations

import math
import warnings

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.vector import as_vector

__all__ = ["split_auc", "whole_masses"]

_BITS = 61  # of all masses together: twice the product of the classes fits in 127
_EXACT_BITS = 53


def split_auc(pos: npt.ArrayLike, neg: npt.ArrayLike) -> float:
    r"""AUC of a split: of the ranking in which each child is one group of ties.

    Children are ranked by their share of positives, which is the best order there is. For two
    children it is :math:`(1 + |p_1/P - n_1/N|) / 2`.

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
    O(k log k) for k children. Counts are taken exactly, weights to about 15 digits of the largest.

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
            f"pos has {len(counts[0])} children and neg has {len(counts[1])}; every child needs "
            "both. Give 0 where a child has none of a class."
        )
    masses, _ = whole_masses(np.concatenate(counts))
    masses[np.concatenate(counts) == 0] = 0
    in_pos, in_neg = np.split(masses, 2)
    pairs = int(in_pos.sum()) * int(in_neg.sum())
    if pairs == 0:
        warnings.warn(
            "The children hold one class only, so that the AUC of the split is not defined. It "
            "needs positives and negatives.",
            UndefinedMeasureWarning,
            stacklevel=2,
        )
        return math.nan
    return 0.5 + _core.split_excess(in_pos, in_neg) / (2 * pairs)


def _counts(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    counts = as_vector(values, name)
    if counts.dtype.kind not in "biuf" or not np.all(np.isfinite(counts) & (counts >= 0)):
        raise InputError(
            f"{name} is {values!r}; finite numbers of at least 0 are needed, one for each child. "
            "Give the counts or the sums of weights."
        )
    return counts.astype(np.float64)


def whole_masses(
    weights: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], int]:
    """Weights as whole multiples of a unit, each at least 1, and k, where the unit is 2 to the -k.

    The unit is 1 if all weights are whole numbers. Sums of whole numbers do not depend on the
    order of the rows.
    """
    largest = float(weights.max(initial=0))
    bits = math.frexp(largest)[1] + len(weights).bit_length()  # of the sum, at most
    if bits <= _EXACT_BITS and np.array_equal(weights, np.floor(weights)):
        return weights.astype(np.int64), 0
    shift = _BITS - bits
    masses = np.maximum(np.rint(np.ldexp(weights, shift)), 1).astype(np.int64)
    return masses, shift
