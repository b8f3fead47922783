"""Hypothesis test for any measure of two models on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy.typing as npt

from roclab.checks.options import Progress, RandomState, check_level, check_method
from roclab.data.table import ScoreTable
from roclab.errors import DegenerateIntervalWarning, UndefinedMeasureWarning
from roclab.inference.comparison.alternatives import (
    Decision,
    TestAlternative,
    checked_margin,
    decide,
)
from roclab.inference.comparison.evidence import Agreement, Evidence, Replicates, Wald
from roclab.inference.comparison.hypothesis import MeasureComparison, lacks_width, zero_width
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.estimation.measure_estimate import MeasureEstimate, measure_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.measures.specification import single_measure, word_of

MeasureMethod = Literal["auto", "half_sampling", "bootstrap"]


def compare_measure(
    y_true: npt.ArrayLike,
    score_a: npt.ArrayLike,
    score_b: npt.ArrayLike,
    *,
    measure: str | Callable[..., Any],
    method: MeasureMethod = "auto",
    confidence_level: float = 0.95,
    alternative: TestAlternative = "two-sided",
    margin: float | None = None,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    **options: Any,
) -> MeasureComparison:
    """Compare any measure of two models on the same rows: difference, interval and test.

    Parameters
    ----------
    y_true : array-like
        Target labels (see `Ranking`).
    score_a, score_b : array-like
        Scores of the two models, higher for the positive class.
    measure : str or callable
        Measure that returns one number, such as `partial_auc`, or its specification, such as
        ``"partial_auc(fpr_range=(0, 0.1))"``.
    method : {"auto", "half_sampling", "bootstrap"}, default "auto"
        ``"auto"`` uses the closed form of the variance if the measure has one, see the notes, and
        otherwise ``"half_sampling"``, which computes both values on random halves of the sample.
        ``"bootstrap"`` takes interval and p-value from the replicates of the difference; it is not
        valid for measures of the ROC convex hull, such as the H-measure.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. One-sided tests and tests with a margin need more than
        0.5.
    alternative : {"two-sided", "less", "greater", "noninferior", "equivalent"}, default "two-sided"
        Alternative hypothesis. ``"less"`` means that the first value is lower, ``"noninferior"``
        that the first model is not worse by `margin` or more, also where lower values are better,
        ``"equivalent"`` that the values differ by less than `margin`.
    margin : float, optional
        Largest difference that does not matter, for ``"noninferior"`` and ``"equivalent"``.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations. Closed forms do not use
        it.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    stratified : bool, default True
        Resample positives and negatives separately. Otherwise all rows are resampled together, and
        replicates that lack a class are left out. Closed forms treat the numbers of positives and
        negatives as fixed, or else as random.
    cluster : array-like, optional
        Cluster of each row, such as a patient. Clusters instead of rows are then assumed to be
        independent.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.
    sample_weight : array-like, optional
        Sample weights. The result does not depend on their scale.
    pos_label : object, optional
        Positive class label.
    **options
        Options of the measure, such as ``fpr_range=(0, 0.1)``.

    Returns
    -------
    MeasureComparison
        The fields of `AUCComparison`, and the measure. Undefined values are nan, with a warning, as
        for `compare_auc`.

    Raises
    ------
    InputError
        The measure has several parts, or is infinite for a model.

    Notes
    -----
    `method` of the result names the test. The interval excludes the null hypothesis if and only if
    the test rejects it. The statistic has the sign of the difference, or is 0.

    - AUC: as `compare_auc`; scored AUC: DeLong's test.
    - Means over rows (Brier score, log loss, accuracy): ``"paired_t"``, Welch's t test of the
      differences between the two losses of each row, in both classes.
    - Partial AUC, average precision, Gini coefficient, expected cost at a threshold:
      ``"influence_function"``, Student's t with the variance of the differences of influence
      functions, as DeLong's test for the AUC. It has the fewer degrees of freedom, the fewer
      examples determine the variance.
    - All others: ``"half_sampling"``, the delete-half jackknife with a correction for bias, as in
      `interval`. Where the bias exceeds the difference, the interval is centred at 0 and the
      p-value is 1.

    Two models whose difference is 0 and never varies, such as two that rank perfectly, agree on
    all examples; they are the same model only if their scores are the same, and then the interval
    is 0 alone. Otherwise, as in `compare_auc`, it excludes the differences under which such
    agreement is improbable (``"agreement"``): those d, as a share of the range of the measure, with
    (1 - d)^n below the error rate, for n the size of the smaller class, or the number of rows for
    the accuracy. Agreement does not bound the difference of a measure without bounds, and the
    interval is infinite. Any other difference with variance 0 has no test: it is nan, with a
    `DegenerateIntervalWarning`.

    With weights, effective sample sizes replace the numbers of examples. O(n log n), times
    `n_resamples` with resampling.

    References
    ----------
    F. R. Hampel, Journal of the American Statistical Association 69 (1974) 383-393 (influence
    functions).
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845.
    L. E. Dodd, M. S. Pepe, Biometrics 59 (2003) 614-623 (partial AUC).
    B. L. Welch, Biometrika 34 (1947) 28-35.
    J. Shao, C. F. J. Wu, Annals of Statistics 17 (1989) 1176-1197 (half-sampling).

    Examples
    --------
    >>> y, a, b = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9], [0.2, 0.6, 0.5, 0.7, 0.4, 0.5]
    >>> compare_measure(y, a, b, measure="brier_score")
    brier_score 0.112 - 0.158 = -0.047 [-0.314, 0.220], 95 % paired t, p = 0.54, 3+ 3-
    >>> compare_measure(y, a, b, measure="partial_auc(fpr_range=(0, 0.5))").method
    'influence_function'
    """
    entry, chosen = single_measure(measure, "a comparison", **options)
    check_method(method, MeasureMethod)
    bottom, top = entry.range_with(chosen)
    _, margin = checked_margin(alternative, margin, top - bottom)
    level = check_level(confidence_level, alternative)
    if entry.name == "auc" and method != "half_sampling":
        return compare_auc(
            y_true,
            score_a,
            score_b,
            sample_weight=sample_weight,
            pos_label=pos_label,
            method=method,
            alternative=alternative,
            margin=margin,
            confidence_level=level,
            n_resamples=n_resamples,
            rng=rng,
            stratified=stratified,
            cluster=cluster,
            progress=progress,
        )
    draws = Draws.of(n_resamples, rng, stratified, cluster, progress)
    table = ScoreTable(
        y_true,
        {"score_a": score_a, "score_b": score_b},
        sample_weight=sample_weight,
        pos_label=pos_label,
    )
    estimate = measure_estimate(table, entry, chosen, draws, method)
    joint, evidence = estimate.joint, pair_evidence(estimate, 0, 1)
    decision = decide_pair(
        estimate,
        0,
        1,
        better=entry.better,
        alternative=alternative,
        margin=margin,
        confidence_level=level,
    )
    result = MeasureComparison(
        measure=word_of(entry, chosen),
        difference=float(joint.values[0] - joint.values[1]),
        **asdict(decision),
        standard_error=pair_error(estimate, 0, 1),
        df=evidence.df if isinstance(evidence, Wald) else None,
        value_a=float(joint.values[0]),
        value_b=float(joint.values[1]),
        confidence_level=level,
        alternative=alternative,
        margin=margin,
        method=pair_method(estimate, 0, 1),
        paired=True,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
        n_resamples=None if estimate.replicates is None else len(estimate.replicates),
    )
    _warn_of_defects(result, entry.better, estimate.rounding(0, 1))
    return result


def pair_evidence(estimate: MeasureEstimate, a: int, b: int) -> Evidence:
    """Evidence about the difference of two models."""
    joint = estimate.joint
    difference = float(joint.values[a] - joint.values[b])
    error, df = pair_error(estimate, a, b), float(estimate.df[a, b])
    if difference == 0 and error == 0:
        return Agreement(pairs=estimate.agreeing_pairs, span=estimate.span)
    if estimate.method == "bootstrap" and estimate.replicates is not None and error > 0:
        return Replicates(
            difference=difference,
            replicates=estimate.replicates[:, a] - estimate.replicates[:, b],
            rounding=estimate.rounding(a, b),
        )
    corrected = difference - estimate.difference_bias(a, b)
    return Wald(
        # Where the bias exceeds the difference, none is left; it does not turn into its opposite.
        difference=0.0 if corrected * difference <= 0 else corrected,
        standard_error=error if error > 0 and df > 0 else math.nan,
        df=None if math.isinf(df) else df,
    )


def pair_error(estimate: MeasureEstimate, a: int, b: int) -> float:
    """Standard error of a difference; a bias is not known better than to its size."""
    variance = estimate.joint.difference_variance[a, b]
    return math.hypot(math.sqrt(variance), estimate.difference_bias(a, b))


def pair_method(estimate: MeasureEstimate, a: int, b: int) -> str:
    """Name of the test of two models."""
    evidence = pair_evidence(estimate, a, b)
    agree = isinstance(evidence, Agreement) and not estimate.same_models(a, b)
    return evidence.method if agree else estimate.method


def decide_pair(
    estimate: MeasureEstimate,
    a: int,
    b: int,
    *,
    better: str = "higher",
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float,
) -> Decision:
    """Test of the difference of two models; those with the same scores do not differ."""
    span = estimate.span
    if margin is None and estimate.same_models(a, b) and pair_error(estimate, a, b) == 0:
        return Decision(
            low=-span if alternative == "less" else 0.0,
            high=span if alternative == "greater" else 0.0,
            statistic=0.0,
            pvalue=1.0,
        )
    evidence = pair_evidence(estimate, a, b)
    # Not worse by the margin: of measures of which lower values are better, the reverse.
    reverse = better == "lower" and alternative == "noninferior"
    decision = decide(
        _Reversed(evidence) if reverse else evidence,
        alternative=alternative,
        margin=margin,
        confidence_level=confidence_level,
        bounds=(-span, span),
    )
    if not reverse:
        return decision
    return replace(decision, low=-decision.high, high=-decision.low, statistic=-decision.statistic)


@dataclass(frozen=True)
class _Reversed:
    """Evidence about the second value minus the first."""

    evidence: Evidence

    @property
    def method(self) -> str:
        return self.evidence.method

    def above(self, null: float) -> float:
        return self.evidence.below(-null)

    def below(self, null: float) -> float:
        return self.evidence.above(-null)

    def low(self, error: float) -> float:
        return -self.evidence.high(error)

    def high(self, error: float) -> float:
        return -self.evidence.low(error)

    def statistic(self, null: float) -> float:
        return -self.evidence.statistic(-null)


def _warn_of_defects(result: MeasureComparison, better: str, rounding: float) -> None:
    warning: UndefinedMeasureWarning | DegenerateIntervalWarning
    if math.isnan(result.difference):
        warning = UndefinedMeasureWarning(
            found="There are {n_pos} positive and {n_neg} negative examples",
            needed="{measure} is undefined for them",
            fix="The result is nan.",
            n_pos=f"{result.n_pos:,}",
            n_neg=f"{result.n_neg:,}",
            measure=result.measure,
        )
    elif math.isnan(result.pvalue) and result.standard_error == 0:
        warning = DegenerateIntervalWarning(
            found="The variance of the difference {difference} is 0, which is not certainty",
            fix="The test and its interval are nan.",
            difference=f"{result.difference:g}",
        )
    elif math.isnan(result.pvalue):
        warning = UndefinedMeasureWarning(
            found="A class has fewer than two examples, or too few replicates are defined",
            needed="the variance of a difference needs two examples of each class (with clusters: "
            "two clusters with each class)",
            fix="The test and its interval are nan.",
        )
    elif result.standard_error > 0 and lacks_width(result, rounding, better):
        warning = zero_width(result.difference)
    else:
        return
    warning.issue()
