"""The expected cost of a threshold, and its net benefit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between
from roclab.curves.operating import operating_points
from roclab.curves.rates import check_prevalence
from roclab.data.ranking import Ranking
from roclab.measures.influence import Influence
from roclab.measures.measure import defined_ranking, measure
from roclab.numeric.sums import running_sum

Floats = npt.NDArray[np.float64]


def _influence(
    ranking: Ranking,
    false_positive_cost: float,
    false_negative_cost: float,
    prevalence: float | None = None,
    threshold: float | None = None,
) -> Influence | None:
    """Closed form for a given threshold; the best one of the sample is not independent of it."""
    if threshold is None:
        return None
    share = float(ranking.pos.sum() / (ranking.pos.sum() + ranking.neg.sum()))
    weight = share if prevalence is None else prevalence
    point = operating_points(ranking).at(threshold=threshold)
    called = np.arange(len(ranking.scores)) >= ranking.places(threshold, math.inf).start
    costs = point.fnr * false_negative_cost - point.fpr * false_positive_cost
    return Influence(
        weight * false_negative_cost * (~called).astype(np.float64),
        (1 - weight) * false_positive_cost * called.astype(np.float64),
        float(costs) if prevalence is None else 0.0,
    )


@measure(
    title="Expected cost",
    meaning="expected cost per example at the best threshold, or at a given one",
    high=math.inf,
    better="lower",
    reference="Provost and Fawcett, Machine Learning 42 (2001) 203-231",
    example="false_positive_cost=1, false_negative_cost=5",
    influence=_influence,
)
def expected_cost(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    false_positive_cost: float,
    false_negative_cost: float,
    prevalence: float | None = None,
    threshold: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Expected cost per example of false positives and false negatives, at the best threshold.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    false_positive_cost, false_negative_cost : float
        Costs of a false positive and of a false negative: not negative, not both 0.
    prevalence : float, optional
        Share of positives where the scores will be used, between 0 and 1; by default that of the
        data.
    threshold : float, optional
        Examples with ``score >= threshold`` are called positive. By default the threshold of the
        lowest cost, including all or none positive.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        ``prevalence * fnr * false_negative_cost + (1 - prevalence) * fpr * false_positive_cost``;
        nan, with an `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). `cost_curve` has the lowest cost for every prevalence and ratio of costs, and
    `choose_threshold` the threshold, with its interval. The cost at a threshold that was chosen on
    the same data is optimistic.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> expected_cost(y, s, false_positive_cost=1, false_negative_cost=5)
    0.25
    """
    ranking = defined_ranking(expected_cost, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    points = operating_points(ranking)
    rows = points if threshold is None else points.at(threshold=threshold)
    cost = rows.expected_cost(
        false_positive_cost=false_positive_cost,
        false_negative_cost=false_negative_cost,
        prevalence=prevalence,
    )
    return float(np.min(cost))


def _highest_net_benefit(threshold: float, prevalence: float | None = None) -> float:
    del threshold
    return 1.0 if prevalence is None else prevalence


@measure(
    title="Net benefit",
    meaning="true positives per example minus false positives, weighted by the threshold's odds",
    low=-math.inf,
    scores="probability",
    reference="Vickers and Elkin, Medical Decision Making 26 (2006) 565-574",
    example="threshold=0.1",
    highest=_highest_net_benefit,
)
def net_benefit(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: float,
    prevalence: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Net benefit of treating examples whose probability reaches a threshold.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    threshold : float
        Threshold probability, from 0 to below 1: examples with ``score >= threshold`` are treated.
        It states the cost of a false positive: with ``threshold=0.1``, nine treatments of negatives
        are accepted to treat one positive.
    prevalence : float, optional
        Share of positives where the scores will be used, as for case-control data; by default that
        of the data.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        ``prevalence * tpr - (1 - prevalence) * fpr * threshold / (1 - threshold)``, at most the
        prevalence, in units of true positives per example. Treating nobody has 0. nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). `decision_curve` has it for many thresholds, with intervals and with the net
    benefit of treating everybody.

    References
    ----------
    A. J. Vickers, E. B. Elkin, Decision curve analysis: a novel method for evaluating prediction
    models, Medical Decision Making 26 (2006) 565-574.

    Examples
    --------
    >>> net_benefit([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], threshold=0.2)
    0.4375
    """
    ranking = defined_ranking(net_benefit, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    fix = "Pass a probability, such as {threshold=}0.1."
    cut = check_between("threshold", threshold, 0, 1, or_low=True, fix=fix)
    tpr, fpr = rates_at(ranking, np.array([cut]))
    return float(benefit_of(tpr, fpr, np.array([cut]), checked_prevalence(prevalence, ranking))[0])


def checked_prevalence(prevalence: float | None, ranking: Ranking) -> float:
    """Check a prevalence; by default that of a ranking with both classes."""
    if prevalence is not None:
        return check_prevalence(prevalence)
    positives = float(ranking.pos.sum())
    return positives / (positives + float(ranking.neg.sum()))


def rates_at(ranking: Ranking, thresholds: Floats) -> tuple[Floats, Floats]:
    """True and false positive rates at thresholds, of a ranking with both classes."""
    places = np.searchsorted(ranking.scores, in_score_type(thresholds, ranking.scores.dtype))
    # Summed from above: small weights must not vanish.
    tpr, fpr = (
        above[places] / above[0]
        for above in (running_sum(mass[::-1])[::-1] for mass in (ranking.pos, ranking.neg))
    )
    return tpr, fpr


def in_score_type(thresholds: Floats, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Thresholds rounded as scores of a shorter type are: 0.7 is the float32 that is nearest."""
    return thresholds.astype(dtype) if dtype.kind == "f" else thresholds


def benefit_of(tpr: Floats, fpr: Floats, thresholds: Floats, prevalence: float) -> Floats:
    """Net benefit from rates at thresholds."""
    return prevalence * tpr - (1 - prevalence) * fpr * (thresholds / (1 - thresholds))
