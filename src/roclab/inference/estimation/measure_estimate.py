"""Any measure of several models on the same rows, with the variances of all differences.

The variance is that of the influence functions where the measure has one, and otherwise that over
random halves of the sample, or over bootstrap replicates.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.data.ranking import Ranking
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.inference.estimation.delong import Rankings, joined, joint_estimate
from roclab.inference.estimation.joint_estimate import JointEstimate, satterthwaite_df
from roclab.inference.estimation.paired_rows import PairedRows, same_ranking, same_scores
from roclab.inference.estimation.resampling import (
    Draws,
    half_samples,
    resample_measure,
)
from roclab.measures import Measure
from roclab.measures.influence import Influence
from roclab.measures.specification import word_of
from roclab.numeric.sums import dot, rounding_of, without_rounding

Floats = npt.NDArray[np.float64]

_EPSILON = float(np.finfo(np.float64).eps)
# Bias of a half minus bias of the whole, over the latter: that of measures of the ROC convex hull
# falls with the power 2/3 of the sample size.
BIAS_RATIO = 2 ** (2 / 3) - 1


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasureEstimate:
    """Values of a measure, with what the tests of their differences need.

    Attributes
    ----------
    joint : JointEstimate
        Values and variances.
    bias : ndarray of shape (k,)
        Estimated bias of each value.
    df : ndarray of shape (k, k)
        Degrees of freedom of the variance of each difference; of each value on the diagonal.
        Infinite for the normal distribution.
    bounds : tuple of float
        Range of the measure.
    method : str
        ``"delong"``, ``"paired_t"``, ``"influence_function"``, ``"half_sampling"`` or
        ``"bootstrap"``.
    replicates : ndarray or None
        Values in halves or replicates, by models; those that are undefined are left out.
    trials : float or None
        `Measure.trials` of the sample.
    rankings : tuple of Ranking
        The models.
    """

    joint: JointEstimate
    bias: Floats
    df: Floats
    bounds: tuple[float, float]
    method: str
    replicates: Floats | None = None
    trials: float | None = None
    rankings: tuple[Ranking, ...]

    @property
    def span(self) -> float:
        """Largest possible difference of two values."""
        return self.bounds[1] - self.bounds[0]

    @property
    def agreeing_pairs(self) -> float:
        """Number of independent pairs, or for means over rows of independent rows."""
        joint, trials = self.joint, self.trials
        if trials is None or trials < sum(joint.independent_examples):
            return joint.independent_pairs
        return trials if joint.clusters is None else min(trials, joint.clusters.total)

    def rounding(self, a: int, b: int) -> float:
        """Largest difference of two models from rounding alone."""
        return rounding_of(self.joint.values[[a, b]], self.bounds)

    def difference_bias(self, a: int, b: int) -> float:
        """Estimated bias of the difference of two models."""
        bias = float(self.bias[a] - self.bias[b])
        return 0.0 if abs(bias) <= self.rounding(a, b) / BIAS_RATIO else bias

    def same_models(self, a: int, b: int) -> bool:
        """Whether two models have the same scores; for the scored AUC the same score margins."""
        first, second = self.rankings[a], self.rankings[b]
        if self.method == "delong":
            alike = self.joint.identical[a] == self.joint.identical[b]
            return alike and same_ranking(first, second)
        return same_scores(first, second)


def measure_estimate(
    rankings: Rankings,
    entry: Measure,
    options: Mapping[str, Any],
    draws: Draws,
    method: str = "auto",
) -> MeasureEstimate:
    """Estimate a measure with one number for several models.

    Parameters
    ----------
    rankings : ScoreTable or mapping of str to Ranking
        The models.
    entry, options
        Measure and its options, from `find_measure`.
    draws : Draws
        How rows are resampled. Clusters, and whether the classes are fixed (`stratified`), also
        count for closed forms.
    method : {"auto", "half_sampling", "bootstrap"}
        ``"auto"`` is the closed form if there is one, and otherwise ``"half_sampling"``.

    Raises
    ------
    InputError
        A value is infinite.
    """
    if method == "auto" and entry.has_variance and not options:
        return _by_delong(rankings, entry, draws)
    draws.prepare(*(rankings[name] for name in rankings))
    values = np.array([entry.value_of(rankings[name], **options) for name in rankings])
    for name, value in zip(rankings, values, strict=True):
        if math.isinf(value):
            raise InputError(
                found="{measure} of {model} is infinite",
                needed="a comparison needs finite values",
                fix="Choose other options, such as clip=1e-15 for log_loss.",
                measure=word_of(entry, options),
                model=name,
            )
    if method == "auto":
        found = _by_influence(rankings, entry, options, values, draws)
        if found is not None:
            return found
    return _by_resampling(rankings, entry, options, values, draws, method)


def _by_delong(rankings: Rankings, entry: Measure, draws: Draws) -> MeasureEstimate:
    measure: EstimatedMeasure = "auc" if entry.name == "auc" else "scored_auc"
    joint = joint_estimate(rankings, measure=measure, clusters=draws.clusters)
    return delong_estimate(joint, entry, [rankings[name] for name in joint.names])


def delong_estimate(
    joint: JointEstimate, entry: Measure, rankings: Sequence[Ranking]
) -> MeasureEstimate:
    """The AUC or the scored AUC with DeLong's variance."""
    models = len(joint.names)
    return MeasureEstimate(
        joint=joint,
        bias=np.zeros(models),
        df=np.full((models, models), np.inf if joint.df is None else joint.df),
        bounds=entry.range_with({}),
        method="delong",
        trials=entry.trials(joint.independent_examples),
        rankings=tuple(rankings),
    )


def _by_influence(
    rankings: Rankings,
    entry: Measure,
    options: Mapping[str, Any],
    values: Floats,
    draws: Draws,
) -> MeasureEstimate | None:
    names = tuple(rankings)
    sample = PairedRows(rankings[names[0]].rows(), draws.clusters)
    if entry.influence is None:
        return None
    shares = np.zeros((len(names), sample.size if sample.has_spread else 0))
    noise = np.zeros(len(names))
    if sample.has_spread:
        for model, name in enumerate(names):
            ranking = rankings[name]
            found = entry.influence(ranking, **options)
            if found is None:
                return None
            random = draws.clusters is not None or not draws.stratified
            noise[model] = _fill(sample, ranking, found, random, shares[model])
    of_classes = [shares[:, part].copy() for part in sample.slices] if sample.has_spread else []
    joint = joined(sample, word_of(entry, options), names, values, noise, shares)
    df = np.full((len(names), len(names)), np.nan if joint.df is None else joint.df)
    if joint.df is None and of_classes:
        df = _welch_df(of_classes, sample.effective, normal=entry.row_mean)
    return MeasureEstimate(
        joint=joint,
        bias=np.zeros(len(names)),
        df=df,
        bounds=entry.range_with(options),
        method=entry.closed_form or "",
        trials=entry.trials(joint.independent_examples),
        rankings=tuple(rankings[name] for name in names),
    )


def _fill(
    sample: PairedRows, ranking: Ranking, found: Influence, random: bool, shares: Floats
) -> float:
    """Fill in the shares of the rows, and return the noise of their sum.

    With random classes the share of positives varies too.
    """
    groups = ranking.rows().groups[sample.rows]
    totals = [float(sample.weights_of(part).sum()) for part in sample.slices]
    positives = totals[0] / sum(totals)
    noise = 0.0
    for side, contributions in enumerate((found.of_pos, found.of_neg)):
        part, parts = sample.slices[side], sample.parts[side]
        moved = contributions[groups[part]]
        noise = max(noise, 8 * _EPSILON * math.sqrt(sample.size) * float(np.abs(moved).max()))
        deviations = moved - dot(parts, moved)
        deviations[np.abs(deviations) <= noise] = 0.0
        if random:
            others = 1 - positives if side == 0 else -positives
            deviations += others * totals[side] / sum(totals) * found.of_prevalence
        shares[part] = deviations * (parts * sample.scale[side])
    return noise


def _welch_df(of_classes: list[Floats], sizes: tuple[float, float], *, normal: bool) -> Floats:
    """Satterthwaite's degrees of freedom of all differences, and of each value on the diagonal.

    The variance of n values has n - 1 degrees of freedom if they are normal, as Welch assumes. With
    kurtosis k it has about 2 n / (k - 1): few, if few examples have an influence.
    """
    models = len(of_classes[0])
    total, spread = np.zeros((2, models, models))
    for shares, size in zip(of_classes, sizes, strict=True):
        for a, b in itertools.combinations_with_replacement(range(models), 2):
            squares = (shares[a] - shares[b] if a != b else shares[a]) ** 2
            variance = float(np.sum(squares))
            freedom = size - 1
            if not normal and variance > 0:
                kurtosis = len(squares) * float(np.sum((squares / variance) ** 2))
                freedom = min(freedom, 2 * size / max(kurtosis - 1, 2.0))
            total[a, b] += variance
            if variance > 0:  # of a single effective example it is not known at all
                spread[a, b] += variance**2 / freedom if freedom > 0 else math.inf
    df = np.full_like(spread, sum(sizes) - 2)
    np.divide(total**2, spread, out=df, where=spread > 0)
    return np.asarray(np.triu(df) + np.triu(df, 1).T)


def _by_resampling(
    rankings: Rankings,
    entry: Measure,
    options: Mapping[str, Any],
    values: Floats,
    draws: Draws,
    method: str,
) -> MeasureEstimate:
    names = tuple(rankings)
    sample = PairedRows(rankings[names[0]].rows(), draws.clusters)
    halves = method != "bootstrap"
    replicates = np.empty((0, len(names)))
    if sample.n_pos and sample.n_neg:
        resample = half_samples if halves else resample_measure
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            replicates = resample(
                partial(entry.value_of, **options), [rankings[name] for name in names], draws
            )
        replicates = replicates[np.isfinite(replicates).all(axis=1)]
        replicates = without_rounding(replicates, values, entry.range_with(options))
    # Those of a model that never varies are exactly 0.
    deviations = replicates - values
    joint = _joint_of_deviations(
        sample, word_of(entry, options), names, values, deviations, entry.range_with(options)
    )
    bias = np.zeros(len(names))
    if halves and len(replicates):
        bias = deviations[:, joint.identical].mean(axis=0) / BIAS_RATIO
    numbers = joint.independent_examples
    return MeasureEstimate(
        joint=joint,
        bias=bias,
        df=np.full((len(names), len(names)), satterthwaite_df(*numbers)),
        bounds=entry.range_with(options),
        method="half_sampling" if halves else "bootstrap",
        replicates=replicates,
        trials=entry.trials(numbers),
        rankings=tuple(rankings[name] for name in names),
    )


def _joint_of_deviations(
    sample: PairedRows,
    word: str,
    names: tuple[str, ...],
    values: Floats,
    deviations: Floats,
    bounds: tuple[float, float],
) -> JointEstimate:
    """Variances from the deviations of replicates from the values."""
    models = len(names)
    first = list(range(models))
    variance, covariance = (np.full((models, models), np.nan) for _ in range(2))
    if len(deviations) > 1:
        np.fill_diagonal(variance, 0.0)
        np.fill_diagonal(covariance, deviations.var(axis=0, ddof=1))
        for a, b in itertools.combinations(range(models), 2):
            limit = rounding_of(values[[a, b]], bounds)
            differences = deviations[:, a] - deviations[:, b]
            alike = bool((np.abs(differences) <= limit).all())
            variance[a, b] = variance[b, a] = 0.0 if alike else differences.var(ddof=1)
            between = covariance[a, a] + covariance[b, b] - variance[a, b]
            covariance[a, b] = covariance[b, a] = between / 2
            if first[b] == b and alike and abs(values[a] - values[b]) <= limit:
                first[b] = first[a]
    return JointEstimate(
        measure=word,
        names=names,
        values=values[first],
        covariance=covariance,
        difference_variance=variance,
        identical=tuple(first),
        n_pos=sample.n_pos,
        n_neg=sample.n_neg,
        effective_pos=sample.effective[0],
        effective_neg=sample.effective[1],
        clusters=None if sample.clusters is None else sample.clusters.counts,
        design_effect=np.ones(models),
    )
