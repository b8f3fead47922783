"""Bins of neighbouring scores, for measures that compare probabilities with observed shares."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_choice, check_count
from roclab.data.ranking import Ranking
from roclab.numeric.sums import running_sum

Strategy = Literal["uniform", "quantile"]
Floats = npt.NDArray[np.float64]

_MOST_BINS = 1_000_000
# Rounding error of a position among weights, relative to the total: the same weights in another
# unit are rounded differently, and must fall into the same bins.
_ROUNDING = 1e-12


class ScoreBins:
    """The distinct scores of a ranking in bins of neighbouring scores, without empty bins.

    Equal scores always share a bin, so bins depend neither on the order of rows nor on whether
    two examples or one of weight 2 are given.

    Parameters
    ----------
    ranking : Ranking
        A ranking with at least one example.
    bins : int or None
        Number of bins, checked; None for one per distinct score.
    strategy : {"uniform", "quantile"}
        ``"uniform"``: (0, 1/bins], (1/bins, 2/bins], …, and 0 in the first. ``"quantile"``: about
        equal mass; a score belongs to the bin of the middle of its mass in the order of scores,
        and to the higher one if that is a bound.

    Attributes
    ----------
    starts : ndarray
        Place of the lowest score of each bin among the distinct scores.
    mass, weight : ndarray
        Content of each bin: examples or sums of weights, and as a share of the total.
    count : ndarray
        Number of examples in each bin, with weights (sum w)^2 / sum w^2.
    low, high, mean_score : ndarray
        Lowest, highest and mean score of each bin.
    share : ndarray
        Share of positives in each bin.
    """

    def __init__(self, ranking: Ranking, bins: int | None, strategy: Strategy) -> None:
        self.starts = _first_groups(ranking, None if bins is None else int(bins), strategy)
        self._ends = np.append(self.starts[1:], len(ranking.scores))
        scores = ranking.scores.astype(np.float64)
        mass = ranking.pos + ranking.neg
        self.mass = self.sum(mass)
        self.weight: Floats = self.mass / self.mass.sum()
        self.low: Floats = scores[self.starts]
        self.high: Floats = scores[self._ends - 1]
        with np.errstate(invalid="ignore", over="ignore"):  # of infinite and of huge scores
            means = self.sum(mass * scores) / self.mass
        # A mean lies between the ends of its bin; a single score is its mean, exactly.
        self.mean_score: Floats = np.clip(means, self.low, self.high)
        self.share: Floats = self.sum(ranking.pos) / self.mass
        self.count = self.mass
        if ranking.pos_squared is not None and ranking.neg_squared is not None:
            self.count = self.mass**2 / self.sum(ranking.pos_squared + ranking.neg_squared)

    def sum(self, values: npt.NDArray[Any]) -> Floats:
        """Sum over the distinct scores of each bin."""
        return np.add.reduceat(values, self.starts).astype(np.float64)

    def per_group(self, values: Floats) -> Floats:
        """The value of each bin, repeated for each of its distinct scores."""
        return np.repeat(values, self._ends - self.starts)


def checked_bins(n_bins: int | None, strategy: str) -> None:
    """Check the number of bins, and the strategy."""
    check_choice("strategy", strategy, Strategy)
    if n_bins is not None:
        fix = "Pass {n_bins=}None for one bin per distinct score."
        check_count("n_bins", n_bins, most=_MOST_BINS, fix=fix)


def _first_groups(ranking: Ranking, bins: int | None, strategy: Strategy) -> npt.NDArray[np.intp]:
    if bins is None:
        return np.arange(len(ranking.scores))
    number: npt.NDArray[Any]
    if strategy == "uniform":
        edges = np.arange(1, bins) / bins  # rounded once, so equal to the decimals users write
        number = np.searchsorted(edges, ranking.scores.astype(np.float64), side="left")
    else:
        mass = ranking.pos + ranking.neg
        up_to = running_sum(mass)[1:]
        if ranking.weighted:
            number = np.floor(bins * ((up_to - mass / 2) / up_to[-1] + _ROUNDING))
        else:
            number = bins * (2 * up_to - mass) // (2 * up_to[-1])
    return np.flatnonzero(np.diff(number, prepend=-1))
