"""Confidence intervals for the rates at a threshold, of each and joint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, overload

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_choice, check_level, check_method, exact_number, shown
from roclab.curves import OperatingPoint, operating_points
from roclab.curves.rates import check_costs
from roclab.data.ranking import Ranking, as_ranking
from roclab.errors import InputError
from roclab.formatting import level_and_method, threshold_text, with_interval
from roclab.inference.intervals.combined import UNKNOWN, Bounded
from roclab.inference.intervals.interval import Interval, containing
from roclab.inference.intervals.proportions import clopper_pearson_ends, wilson_ends
from roclab.numeric.distributions import critical_value
from roclab.result import Result

PointMethod = Literal["clopper_pearson", "wilson"]
ChosenBy = Literal["youden", "closest"]

# The counts in each share, and all others that it is a share of.
_COUNTS = {
    "sensitivity": (("tp",), ("fn",)),
    "specificity": (("tn",), ("fp",)),
    "fnr": (("fn",), ("tp",)),
    "fpr": (("fp",), ("tn",)),
    "ppv": (("tp",), ("fp",)),
    "npv": (("tn",), ("fn",)),
    "accuracy": (("tp", "tn"), ("fp", "fn")),
    "called_positive": (("tp", "fp"), ("tn", "fn")),
    "jaccard": (("tp",), ("fp", "fn")),
    "prevalence": (("tp", "fn"), ("fp", "tn")),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class OperatingPointInterval(Result):
    """The rates at a threshold with confidence intervals.

    Attributes
    ----------
    threshold : float
        Decision threshold: scores at or above it are predicted positive.
    score_below : float
        The highest score below it, -inf if there is none: thresholds between have the same counts.
    sensitivity, specificity : Interval
        Joint intervals: each at the level sqrt(confidence_level), so that both hold at
        `confidence_level`.
    rates : mapping of str to Interval
        Sensitivity, specificity, PPV, NPV, likelihood ratios, accuracy, the share called positive,
        Youden's J and F1, each at `confidence_level`; with costs also ``"expected_cost"``, per
        example.
    prevalence : float or None
        Share of positives that PPV, NPV, accuracy, the share called positive, F1 and the expected
        cost assume; None for that of the data.
    false_positive_cost, false_negative_cost : float or None
        Costs of a false positive and of a false negative; None without costs.
    criterion : {"youden", "closest"} or None
        Criterion by which the threshold was chosen on these data. The rates are then optimistic,
        and the intervals do not include the choice.
    confidence_level : float
        Nominal confidence level: joint for sensitivity and specificity, and of each of `rates`.
    method : {"clopper_pearson", "wilson"}
        Method of the intervals.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    threshold: float
    score_below: float | None
    sensitivity: Interval
    specificity: Interval
    rates: Mapping[str, Interval]
    prevalence: float | None
    false_positive_cost: float | None
    false_negative_cost: float | None
    criterion: str | None
    confidence_level: float
    method: str
    n_pos: int
    n_neg: int

    def __repr__(self) -> str:
        rates = ", ".join(
            f"{one.measure} {with_interval(one.value, one.low, one.high)}"
            for one in (self.sensitivity, self.specificity)
        )
        level = f"{level_and_method(self.confidence_level, self.method)} for both"
        chosen = "" if self.criterion is None else f"; chosen on these data by {self.criterion}"
        threshold = threshold_text(self.threshold, self.score_below)
        return f"threshold {threshold}: {rates}, {level}, {self.n_pos}+ {self.n_neg}-{chosen}"


@dataclass(frozen=True, kw_only=True, repr=False)
class OperatingPointIntervals(Result):
    """The rates at several thresholds with confidence intervals.

    Attributes
    ----------
    points : tuple of OperatingPointInterval
        One for each threshold, in the order of the input. The levels hold at each threshold, not
        at all of them together.
    """

    points: tuple[OperatingPointInterval, ...]

    def __getitem__(self, number: int) -> OperatingPointInterval:
        return self.points[number]

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"OperatingPointIntervals({len(self)} thresholds)"


@overload
def operating_point_interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: float | ChosenBy,
    prevalence: float | None = None,
    false_positive_cost: float | None = None,
    false_negative_cost: float | None = None,
    method: PointMethod = "clopper_pearson",
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> OperatingPointInterval: ...
@overload
def operating_point_interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: Sequence[float] | npt.NDArray[Any],
    prevalence: float | None = None,
    false_positive_cost: float | None = None,
    false_negative_cost: float | None = None,
    method: PointMethod = "clopper_pearson",
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> OperatingPointIntervals: ...
def operating_point_interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: float | ChosenBy | Sequence[float] | npt.NDArray[Any],
    prevalence: float | None = None,
    false_positive_cost: float | None = None,
    false_negative_cost: float | None = None,
    method: PointMethod = "clopper_pearson",
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> OperatingPointInterval | OperatingPointIntervals:
    """Compute the rates at a threshold, with separate and joint confidence intervals.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    threshold : float, sequence of float, "youden" or "closest"
        Decision threshold: scores at or above it are predicted positive. It must not be chosen on
        the same data. A criterion of `OperatingPoints.best` chooses it on them: the rates are then
        optimistic, and the result says so.
    prevalence : float, optional
        Share of positives where the threshold will be used, between 0 and 1, for PPV, NPV,
        accuracy, the share called positive, F1 and the expected cost. By default that of the data,
        which must then be a random sample of both classes together; the expected cost takes it as
        known.
    false_positive_cost, false_negative_cost : float, optional
        Costs of a false positive and of a false negative, in any unit. With at least one of them
        `rates` has the expected cost per example; the other is 1 by default.
    method : {"clopper_pearson", "wilson"}, default "clopper_pearson"
        The coverage of ``"clopper_pearson"`` is at least nominal for all rates; that of
        ``"wilson"`` is nominal on average, with narrower intervals.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is the level of the intervals in `rates`, and the
        joint level of `sensitivity` and `specificity`: the classes are independent, so each of
        these has its square root.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    OperatingPointInterval or OperatingPointIntervals
        The latter for a sequence of thresholds. The rate of a missing class is nan, with an
        `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). Shares of examples have binomial intervals; F1 has that of TP / (TP + FP + FN), of
    which it is a function. Likelihood ratios and Youden's J combine the intervals of sensitivity
    and specificity by MOVER, also if a count is 0. With a prevalence, PPV and NPV are functions of
    the likelihood ratios, and accuracy, the share called positive and F1 combine the intervals by
    MOVER. So does the expected cost ``prevalence * fnr * false_negative_cost + (1 - prevalence) *
    fpr * false_positive_cost``, with the prevalence of the data too. With weights, the effective
    sample sizes (sum w)^2 / sum w^2 replace the numbers of examples.

    References
    ----------
    C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    A. Donner, G. Y. Zou, Statistical Methods in Medical Research 21 (2012) 347-359.

    Examples
    --------
    >>> point = operating_point_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], threshold=0.4)
    >>> point.threshold, point.sensitivity.value, point.specificity.value
    (0.4, 1.0, 0.5)
    >>> point.rates["ppv"]
    ppv 0.667 [0.09, 0.99], 95 % Clopper-Pearson, 2+ 2-
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> operating_point_interval(y, s, threshold=0.5, false_negative_cost=5).rates["expected_cost"]
    expected_cost 1.250 [0.03, 2.54], 95 % Clopper-Pearson, 2+ 2-
    """
    check_method(method, PointMethod)
    level = check_level(confidence_level)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    given = (false_positive_cost, false_negative_cost)
    costs = None if given == (None, None) else check_costs(*(1 if c is None else c for c in given))
    points = operating_points(ranking, prevalence=prevalence)  # warns of a missing class

    def at(point: OperatingPoint, criterion: str | None = None) -> OperatingPointInterval:
        each, joint = (
            _rate_intervals(ranking, point, level=one, method=method, costs=costs)
            for one in (level, math.sqrt(level))
        )
        return OperatingPointInterval(
            threshold=point.threshold,
            score_below=point.score_below,
            sensitivity=joint["sensitivity"],
            specificity=joint["specificity"],
            rates=each,
            prevalence=point.prevalence,
            false_positive_cost=None if costs is None else costs[0],
            false_negative_cost=None if costs is None else costs[1],
            criterion=criterion,
            confidence_level=level,
            method=method,
            n_pos=ranking.n_pos,
            n_neg=ranking.n_neg,
        )

    if isinstance(threshold, str):
        check_choice("threshold", threshold, ChosenBy)
        return at(points.best(criterion=threshold), threshold)
    if isinstance(threshold, Sequence | np.ndarray) and np.ndim(threshold):
        found = (at(points.at(threshold=check_threshold(one))) for one in threshold)
        return OperatingPointIntervals(points=tuple(found))
    return at(points.at(threshold=check_threshold(threshold)))


def check_threshold(threshold: Any) -> float:
    """A threshold: any number, infinite ones included."""
    cut = exact_number(threshold)
    if math.isnan(cut):
        raise InputError(
            found="{threshold=}{value} is not a number",
            fix="Pass a number, such as {threshold=}0.5.",
            value=shown(threshold),
        )
    return cut


def _rate_intervals(
    ranking: Ranking,
    point: OperatingPoint,
    *,
    level: float,
    method: PointMethod,
    costs: tuple[float, float] | None,
) -> dict[str, Interval]:
    """The interval of each rate at this level, and with costs that of the expected cost.

    The costs are those of a false positive and of a false negative.
    """
    shares = PointShares(ranking, point)

    def share(name: str) -> Bounded:
        return shares.bounded(name, level, method)

    sensitivity, specificity = share("sensitivity"), share("specificity")
    miss, alarm = share("fnr"), share("fpr")
    lr_pos, lr_neg = sensitivity.over(alarm), miss.over(specificity)
    if point.prevalence is None:
        ppv, npv, accuracy = share("ppv"), share("npv"), share("accuracy")
        called = share("called_positive")
        jaccard = share("jaccard")
        f1 = jaccard.through(lambda j: 2 * j / (1 + j), 2 / (1 + jaccard.value) ** 2)
    else:
        pos, neg = point.prevalence, 1 - point.prevalence
        odds = pos / neg
        ppv = lr_pos.through(lambda ratio: _after(odds, ratio), _slope(odds, lr_pos.value))
        npv = lr_neg.through(lambda ratio: 1 - _after(odds, ratio), _slope(odds, lr_neg.value))
        accuracy = sensitivity.scaled(pos).plus(specificity.scaled(neg))
        called = sensitivity.scaled(pos).plus(alarm.scaled(neg))
        # 1 / F1 - 1 / 2 times 2 prevalence: a ratio of independent estimates.
        ratio_to_hits = alarm.scaled(neg, pos).over(sensitivity)
        f1 = ratio_to_hits.through(
            lambda ratio: 2 * pos / (pos + ratio),
            _f1_slope(pos, ratio_to_hits.value),
        )
    found = {
        "sensitivity": sensitivity,
        "specificity": specificity,
        "ppv": ppv,
        "npv": npv,
        "lr_pos": lr_pos,
        "lr_neg": lr_neg,
        "accuracy": accuracy,
        "called_positive": called,
        "youden": sensitivity.plus(alarm.scaled(-1)),
        "f1": f1,
    }
    intervals = {
        name: shares.interval(name, getattr(point, name), one, level, method)
        for name, one in found.items()
    }
    if costs is not None:
        share_pos = shares.prevalence if point.prevalence is None else point.prevalence
        intervals["expected_cost"] = shares.cost_interval(costs, share_pos, level, method)
    return intervals


def _after(odds: float, ratio: float) -> float:
    """Share of positives after a likelihood ratio, from the odds before it."""
    return 1.0 if ratio == math.inf else odds * ratio / (1 + odds * ratio)


def _f1_slope(pos: float, ratio: float) -> float:
    """The slope of ``2 pos / (pos + ratio)``; the square of a tiny sum would be 0."""
    return 2 * pos / (pos + ratio) / (pos + ratio)


def _slope(odds: float, ratio: float) -> float:
    return odds / (1 + odds * ratio) ** 2


class PointShares:
    """Shares of examples at a threshold, with their effective numbers of examples.

    Attributes
    ----------
    prevalence : float
        Share of positives in the data; nan without examples.
    """

    def __init__(self, ranking: Ranking, point: OperatingPoint) -> None:
        self._ranking = ranking
        self._sums = {name: getattr(point, name) for name in ("tp", "fp", "tn", "fn")}
        self._squares = self._sums
        if ranking.weighted:
            above = ranking.places(point.threshold, math.inf).start
            if not point.tp + point.fp:
                above = len(ranking.scores)  # above a score that is infinite itself
            pos, neg = cast("Any", ranking.pos_squared), cast("Any", ranking.neg_squared)
            self._squares = {
                "tp": float(pos[above:].sum()),
                "fp": float(neg[above:].sum()),
                "tn": float(neg[:above].sum()),
                "fn": float(pos[:above].sum()),
            }
        self.prevalence = self.value_and_number("prevalence")[0]

    def value_and_number(self, name: str) -> tuple[float, float]:
        """A share, and the effective number of examples that it is a share of."""
        part, rest = _COUNTS[name]
        inside = sum(self._sums[one] for one in part)
        total = inside + sum(self._sums[one] for one in rest)
        if not total:
            return math.nan, 0.0
        return inside / total, total**2 / sum(self._squares[one] for one in (*part, *rest))

    def bounded(self, name: str, level: float, method: PointMethod) -> Bounded:
        """A share with its binomial interval."""
        value, number = self.value_and_number(name)
        if math.isnan(value):
            return UNKNOWN
        if method == "wilson":
            ends = wilson_ends(value, 0.0, number, critical_value(level, "two-sided"))
        else:
            ends = clopper_pearson_ends(value, number, level)
        return Bounded(value, float(ends[0]), float(ends[1]), value * (1 - value) / number)

    def share_interval(self, name: str, level: float, method: PointMethod) -> Interval:
        """The binomial interval of a share."""
        found = self.bounded(name, level, method)
        return self.interval(name, found.value, found, level, method)

    def cost_interval(
        self, costs: tuple[float, float], prevalence: float, level: float, method: PointMethod
    ) -> Interval:
        """The interval of the expected cost, of a false positive's and a false negative's cost."""
        misses = self.bounded("fnr", level, method).scaled(prevalence * costs[1])
        alarms = self.bounded("fpr", level, method).scaled((1 - prevalence) * costs[0])
        cost = misses.plus(alarms)
        return self.interval("expected_cost", cost.value, cost, level, method)

    def interval(
        self, name: str, value: float, found: Bounded, level: float, method: str
    ) -> Interval:
        """An interval with this value, which `found` has up to rounding."""
        low, high = containing(value, found.low, found.high)
        return Interval(
            measure=name,
            value=value,
            low=low,
            high=high,
            standard_error=math.sqrt(found.variance),
            confidence_level=level,
            method=method,
            n_pos=self._ranking.n_pos,
            n_neg=self._ranking.n_neg,
        )
