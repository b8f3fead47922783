"""The population stability index of two samples of scores, with its sampling distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_scores, nan_scores
from roclab.checks.options import check_level
from roclab.curves.columns import as_thresholds
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter, UndefinedMeasureWarning
from roclab.measures.bins import ScoreBins, checked_bins
from roclab.numeric.distributions import chi_squared_quantile, chi_squared_tail
from roclab.numeric.sums import running_sum
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PopulationStability(Result, ReadOnlyArrays):
    """A population stability index, with its bins.

    Attributes
    ----------
    value : float
        The index: 0 if the shares of all bins are equal.
    pvalue : float
        Probability of an index at least this large if both samples are of one population.
    critical_value : float
        The index that such samples exceed with probability ``1 - confidence_level``.
    df : int
        Degrees of freedom: one less than the number of bins.
    low, high : ndarray
        Bounds of each bin: ``low <= score < high``.
    reference_share, current_share : ndarray
        Share of each sample in each bin.
    contribution : ndarray
        Contribution of each bin to the index.
    n_reference, n_current : int
        Number of scores.
    confidence_level : float
        Level of the critical value.
    """

    value: float
    pvalue: float
    critical_value: float
    df: int
    low: Floats
    high: Floats
    reference_share: Floats
    current_share: Floats
    contribution: Floats
    n_reference: int
    n_current: int
    confidence_level: float

    def __float__(self) -> float:
        return self.value

    def __len__(self) -> int:
        return len(self.contribution)

    def __repr__(self) -> str:
        return (
            f"PSI {self.value:.4f}, p = {self.pvalue:.3g}, {100 * self.confidence_level:g} % of "
            f"stable samples below {self.critical_value:.4f}, {len(self)} bins, "
            f"{self.n_reference:,} and {self.n_current:,} scores"
        )


def population_stability_index(
    reference: npt.ArrayLike | Ranking,
    current: npt.ArrayLike | Ranking,
    *,
    n_bins: int = 10,
    confidence_level: float = 0.95,
) -> PopulationStability:
    """The population stability index (PSI) of two samples of scores, with a test.

    Parameters
    ----------
    reference : array-like or Ranking
        Scores of the time of development, which define the bins.
    current : array-like or Ranking
        Scores of today.
    n_bins : int, default 10
        Number of bins of about equal size in the reference. Equal scores share a bin, so that there
        may be fewer.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is the proportion of stable samples that lie below the
        critical value.

    Returns
    -------
    PopulationStability
        nan, with `UndefinedMeasureWarning`, if a sample is empty or the reference has a single
        score.

    Raises
    ------
    InputError
        A ranking has weights.

    Notes
    -----
    O(n log n). With shares p of the reference and q of the current sample in each bin, the index is
    ``sum (q - p) ln(q / p)``. If nothing has changed, ``PSI n m / (n + m)`` of n and m scores has
    approximately the chi-squared distribution with one degree of freedom less than bins. The usual
    limits of 0.1 and 0.25 ignore n and m: with 100 scores in each sample and ten bins, stable
    populations exceed 0.1 in most cases, and with a million a change of 0.001 is certain.

    The bounds of the bins are halfway between scores of the reference. If a bin is empty in the
    current sample, one half is added to all counts; the index would be infinite.

    References
    ----------
    B. Yurdakul, J. Naranjo, Statistical properties of the population stability index, Journal of
    Risk Model Validation 14 (2020) 89-100.

    Examples
    --------
    >>> reference = [0.1, 0.2, 0.2, 0.4, 0.5, 0.7, 0.8, 0.9]
    >>> population_stability_index(reference, [0.2, 0.4, 0.6, 0.7, 0.7, 0.9], n_bins=2)
    PSI 0.1155, p = 0.529, 95 % of stable samples below 1.1204, 2 bins, 8 and 6 scores
    """
    checked_bins(n_bins, "quantile")
    level = check_level(confidence_level)
    before, after = _grouped(reference, "reference"), _grouped(current, "current")
    low = high = np.empty(0)
    counts = np.empty((2, 0))
    if len(before) and len(after):
        bins = ScoreBins(before, n_bins, "quantile")
        scores = as_thresholds(before.scores)
        cuts = _halfway(scores[bins.starts[1:] - 1], scores[bins.starts[1:]])
        low, high = np.append(-math.inf, cuts), np.append(cuts, math.inf)
        ends = [after.places(cut, math.inf).start for cut in cuts.tolist()]
        up_to = running_sum(after.pos + after.neg)[[0, *ends, len(after.scores)]]
        counts = np.array([bins.mass, np.diff(up_to)], dtype=np.float64)
    df = counts.shape[1] - 1
    if df < 1:
        UndefinedMeasureWarning(
            found="The samples have {before} and {after} scores, in {bins} bins",
            needed="a population stability index needs scores in both and two bins of them",
            fix="The result is nan.",
            before=f"{len(before):,}",
            after=f"{len(after):,}",
            bins=counts.shape[1],
        ).issue()
    adjusted = counts + 0.5 * bool((counts == 0).any())
    shares = adjusted / adjusted.sum(axis=1, keepdims=True)
    contribution = (shares[1] - shares[0]) * np.log(shares[1] / shares[0])
    value = critical = pvalue = math.nan
    if df >= 1:
        scale = 1 / len(before) + 1 / len(after)
        value = float(contribution.sum())
        critical = chi_squared_quantile(df, level) * scale
        pvalue = chi_squared_tail(df, value / scale)
    return PopulationStability(
        value=value,
        pvalue=pvalue,
        critical_value=critical,
        df=max(df, 0),
        low=low,
        high=high,
        reference_share=shares[0],
        current_share=shares[1],
        contribution=contribution,
        n_reference=len(before),
        n_current=len(after),
        confidence_level=level,
    )


def _grouped(given: Any, name: str) -> Ranking:
    """Distinct scores with their numbers, as a ranking in which the labels do not matter."""
    if not isinstance(given, Ranking):
        scores = as_scores(given, name)
        labels = np.zeros(len(scores), np.uint8)
        try:
            distinct, pos, neg = _core.group_scores(labels, scores, _core.thread_count())
        except _core.NanScore:
            raise nan_scores(scores, name) from None
        return Ranking.from_groups(distinct, pos, neg)
    if given.weighted:
        raise InputError(
            found="{name} has weights",
            needed="the distribution of the index is that of unweighted scores",
            fix="Pass the scores alone.",
            name=Parameter(name),
        )
    return given


def _halfway(below: npt.NDArray[Any], above: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Between neighbouring scores; the upper one if there is no number between them."""
    if below.dtype.kind == "O":  # integers of any size
        return np.asarray(below + (above - below + 1) // 2)
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite scores
        middle = below + (above - below) / 2
    return np.where((below < middle) & (middle < above), middle, above)
