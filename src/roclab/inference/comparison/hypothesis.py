"""From evidence to an answer: what an alternative asks for, and what is told of defects."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.errors import DegenerateIntervalWarning, InputError, UndefinedMeasureWarning
from roclab.inference.comparison.evidence import Agreement, Apart, Evidence, Replicates, Score, Wald
from roclab.inference.comparison.permutation import permutation_pvalue
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.resampling import Draws
from roclab.options import check_alternative, check_level, check_method
from roclab.validation import number_or_nan

__all__ = [
    "AUCComparison",
    "Decision",
    "Difference",
    "Differences",
    "Request",
    "TestAlternative",
    "decide",
    "difference_of",
    "written_pvalue",
]

TestAlternative = Literal["two-sided", "less", "greater", "noninferior", "equivalent"]
Differences = npt.NDArray[np.float64]

_ALTERNATIVES = ("two-sided", "less", "greater", "noninferior", "equivalent")
_WITH_MARGIN = ("noninferior", "equivalent")


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCComparison:
    """A difference of two AUCs with its interval and test.

    Attributes
    ----------
    difference : float
        The first AUC less the second.
    low, high : float
        Ends of its interval. One-sided alternatives leave the other end open: at the end of the
        range. With ``"equivalent"`` it is the two-sided interval of level ``2 * confidence_level
        - 1`` (90 % for 95 %), which lies within the margins if and only if the test rejects.
    statistic : float
        Distance of the difference from the hypothesis, in standard errors. With ``"equivalent"``
        that of the hypothesis, of the two, that is harder to reject.
    pvalue : float
        Probability of a statistic as extreme as this or more, if the hypothesis is true.
    standard_error : float
        Standard error of the difference.
    df : float or None
        Degrees of freedom of Student's t; None where the normal distribution serves.
    value_a, value_b : float
        The two AUCs, or the AUC and the value.
    confidence_level : float
        Level of the interval.
    alternative : str
        What the test tries to show.
    margin : float or None
        The largest difference that does not matter.
    method : str
        How it was made; ``"score"`` where the variance came out as 0, see `compare_auc`.
    paired : bool
        Whether both AUCs are of the same rows.
    n_pos, n_neg : int
        Positive and negative examples of the first AUC.
    n_pos_b, n_neg_b : int or None
        Those of the second, if it is of other rows.
    n_resamples : int or None
        Replicates or permutations that were drawn; replicates that lack a class are left out.
    """

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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        level = self.confidence_level
        level = 2 * level - 1 if self.alternative == "equivalent" else level
        second = "" if self.n_pos_b is None else f" against {self.n_pos_b}+ {self.n_neg_b}-"
        return (
            f"AUC {self.value_a:.3f} - {self.value_b:.3f} = {self.difference:.3f} "
            f"[{self.low:.3f}, {self.high:.3f}], {100 * level:.4g} %, {written_pvalue(self.pvalue)}"
            f", {self.n_pos}+ {self.n_neg}-{second}"
        )


def written_pvalue(pvalue: float) -> str:
    """A p-value as people write it, and never as 0."""
    return "p < 0.0001" if pvalue < 0.0001 else f"p = {pvalue:.2g}"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference and what is known of its spread.

    Attributes
    ----------
    difference, variance : float
        The difference and DeLong's variance of it.
    df : float or None
        Degrees of freedom; None for the normal distribution.
    bound : Evidence
        What holds where the variance is 0.
    """

    difference: float
    variance: float
    df: float | None = None
    bound: Evidence

    def evidence(self) -> Evidence:
        """DeLong's, or what holds where his variance is 0."""
        if self.variance == 0:
            return self.bound
        error = math.sqrt(self.variance)
        return Wald(difference=self.difference, standard_error=error, df=self.df)


def difference_of(joint: JointEstimate, a: int, b: int) -> Difference:
    """The difference of the AUCs of two models over the same rows."""
    pairs = joint.independent_pairs
    same = joint.identical[a] == joint.identical[b]
    return Difference(
        difference=float(joint.values[a] - joint.values[b]),
        variance=float(joint.difference_variance[a, b]),
        df=joint.df,
        bound=Agreement(pairs=pairs) if same else Apart(first=joint.of(a), second=joint.of(b)),
    )


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked for, checked."""

    method: str
    alternative: str
    margin: float | None
    confidence_level: float
    draws: Draws | None

    @classmethod
    def of(
        cls,
        method: Any,
        methods: Sequence[str],
        alternative: Any,
        margin: Any,
        confidence_level: Any,
        draws: Callable[[], Draws],
    ) -> Request:
        """From the options as users pass them; `draws` is called if the method draws."""
        method = check_method(method, methods)
        alternative, margin = _checked_margin(alternative, margin)
        if method == "permutation" and margin is not None:
            raise InputError(
                f"A permutation tests that there is no difference, and cannot test "
                f"alternative={alternative!r}. Choose another method."
            )
        level = check_level(confidence_level, alternative)
        drawn = draws() if method in ("bootstrap", "permutation") else None
        if drawn is not None and method == "bootstrap" and drawn.n_resamples < 2:
            raise InputError("n_resamples=1 replicate has no spread. 2,000 are usual.")
        return cls(
            method=method,
            alternative=alternative,
            margin=margin,
            confidence_level=level,
            draws=drawn,
        )

    def _can_draw(self, estimate: Difference) -> bool:
        """Clusters too few for a variance can still be drawn."""
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
        """The result, with warnings in the name of the caller's caller.

        Parameters
        ----------
        estimate : Difference
            The difference.
        draw : callable
            Draws replicates of it, or differences under exchanges.
        bounds : tuple of float
            The range of the difference.
        facts
            Fields of the result that are known.
        """
        evidence = estimate.evidence()
        error = math.sqrt(estimate.variance)
        drawn: Differences | None = None
        if self.method == "score":
            evidence = estimate.bound
        elif self.draws is not None and self.method == "bootstrap" and self._can_draw(estimate):
            drawn = draw(self.draws)
            drawn = drawn[~np.isnan(drawn)]  # clusters without one of the classes give no AUC
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
        result = AUCComparison(
            difference=estimate.difference,
            **asdict(decision),
            standard_error=error,
            df=evidence.df if isinstance(evidence, Wald) else None,
            confidence_level=self.confidence_level,
            alternative=self.alternative,
            margin=self.margin,
            method="score" if scored else self.method,
            n_resamples=None if drawn is None else len(drawn),
            **facts,
        )
        bound = isinstance(evidence, Score | Apart) and self.method != "score"
        _warn_of_defects(result, bounded=bound or math.isnan(result.statistic))
        return result


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a test came to."""

    low: float
    high: float
    statistic: float
    pvalue: float


def _checked_margin(alternative: Any, margin: Any) -> tuple[str, float | None]:
    """The alternative, and the margin that it needs or must not have."""
    word = check_alternative(alternative, _ALTERNATIVES)
    if word not in _WITH_MARGIN:
        if margin is not None:
            raise InputError(
                f"margin={margin!r} goes with alternative='noninferior' or 'equivalent', not with "
                f"{word!r}. Leave one of them out."
            )
        return word, None
    width = number_or_nan(margin)
    if not 0 < width < 1:
        raise InputError(
            f"alternative={word!r} needs a margin between 0 and 1: the largest difference of AUC "
            "that does not matter, such as margin=0.05."
        )
    return word, width


def decide(
    evidence: Evidence,
    *,
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Decision:
    """The test and the interval that belong to an alternative.

    Parameters
    ----------
    evidence : Evidence
        What is known of the difference.
    alternative, margin, confidence_level
        As in `compare_auc`.
    bounds : tuple of float
        The range of the difference.
    """
    error = 1 - confidence_level
    bottom, top = bounds
    null = 0.0
    if alternative == "two-sided":
        pvalue = min(2 * min(evidence.above(0.0), evidence.below(0.0)), 1.0)
        low, high = evidence.low(error / 2), evidence.high(error / 2)
    elif alternative == "less":
        pvalue = evidence.below(0.0)
        low, high = bottom, evidence.high(error)
    elif alternative == "greater":
        pvalue = evidence.above(0.0)
        low, high = evidence.low(error), top
    elif alternative == "noninferior":
        null = -(margin or 0.0)
        pvalue = evidence.above(null)
        low, high = evidence.low(error), top
    else:
        width = margin or 0.0
        sides = [(evidence.above(-width), -width), (evidence.below(width), width)]
        pvalue, null = max(sides, key=lambda side: side[0])
        low, high = evidence.low(error), evidence.high(error)
    known = not math.isnan(pvalue)
    return Decision(
        low=max(low, bottom) if known else math.nan,
        high=min(high, top) if known else math.nan,
        statistic=evidence.statistic(null),
        pvalue=pvalue,
    )


def _warn_of_defects(result: AUCComparison, *, bounded: bool) -> None:
    if math.isnan(result.difference):
        second = "" if result.n_pos_b is None else f"; {result.n_pos_b:,} and {result.n_neg_b:,}"
        warnings.warn(
            f"An AUC needs both classes; there are {result.n_pos:,} positive and {result.n_neg:,} "
            f"negative examples{second}. The result is nan.",
            UndefinedMeasureWarning,
            stacklevel=4,
        )
    elif result.method == "bootstrap" and result.n_resamples is not None and math.isnan(result.low):
        warnings.warn(
            "The bootstrap needs two replicates with both classes (in clusters: two clusters with "
            f"each), and there are {result.n_resamples:,}. The test and its interval are nan. Draw "
            "more, or form smaller clusters.",
            UndefinedMeasureWarning,
            stacklevel=4,
        )
    elif math.isnan(result.low):
        kept = " except the p-value" if result.method == "permutation" else ""
        warnings.warn(
            "The variance of an AUC needs two examples of each class (in clusters: two clusters "
            f"with each), and there are fewer. The test and its interval are nan{kept}.",
            UndefinedMeasureWarning,
            stacklevel=4,
        )
    elif bounded:
        warnings.warn(
            f"The variance of the difference {result.difference:g} came out as 0, which is not "
            "certainty: bounds that need no variance gave the interval and the p-value.",
            DegenerateIntervalWarning,
            stacklevel=4,
        )
