"""Calibration in three numbers: intercept, slope and observed/expected ratio, with intervals.

Logistic recalibration fits ``logit P(y = 1) = a + b logit(p)`` to outcomes y and predicted
probabilities p. Of calibrated ones a is 0 and b is 1.

References
----------
D. R. Cox, *Two further applications of a model for binary regression*, Biometrika 45 (1958)
562-565.
B. Van Calster, D. J. McLernon, M. van Smeden, L. Wynants, E. W. Steyerberg, *Calibration: the
Achilles heel of predictive analytics*, BMC Medicine 17 (2019) 230.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between, check_level
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.formatting import level_and_method, with_interval
from roclab.inference.intervals.interval import Interval, containing
from roclab.inference.intervals.proportions import clopper_pearson_ends
from roclab.measures.measure import check_scores
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot
from roclab.result import Result

Floats = npt.NDArray[np.float64]
Ends = tuple[float, float]
_Function = Callable[[float], tuple[float, float]]  # value and derivative

_MOST_STEPS = 100
_PRECISION = 1e-12  # relative, of a root
_LEAST_WEIGHT = 1e-14  # of a score, relative to the largest
_FLAT = 1e-100  # least information: of probabilities that are near 0 and 1, and wrong


@dataclass(frozen=True, kw_only=True, repr=False)
class CalibrationSummary(Result):
    """Calibration of probabilities in three numbers, the result of `calibration_summary`.

    Attributes
    ----------
    intercept : Interval
        Calibration in the large: the intercept of a recalibration with slope 1. 0 is ideal; above
        it probabilities are too low on average, below it too high.
    slope : Interval
        Slope of the recalibration with free intercept. 1 is ideal; below it probabilities are too
        extreme, as of an overfitted model, above it too moderate.
    observed_expected : Interval
        Number of positives over the sum of probabilities. 1 is ideal.
    confidence_level : float
        Confidence level of each interval.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    intercept: Interval
    slope: Interval
    observed_expected: Interval
    confidence_level: float
    n_pos: int
    n_neg: int

    def __repr__(self) -> str:
        parts = ", ".join(
            f"{name} {with_interval(one.value, one.low, one.high)}"
            for name, one in (
                ("intercept", self.intercept),
                ("slope", self.slope),
                ("O/E", self.observed_expected),
            )
        )
        how = level_and_method(self.confidence_level, self.slope.method)
        return f"CalibrationSummary({parts}, {how}, {self.n_pos}+ {self.n_neg}-)"


def calibration_summary(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    clip: float = 0.0,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CalibrationSummary:
    """Calibration intercept, slope and observed/expected ratio, each with an interval.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    clip : float, default 0
        Probabilities are first clipped to [clip, 1 - clip]. Without it, probabilities of 0 and 1
        are refused: their logits are infinite.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    CalibrationSummary
        The slope is infinite if the probabilities separate the classes, and nan if they are all
        equal. Intercept and slope are nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). The intervals of intercept and slope are those of the profile likelihood: all values
    that a likelihood ratio test does not reject. Its statistic is divided by the ratio of the
    sandwich variance to that of the model, if above 1, since the model does not hold for
    probabilities that are not calibrated; this also takes weights into account. The interval of the
    ratio is symmetric for its logarithm, with the variance of ``y / O - p / E`` summed over
    examples, since observed and expected numbers vary together.

    References
    ----------
    D. R. Cox, Biometrika 45 (1958) 562-565.
    D. J. Venzon, S. H. Moolgavkar, Applied Statistics 37 (1988) 87-94, for profile likelihood.
    J. T. Kent, Biometrika 69 (1982) 19-27, for likelihood ratios of models that do not hold.
    B. Van Calster et al., BMC Medicine 17 (2019) 230.

    Examples
    --------
    >>> found = calibration_summary([0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.6, 0.7])
    >>> found.slope
    calibration_slope 1.578 [-0.30, 5.61], 95 % profile likelihood, 3+ 3-
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    level = check_level(confidence_level)
    fix = "Pass a probability such as {clip=}1e-15."
    clip = check_between("clip", clip, 0, 0.5, or_low=True, fix=fix)
    check_scores("calibration_summary", ranking.scores, "probability")
    proba = ranking.scores.astype(np.float64)
    with np.errstate(divide="ignore"):
        logits = np.log(proba) - np.log1p(-proba)
    if clip:  # of the logits: 1 - clip would be rounded
        most = math.log1p(-clip) - math.log(clip)
        proba, logits = np.clip(proba, clip, 1 - clip), np.clip(logits, -most, most)
    if not np.isfinite(logits).all():
        raise InputError(
            found="Some probabilities are {value}",
            needed="calibration_summary needs probabilities between 0 and 1, not equal to them",
            fix="Pass for example {clip=}1e-6, or exclude them.",
            value="0" if proba[0] == 0 else "1",
        )
    warn_if_undefined("A calibration summary", ranking, undefined="The intercept and the slope")
    nothing = _Estimate(math.nan, math.nan, (math.nan, math.nan))
    intercept = slope = ratio = nothing
    if len(proba):
        ratio = _observed_expected(ranking, proba, level)
    if not is_undefined(ranking):
        _check_weights(ranking)
        fit = _Recalibration(ranking, logits)
        intercept, slope = fit.intercept(level), fit.slope(level)
    estimates = (
        ("calibration_intercept", intercept, "profile likelihood"),
        ("calibration_slope", slope, "profile likelihood"),
        ("observed_expected", ratio, "delta"),
    )
    first, second, third = (
        Interval(
            measure=name,
            value=one.value,
            low=containing(one.value, *one.ends)[0],
            high=containing(one.value, *one.ends)[1],
            standard_error=one.error,
            confidence_level=level,
            method=how,
            n_pos=ranking.n_pos,
            n_neg=ranking.n_neg,
        )
        for name, one, how in estimates
    )
    return CalibrationSummary(
        intercept=first,
        slope=second,
        observed_expected=third,
        confidence_level=level,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )


def _check_weights(ranking: Ranking) -> None:
    """Refuse weights of which some vanish in a sum with others: rounding then decides the fit."""
    masses = np.concatenate((ranking.pos, ranking.neg))
    masses = masses[masses > 0]
    if masses.min() < _LEAST_WEIGHT * masses.max():
        raise InputError(
            found="The largest weight at a score is {ratio} times the smallest",
            needed=f"calibration_summary needs weights within a factor of {1 / _LEAST_WEIGHT:g}",
            fix="Leave out examples whose weight is negligible.",
            ratio=f"{masses.max() / masses.min():.0e}",
        )


class _Estimate(NamedTuple):
    value: float
    error: float
    ends: Ends


class _Fit(NamedTuple):
    """The best intercept at a slope, and what the log-likelihood does there along the slope."""

    intercept: float
    likelihood: float
    gradient: float
    information: float


class _Recalibration:
    """The logistic model of outcomes by logits of probabilities."""

    def __init__(self, ranking: Ranking, logits: Floats) -> None:
        self._x = logits
        # Weights of one on average: nothing depends on their scale, but what is negligible does.
        unit = float(ranking.pos.sum() + ranking.neg.sum()) / len(ranking)
        self._pos, self._neg = ranking.pos / unit, ranking.neg / unit
        self._mass = self._pos + self._neg
        pos, neg = (squares / unit / unit for squares in _squared_masses(ranking))
        self._squares = pos, neg
        self._weight = float(pos.sum() + neg.sum()) / float(self._mass.sum())
        self._number = float(self._mass.sum()) / self._weight
        self._base = math.log(self._pos.sum()) - math.log(self._neg.sum())
        self._start = self._base  # the intercept found last is a good first guess of the next

    def intercept(self, level: float) -> _Estimate:
        """The intercept at slope 1."""
        value = self._best_intercept(1.0)
        eta = value + self._x
        proba = _expit(eta)
        information = max(dot(self._mass, proba * (1 - proba)), _FLAT)
        variance = self._variance(proba, np.ones_like(proba), information, parameters=1)
        error, limit = math.sqrt(variance), _limit(level, variance * information)
        highest, positives = self._likelihood(eta), float(self._pos.sum())

        def excess(at: float) -> tuple[float, float]:
            moved = at + self._x
            slope = positives - dot(self._mass, _expit(moved))
            return highest - self._likelihood(moved) - limit, -slope

        low, high = (_root(excess, end) for end in _wald(value, error, level))
        return _Estimate(value, error, (low, high))

    def slope(self, level: float) -> _Estimate:
        """The slope with free intercept."""
        positive, negative = self._x[self._pos > 0], self._x[self._neg > 0]
        rising, falling = positive[0] >= negative[-1], positive[-1] <= negative[0]
        if rising and falling:  # all probabilities are equal
            return _Estimate(math.nan, math.nan, (math.nan, math.nan))
        if rising or falling:
            return self._separated(1 if rising else -1, level)
        value, fit = self._best_slope()
        proba = _expit(fit.intercept + value * self._x)
        centred = self._x - self._centre(proba)
        variance = self._variance(proba, centred, fit.information, parameters=2)
        error, limit = math.sqrt(variance), _limit(level, variance * fit.information)
        excess = self._excess(fit.likelihood, limit)
        low, high = (_root(excess, end) for end in _wald(value, error, level))
        return _Estimate(value, error, (low, high))

    def _separated(self, sign: int, level: float) -> _Estimate:
        """An infinite slope; one end of its interval is finite."""
        both = (self._pos > 0) & (self._neg > 0)  # at most one distinct probability
        counts = [float(mass[both].sum()) for mass in (self._pos, self._neg)]
        highest = sum(n * math.log(n / sum(counts)) for n in counts if n)
        excess = self._excess(highest, _limit(level, self._weight))
        outside = 0.0
        while excess(outside)[0] <= 0:
            outside -= sign * max(1.0, abs(outside))
        end = _root(excess, outside)
        ends = (end, math.inf) if sign > 0 else (-math.inf, end)
        return _Estimate(sign * math.inf, math.nan, ends)

    def _best_slope(self) -> tuple[float, _Fit]:
        """Newton's method on the profile likelihood, which is concave, with shorter steps."""
        value, fit = 1.0, self._profile(1.0)
        for _ in range(_MOST_STEPS):
            step = fit.gradient / fit.information
            while (after := self._profile(value + step)).likelihood < fit.likelihood:
                if abs(step) <= _PRECISION * (1 + abs(value)):
                    return value, fit
                step /= 2
            value, fit = value + step, after
            if abs(step) <= _PRECISION * (1 + abs(value)):
                break
        return value, fit

    def _profile(self, slope: float) -> _Fit:
        intercept = self._best_intercept(slope)
        eta = intercept + slope * self._x
        proba = _expit(eta)
        centred = self._x - self._centre(proba)
        return _Fit(
            intercept=intercept,
            likelihood=self._likelihood(eta),
            gradient=dot(self._pos - self._mass * proba, self._x),
            information=max(dot(self._mass * proba * (1 - proba), centred**2), _FLAT),
        )

    def _excess(self, highest: float, limit: float) -> _Function:
        def excess(slope: float) -> tuple[float, float]:
            fit = self._profile(slope)
            return highest - fit.likelihood - limit, -fit.gradient

        return excess

    def _best_intercept(self, slope: float) -> float:
        """The intercept at which as many positives are expected as observed."""
        shift = slope * self._x
        low, high = self._base - float(shift.max()), self._base - float(shift.min())
        value = min(max(self._start, low), high)
        for _ in range(_MOST_STEPS):
            proba = _expit(value + shift)
            lack = dot(self._mass, proba) - float(self._pos.sum())
            low, high = (low, value) if lack > 0 else (value, high)
            information = dot(self._mass, proba * (1 - proba))
            after = value - lack / information if information > 0 else math.nan
            if not low <= after <= high:
                after = (low + high) / 2
            if abs(after - value) <= _PRECISION * (1 + abs(value)):
                break
            value = after
        self._start = value
        return value

    def _likelihood(self, eta: Floats) -> float:
        surprise = np.log1p(np.exp(-np.abs(eta)))  # of the likelier outcome
        unlikely = np.where(eta < 0, self._pos, self._neg)
        return -dot(self._mass, surprise) - dot(unlikely, np.abs(eta))

    def _centre(self, proba: Floats) -> float:
        variance = self._mass * proba * (1 - proba)
        return dot(variance, self._x) / max(float(variance.sum()), _FLAT)

    def _variance(
        self, proba: Floats, factor: Floats, information: float, *, parameters: int
    ) -> float:
        """The larger one of the sandwich estimate and the variance of the model."""
        pos, neg = self._squares
        squares = dot(pos, (factor * (1 - proba)) ** 2) + dot(neg, (factor * proba) ** 2)
        squares *= self._number / max(self._number - parameters, 1)
        return max(squares / information**2, self._weight / information)


def _observed_expected(ranking: Ranking, proba: Floats, level: float) -> _Estimate:
    mass = ranking.pos + ranking.neg
    observed, expected, total = float(ranking.pos.sum()), dot(mass, proba), float(mass.sum())
    pos, neg = _squared_masses(ranking)
    value = observed / expected
    if observed == 0:
        number = total**2 / float(neg.sum())
        high = float(clopper_pearson_ends(0.0, number, level)[1]) * total / expected
        return _Estimate(0.0, math.nan, (0.0, high))
    relative = dot(pos, (1 / observed - proba / expected) ** 2) + dot(neg, (proba / expected) ** 2)
    error = math.sqrt(relative)
    factor = math.exp(critical_value(level, "two-sided") * error)
    return _Estimate(value, value * error, (value / factor, value * factor))


def _squared_masses(ranking: Ranking) -> tuple[Floats, Floats]:
    """Sums of squared weights at each score."""
    if ranking.pos_squared is None or ranking.neg_squared is None:
        return ranking.pos.astype(np.float64), ranking.neg.astype(np.float64)
    return ranking.pos_squared, ranking.neg_squared


def _expit(eta: Floats) -> Floats:
    small = np.exp(-np.abs(eta))  # which never overflows
    return np.asarray(np.where(eta < 0, small, 1.0) / (1 + small), dtype=np.float64)


def _wald(value: float, error: float, level: float) -> Ends:
    margin = critical_value(level, "two-sided") * error
    return value - margin, value + margin


def _limit(level: float, ratio: float) -> float:
    """How far the log-likelihood may fall, if the variance is that of the model times a ratio."""
    return critical_value(level, "two-sided") ** 2 / 2 * ratio


def _root(excess: _Function, start: float) -> float:
    """Newton's method on a convex function: from the first step on it approaches from outside."""
    at = start
    for _ in range(_MOST_STEPS):
        value, slope = excess(at)
        step = value / slope
        at -= step
        if abs(step) <= _PRECISION * (1 + abs(at)):
            break
    return at
