"""The choice of a threshold for costs or limits, with its interval and its optimism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import Progress, RandomState, check_level, check_resamples, seed_of
from roclab.curves.operating import OperatingPoints, operating_points
from roclab.data.ranking import Ranking, as_ranking
from roclab.decisions.threshold.goal import Goal
from roclab.decisions.threshold.smoothed_bootstrap import threshold_uncertainty
from roclab.errors import InputError
from roclab.formatting import level_and_method, threshold_text
from roclab.inference.intervals.interval import containing
from roclab.inference.intervals.operating_point import PointShares
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class ThresholdPoint(Result):
    """One threshold, with its rates and its cost.

    Attributes
    ----------
    threshold : float
        Examples that score at or above it are called positive.
    score_below : float
        The highest score below it, -inf if there is none: thresholds between have the same counts.
    tpr, fpr : float
        True and false positive rate.
    called_positive : float
        Share of examples that are called positive, at the prevalence of the choice.
    expected_cost : float
        Expected cost per example.
    """

    threshold: float
    score_below: float | None
    tpr: float
    fpr: float
    called_positive: float
    expected_cost: float


@dataclass(frozen=True, kw_only=True, repr=False)
class ThresholdChoice(Result):
    """A chosen threshold, the result of `choose_threshold`.

    Attributes
    ----------
    threshold : float
        Examples that score at or above it are called positive; infinite if none is.
    score_below : float
        The highest score below it, -inf if there is none: thresholds between have the same counts.
    low, high : float
        Ends of the interval of the best threshold. -inf stands for any threshold below the lowest
        score, inf for any above the highest.
    expected_cost : float
        Expected cost per example, in the data.
    cost_low, cost_high : float
        Ends of its interval at this threshold, at `prevalence`, combined by MOVER from
        Clopper-Pearson intervals of both error rates, as in `operating_point_interval`. It does not
        include the choice of the threshold: see `optimism`.
    optimism : float
        How much higher the expected cost is on new data, on average, since the threshold was chosen
        on the same data.
    tpr, fpr : float
        True and false positive rate.
    called_positive : float
        Share of examples that are called positive, at `prevalence`.
    tp, fp, tn, fn : float
        True and false positives, true and false negatives; with weights, sums of weights.
    objective : {"expected_cost", "tpr", "fpr"}
        What is lowest, or for ``"tpr"`` highest, among the thresholds within the limits.
    false_positive_cost, false_negative_cost, prevalence : float
        The costs, and the share of positives where the threshold will be used.
    max_fpr, min_tpr, capacity : float or None
        The limits.
    neighbours : tuple of ThresholdPoint
        The ends of the interval, the next scores and the threshold itself, from strict to lenient.
    confidence_level : float
        Confidence level of both intervals.
    n_pos, n_neg : int
        Number of positive and negative examples.
    n_resamples : int
        Number of bootstrap replicates.
    """

    threshold: float
    score_below: float | None
    low: float
    high: float
    expected_cost: float
    cost_low: float
    cost_high: float
    optimism: float
    tpr: float
    fpr: float
    called_positive: float
    tp: float
    fp: float
    tn: float
    fn: float
    objective: str
    false_positive_cost: float
    false_negative_cost: float
    prevalence: float
    max_fpr: float | None
    min_tpr: float | None
    capacity: float | None
    neighbours: tuple[ThresholdPoint, ...]
    confidence_level: float
    n_pos: int
    n_neg: int
    n_resamples: int

    def __repr__(self) -> str:
        return (
            f"threshold {self.shown(self.threshold, digits=4)} [{self.shown(self.low, digits=3)}, "
            f"{self.shown(self.high, digits=3)}], "
            f"{level_and_method(self.confidence_level, 'smoothed_bootstrap')}: expected cost "
            f"{self.expected_cost:.3g}, tpr {self.tpr:.3f}, fpr {self.fpr:.3f}, "
            f"{self.n_pos}+ {self.n_neg}-"
        )

    def shown(self, threshold: float, *, digits: int = 6) -> str:
        """The threshold, or an end of its interval, rounded without changing any prediction.

        Parameters
        ----------
        threshold : float
            The threshold, or one of `neighbours`.
        digits : int, default 6
            Significant digits, if they suffice.
        """
        below = {one.threshold: one.score_below for one in self.neighbours}
        return threshold_text(threshold, below.get(threshold), digits=digits)


def choose_threshold(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    false_positive_cost: float | None = None,
    false_negative_cost: float | None = None,
    prevalence: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    capacity: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: RandomState = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ThresholdChoice:
    """Choose the threshold with the lowest expected cost, or the best one within limits.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    false_positive_cost, false_negative_cost : float, optional
        Costs of a false positive and of a false negative, in any unit; 1 by default.
    prevalence : float, optional
        Share of positives where the threshold will be used, between 0 and 1; by default that of the
        data.
    max_fpr : float, optional
        Highest false positive rate allowed.
    min_tpr : float, optional
        Lowest true positive rate (sensitivity) allowed.
    capacity : float, optional
        Largest share of examples that can be called positive, at `prevalence`: what can be acted
        on.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is that of the interval of the threshold, and of
        that of the cost.
    n_resamples : int, default 1000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    ThresholdChoice
        Of equally good thresholds, the strictest that no other one dominates.

    Raises
    ------
    InputError
        A class is missing, or no threshold is within the limits.

    Notes
    -----
    Without costs, limits from above (`max_fpr`, `capacity`) give the highest true positive rate
    that they allow, and `min_tpr` alone gives the lowest false positive rate. Otherwise the
    expected cost ``prevalence * fnr * false_negative_cost + (1 - prevalence) * fpr *
    false_positive_cost`` is lowest within the limits. ``prevalence=0.5`` with equal costs maximizes
    Youden's index.

    The interval comes from a bootstrap of smoothed distributions: the plain bootstrap of a
    threshold is inconsistent. With weights the effective sample sizes (sum w)^2 / sum w^2 are
    drawn. O(n log n), and O(1) per replicate.

    References
    ----------
    C. Elkan, IJCAI 2001, 973-978 (costs).
    C. Leger, B. MacGibbon, Canadian Journal of Statistics 34 (2006) 69-83 (the bootstrap of
    estimates that converge with the cube root).

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2]
    >>> choice = choose_threshold(y, s, false_negative_cost=5, rng=0)
    >>> choice.threshold, choice.expected_cost
    (0.2, 0.3333333333333333)
    >>> choose_threshold(y, s, max_fpr=0.4, rng=0).tpr
    0.6666666666666666
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    level, resamples = check_level(confidence_level), check_resamples(n_resamples)
    seed = seed_of(rng)
    if not (ranking.n_pos and ranking.n_neg):
        raise InputError(
            found="There are {n_pos} positive and {n_neg} negative examples",
            needed="the choice of a threshold needs both classes",
            n_pos=f"{ranking.n_pos:,}",
            n_neg=f"{ranking.n_neg:,}",
        )
    points = operating_points(ranking)
    goal = Goal.of(
        false_positive_cost=false_positive_cost,
        false_negative_cost=false_negative_cost,
        prevalence=prevalence,
        max_fpr=max_fpr,
        min_tpr=min_tpr,
        capacity=capacity,
        of_data=float(points.tp[-1] / (points.tp[-1] + points.fp[-1])),
    )
    chosen = int(goal.best(points.fpr, points.tpr))
    if chosen < 0:
        raise _beyond_limits(goal, points)
    threshold = points.threshold.item(chosen)
    found = threshold_uncertainty(
        ranking, goal, threshold, level, resamples, seed, progress=progress
    )
    point = points[chosen]
    one = _point(goal, points, chosen)
    cost = PointShares(ranking, point).cost_interval(
        (goal.false_positive_cost, goal.false_negative_cost),
        goal.prevalence,
        level,
        "clopper_pearson",
    )
    cost_low, cost_high = containing(one.expected_cost, cost.low, cost.high)
    return ThresholdChoice(
        threshold=threshold,
        score_below=one.score_below,
        low=found.low,
        high=found.high,
        expected_cost=one.expected_cost,
        cost_low=cost_low,
        cost_high=cost_high,
        optimism=found.optimism,
        tpr=one.tpr,
        fpr=one.fpr,
        called_positive=one.called_positive,
        tp=point.tp,
        fp=point.fp,
        tn=point.tn,
        fn=point.fn,
        objective=goal.objective,
        false_positive_cost=goal.false_positive_cost,
        false_negative_cost=goal.false_negative_cost,
        prevalence=goal.prevalence,
        max_fpr=goal.max_fpr,
        min_tpr=goal.min_tpr,
        capacity=goal.capacity,
        neighbours=tuple(
            _point(goal, points, place)
            for place in sorted(_neighbours(points, chosen, found.low, found.high))
        ),
        confidence_level=level,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        n_resamples=resamples,
    )


def _neighbours(points: OperatingPoints, chosen: int, low: float, high: float) -> set[int]:
    """Places of the threshold, the next ones, and the ends of its interval."""
    last = len(points) - 1
    found = {max(chosen - 1, 0), chosen, min(chosen + 1, last)}
    if not math.isnan(low):
        # Thresholds decrease: those at or above the end, the first of which is infinite.
        ascending = points.threshold[::-1]
        found |= {
            last - min(int(np.searchsorted(ascending, end, side="left")), last)
            for end in (low, high)
        }
    return found


def _point(goal: Goal, points: OperatingPoints, place: int) -> ThresholdPoint:
    point = points[place]
    fpr, tpr = points.fpr[place], points.tpr[place]
    return ThresholdPoint(
        threshold=point.threshold,
        score_below=point.score_below,
        tpr=float(tpr),
        fpr=float(fpr),
        called_positive=float(goal.called_positive(fpr, tpr)),
        expected_cost=float(goal.expected_cost(fpr, tpr)),
    )


def _beyond_limits(goal: Goal, points: OperatingPoints) -> InputError:
    """What the limits from above allow, where that is too little."""
    upper = Goal(**{**vars(goal), "min_tpr": None, "objective": "tpr"})
    place = int(upper.best(points.fpr, points.tpr))
    limits = [f"{{{name}}}" for name in ("max_fpr", "capacity") if getattr(goal, name) is not None]
    return InputError(
        found="No threshold is within the limits: the highest true positive rate that "
        f"{' and '.join(limits)} allow is {{tpr}}",
        needed="{min_tpr=}{wanted} is asked for",
        fix="Relax one of them.",
        tpr=f"{points.tpr[place]:.4g}",
        wanted=goal.min_tpr,
    )
