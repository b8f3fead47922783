"""Hypothesis tests of a difference: their options, their results and warnings about them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_count, check_level, check_method
from roclab.errors import DegenerateIntervalWarning, InputError, UndefinedMeasureWarning
from roclab.formatting import level_and_method, with_interval
from roclab.inference.comparison.alternatives import checked_margin, decide
from roclab.inference.comparison.evidence import Apart, Evidence, Replicates, Score, Wald
from roclab.inference.comparison.permutation import permutation_pvalue
from roclab.inference.comparison.small_samples import Mover, Shrunken, power_bound
from roclab.inference.comparison.studentized import StudentizedPermutation
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.interval import TITLES
from roclab.numeric.sums import ROUNDING
from roclab.result import Result

Differences = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, repr=False)
class MeasureComparison(Result):
    """Difference of a measure between two models with its confidence interval and test.

    Attributes
    ----------
    measure : str
        Measure that was compared, with its options.
    difference : float
        First value minus second.
    low, high : float
        Ends of the interval of the difference. For one-sided alternatives the other end is the end
        of the range. For ``"equivalent"`` it is the two-sided interval of level
        ``2 * confidence_level - 1`` (90 % for 95 %), which lies within the margins if and only if
        the test rejects.
    statistic : float
        Distance of the difference from the null hypothesis, in standard errors. For
        ``"equivalent"``, that of the null hypothesis that is harder to reject.
    pvalue : float
        Probability of a statistic at least as extreme under the null hypothesis.
    standard_error : float
        Standard error of the difference.
    df : float or None
        Degrees of freedom of Student's t; None for the normal distribution.
    value_a, value_b : float
        The two values, or the value and that of the null hypothesis.
    confidence_level : float
        Confidence level of the interval.
    alternative : str
        Alternative hypothesis.
    margin : float or None
        Largest difference that does not matter.
    method : str
        Method; ``"score"`` where the variance is 0, and for ``"auto"`` the test that was chosen,
        see `compare_auc` and `compare_measure`.
    paired : bool
        Whether both values are from the same rows.
    n_pos, n_neg : int
        Number of positive and negative examples of the first value.
    n_pos_b, n_neg_b : int or None
        Those of the second value, if it is from other rows.
    n_resamples : int or None
        Number of replicates or permutations; replicates that lack a class are left out.
    """

    measure: str
    difference: float
    low: float
    high: float
    statistic: float
    pvalue: float
    standard_error: float
    df: float | None
    value_a: float
    value_b: float
    confidence_level: float
    alternative: str
    margin: float | None
    method: str
    paired: bool
    n_pos: int
    n_neg: int
    n_pos_b: int | None = None
    n_neg_b: int | None = None
    n_resamples: int | None = None

    def __repr__(self) -> str:
        level = self.confidence_level
        level = 2 * level - 1 if self.alternative == "equivalent" else level
        second = "" if self.n_pos_b is None else f" against {self.n_pos_b}+ {self.n_neg_b}-"
        return (
            f"{TITLES.get(self.measure, self.measure)} "
            f"{self.value_a:.3f} - {self.value_b:.3f} = "
            f"{with_interval(self.difference, self.low, self.high, least=3)}, "
            f"{level_and_method(level, self.method)}, {written_pvalue(self.pvalue)}, "
            f"{self.n_pos}+ {self.n_neg}-{second}"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCComparison(MeasureComparison):
    """Difference of two AUCs, or of an AUC and a value, with its confidence interval and test.

    Attributes
    ----------
    measure : str
        ``"auc"``.
    difference : float
        First value minus second.
    low, high : float
        Ends of the interval of the difference. For one-sided alternatives the other end is the end
        of the range. For ``"equivalent"`` it is the two-sided interval of level
        ``2 * confidence_level - 1`` (90 % for 95 %), which lies within the margins if and only if
        the test rejects.
    statistic : float
        Distance of the difference from the null hypothesis, in standard errors. For
        ``"equivalent"``, that of the null hypothesis that is harder to reject.
    pvalue : float
        Probability of a statistic at least as extreme under the null hypothesis.
    standard_error : float
        Standard error of the difference.
    df : float or None
        Degrees of freedom of Student's t; None for the normal distribution.
    value_a, value_b : float
        The two values, or the value and that of the null hypothesis.
    confidence_level : float
        Confidence level of the interval.
    alternative : str
        Alternative hypothesis.
    margin : float or None
        Largest difference that does not matter.
    method : str
        Method; ``"score"`` where the variance is 0, and for ``"auto"`` the test that was chosen,
        see `compare_auc` and `compare_measure`.
    paired : bool
        Whether both values are from the same rows.
    n_pos, n_neg : int
        Number of positive and negative examples of the first value.
    n_pos_b, n_neg_b : int or None
        Those of the second value, if it is from other rows.
    n_resamples : int or None
        Number of replicates or permutations; replicates that lack a class are left out.
    """

    measure: str = "auc"

    @property
    def power_bound(self) -> float:
        """Upper bound of the power of any valid test against a perfect model."""
        sizes = (self.n_pos, self.n_neg)
        if self.n_pos_b is not None and self.n_neg_b is not None and self.difference < 0:
            sizes = (self.n_pos_b, self.n_neg_b)
        one = not self.paired and self.n_pos_b is None
        lower = math.nan if one else min(self.value_a, self.value_b)
        return power_bound(lower, min(sizes), 1 - self.confidence_level)


def written_pvalue(pvalue: float) -> str:
    """Format a p-value, never as 0."""
    return "p < 0.0001" if pvalue < 0.0001 else f"p = {pvalue:.2g}"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference with its variance.

    Attributes
    ----------
    difference, variance : float
        The difference and its variance after DeLong.
    df : float or None
        Degrees of freedom; None for the normal distribution.
    bound : Evidence
        Replacement where the variance is 0.
    auto : callable
        Returns the evidence of ``method="auto"`` for an alternative.
    """

    difference: float
    variance: float
    df: float | None = None
    bound: Evidence
    auto: Callable[[str], Evidence]

    def evidence(self) -> Evidence:
        """Wald's with DeLong's variance, or the replacement where that is 0."""
        if self.variance == 0:
            return self.bound
        error = math.sqrt(self.variance)
        return Wald(difference=self.difference, standard_error=error, df=self.df)


@dataclass(frozen=True, kw_only=True)
class Request:
    """The checked options of a test."""

    method: str = "delong"
    alternative: str = "two-sided"
    margin: float | None = None
    confidence_level: float = 0.95
    draws: Draws | None = None

    @classmethod
    def of(
        cls,
        method: Any,
        methods: Any,
        alternative: Any,
        margin: Any,
        confidence_level: Any,
        draws: Callable[[], Draws],
    ) -> Request:
        """Check the options; `draws` is called only if the method resamples."""
        method = check_method(method, methods)
        alternative, margin = checked_margin(alternative, margin)
        if method == "permutation" and margin is not None:
            raise InputError(
                found="{method=}'permutation' cannot test {alternative=}{value}, only whether "
                "there is a difference",
                fix="Choose {method=}'delong' or 'bootstrap'.",
                value=repr(alternative),
            )
        level = check_level(confidence_level, alternative)
        drawn = draws() if method in ("bootstrap", "permutation") else None
        if drawn is not None and method == "bootstrap":
            check_count("n_resamples", drawn.n_resamples, 2, fix="2,000 are usual.")
        return cls(
            method=method,
            alternative=alternative,
            margin=margin,
            confidence_level=level,
            draws=drawn,
        )

    def _can_resample(self, estimate: Difference) -> bool:
        """Whether there is a variance, or clusters: too few for a variance can be resampled."""
        clustered = self.draws is not None and self.draws.clusters is not None
        return estimate.variance > 0 or (clustered and math.isnan(estimate.variance))

    def answer(
        self,
        estimate: Difference,
        draw: Callable[[Draws], Differences],
        *,
        bounds: tuple[float, float] = (-1.0, 1.0),
        **facts: Any,
    ) -> AUCComparison:
        """Build the result; warnings point to the caller's caller.

        Parameters
        ----------
        estimate : Difference
            The difference.
        draw : callable
            Returns replicates of the difference, or differences under permutations.
        bounds : tuple of float
            Range of the difference.
        facts
            Other fields of the result.
        """
        evidence, error = estimate.evidence(), math.sqrt(estimate.variance)
        drawn: Differences | None = None
        if self.method == "auto":
            evidence = estimate.auto(self.alternative)
        elif self.method == "score":
            evidence = estimate.bound
        elif self.draws is not None and self.method == "bootstrap" and self._can_resample(estimate):
            drawn = draw(self.draws)
            drawn = drawn[~np.isnan(drawn)]  # resampled clusters may lack a class
            replicates = Replicates(difference=estimate.difference, replicates=drawn)
            error = replicates.standard_error
            evidence = replicates if error > 0 else estimate.bound
            if math.isnan(error):
                evidence = Wald(difference=estimate.difference, standard_error=error)
        if isinstance(evidence, Score):
            error = evidence.standard_error(0.0)
        decision = decide(
            evidence,
            alternative=self.alternative,
            margin=self.margin,
            confidence_level=self.confidence_level,
            bounds=bounds,
        )
        permute = self.method == "permutation" and not math.isnan(estimate.difference)
        if self.draws is not None and permute:
            drawn = draw(self.draws)
            pvalue = permutation_pvalue(estimate.difference, drawn, self.alternative)
            decision = replace(decision, pvalue=pvalue)
        scored = isinstance(evidence, Score | Apart) and not permute
        exchanges = evidence.drawn if isinstance(evidence, StudentizedPermutation) else None
        result = AUCComparison(
            difference=estimate.difference,
            **asdict(decision),
            standard_error=error,
            df=evidence.df if isinstance(evidence, Wald | Mover | Shrunken) else None,
            confidence_level=self.confidence_level,
            alternative=self.alternative,
            margin=self.margin,
            method=evidence.method if self.method == "auto" or scored else self.method,
            n_resamples=exchanges if drawn is None else len(drawn),
            **facts,
        )
        bound = isinstance(evidence, Score | Apart) and self.method != "score"
        _warn_of_defects(result, bounded=bound or math.isnan(result.statistic))
        return result


def lacks_width(
    result: MeasureComparison, rounding: float = ROUNDING, better: str = "higher"
) -> bool:
    """Whether an interval has zero width, or a bound equals the difference, but for rounding."""
    low, high = result.low, result.high
    side = result.alternative
    if side == "noninferior":
        side = "greater" if better == "higher" else "less"
    if side == "greater":
        high = result.difference
    elif side == "less":
        low = result.difference
    return high - low <= rounding


def zero_width(difference: float) -> DegenerateIntervalWarning:
    """The warning about an interval of zero width that is no certainty."""
    return DegenerateIntervalWarning(
        found="The interval of the difference {difference} has zero width, which is not certainty",
        difference=f"{difference:g}",
    )


def _warn_of_defects(result: AUCComparison, *, bounded: bool) -> None:
    warning: UndefinedMeasureWarning | DegenerateIntervalWarning
    if math.isnan(result.difference):
        second = ""
        if result.n_pos_b is not None:
            second = f", {result.n_pos_b:,} and {result.n_neg_b:,} in the second sample"
        warning = UndefinedMeasureWarning(
            found="There are {n_pos} positive and {n_neg} negative examples{second}",
            needed="an AUC needs both classes",
            fix="The result is nan.",
            n_pos=f"{result.n_pos:,}",
            n_neg=f"{result.n_neg:,}",
            second=second,
        )
    elif result.method == "bootstrap" and result.n_resamples is not None and math.isnan(result.low):
        warning = UndefinedMeasureWarning(
            found="There are {count} bootstrap replicates with both classes",
            needed="two are needed (with clusters: two clusters with each class)",
            fix="The test and its interval are nan. Increase {n_resamples}, or form smaller "
            "clusters.",
            count=f"{result.n_resamples:,}",
        )
    elif math.isnan(result.low):
        kept = " except the p-value" if result.method == "permutation" else ""
        warning = UndefinedMeasureWarning(
            found="A class has fewer than two examples",
            needed="the variance of an AUC needs two examples of each class (with clusters: two "
            "clusters with each class)",
            fix=f"The test and its interval are nan{kept}.",
        )
    elif bounded:
        warning = DegenerateIntervalWarning(
            found="The variance of the difference {difference} is 0, which is not certainty",
            fix="The interval and the p-value come from bounds that need no variance.",
            difference=f"{result.difference:g}",
        )
    elif lacks_width(result):
        warning = zero_width(result.difference)
    else:
        return
    warning.issue()
