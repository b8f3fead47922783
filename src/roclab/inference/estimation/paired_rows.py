"""The rows that several models score, positives first, and the clusters that they form."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from roclab.data.ranked_rows import RankedRows
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.inference.estimation.joint_estimate import ClusterCounts
from roclab.numeric.sums import dot, in_whole_numbers

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_EPSILON = float(np.finfo(np.float64).eps)
_LEAST = 1e-300
# Correlation of two rows of a cluster with which the degrees of freedom count large clusters.
# Chosen by simulation, see the page on clusters and strata.
_CORRELATION = 0.1


def same_ranking(first: Ranking, second: Ranking) -> bool:
    """Whether two models order all of their rows alike, with the same ties."""
    return np.array_equal(first.rows().groups, second.rows().groups)


def same_scores(first: Ranking, second: Ranking) -> bool:
    """Whether two models score each of their rows alike."""
    return np.array_equal(first.rows().scores, second.rows().scores)


class PairedRows:
    """The rows of all models, positives first so that each class is a slice."""

    def __init__(self, ranked: RankedRows, clusters: Membership | None) -> None:
        self.size = len(ranked.labels)
        rows = np.concatenate([np.flatnonzero(ranked.labels == side) for side in (1, 0)])
        self.rows = rows
        self.n_pos = int(np.count_nonzero(ranked.labels))
        self.n_neg = self.size - self.n_pos
        self.slices = slice(0, self.n_pos), slice(self.n_pos, self.size)
        self.weights = None if ranked.weights is None else ranked.weights[rows]
        pairs = [
            _counted(part.stop - part.start)
            if self.weights is None
            else _correction(self.weights[part])
            for part in self.slices
        ]
        self.effective = pairs[0][0], pairs[1][0]
        # A row's fraction of its class, times sqrt(n / (n - 1)).
        self.scale = pairs[0][1], pairs[1][1]
        self.clusters = None
        if clusters is not None:
            kept = clusters.among(ranked.numbers, self.size)
            self.clusters = Clusters(self, kept.numbers[rows])
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


class Clusters:
    """Sums over clusters, for Obuchowski's variance."""

    def __init__(self, sample: PairedRows, numbers: npt.NDArray[np.uint32]) -> None:
        self.numbers = numbers
        self.size = int(numbers.max(initial=0)) + 1
        self.row_scale, self.slices = sample.scale, sample.slices
        sums = []
        variances = np.zeros(self.size)
        for part, effective in zip(sample.slices, sample.effective, strict=True):
            rows = np.bincount(numbers[part], minlength=self.size)
            masses = np.bincount(numbers[part], sample.weights_of(part), self.size)
            # The weight of a cluster is the mean weight of its rows.
            sums.append(_correction(masses[rows > 0] / rows[rows > 0]))
            share = masses / max(masses.sum(), _LEAST)
            variances += (
                share
                * (1 + np.maximum(share * effective - 1, 0) * _CORRELATION)
                / max(effective, 1)
            )
        total = int(np.count_nonzero(np.bincount(numbers)))
        # Satterthwaite's degrees of freedom of a sum of squares with these expectations.
        worth = float(variances.sum() ** 2 / max(dot(variances, variances), _LEAST))
        self.counts = ClusterCounts(
            total=total,
            with_pos=sums[0][0],
            with_neg=sums[1][0],
            df=total - 1.0 if worth > total * (1 - 1e-12) else max(worth - 1, 0.0),
        )
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


def _counted(n: int) -> tuple[float, float]:
    """Number n of rows without weights, and sqrt(n / (n - 1)); inf for a single row."""
    return float(n), math.sqrt(n / (n - 1)) if n > 1 else math.inf


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
