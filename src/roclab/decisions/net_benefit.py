"""Decision curves: the net benefit of models at threshold probabilities, with intervals.

A model treats examples whose probability reaches a threshold t. With true and false positive rates
tpr and fpr and prevalence p, its net benefit is ``p tpr - (1 - p) fpr t / (1 - t)``.

References
----------
A. J. Vickers, E. B. Elkin, *Decision curve analysis: a novel method for evaluating prediction
models*, Medical Decision Making 26 (2006) 565-574.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_level, shown
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.table import ScoreTable
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.inference.intervals.proportions import ascending_rates, wilson_ends
from roclab.measures.cost import benefit_of, checked_prevalence, in_score_type, rates_at
from roclab.measures.measure import check_scores
from roclab.numeric.distributions import critical_value
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]

_USUAL_THRESHOLDS = np.arange(1, 100) / 100  # rounded once, so equal to the decimals users write


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionCurve(Result, ReadOnlyArrays):
    """The net benefit of a model at threshold probabilities.

    Attributes
    ----------
    thresholds : ndarray
        Threshold probabilities, ascending.
    net_benefit : ndarray
        Net benefit of treating the examples that reach the threshold.
    low, high : ndarray
        Confidence interval at each threshold.
    treat_all : ndarray
        Net benefit of treating everybody. Treating nobody has 0.
    prevalence : float
        Share of positives, of the data or as given.
    confidence_level : float
        Confidence level of each interval.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    thresholds: Floats
    net_benefit: Floats
    low: Floats
    high: Floats
    treat_all: Floats
    prevalence: float
    confidence_level: float
    n_pos: int
    n_neg: int

    @property
    def standardized(self) -> Floats:
        """Net benefit as a share of its maximum, the prevalence."""
        return self.net_benefit / self.prevalence

    def __len__(self) -> int:
        return len(self.thresholds)

    def __repr__(self) -> str:
        useful = np.count_nonzero(self.net_benefit > np.maximum(self.treat_all, 0))
        return (
            f"DecisionCurve(thresholds {self.thresholds[0]:g} to {self.thresholds[-1]:g}, better "
            f"than treating all and none at {useful:,} of {len(self):,}, "
            f"{self.n_pos}+ {self.n_neg}-)"
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NetBenefitDifference(Result, ReadOnlyArrays):
    """The difference of the net benefits of two models, at the thresholds of their curves.

    Attributes
    ----------
    model_a, model_b : str
        The models.
    difference : ndarray
        Net benefit of the first minus that of the second.
    low, high : ndarray
        Confidence interval at each threshold.
    """

    model_a: str
    model_b: str
    difference: Floats
    low: Floats
    high: Floats

    def __repr__(self) -> str:
        apart = np.count_nonzero((self.low > 0) | (self.high < 0))
        return (
            f"NetBenefitDifference({self.model_a} - {self.model_b}: interval excludes 0 at "
            f"{apart:,} of {len(self.difference):,} thresholds)"
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionCurves(Result):
    """The net benefits of the models of a table, and their differences.

    Attributes
    ----------
    models : tuple of str
        The models.
    curves : tuple of DecisionCurve
        Their decision curves.
    differences : tuple of NetBenefitDifference
        One for each pair of models.
    """

    models: tuple[str, ...]
    curves: tuple[DecisionCurve, ...]
    differences: tuple[NetBenefitDifference, ...]

    def __getitem__(self, model: str) -> DecisionCurve:
        return dict(zip(self.models, self.curves, strict=True))[model]

    def __repr__(self) -> str:
        return f"DecisionCurves({', '.join(self.models)}: {len(self.curves[0]):,} thresholds)"


@overload
def decision_curve(
    y_true: ScoreTable,
    *,
    thresholds: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> DecisionCurves: ...
@overload
def decision_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    thresholds: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> DecisionCurve: ...
def decision_curve(
    y_true: npt.ArrayLike | Ranking | ScoreTable,
    y_score: npt.ArrayLike | None = None,
    *,
    thresholds: npt.ArrayLike | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> DecisionCurve | DecisionCurves:
    """The decision curve: net benefit of a model at threshold probabilities, with intervals.

    Parameters
    ----------
    y_true : array-like, Ranking or ScoreTable
        Target labels (see `Ranking`), a ranking, or a table of models.
    y_score : array-like, optional
        Probabilities of the positive class; not with a ranking.
    thresholds : array-like, optional
        Ascending threshold probabilities, from 0 to below 1; by default 0.01, 0.02, …, 0.99. The
        net benefit is exact at each; pass the distinct probabilities for every step of the curve.
    prevalence : float, optional
        Share of positives where the model will be used, for data sampled by outcome such as a
        case-control study; by default that of the data.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds at each threshold; the intervals do not hold
        simultaneously.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    DecisionCurve or DecisionCurves
        Of a table, the curves of all models and the differences of all pairs. All nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n + thresholds). The interval of a net benefit combines Wilson's intervals of its two
    proportions by variance recovery (MOVER): numbers of true and of false positives among all
    examples, which are multinomial, or with `prevalence` the two independent rates. The interval of
    a difference counts only examples that one model treats and the other does not, with one half
    added to each cell of the two fourfold tables of decisions, that of positives and that of
    negatives. With weights, effective numbers (sum w)^2 / sum w^2 replace the numbers of examples.

    References
    ----------
    A. J. Vickers, E. B. Elkin, Medical Decision Making 26 (2006) 565-574.
    G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008) 1693-1702, for variance recovery.
    A. Agresti, Y. Min, Statistics in Medicine 24 (2005) 729-740, for differences of matched
    proportions.

    Examples
    --------
    >>> curve = decision_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], thresholds=[0.2, 0.5])
    >>> curve
    DecisionCurve(thresholds 0.2 to 0.5, better than treating all and none at 2 of 2, 2+ 2-)
    >>> curve.net_benefit, curve.treat_all
    (array([0.4375, 0.25  ]), array([0.375, 0.   ]))
    """
    level = check_level(confidence_level)
    grid = _checked_thresholds(thresholds)
    if not isinstance(y_true, ScoreTable):
        ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        curve = _curve(ranking, grid, prevalence, level)
        warn_if_undefined("A decision curve", ranking, undefined="Every net benefit")
        return curve
    if y_score is not None or sample_weight is not None or pos_label is not None:
        raise InputError(
            found="A ScoreTable was passed with {y_score}, {sample_weight} or {pos_label}",
            needed="a ScoreTable already has labels, scores and weights",
            fix="Pass it alone.",
        )
    table = y_true
    curves = tuple(_curve(table[model], grid, prevalence, level) for model in table.names)
    first = table[table.names[0]]
    warn_if_undefined("A decision curve", first, undefined="Every net benefit")
    differences = tuple(
        _difference(table, pair, grid, prevalence, level) for pair in combinations(table.names, 2)
    )
    return DecisionCurves(models=table.names, curves=curves, differences=differences)


def _checked_thresholds(given: npt.ArrayLike | None) -> Floats:
    if given is None:
        return _USUAL_THRESHOLDS.copy()
    thresholds = ascending_rates(given, "thresholds")
    if thresholds[-1] == 1:
        raise InputError(
            found="{thresholds=}{value} ends at 1",
            needed="thresholds must be below 1, where a false positive has infinite cost",
            fix="Leave 1 out.",
            value=shown(given),
        )
    return thresholds


def _curve(
    ranking: Ranking, thresholds: Floats, prevalence: float | None, level: float
) -> DecisionCurve:
    check_scores("decision_curve", ranking.scores, "probability")
    share, value, low, high, treat_all = math.nan, *(np.full(len(thresholds), math.nan),) * 4
    if not is_undefined(ranking):
        share = checked_prevalence(prevalence, ranking)
        tpr, fpr = rates_at(ranking, thresholds)
        value = benefit_of(tpr, fpr, thresholds, share)
        odds, z = _odds(thresholds), critical_value(level, "two-sided")
        treat_all = share - (1 - share) * odds
        if prevalence is None:  # true and false positives are two cells of one multinomial
            number = _effective_number(ranking)
            tp, fp = share * tpr, (1 - share) * fpr
            # At most 1, which rounding of the rates could exceed.
            both = np.maximum((1 - tp) * (1 - fp), tp * fp)
            correlation = -np.sqrt(
                np.divide(tp * fp, both, out=np.zeros_like(both), where=both > 0)
            )
            gain, harm = _Part(tp, 1.0, number, z), _Part(fp, odds, number, z)
        else:
            correlation = np.zeros(len(thresholds))
            gain = _Part(tpr, share, ranking.summary.effective_pos, z)
            harm = _Part(fpr, (1 - share) * odds, ranking.summary.effective_neg, z)
        low = value - _joined(gain.down, harm.up, correlation)
        high = value + _joined(gain.up, harm.down, correlation)
    return DecisionCurve(
        thresholds=thresholds,
        net_benefit=value,
        low=low,
        high=high,
        treat_all=treat_all,
        prevalence=share,
        confidence_level=level,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )


class _Part:
    """A proportion times a factor: distances from it to the ends of Wilson's interval."""

    def __init__(self, rate: Floats, factor: Floats | float, number: float, z: float) -> None:
        low, high = wilson_ends(rate, 0.0, number, z)
        self.down: Floats = factor * (rate - low)
        self.up: Floats = factor * (high - rate)


def _joined(one: Floats, other: Floats, correlation: Floats) -> Floats:
    """Distance to an end for the difference of two parts, by variance recovery."""
    return np.sqrt(one**2 + other**2 - 2 * correlation * one * other)


def _odds(thresholds: Floats) -> Floats:
    return thresholds / (1 - thresholds)


def _effective_number(ranking: Ranking) -> float:
    if ranking.pos_squared is None or ranking.neg_squared is None:
        return float(len(ranking))
    total = float(ranking.pos.sum() + ranking.neg.sum())
    return total**2 / float(ranking.pos_squared.sum() + ranking.neg_squared.sum())


def _difference(
    table: ScoreTable,
    pair: tuple[str, str],
    thresholds: Floats,
    prevalence: float | None,
    level: float,
) -> NetBenefitDifference:
    ranking = table[pair[0]]
    value, low, high = (np.full(len(thresholds), math.nan),) * 3
    if not is_undefined(ranking):
        share, odds = checked_prevalence(prevalence, ranking), _odds(thresholds)
        pos, neg = _discordant(table, pair, thresholds)
        one = np.ones(len(thresholds))
        if prevalence is None:
            cells = np.concatenate((share * pos, (1 - share) * neg))
            samples = [(cells, np.array([one, -one, -odds, odds]), _effective_number(ranking))]
        else:
            gain, harm = share * one, (1 - share) * odds
            samples = [
                (pos, np.array([gain, -gain]), ranking.summary.effective_pos),
                (neg, np.array([-harm, harm]), ranking.summary.effective_neg),
            ]
        value = sum((_mean(cells, gains) for cells, gains, _ in samples), np.zeros(len(one)))
        moments = [_adjusted_moments(*sample) for sample in samples]
        middle, variance = (sum(parts, np.zeros(len(one))) for parts in zip(*moments, strict=True))
        margin = critical_value(level, "two-sided") * np.sqrt(variance)
        # An interval includes its value, also where the adjustment moves its middle far.
        low, high = np.minimum(middle - margin, value), np.maximum(middle + margin, value)
    return NetBenefitDifference(
        model_a=pair[0], model_b=pair[1], difference=value, low=low, high=high
    )


def _discordant(
    table: ScoreTable, pair: tuple[str, str], thresholds: Floats
) -> tuple[Floats, Floats]:
    """Shares of positives, and of negatives, that only the first or only the second treats."""
    # The number of thresholds that a row reaches: it is treated at these, the lowest ones.
    first, second = (
        np.searchsorted(in_score_type(thresholds, scores.dtype), scores, side="right")
        for scores in (table.scores[model] for model in pair)
    )
    weights = np.ones(len(first)) if table.sample_weight is None else table.sample_weight
    found = []
    for of_class in (table.y_true, ~table.y_true):
        total = weights[of_class].sum()
        shares = []
        for more, less in ((first, second), (second, first)):
            rows = of_class & (more > less)
            begun, ended = (
                np.bincount(reached[rows], weights[rows], len(thresholds) + 1)
                for reached in (less, more)
            )
            shares.append(np.cumsum(begun - ended)[:-1] / total)
        found.append(np.array(shares))
    return found[0], found[1]


def _adjusted_moments(cells: Floats, gains: Floats, number: float) -> tuple[Floats, Floats]:
    """Mean gain and its variance, with one half added to every cell of the fourfold tables.

    Each table has as many concordant cells, whose gain is 0.
    """
    enlarged = number + len(cells)
    shares = (number * np.maximum(cells, 0) + 0.5) / enlarged
    mean = _mean(shares, gains)
    return mean, (_mean(shares, gains**2) - mean**2) / enlarged


def _mean(shares: Floats, gains: Floats) -> Floats:
    return np.asarray(np.sum(shares * gains, axis=0), dtype=np.float64)
