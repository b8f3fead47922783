"""DeLong's joint covariance of the AUCs of several models on the same rows.

Glossary of the kernels: the *placement* of a positive is the weight of the negatives below it, that
of a negative the weight of the positives above it, ties counting half; for the scored AUC it is the
sum of the score margins instead. A *share* is a row's deviation from the mean placement, scaled so
that the covariance of two models is the product of their rows of shares: a sum of integers, since
near AUC 1 few rows outweigh all others, and similar models differ in few. *Noise* is the largest
error of a value from rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from roclab.choices import EstimatedMeasure
from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import ClusterCounts, JointEstimate
from roclab.numeric.gram import Gram
from roclab.numeric.sums import dot, in_whole_numbers, running_sum
from roclab.ranked_rows import RankedRows
from roclab.ranking import Ranking
from roclab.row_groups import Membership

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
    sample = _Sample(rankings[names[0]].rows(), clusters)
    values, noise = np.empty(len(names)), np.zeros(len(names))
    shares = np.empty((len(names), sample.size if sample.has_spread else 0))
    for model, name in enumerate(names):
        fill = _fill_ranks if measure == "auc" else _fill_leads
        # Infinite scores raise an error below.
        with np.errstate(over="ignore", invalid="ignore"):
            values[model], noise[model] = fill(sample, rankings[name].rows(), shares[model])
    if sample.n_pos and sample.n_neg and not np.isfinite(values).all():
        _refuse_far_scores()
    return _joined(sample, measure, names, values, noise, shares)


class _Sample:
    """The rows of all models, positives first so that each class is a slice."""

    def __init__(self, ranked: RankedRows, clusters: Membership | None) -> None:
        self.size = len(ranked.labels)
        rows = np.concatenate([np.flatnonzero(ranked.labels == side) for side in (1, 0)])
        self.rows = rows
        self.n_pos = int(np.count_nonzero(ranked.labels))
        self.n_neg = self.size - self.n_pos
        self.slices = slice(0, self.n_pos), slice(self.n_pos, self.size)
        self.weights = None if ranked.weights is None else ranked.weights[rows]
        pairs = [_correction(self.weights_of(part)) for part in self.slices]
        self.effective = pairs[0][0], pairs[1][0]
        # A row's fraction of its class, times sqrt(n / (n - 1)).
        self.scale = pairs[0][1], pairs[1][1]
        self.clusters = None
        if clusters is not None:
            kept = clusters.among(ranked.numbers, self.size)
            self.clusters = _Clusters(self, kept.numbers[rows])
        spread = self.scale if self.clusters is None else self.clusters.scale
        self.has_spread = all(map(math.isfinite, spread))

    @cached_property
    def masses(self) -> Integers | None:
        """The weights as integers, in the order of the ranking; None without weights."""
        if self.weights is None:
            return None
        masses = np.empty(self.size, np.int64)
        for part in self.slices:
            masses[self.rows[part]] = in_whole_numbers(self.weights[part])
        return masses

    @cached_property
    def loads(self) -> tuple[Floats, Floats]:
        """Contribution of each row to the weight of positives, and of negatives."""
        pos, neg = (np.zeros(self.size) for _ in self.slices)
        for load, part in zip((pos, neg), self.slices, strict=True):
            load[part] = self.weights_of(part)
        return pos, neg

    @cached_property
    def parts(self) -> tuple[Floats, Floats]:
        """Fraction of each row in the weight of its class: positives, and negatives."""
        pos, neg = (self.weights_of(part) for part in self.slices)
        return pos / pos.sum(), neg / neg.sum()

    def weights_of(self, part: slice) -> Floats:
        """Weights of a class; ones without weights."""
        return np.ones(part.stop - part.start) if self.weights is None else self.weights[part]

    def ordered(self, ranked: RankedRows) -> Integers:
        """Places of the rows by ascending score, positives first among ties."""
        place = np.empty(self.size, np.int64)
        place[self.rows] = np.arange(self.size)
        order: Integers = place[ranked.order]
        starts = ranked.starts()
        if len(starts) == self.size:
            return order
        positive = order < self.n_pos
        before: Integers = np.cumsum(positive) - positive
        sizes = np.diff(starts, append=self.size)
        tie = starts.repeat(sizes)
        pos: Integers = before - before[tie]
        all_pos = np.add.reduceat(positive, starts, dtype=np.int64).repeat(sizes)
        rank = np.where(positive, tie + pos, np.arange(self.size) - pos + all_pos)
        moved = np.empty_like(order)
        moved[rank] = order
        return moved


class _Clusters:
    """Sums over clusters, for Obuchowski's variance."""

    def __init__(self, sample: _Sample, numbers: npt.NDArray[np.uint32]) -> None:
        self.numbers = numbers
        self.size = int(numbers.max(initial=0)) + 1
        self.row_scale, self.slices = sample.scale, sample.slices
        sums = []
        for part in sample.slices:
            rows = np.bincount(numbers[part], minlength=self.size)
            masses = np.bincount(numbers[part], sample.weights_of(part), self.size)
            # The weight of a cluster is the mean weight of its rows.
            sums.append(_correction(masses[rows > 0] / rows[rows > 0]))
        total = int(np.count_nonzero(np.bincount(numbers)))
        self.counts = ClusterCounts(total=total, with_pos=sums[0][0], with_neg=sums[1][0])
        self.scale = sums[0][1], sums[1][1]

    def shares(self, of_rows: Floats) -> Floats:
        """Shares of the clusters instead of the rows: their products are the covariance."""
        both = self.counts.total / (self.counts.total - 1)
        # The root of a rounding error would be far from 0.
        gaps = (scale**2 - both for scale in self.scale)
        rest = [math.sqrt(gap) if gap > 16 * _EPSILON * both else 0.0 for gap in gaps]
        parts = []
        for shares in of_rows:
            p, q = (
                np.bincount(self.numbers[part], shares[part], self.size) / scale
                for part, scale in zip(self.slices, self.row_scale, strict=True)
            )
            parts.append(np.concatenate([math.sqrt(both) * (p + q), rest[0] * p, rest[1] * q]))
        return np.array(parts)


def _correction(weights: Floats) -> tuple[float, float]:
    """Effective number n of rows, and sqrt(n / (n - 1)); inf for a single row."""
    if len(weights) == 0:
        return 0.0, math.inf
    top = int(np.argmax(weights))
    others = np.delete(weights, top)
    total = weights.sum()
    # (sum w)^2 - sum w^2, without cancellation where one weight dominates.
    between = weights[top] * others.sum() + dot(others, total - others)
    scale = math.sqrt(total**2 / between) if between > 0 else math.inf
    return float(total**2 / dot(weights, weights)), scale


def _fill_ranks(sample: _Sample, ranked: RankedRows, shares: Floats) -> tuple[float, float]:
    """Return the AUC and its noise; fill in the shares, unscaled if there are no weights."""
    if not sample.n_pos or not sample.n_neg:
        return math.nan, 0.0
    order = ranked.order
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


def _fill_leads(sample: _Sample, ranked: RankedRows, shares: Floats) -> tuple[float, float]:
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


def _joined(
    sample: _Sample,
    measure: EstimatedMeasure,
    names: tuple[str, ...],
    values: Floats,
    noise: Floats,
    shares: Floats,
) -> JointEstimate:
    models = len(names)
    effect = np.ones(models)
    if sample.has_spread:
        limit = 2 * (noise[:, np.newaxis] + noise)
        counted = measure == "auc" and sample.weights is None
        by_cluster = None
        if sample.clusters is not None:
            by_cluster = sample.clusters.shares(_uncounted(sample, shares) if counted else shares)
        gram = _counted_gram(sample, shares) if counted else Gram.of_numbers(shares)
        covariance, variance = _moments(gram, limit)
        same = (variance == 0) & (np.abs(values[:, np.newaxis] - values) <= limit)
        # A model is represented by the first one that it agrees with.
        first = [int(np.argmax(row)) for row in same]
        first = [first[model] for model in first]
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
    for array in (values, covariance, variance, effect):
        array.flags.writeable = False
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


def _counted_gram(sample: _Sample, offsets: Floats) -> Gram:
    """Products of the shares that `_fill_ranks` left as integer multiples of half a row."""
    m, n = sample.n_pos, sample.n_neg
    of_pos, of_neg = (Gram.of_deviations(offsets[:, part]).products for part in sample.slices)
    return Gram(
        products=(n - 1) * of_pos + (m - 1) * of_neg,
        denominator=(2 * m * n) ** 2 * (m - 1) * (n - 1),
    )


def _uncounted(sample: _Sample, offsets: Floats) -> Floats:
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
