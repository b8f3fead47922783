"""The H-measure, and the Kolmogorov-Smirnov statistic."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_choice, number_or_nan, shown
from roclab.curves.hull import roc_hull
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.measures.measure import defined_ranking, measure

CostDistribution = Literal["severity_ratio", "class_shares"]


@measure(
    title="H-measure",
    meaning="reduction of the expected cost by the scores, averaged over a range of costs",
    reference="Hand, Machine Learning 77 (2009) 103-123",
    example="severity_ratio=1",
)
def h_measure(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    severity_ratio: float | None = None,
    cost_distribution: CostDistribution = "severity_ratio",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """H-measure: relative reduction of expected cost, with one cost distribution for all models.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    severity_ratio : float, optional
        Cost of a false positive relative to a false negative, at the mode of the cost
        distribution. By default positives over negatives in the data, as in the packages
        `hmeasure` for R and Python; then only models on the same data can be compared. 1 means
        that both are equally bad, with costs distributed as Beta(2, 2).
    cost_distribution : {"severity_ratio", "class_shares"}, default "severity_ratio"
        Distribution of the cost c. ``"severity_ratio"``: Beta(2, 1 + 1 / severity_ratio).
        ``"class_shares"``: Beta(1 + p, 2 - p) for a share p of positives, the proposal of Hand and
        Anagnostopoulos; `severity_ratio` is then left out.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        1 for a perfect ranking, 0 for a useless one; nan, with `UndefinedMeasureWarning`,
        if a class is missing.

    Notes
    -----
    An error costs c for a negative and 1 - c for a positive. For each c the best threshold is
    taken, which is a vertex of the ROC hull. The H-measure is 1 - L / L0, where L is the mean over
    c of its expected cost, and L0 that of calling all examples the same. An edge of the hull with p
    positives and n negatives out of N adds ``(n * B0(q) + p * B1(q)) / N`` to L, where
    ``q = p / (p + n)``, B0(q) is the integral of c up to q and B1(q) that of 1 - c from q, both
    incomplete beta functions; L0 is the same for the whole sample as a single edge.

    The default is that of the package of Anagnostopoulos, Hand and Adams. It has the mode of
    ``"class_shares"``, c = p, but is more concentrated.

    Only the order of scores matters, so infinite ones are allowed. O(n log n).

    References
    ----------
    D. J. Hand, Machine Learning 77 (2009) 103-123, for Beta(2, 2).
    D. J. Hand, C. Anagnostopoulos, Pattern Recognition Letters 40 (2014) 41-46, for
    ``"class_shares"``.
    C. Anagnostopoulos, D. J. Hand, N. M. Adams, Measuring classification performance: the hmeasure
    package (2012), for the severity ratio and the default.

    Examples
    --------
    >>> round(h_measure([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]), 6)
    0.5
    >>> round(h_measure([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], cost_distribution="class_shares"), 6)
    0.5
    """
    ranking = defined_ranking(h_measure, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    alpha, beta = _cost_distribution(ranking, severity_ratio, cost_distribution)
    hull = roc_hull(ranking)
    pos, neg = hull.pos.astype(np.float64), hull.neg.astype(np.float64)
    everything = _expected_cost(np.sum(pos, keepdims=True), np.sum(neg, keepdims=True), alpha, beta)
    value = 1 - _expected_cost(pos, neg, alpha, beta) / everything
    return min(max(value, 0.0), 1.0)


def _cost_distribution(
    ranking: Ranking, severity_ratio: float | None, cost_distribution: CostDistribution
) -> tuple[float, float]:
    """The parameters of the beta distribution of costs."""
    check_choice("cost_distribution", cost_distribution, CostDistribution)
    pos, neg = float(ranking.pos.sum()), float(ranking.neg.sum())
    if cost_distribution == "class_shares":
        if severity_ratio is not None:
            raise InputError(
                found="{severity_ratio=}{value} was passed with {cost_distribution=}'class_shares'",
                needed="that distribution follows from the data",
                fix="Leave out one of them.",
                value=shown(severity_ratio),
            )
        return 1 + pos / (pos + neg), 1 + neg / (pos + neg)
    ratio = pos / neg if severity_ratio is None else number_or_nan(severity_ratio)
    if severity_ratio is not None and not (0 < ratio < math.inf and 1 / ratio < math.inf):
        raise InputError(
            found="{severity_ratio=}{value} is out of range",
            needed="a positive finite number is needed",
            fix="Pass how much worse a false positive is than a false negative, or None for "
            "positives over negatives.",
            value=shown(severity_ratio),
        )
    return 2.0, 1 + 1 / ratio


def _expected_cost(
    pos: npt.NDArray[np.float64], neg: npt.NDArray[np.float64], alpha: float, beta: float
) -> float:
    """The sum over edges, times the number of examples."""
    # Imported here: importing scipy takes long, and other measures do not need it.
    from scipy.special import betainc

    both = pos + neg
    alarms = alpha / (alpha + beta) * betainc(alpha + 1, beta, pos / both)
    misses = beta / (alpha + beta) * betainc(beta + 1, alpha, neg / both)
    return float(np.sum(neg * alarms + pos * misses))


@measure(
    title="KS",
    meaning="largest distance between the score distributions of positives and negatives",
    aliases=("ks",),
    reference="Hodges, Arkiv foer Matematik 3 (1958) 469-486",
)
def ks_statistic(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Kolmogorov-Smirnov statistic: the largest distance between the two score distributions.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    The largest ``|tpr - fpr|`` over all thresholds, the two-sided statistic of
    `scipy.stats.ks_2samp`. It has no direction: reversed scores have the same value. The largest
    ``tpr - fpr``, with its sign, is Youden's J: ``operating_points(...).best().youden``.

    Without weights it is exact except for the last division. O(n log n).

    Examples
    --------
    >>> ks_statistic([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.5
    """
    ranking = defined_ranking(ks_statistic, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    pos, neg = np.cumsum(ranking.pos), np.cumsum(ranking.neg)
    if ranking.weighted or ranking.n_pos * ranking.n_neg >= 2**62:
        return float(np.max(np.abs(pos / pos[-1] - neg / neg[-1])))
    distance = int(np.max(np.abs(pos * ranking.n_neg - neg * ranking.n_pos)))
    return distance / (ranking.n_pos * ranking.n_neg)
