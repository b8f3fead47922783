"""Plan of a study of AUCs."""

from __future__ import annotations

from dataclasses import dataclass

from roclab.checks.choices import Alternative
from roclab.inference.planning.design import StudyDesign
from roclab.inference.planning.simulate import PowerSimulation
from roclab.inference.planning.variance import Sizes, whole
from roclab.numeric.distributions import normal_quantile
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCPlan(Result):
    """Plan of a study of an AUC: sample sizes, power and what they depend on.

    Attributes
    ----------
    measure : str
        ``"auc"``, or the specification of a partial AUC; all AUCs below are then partial.
    auc : float
        AUC under the alternative hypothesis.
    null_value : float or None
        AUC under the null hypothesis; None if there is another model.
    other_auc : float or None
        AUC of the other model, if there is one.
    n_pos, n_neg : float
        Number of positive and negative examples, not rounded.
    n_pos_b, n_neg_b : float or None
        Those of the other model, if it scores different rows.
    n : int
        Number of examples in all, each size rounded up.
    ratio : float
        Number of negatives per positive.
    alpha : float
        Significance level.
    power : float
        Power of the test.
    width : float
        Expected width of the interval of level ``1 - alpha``, not clipped to 0 and 1: that of the
        difference if there is another model, otherwise that of the AUC.
    solved_for : {"power", "n", "n_pos", "n_neg", "auc", "alpha"}
        The quantity that was not given; ``"n"`` if both sizes were not.
    paired : bool
        Whether both models score the same rows.
    correlation : tuple of float or None
        Correlation of the scores of the two models, among positives and among negatives, if given.
    estimate_correlation : float or None
        Correlation of the two AUCs.
    alternative : {"two-sided", "less", "greater"}
        Alternative hypothesis.
    method : {"obuchowski", "delong", "pilot"}
        Method of the predicted variance.
    assumption : str
        What the predicted variance rests on.
    simulation : PowerSimulation or None
        Power from simulated studies, if requested.
    """

    measure: str
    auc: float
    null_value: float | None
    other_auc: float | None
    n_pos: float
    n_neg: float
    n_pos_b: float | None
    n_neg_b: float | None
    n: int
    ratio: float
    alpha: float
    power: float
    width: float
    solved_for: str
    paired: bool
    correlation: tuple[float, float] | None
    estimate_correlation: float | None
    alternative: Alternative
    method: str
    assumption: str
    simulation: PowerSimulation | None = None

    def __repr__(self) -> str:
        name = "AUC" if self.measure == "auc" else self.measure
        against = self.null_value if self.other_auc is None else self.other_auc
        sizes = f"{whole(self.n_pos)}+ {whole(self.n_neg)}-"
        if self.n_pos_b is not None and self.n_neg_b is not None:
            sizes += f" and {whole(self.n_pos_b)}+ {whole(self.n_neg_b)}-"
        kind = "AUC" if self.other_auc is None else "difference"
        return (
            f"{name} {self.auc:.3f} against {against:.3f}: {sizes} ({self.n} in all), "
            f"power {self.power:.3f}, alpha {self.alpha:.3g}, interval width of the {kind} "
            f"{self.width:.3f}"
        )


def plan_of(
    design: StudyDesign,
    *,
    auc: float,
    sizes: Sizes,
    alpha: float,
    solved_for: str,
    simulation: PowerSimulation | None,
) -> AUCPlan:
    """The plan of a design with its AUC and sizes; the other fields follow from these."""
    apart = design.compared and not design.paired
    k = design.sample_ratio
    error = design.error(auc, sizes)
    return AUCPlan(
        measure=design.measure.word,
        auc=auc,
        null_value=None if design.compared else design.null_value,
        other_auc=design.null_value if design.compared else None,
        n_pos=sizes[0],
        n_neg=sizes[1],
        n_pos_b=k * sizes[0] if apart else None,
        n_neg_b=k * sizes[1] if apart else None,
        n=sum(whole(times * size) for times in ((1, k) if apart else (1,)) for size in sizes),
        ratio=sizes[1] / sizes[0],
        alpha=alpha,
        power=design.power(auc, sizes, alpha),
        width=-2 * normal_quantile(alpha / 2) * error,
        solved_for=solved_for,
        paired=design.paired,
        correlation=design.correlations,
        estimate_correlation=design.correlation_of_estimates(auc, sizes),
        alternative=design.alternative,
        method=design.method if design.pilot is None else "pilot",
        assumption=design.assumption,
        simulation=simulation,
    )
