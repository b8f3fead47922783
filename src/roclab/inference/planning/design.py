"""Design of a study of AUCs, and its power at given sample sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from roclab.checks.choices import Alternative, PlanningMethod
from roclab.checks.options import (
    check_alternative,
    check_between,
    check_method,
    number_or_nan,
    shown,
)
from roclab.errors import InputError, Parameter
from roclab.inference.planning.pilot import Pilot, PilotData, PlannedMeasure, models_of
from roclab.inference.planning.variance import COVARIANCES, Sizes
from roclab.numeric.distributions import normal_cdf, normal_quantile

Correlation = float | tuple[float, float]

# Correlations of a sample with itself.
_SAME = (1.0, 1.0)
# Nearer to 0 and 1 the variance of an AUC underflows.
_LOWEST_AUC = 1e-12
_LEAST, _MOST = 1e-30, 1e30  # of sizes and ratios


@dataclass(frozen=True, kw_only=True)
class StudyDesign:
    """Design of a study, apart from the AUC, the sizes, the power and alpha.

    Attributes
    ----------
    null_value : float
        AUC under the null hypothesis: that of the other model, if there is one.
    compared : bool
        Whether there is another model.
    paired : bool
        Whether both models score the same rows.
    correlations : tuple of float or None
        Correlation of the scores of the two models, among positives and among negatives.
    estimate_correlation : float or None
        Correlation of the two AUCs, if given instead of that of the scores.
    sample_ratio : float
        Size of the other model's sample divided by that of the first, if they are not paired.
    alternative : {"two-sided", "less", "greater"}
        Alternative hypothesis.
    method : {"obuchowski", "delong"}
        Method of the predicted variance.
    measure : PlannedMeasure
        The AUC or a partial AUC.
    pilot : Pilot or None
        Pilot study that determines the variances.
    """

    null_value: float
    compared: bool
    paired: bool
    correlations: tuple[float, float] | None
    estimate_correlation: float | None
    sample_ratio: float
    alternative: Alternative
    method: PlanningMethod
    measure: PlannedMeasure
    pilot: Pilot | None = None

    @classmethod
    def of(
        cls,
        *,
        null_value: float | None = None,
        other_auc: float | None = None,
        correlation: Correlation | None = None,
        estimate_correlation: float | None = None,
        paired: bool = True,
        sample_ratio: float = 1.0,
        alternative: Alternative = "two-sided",
        method: PlanningMethod = "obuchowski",
        pilot: PilotData | None = None,
        measure: str = "auc",
    ) -> StudyDesign:
        """Check the options of `plan_auc_study`."""
        planned = PlannedMeasure.of(measure)
        if planned.partial and pilot is None:
            raise InputError(
                found="{measure=}{value} has no formula for its variance",
                fix="Pass {pilot}, scores like those of the study.",
                value=shown(measure),
            )
        compared = other_auc is not None or (null_value is None and len(models_of(pilot)) == 2)
        if pilot is not None and method != "obuchowski":
            raise InputError(
                found="{method=}{value} and {pilot} both determine the variance",
                fix="Leave out one of them.",
                value=shown(method),
            )
        if other_auc is not None and null_value is not None:
            raise InputError(
                found="{null_value=}{value} and {other_auc=}{other} both define the null "
                "hypothesis",
                fix="Leave out one of them.",
                value=shown(null_value),
                other=shown(other_auc),
            )
        of_scores = correlation is not None or estimate_correlation is not None
        if pilot is not None and of_scores:
            raise InputError(
                found="A correlation was passed with {pilot}, which has one",
                fix="Leave out one of them.",
            )
        linked = of_scores or (pilot is not None and compared and paired is True)
        times = check_positive("sample_ratio", sample_ratio)
        _check_pairing(compared, paired, linked, correlation, estimate_correlation, times)
        found = None
        if pilot is not None:
            found = Pilot.of(pilot, planned, compared=compared, paired=compared and paired)
        reference = other_auc if compared else null_value
        if reference is None:
            reference = float(found.values[1]) if compared and found else planned.chance
        name = "other_auc" if compared else "null_value"
        return cls(
            null_value=check_auc(name, reference, planned.highest),
            compared=compared,
            paired=compared and linked,
            correlations=None if correlation is None else _check_correlations(correlation),
            estimate_correlation=None
            if estimate_correlation is None
            else _check_correlation("estimate_correlation", estimate_correlation),
            sample_ratio=times,
            alternative=check_alternative(alternative),
            method=check_method(method, PlanningMethod),
            measure=planned,
            pilot=found,
        )

    def distance(self, auc: float) -> float:
        """Distance of the AUC from the null value, in the direction of the alternative."""
        difference = auc - self.null_value
        if self.alternative == "two-sided":
            return abs(difference)
        return difference if self.alternative == "greater" else -difference

    def error(self, auc: float, sizes: Sizes) -> float:
        """Predicted standard error of the AUC, or of its difference from the other model's."""
        variance = self._covariance((0, 0), (auc, auc), sizes)
        if not self.compared:
            return math.sqrt(variance)
        k = 1.0 if self.paired else self.sample_ratio
        null = self.null_value
        other = self._covariance((1, 1), (null, null), (k * sizes[0], k * sizes[1]))
        together = 0.0
        if self.paired:
            together = 2 * self.covariance(auc, sizes, math.sqrt(variance * other))
        return math.sqrt(max(variance + other - together, 0.0))

    def _covariance(
        self, models: tuple[int, int], ends: tuple[float, float], sizes: Sizes
    ) -> float:
        """Covariance of the AUCs of two models, or the variance of one."""
        if self.pilot is not None:
            return self.pilot.covariance(models, ends, sizes)
        correlations = _SAME if models[0] == models[1] else self.correlations or (0.0, 0.0)
        return COVARIANCES[self.method](*ends, sizes, correlations)

    def covariance(self, auc: float, sizes: Sizes, errors: float) -> float:
        """Covariance of two AUCs on the same rows; `errors` is the product of their errors."""
        if self.estimate_correlation is not None:
            return self.estimate_correlation * errors
        return self._covariance((0, 1), (auc, self.null_value), sizes)

    def correlation_of_estimates(self, auc: float, sizes: Sizes) -> float | None:
        """Correlation of the two AUCs on the same rows; None if the study is not paired."""
        if not self.paired:
            return None
        ends = enumerate((auc, self.null_value))
        variances = [self._covariance((k, k), (end, end), sizes) for k, end in ends]
        errors = math.sqrt(math.prod(variances))
        return self.covariance(auc, sizes, errors) / errors

    @property
    def assumption(self) -> str:
        """What the predicted variance rests on."""
        if self.pilot is not None:
            test = "Wald test" if self.measure.partial else "DeLong's test"
            return f"the variance per example is that of the pilot; {test}"
        test = "DeLong's test" if self.method == "delong" else "variance under the null hypothesis"
        return f"normal scores with equal standard deviations; {test}"

    def critical(self, alpha: float) -> float:
        """Critical value of the test, in standard errors."""
        # Not from the level 1 - alpha, which is 1 for a small alpha.
        return -normal_quantile(alpha / 2 if self.alternative == "two-sided" else alpha)

    def level(self, critical: float) -> float:
        """Significance level of a critical value."""
        return normal_cdf(-critical) * (2 if self.alternative == "two-sided" else 1)

    def null_error(self, auc: float, sizes: Sizes) -> float:
        """Standard error used by the test.

        Obuchowski's method uses the one under the null hypothesis; DeLong's test estimates the one
        under the alternative.
        """
        of_null = self.method == "obuchowski" and self.pilot is None
        return self.error(self.null_value if of_null else auc, sizes)

    def power(self, auc: float, sizes: Sizes, alpha: float) -> float:
        """Probability that the test rejects on the side of the AUC."""
        margin = self.distance(auc) - self.critical(alpha) * self.null_error(auc, sizes)
        error = self.error(auc, sizes)
        if error == 0:
            return float(margin > 0)
        return normal_cdf(margin / error)

    def surplus(self, auc: float, sizes: Sizes, alpha: float, power: float) -> float:
        """Distance minus the distance that this power needs; 0 at exactly this power."""
        needed = self.critical(alpha) * self.null_error(auc, sizes)
        return self.distance(auc) - needed - normal_quantile(power) * self.error(auc, sizes)


def check_auc(name: str, value: Any, highest: float = 1.0) -> float:
    """An AUC between 0 and its highest value, with a variance that does not underflow."""
    fix = f"Pass an AUC such as {{{name}=}}{0.75 * highest:g}."
    number = check_between(name, value, 0, highest, fix=fix)
    if not _LOWEST_AUC < number < highest - _LOWEST_AUC:
        raise InputError(
            found=f"{{name=}}{{value}} is too near to 0 or {highest:g}",
            needed=f"within {_LOWEST_AUC:g} of them an AUC has no variance",
            fix=fix,
            name=Parameter(name),
            value=shown(value),
        )
    return number


def check_positive(name: str, value: Any) -> float:
    """A positive number, neither too small nor too large to compute with."""
    number = number_or_nan(value)
    if not _LEAST <= number <= _MOST:
        raise InputError(
            found="{name=}{value} is out of range",
            needed=f"a positive number from {_LEAST:g} to {_MOST:g} is needed",
            name=Parameter(name),
            value=shown(value),
        )
    return number


def _check_correlation(name: str, value: Any) -> float:
    fix = "Models for the same task usually have correlations of 0.3 to 0.8 within a class."
    return check_between(name, value, -1, 1, fix=fix)


def _check_correlations(value: Any) -> tuple[float, float]:
    both = value if isinstance(value, tuple | list) else (value, value)
    if len(both) != 2:
        raise InputError(
            found="{correlation=}{value} has {count} values",
            needed="one number is needed, or two: among positives and among negatives",
            fix="Pass for example {correlation=}0.5.",
            value=shown(value),
            count=len(both),
        )
    return _check_correlation("correlation", both[0]), _check_correlation("correlation", both[1])


def _check_pairing(
    compared: bool,
    paired: Any,
    linked: bool,
    correlation: Any,
    estimate_correlation: Any,
    sample_ratio: float,
) -> None:
    """Check that the dependence of two models is given exactly once, and of one model not."""
    if not isinstance(paired, bool):
        raise InputError(
            found="{paired=}{value} is neither True nor False",
            fix="Pass {paired=False} if the models score different rows.",
            value=shown(paired),
        )
    if not compared and (linked or not paired):
        raise InputError(
            found="A correlation or {paired=False} has no effect without a second model",
            fix="Pass the AUC of the second model as {other_auc}, or leave them out.",
        )
    if correlation is not None and estimate_correlation is not None:
        raise InputError(
            found="{correlation=}{scores} of the scores and {estimate_correlation=}{aucs} of the "
            "AUCs were both passed",
            needed="each determines the other",
            fix="Leave out one of them.",
            scores=shown(correlation),
            aucs=shown(estimate_correlation),
        )
    if not paired and linked:
        raise InputError(
            found="A correlation was passed with {paired=False}",
            needed="models that score different rows do not correlate",
            fix="Leave out one of them.",
        )
    if compared and paired and not linked:
        raise InputError(
            found="No correlation was passed",
            needed="the sample size for two AUCs on the same rows depends on it",
            fix="Pass {correlation} of the scores within a class, {estimate_correlation} of the "
            "AUCs, or {paired=False} if the models score different rows.",
        )
    if sample_ratio != 1 and (paired or not compared):
        raise InputError(
            found="{sample_ratio=}{value} has no effect unless two models score different rows",
            fix="Pass {paired=False} with it, or leave it out.",
            value=f"{sample_ratio:g}",
        )
