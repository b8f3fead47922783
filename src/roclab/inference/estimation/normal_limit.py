"""Replicates from the joint normal limit of the AUCs of several models, for large samples."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.resampling import Draws

Floats = npt.NDArray[np.float64]

# Share of the largest variance below which a pivot of a factor is rounding error.
_ROUNDING = 1e-14


def largest_share(ranking: Ranking, draws: Draws) -> float:
    """Largest share that a row, or a cluster, has in the weight of a class, or of both."""
    if not ranking.weighted and draws.clusters is None:
        return 1 / min(ranking.n_pos, ranking.n_neg)
    rows = ranking.rows()
    positive = rows.labels.view(np.bool_)
    shares = np.ones(len(positive)) if rows.weights is None else rows.weights.copy()
    for of_class in (positive, ~positive):
        shares[of_class] /= shares[of_class].sum()
    if draws.clusters is not None:
        clusters = draws.clusters.among(rows.numbers, len(shares)).numbers
        return float(np.bincount(clusters, shares).max())
    return float(shares.max())


def difference_skewness(joint: JointEstimate, largest: float) -> float:
    """Upper bound of the skewness of the difference of any two models that are not identical.

    Parameters
    ----------
    joint : JointEstimate
        The models.
    largest : float
        Largest influence that a row, or a cluster, can have on a difference.

    Notes
    -----
    A difference is a sum of independent influences x, whose skewness is at most
    ``sum |x|^3 / (sum x^2)^(3/2) <= max |x| / sqrt(sum x^2)``. By the first term of Edgeworth's
    expansion a probability of the normal limit is wrong by at most 0.067 times the skewness.
    """
    kinds = list(dict.fromkeys(joint.identical))
    variances = joint.difference_variance[np.ix_(kinds, kinds)]
    smallest = float(variances[~np.eye(len(kinds), dtype=np.bool_)].min(initial=math.inf))
    return largest / math.sqrt(smallest) if smallest > 0 else math.inf


def normal_replicates(joint: JointEstimate, draws: Draws) -> Floats:
    """Draw the values of all models from their joint normal limit, replicates by models.

    The first model is drawn, and the differences of the others from it, by their own variances:
    these keep their digits for similar models. Identical models have identical replicates.
    """
    gram = _gram(joint)
    models = len(gram)
    drawn = np.random.default_rng(draws.seed).standard_normal((draws.n_resamples, models))
    deviations = np.zeros_like(drawn)
    # One column of the pivoted Cholesky factor at a time: no sum depends on the processor.
    least = _ROUNDING * float(gram.diagonal().max())
    for step in range(models):
        pivot = int(np.argmax(gram.diagonal()))
        if not gram[pivot, pivot] > least:
            break
        column = gram[:, pivot] / math.sqrt(gram[pivot, pivot])
        deviations += drawn[:, [step]] * column
        gram -= column[:, np.newaxis] * column
        gram[pivot], gram[:, pivot] = 0.0, 0.0
    deviations[:, 1:] += deviations[:, :1]
    if draws.progress is not None:
        draws.progress(draws.n_resamples, draws.n_resamples)
    return np.asarray((joint.values + deviations)[:, joint.identical])


def _gram(joint: JointEstimate) -> Floats:
    """Covariances of the first value and of the differences of the others from it."""
    variance, covariance = joint.difference_variance, joint.covariance
    gram = (variance[:, :1] + variance[:1] - variance) / 2
    gram[0] = gram[:, 0] = covariance[0] - covariance[0, 0]
    gram[0, 0] = covariance[0, 0]
    return np.asarray(gram)
