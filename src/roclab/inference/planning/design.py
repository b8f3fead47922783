"""What a study is to show, and how strong it is at given sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from roclab.errors import InputError
from roclab.inference.planning.variance import SPREADS, Sizes
from roclab.numeric.distributions import normal_cdf, normal_quantile
from roclab.options import Alternative, check_alternative, check_method
from roclab.validation import number_or_nan

__all__ = ["PlanningMethod", "StudyDesign", "checked_positive", "checked_share"]

PlanningMethod = Literal["obuchowski", "delong"]

# One sample agrees with itself.
_SAME = (1.0, 1.0)
# Nearer to 0 and 1 an AUC has no spread that numbers could tell.
_LOWEST_AUC = 1e-12
_LEAST, _MOST = 1e-30, 1e30  # of sizes and ratios


@dataclass(frozen=True, kw_only=True)
class StudyDesign:
    """What is asked of a study, apart from the AUC, the sizes, the power and alpha.

    Attributes
    ----------
    null_value : float
        The value to tell the AUC from: that of the other model, if there is one.
    compared : bool
        Whether there is another model.
    paired : bool
        Whether both models score the same rows.
    correlations : tuple of float or None
        Of the scores of the two models, among positives and among negatives.
    estimate_correlation : float or None
        Of the two AUCs, where it is given in place of that of the scores.
    sample_ratio : float
        Size of the other model's sample over that of the first, where they are not paired.
    alternative, method : str
        As in `plan_auc_study`.
    """

    null_value: float
    compared: bool
    paired: bool
    correlations: tuple[float, float] | None
    estimate_correlation: float | None
    sample_ratio: float
    alternative: Alternative
    method: PlanningMethod

    @classmethod
    def of(
        cls,
        *,
        null_value: Any,
        other_auc: Any,
        correlation: Any,
        estimate_correlation: Any,
        paired: Any,
        sample_ratio: Any,
        alternative: Any,
        method: Any,
    ) -> StudyDesign:
        """From the options as users pass them."""
        compared = other_auc is not None
        if compared and null_value is not None:
            raise InputError(
                f"null_value={null_value!r} and other_auc={other_auc!r} both say what to compare "
                "the AUC with. Leave one of them out."
            )
        linked = correlation is not None or estimate_correlation is not None
        times = checked_positive("sample_ratio", sample_ratio)
        _check_that_pairs_are_described(compared, paired, correlation, estimate_correlation, times)
        reference = other_auc if compared else 0.5 if null_value is None else null_value
        return cls(
            null_value=checked_share("other_auc" if compared else "null_value", reference),
            compared=compared,
            paired=compared and linked,
            correlations=None if correlation is None else _checked_correlations(correlation),
            estimate_correlation=None
            if estimate_correlation is None
            else _checked_correlation("estimate_correlation", estimate_correlation),
            sample_ratio=times,
            alternative=check_alternative(alternative),
            method="delong" if check_method(method, tuple(SPREADS)) == "delong" else "obuchowski",
        )

    def distance(self, auc: float) -> float:
        """How far the AUC lies from the null value, on the side that the test looks at."""
        difference = auc - self.null_value
        if self.alternative == "two-sided":
            return abs(difference)
        return difference if self.alternative == "greater" else -difference

    def error(self, auc: float, sizes: Sizes) -> float:
        """The standard error foreseen, of the AUC or of the difference from the other model's."""
        spread = SPREADS[self.method]
        variance = spread(auc, auc, sizes, _SAME)
        if not self.compared:
            return math.sqrt(variance)
        k = 1.0 if self.paired else self.sample_ratio
        other = spread(self.null_value, self.null_value, (k * sizes[0], k * sizes[1]), _SAME)
        together = 0.0
        if self.paired:
            together = 2 * self.covariance(auc, sizes, math.sqrt(variance * other))
        return math.sqrt(max(variance + other - together, 0.0))

    def covariance(self, auc: float, sizes: Sizes, of_errors: float) -> float:
        """Of the two AUCs over the same rows; `of_errors` is the product of their errors."""
        if self.estimate_correlation is not None:
            return self.estimate_correlation * of_errors
        correlations = self.correlations or (0.0, 0.0)
        return SPREADS[self.method](auc, self.null_value, sizes, correlations)

    def correlation_of_estimates(self, auc: float, sizes: Sizes) -> float | None:
        """How the two AUCs over the same rows correlate; None where there are no two."""
        if not self.paired:
            return None
        spread = SPREADS[self.method]
        ends = (auc, self.null_value)
        of_errors = math.sqrt(math.prod(spread(one, one, sizes, _SAME) for one in ends))
        return self.covariance(auc, sizes, of_errors) / of_errors

    def critical(self, alpha: float) -> float:
        """How many standard errors from the null value the test rejects."""
        # Not through the level 1 - alpha, which is 1 for a small alpha.
        return -normal_quantile(alpha / 2 if self.alternative == "two-sided" else alpha)

    def level(self, critical: float) -> float:
        """The alpha of a critical value."""
        return normal_cdf(-critical) * (2 if self.alternative == "two-sided" else 1)

    def null_error(self, auc: float, sizes: Sizes) -> float:
        """The standard error with which the test is made.

        Obuchowski's is the one that holds under the hypothesis; DeLong's test estimates the one
        that holds in truth.
        """
        return self.error(self.null_value if self.method == "obuchowski" else auc, sizes)

    def power(self, auc: float, sizes: Sizes, alpha: float) -> float:
        """Probability of a rejection on the side where the AUC lies."""
        margin = self.distance(auc) - self.critical(alpha) * self.null_error(auc, sizes)
        error = self.error(auc, sizes)
        if error == 0:
            return float(margin > 0)
        return normal_cdf(margin / error)

    def surplus(self, auc: float, sizes: Sizes, alpha: float, power: float) -> float:
        """Distance beyond what this power needs; 0 where the power is exactly that."""
        needed = self.critical(alpha) * self.null_error(auc, sizes)
        return self.distance(auc) - needed - normal_quantile(power) * self.error(auc, sizes)


def checked_share(name: str, value: Any) -> float:
    """A number between 0 and 1, and neither of them."""
    hint = {
        "alpha": "The probability of a false rejection is usually 0.05.",
        "power": "The probability of finding what there is is usually 0.8 or 0.9.",
        "width": "Pass the width wanted of the interval, such as 0.1.",
    }.get(name)
    least = 0 if hint else _LOWEST_AUC
    number = number_or_nan(value)
    if not least < number < 1 - least:
        hint = hint or (
            f"An AUC of 0 or 1, or within {_LOWEST_AUC:g} of them, has no spread to plan with; "
            "pass one such as 0.75."
        )
        raise InputError(f"{name}={value!r:.60} is not a number between 0 and 1. {hint}")
    return number


def checked_positive(name: str, value: Any) -> float:
    """A number above 0, of a magnitude to reckon with."""
    number = number_or_nan(value)
    if not _LEAST <= number <= _MOST:
        raise InputError(
            f"{name}={value!r:.60} is not a number above 0. Sizes and ratios of samples are "
            f"positive, and from {_LEAST:g} to {_MOST:g}."
        )
    return number


def _checked_correlation(name: str, value: Any) -> float:
    if not -1 < number_or_nan(value) < 1:
        raise InputError(
            f"{name}={value!r} is not a number between -1 and 1. Two models that are good at the "
            "same task usually correlate by 0.3 to 0.8 within a class."
        )
    return float(value)


def _checked_correlations(value: Any) -> tuple[float, float]:
    both = value if isinstance(value, tuple | list) else (value, value)
    if len(both) != 2:
        raise InputError(
            f"correlation={value!r} has {len(both)} values. Pass one number, or two: among "
            "positives and among negatives."
        )
    return _checked_correlation("correlation", both[0]), _checked_correlation(
        "correlation", both[1]
    )


def _check_that_pairs_are_described(
    compared: bool, paired: Any, correlation: Any, estimate_correlation: Any, sample_ratio: float
) -> None:
    """Another model needs to be said how it goes with the first, once; a value needs nothing."""
    linked = correlation is not None or estimate_correlation is not None
    if not isinstance(paired, bool):
        raise InputError(f"paired={paired!r} is neither True nor False.")
    if not compared and (linked or not paired):
        raise InputError(
            "Correlations and paired=False are about two models. Pass `other_auc`, the AUC of the "
            "other one, or leave them out."
        )
    if correlation is not None and estimate_correlation is not None:
        raise InputError(
            f"correlation={correlation!r} is of the scores and estimate_correlation="
            f"{estimate_correlation!r} of the AUCs; one follows from the other. Leave one out."
        )
    if not paired and linked:
        raise InputError(
            "paired=False means that the two models score different rows, which cannot correlate. "
            "Leave out paired=False or the correlation."
        )
    if compared and paired and not linked:
        raise InputError(
            "Two AUCs over the same rows go together, and how much decides the size of the study. "
            "Pass `correlation` of the scores within a class, `estimate_correlation` of the AUCs, "
            "or paired=False if each model is to score rows of its own."
        )
    if sample_ratio != 1 and (paired or not compared):
        raise InputError(
            f"sample_ratio={sample_ratio:g} is for two models that score different rows. Pass "
            "paired=False with it, or leave it out."
        )
