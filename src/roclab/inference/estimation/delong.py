"""DeLong's joint covariance of the AUCs of several models on the same rows.

The variance of a single model comes from the core, with its pair counts (`pair_counts.hpp`, and
`range_summary.hpp` with weights).

Glossary of the kernels: the *placement* of a positive is the weight of the negatives below it, that
of a negative the weight of the positives above it, ties counting half; for the scored AUC it is the
sum of the score margins instead. A *share* is a row's deviation from the mean placement, scaled so
that the covariance of two models is the product of their rows of shares: a sum of integers, since
near AUC 1 few rows outweigh all others, and similar models differ in few. *Noise* is the largest
error of a value from rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.data.ranked_rows import RankedRows
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.paired_rows import PairedRows
from roclab.numeric.gram import Gram, IntegerSums
from roclab.numeric.sums import dot, running_sum

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_EPSILON = float(np.finfo(np.float64).eps)


class Rankings(Iterable[str], Protocol):
    """Rankings of the same rows by name: a mapping or a `ScoreTable`."""

    def __getitem__(self, name: str, /) -> Ranking: ...


def joint_estimate(
    rankings: Rankings,
    *,
    measure: EstimatedMeasure = "auc",
    clusters: Membership | None = None,
) -> JointEstimate:
    """Estimate the values of several models on the same rows, with DeLong's covariance.

    Parameters
    ----------
    rankings : ScoreTable or mapping of str to Ranking
        The models. The result does not depend on the scale of weights.
    measure : {"auc", "scored_auc"}, default "auc"
        Measure to estimate.
    clusters : Membership, optional
        Cluster of each row. The covariance is then Obuchowski's, which assumes independent clusters
        instead of independent rows.

    Returns
    -------
    JointEstimate
        Undefined values are nan, without a warning.

    Notes
    -----
    One matrix product. Without weights the covariances of AUCs are exact up to one rounding.
    Weights are rounded to multiples of 2**-61 of the sum over their class, and a model's shares to
    about the last digit of the largest: no sum depends on its order.

    With clusters, let p and q be the sums of the deviations of placements in a cluster, each
    divided by the size of its class. With I clusters, of which Ip have positives and Iq negatives,
    the variance is
    ``Ip / (Ip - 1) sum p^2 + Iq / (Iq - 1) sum q^2 + 2 I / (I - 1) sum p q``. If each row is a
    separate cluster, it equals DeLong's.

    References
    ----------
    N. A. Obuchowski, Biometrics 53 (1997) 567-578.
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845, equation 6.

    Examples
    --------
    >>> from roclab import ScoreTable
    >>> columns = {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]}
    >>> estimate = joint_estimate(ScoreTable([0, 1, 0, 1], columns))
    >>> estimate
    JointEstimate(auc of 2 models, 2+ 2-)
    >>> estimate.values
    array([0.875, 0.25 ])
    >>> estimate.covariance
    array([[ 0.03125, -0.0625 ],
           [-0.0625 ,  0.125  ]])
    """
    names = tuple(rankings)
    sample = PairedRows(rankings[names[0]].rows(), clusters)
    values, noise = np.empty(len(names)), np.zeros(len(names))
    shares = np.empty((len(names), sample.size if sample.has_spread else 0))
    for model, name in enumerate(names):
        fill = _fill_ranks if measure == "auc" else _fill_leads
        # Infinite scores raise an error below.
        with np.errstate(over="ignore", invalid="ignore"):
            values[model], noise[model] = fill(sample, rankings[name].rows(), shares[model])
    if sample.n_pos and sample.n_neg and not np.isfinite(values).all():
        _refuse_far_scores()
    return joined(sample, measure, names, values, noise, shares)


def _fill_ranks(sample: PairedRows, ranked: RankedRows, shares: Floats) -> tuple[float, float]:
    """Return the AUC and its noise; fill in the shares, unscaled if there are no weights."""
    if not sample.n_pos or not sample.n_neg:
        return math.nan, 0.0
    order = ranked.order.astype(np.intp)  # once, and not in each of the look-ups below
    positive = ranked.labels.view(np.bool_)[order]
    starts = np.append(ranked.starts(), sample.size)
    if sample.masses is None:
        pos_below, below = running_sum(positive.astype(np.int64))[starts], starts
    else:
        masses = sample.masses[order]
        pos_below, below = (running_sum(mass)[starts] for mass in (positive * masses, masses))
    neg_below = below - pos_below
    # Twice the mass, an integer although ties count half.
    twice_below = neg_below[:-1] + neg_below[1:]
    twice_above = 2 * pos_below[-1] - (pos_below[:-1] + pos_below[1:])
    totals = 2 * int(neg_below[-1]), 2 * int(pos_below[-1])
    if len(starts) <= sample.size:  # there are ties
        sizes = np.diff(starts)
        twice_below, twice_above = twice_below.repeat(sizes), twice_above.repeat(sizes)
    twice = np.empty(len(order), dtype=np.int64)
    twice[order] = np.where(positive, twice_below, twice_above)
    value = math.nan
    for side, part in enumerate(sample.slices):
        weights = None if sample.weights is None else sample.weights[part]
        mean, deviations = _centred(twice[sample.rows[part]], weights)
        value = float(mean / totals[side]) if side == 0 else value
        if sample.has_spread:
            if weights is not None:
                deviations *= sample.parts[side] * (sample.scale[side] / totals[side])
            shares[part] = deviations
    return value, 0.0 if sample.weights is None else 16 * _EPSILON


def _centred(placements: Integers, weights: Floats | None) -> tuple[Any, npt.NDArray[Any]]:
    """Mean of integers, and the deviations from it; without weights, from its integer part.

    With weights an integer near the mean is subtracted first, exactly, so that equal placements
    have deviations of exactly 0 and nearly equal ones keep their digits. May work in place.
    """
    if weights is None:
        exact = Fraction(int(placements.sum()), len(placements))
        placements -= math.floor(exact)
        return exact, placements
    rough = np.average(placements, weights=weights)
    pivot = int(placements[np.argmin(np.abs(placements - rough))])
    offsets = (placements - pivot).astype(np.float64)
    mean = float(np.average(offsets, weights=weights))
    return pivot + mean, offsets - mean


def _fill_leads(sample: PairedRows, ranked: RankedRows, shares: Floats) -> tuple[float, float]:
    """Return the scored AUC and its noise; fill in the shares of the rows."""
    if not sample.n_pos or not sample.n_neg:
        return math.nan, 0.0
    order = sample.ordered(ranked)
    numbers = _centred_scores(ranked.scores[ranked.order])
    pos, neg = (load[order] for load in sample.loads)
    totals = float(neg.sum()), float(pos.sum())
    below = numbers * running_sum(neg)[:-1] - running_sum(neg * numbers)[:-1]
    above = (running_sum((pos * numbers)[::-1])[:-1] - numbers[::-1] * running_sum(pos[::-1])[:-1])[
        ::-1
    ]
    value = noise = 0.0
    for side, ascending in enumerate((below, above)):
        part = sample.slices[side]
        placements = np.empty(len(order))
        placements[order] = ascending / totals[side]
        placements, weights = placements[part], sample.loads[side][part]
        noise = max(noise, 8 * _EPSILON * math.sqrt(len(order)) * float(np.abs(placements).max()))
        mean = dot(weights, placements) / totals[1 - side]
        value = mean if side == 0 else value
        if sample.has_spread:
            deviations = placements - mean
            deviations -= dot(sample.parts[side], deviations)
            largest = np.abs(deviations).max()
            if not np.isfinite(largest):
                _refuse_far_scores()
            if largest <= noise:
                deviations[:] = 0.0
            shares[part] = deviations * (sample.parts[side] * sample.scale[side])
    return value, noise


def _centred_scores(ascending: npt.NDArray[Any]) -> Floats:
    """Scores as float64 minus the median, so that an outlier costs no other score its digits."""
    if ascending.dtype.kind in "iu":
        wide = ascending.astype(np.uint64 if ascending.dtype.kind == "u" else np.int64)
        numbers = (wide - wide[0]).view(np.uint64).astype(np.float64)
    else:
        numbers = ascending.astype(np.float64)
    return np.asarray(numbers - numbers[len(numbers) // 2])


def joined(
    sample: PairedRows,
    measure: str,
    names: tuple[str, ...],
    values: Floats,
    noise: Floats,
    shares: Floats,
) -> JointEstimate:
    """Covariances from the shares of the rows, which are overwritten."""
    models = len(names)
    effect = np.ones(models)
    if sample.has_spread:
        limit = 2 * (noise[:, np.newaxis] + noise)
        counted = measure == "auc" and sample.weights is None
        by_cluster = None
        if sample.clusters is not None:
            by_cluster = sample.clusters.shares(_uncounted(sample, shares) if counted else shares)
        if counted:
            # `_fill_ranks` left integers.
            gram = _counted_gram(*(Gram.of_deviations(shares[:, part]) for part in sample.slices))
        else:
            gram = Gram.of_numbers(shares)
        covariance, variance = _moments(gram, limit)
        first = _representatives(values, variance, limit)
        if by_cluster is not None:
            of_rows = np.diag(covariance)
            covariance, variance = _moments(Gram.of_numbers(by_cluster), limit)
            with np.errstate(invalid="ignore", divide="ignore"):
                known = of_rows > np.diag(limit) ** 2
                effect = np.where(known, np.diag(covariance) / of_rows, np.nan)
            effect = np.maximum(effect, 1.0)
        values, effect = values[first], effect[first]
        covariance, variance = (matrix[np.ix_(first, first)] for matrix in (covariance, variance))
    else:
        first = list(range(models))
        covariance, variance = (np.full((models, models), np.nan) for _ in range(2))
        if sample.clusters is not None:
            effect[:] = np.nan
    return JointEstimate(
        measure=measure,
        names=names,
        values=values,
        covariance=covariance,
        difference_variance=variance,
        identical=tuple(first),
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        effective_pos=sample.effective[0],
        effective_neg=sample.effective[1],
        clusters=None if sample.clusters is None else sample.clusters.counts,
        design_effect=effect,
    )


def estimate_of_sums(
    names: Sequence[str], twice_wins: Sequence[int], of_pos: IntegerSums, of_neg: IntegerSums
) -> JointEstimate:
    """The joint estimate of AUCs without weights, where no rows are at hand.

    Parameters
    ----------
    names : sequence of str
        Models.
    twice_wins : sequence of int
        For each model twice the number of pairs that it orders correctly, ties counting half.
    of_pos, of_neg : IntegerSums
        Twice the placements of positives, and of negatives. Those of a class may all have the
        other sign, or be off by an integer: the covariance is the same.
    """
    m, n, models = of_pos.length, of_neg.length, len(names)
    values = np.full(models, np.nan)
    covariance, variance = (np.full((models, models), np.nan) for _ in range(2))
    first = list(range(models))
    if m and n:
        values = np.array([wins / (2 * m * n) for wins in twice_wins])
    if m > 1 and n > 1:
        exact = np.zeros((models, models))
        gram = _counted_gram(of_pos.of_deviations(), of_neg.of_deviations())
        covariance, variance = _moments(gram, exact)
        first = _representatives(values, variance, exact)
    return JointEstimate(
        measure="auc",
        names=tuple(names),
        values=values,
        covariance=covariance,
        difference_variance=variance,
        identical=tuple(first),
        n_pos=m,
        n_neg=n,
        effective_pos=float(m),
        effective_neg=float(n),
        clusters=None,
        design_effect=np.ones(models),
    )


def _representatives(values: Floats, variance: Floats, limit: Floats) -> list[int]:
    """For each model the first one that it agrees with, which represents it."""
    same = (variance == 0) & (np.abs(values[:, np.newaxis] - values) <= limit)
    first = [int(np.argmax(row)) for row in same]
    return [first[model] for model in first]


def _counted_gram(of_pos: Gram, of_neg: Gram) -> Gram:
    """Products of shares, from those of deviations that are integer multiples of half a row."""
    m, n = of_pos.denominator, of_neg.denominator
    return Gram(
        products=(n - 1) * of_pos.products + (m - 1) * of_neg.products,
        denominator=(2 * m * n) ** 2 * (m - 1) * (n - 1),
    )


def _uncounted(sample: PairedRows, offsets: Floats) -> Floats:
    """Scale the shares that `_fill_ranks` left as integer multiples of half a row."""
    shares = np.empty_like(offsets)
    for part, scale in zip(sample.slices, sample.scale, strict=True):
        deviations = offsets[:, part] - offsets[:, part].mean(axis=1, keepdims=True)
        shares[:, part] = deviations * (scale / (2 * sample.n_pos * sample.n_neg))
    return shares


def _moments(gram: Gram, limit: Floats) -> tuple[Floats, Floats]:
    """Covariances of the values, and variances of their differences; 0 if within the limit."""
    try:
        covariance, variance = gram.values(), gram.squared_distances()
    except OverflowError:
        _refuse_far_scores()
    variance[variance <= limit**2] = 0.0
    return covariance, variance


def _refuse_far_scores() -> NoReturn:
    raise InputError(
        found="Some scores are infinite or too large",
        needed="the scored AUC needs finite scores whose squares are finite",
        fix="Clip or rescale them, or use the AUC.",
    )
