"""Confidence intervals for the AUC of more than two classes, and for its pairs or classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import check_level
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.formatting import level_and_method, with_interval
from roclab.inference.estimation.influence import placements
from roclab.inference.estimation.paired_rows import PairedRows
from roclab.measures.multiclass import Average, Contrast, MulticlassSample
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot
from roclab.result import Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, repr=False)
class ClassInterval(Result):
    """AUC of one class against all others, or between two classes, with its interval.

    Attributes
    ----------
    classes : tuple
        The class, or the two classes.
    value : float
        The AUC; between two classes, the mean of the AUCs by the scores of each.
    low, high : float
        Ends of the interval.
    standard_error : float
        Square root of DeLong's variance.
    n_pos, n_neg : int
        Number of examples of the class and of all others, or of the two classes.
    """

    classes: tuple[Any, ...]
    value: float
    low: float
    high: float
    standard_error: float
    n_pos: int
    n_neg: int

    def __repr__(self) -> str:
        name = " and ".join(map(str, self.classes))
        sizes = f"{self.n_pos} and {self.n_neg} examples"
        auc = f"AUC {with_interval(self.value, self.low, self.high)}"
        return f"ClassInterval({name}: {auc}, {sizes})"


@dataclass(frozen=True, kw_only=True, repr=False)
class MulticlassInterval(Result):
    """AUC of several classes with its confidence interval.

    Attributes
    ----------
    average : {"hand_till", "hand_till_weighted", "macro", "weighted"}
        How the AUCs of `parts` are averaged.
    value : float
        The average.
    low, high : float
        Ends of the interval.
    standard_error : float
        Standard error of the average; nan if a class has a single example.
    confidence_level : float
        Nominal confidence level of each interval.
    parts : tuple of ClassInterval
        The pairs of classes, or the classes.
    n : int
        Number of examples.
    """

    average: Average
    value: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    parts: tuple[ClassInterval, ...]
    n: int

    def __repr__(self) -> str:
        return (
            f"multiclass AUC ({self.average}) {with_interval(self.value, self.low, self.high)}, "
            f"{level_and_method(self.confidence_level, 'mover')}, {self.n} examples"
        )


def multiclass_auc_interval(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike | Mapping[Any, npt.ArrayLike],
    *,
    average: Average = "hand_till",
    labels: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
) -> MulticlassInterval:
    """Compute the AUC of several classes, and of each pair or class, with confidence intervals.

    Parameters
    ----------
    y_true : array-like
        Class of each example.
    y_score : array-like of shape (n, k) or (n,), or mapping
        One column of scores per class, higher for that class: a matrix, its columns in the order of
        `labels`, or a mapping from class to column. Rows need not sum to 1. A single column of
        scores ranks ordered classes: higher for those that come later in `labels`.
    average : {"hand_till", "hand_till_weighted", "macro", "weighted", "micro"}
        ``"hand_till"``, the default: each class against each other, averaged over the pairs of
        classes. ``"hand_till_weighted"``: pairs weighted by their numbers of examples. ``"macro"``:
        each class against all others, averaged. ``"weighted"``: these weighted by the number of
        examples of the class. ``"micro"``: no average, but the AUC of all scores together, where
        the score of an example for its own class is positive and for any other class negative;
        scores of different classes are then compared.
    labels : sequence, optional
        The classes in the order of the columns, or from the lowest to the highest for a single
        column of scores; by default sorted.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    sample_weight : array-like, optional
        Sample weights.

    Returns
    -------
    MulticlassInterval
        Its `value` is that of `multiclass_auc`; `parts` has the pairs of classes for the averages
        of Hand and Till, and the classes against all others for ``"macro"`` and ``"weighted"``.
        Everything is nan and there are no parts, with an `UndefinedMeasureWarning`, if a class with
        scores has no examples.

    Notes
    -----
    Every AUC is a mean of placements, so an average of AUCs is a sum over examples of their shares
    in each, and its variance is the sum of the squared total shares: DeLong's variance for two
    classes. Weighted averages include that the numbers of examples of the classes are random.

    The intervals of `parts` are of Wilson's type, as the default of `auc_interval`. That of the
    average follows by MOVER: it reaches as far as theirs on average, times the standard error of
    the average divided by the average standard error. O(k n log n) for k classes.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845.
    D. J. Hand, R. J. Till, Machine Learning 45 (2001) 171-186.
    G. Y. Zou, Psychological Methods 12 (2007) 399-413: MOVER for correlated estimates.

    Examples
    --------
    >>> y_score = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]]
    >>> result = multiclass_auc_interval(["a", "a", "b", "c"], y_score)
    >>> result
    multiclass AUC (hand_till) 0.958 [0.10, 1.00], 95 % MOVER, 4 examples
    >>> result.parts[0]
    ClassInterval(a and b: AUC 0.875 [0.09, 1.00], 2 and 1 examples)
    """
    level = check_level(confidence_level)
    if average == "micro":
        raise InputError(
            found="{average=}'micro' compares scores of different classes, and has no interval",
            fix="Choose {average=}'hand_till' or 'macro'.",
        )
    sample = MulticlassSample.of(y_true, y_score, average, labels, sample_weight)
    n = len(next(iter(sample.scores.values())))
    if sample.missing():
        return MulticlassInterval(
            average=average,
            value=math.nan,
            low=math.nan,
            high=math.nan,
            standard_error=math.nan,
            confidence_level=level,
            parts=(),
            n=n,
        )
    z = critical_value(level, "two-sided")
    estimates = [_Estimate(sample, one) for one in sample.contrasts(average)]
    parts = tuple(one.interval(z) for one in estimates)
    weighted = average.endswith("weighted")
    sizes = np.array([one.contrast.size if weighted else 1.0 for one in estimates])
    value = float(np.average([one.value for one in parts], weights=sizes))
    shares = np.zeros(n)
    for one, size in zip(estimates, sizes / sizes.sum(), strict=True):
        shares[one.contrast.rows] += size * one.shares
    of_sizes = _shares_of_sizes(sample, estimates, value) if weighted else np.zeros(n)
    low, high = _ends(value, parts, sizes / sizes.sum(), dot(shares, shares))
    shares += of_sizes
    margin = z * math.sqrt(dot(of_sizes, of_sizes))
    return MulticlassInterval(
        average=average,
        value=value,
        low=max(value - math.hypot(value - low, margin), 0.0),
        high=min(value + math.hypot(high - value, margin), 1.0),
        standard_error=math.sqrt(dot(shares, shares)),
        confidence_level=level,
        parts=parts,
        n=n,
    )


def _ends(
    value: float, parts: tuple[ClassInterval, ...], weights: Floats, variance: float
) -> tuple[float, float]:
    """MOVER for a mean of estimates: the mean distance to their ends, less for low correlation."""
    error = dot(weights, np.array([one.standard_error for one in parts]))
    # Correlation 1 if it is unknown.
    ratio = min(math.sqrt(variance) / error, 1.0) if error > 0 else 1.0
    below, above = (
        dot(weights, np.array([abs(one.value - end) for one, end in zip(parts, ends, strict=True)]))
        for ends in ([one.low for one in parts], [one.high for one in parts])
    )
    return value - ratio * below, value + ratio * above


class _Estimate:
    """The AUC of a contrast, and the shares of its examples, whose squares add up to its variance.

    Attributes
    ----------
    value : float
        The AUC.
    shares : ndarray
        Share of each example of the contrast; nan if a class has a single one.
    effective : tuple of float
        Effective numbers of examples of the two sides.
    """

    def __init__(self, sample: MulticlassSample, contrast: Contrast) -> None:
        self.contrast = contrast
        self.value = sample.value(contrast)
        self.shares = np.zeros(np.count_nonzero(contrast.rows))
        for positive in contrast.positives:
            labels, scores, weight = sample.columns(contrast, positive)
            ranking = Ranking(labels, scores, sample_weight=weight)
            self.shares += _shares(ranking) / len(contrast.positives)
        first = sample.is_class[contrast.classes[0]][contrast.rows]
        self.counts = int(np.count_nonzero(first)), int(np.count_nonzero(~first))
        weights = np.ones(len(first)) if weight is None else weight
        self.effective = _effective(weights[first]), _effective(weights[~first])

    def interval(self, z: float) -> ClassInterval:
        """The interval of the AUC."""
        variance = dot(self.shares, self.shares)
        low, high = _core.wilson_interval(self.value, variance, *self.effective, z)
        return ClassInterval(
            classes=self.contrast.classes,
            value=self.value,
            low=low,
            high=high,
            standard_error=math.sqrt(variance),
            n_pos=self.counts[0],
            n_neg=self.counts[1],
        )


def _shares(ranking: Ranking) -> Floats:
    """Deviation of each placement from its mean, scaled so that the squares add up to DeLong's."""
    rows = ranking.rows()
    sample = PairedRows(rows, None)
    below, above = placements(ranking, "auc")
    shares = np.empty(sample.size)
    for side, of_score in enumerate((below, above)):
        members, part = sample.rows[sample.slices[side]], sample.parts[side]
        placed = of_score[rows.groups[members]]
        scale = sample.scale[side] if math.isfinite(sample.scale[side]) else math.nan
        shares[members] = part * (placed - dot(part, placed)) * scale
    return shares


def _shares_of_sizes(sample: MulticlassSample, estimates: list[_Estimate], value: float) -> Floats:
    """Shares of the examples in a weighted average through the numbers of examples of classes."""
    means = {
        label: np.mean([one.value for one in estimates if label in one.contrast.classes])
        for label in sample.is_class
    }
    deviations = np.zeros(len(next(iter(sample.scores.values()))))
    for label, mask in sample.is_class.items():
        deviations[mask] = means[label] - value
    weights = np.ones(len(deviations)) if sample.weight is None else sample.weight
    number = _effective(weights)
    scale = math.sqrt(number / (number - 1)) if number > 1 else math.nan
    return np.asarray(weights / weights.sum() * deviations * scale, np.float64)


def _effective(weights: Floats) -> float:
    """Effective number of examples."""
    shares = weights / weights.sum()
    return 1 / dot(shares, shares)
