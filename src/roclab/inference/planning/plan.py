"""The plan of a study, with all that follows from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from roclab.inference.planning.design import PlanningMethod, StudyDesign
from roclab.inference.planning.simulate import PowerSimulation
from roclab.inference.planning.variance import Sizes
from roclab.numeric.distributions import normal_quantile
from roclab.options import Alternative

__all__ = ["AUCPlan"]


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCPlan:
    """A study of an AUC: sizes, power and all they depend on.

    Attributes
    ----------
    auc : float
        The AUC that the study is to tell from another value.
    null_value : float or None
        That value; None where another model takes its place.
    other_auc : float or None
        The AUC of the other model, if there is one.
    n_pos, n_neg : float
        Positive and negative examples, not rounded.
    n_pos_b, n_neg_b : float or None
        Those of the other model, if it scores rows of its own.
    ratio : float
        Negatives for each positive.
    alpha : float
        Probability of a rejection where there is no difference.
    power : float
        Probability of a rejection where there is the difference planned for.
    width : float
        Width to be expected of the interval of level ``1 - alpha``, not cut off at 0 and 1.
    solved_for : {"power", "n", "auc", "alpha"}
        What was not given.
    paired : bool
        Whether both models score the same rows.
    correlation : tuple of float or None
        Of the scores of the two models, among positives and among negatives, if it was given.
    estimate_correlation : float or None
        Of the two AUCs.
    alternative : {"two-sided", "less", "greater"}
        What the test tries to show.
    method : {"obuchowski", "delong"}
        Whose variance was foreseen.
    simulation : PowerSimulation or None
        What came of simulated studies, if there were any.
    """

    auc: float
    null_value: float | None
    other_auc: float | None
    n_pos: float
    n_neg: float
    n_pos_b: float | None
    n_neg_b: float | None
    ratio: float
    alpha: float
    power: float
    width: float
    solved_for: str
    paired: bool
    correlation: tuple[float, float] | None
    estimate_correlation: float | None
    alternative: Alternative
    method: PlanningMethod
    simulation: PowerSimulation | None = None

    @classmethod
    def of(
        cls,
        design: StudyDesign,
        *,
        auc: float,
        sizes: Sizes,
        alpha: float,
        solved_for: str,
        simulation: PowerSimulation | None,
    ) -> AUCPlan:
        """With all that follows from these."""
        apart = design.compared and not design.paired
        k = design.sample_ratio
        error = design.error(auc, sizes)
        return cls(
            auc=auc,
            null_value=None if design.compared else design.null_value,
            other_auc=design.null_value if design.compared else None,
            n_pos=sizes[0],
            n_neg=sizes[1],
            n_pos_b=k * sizes[0] if apart else None,
            n_neg_b=k * sizes[1] if apart else None,
            ratio=sizes[1] / sizes[0],
            alpha=alpha,
            power=design.power(auc, sizes, alpha),
            width=-2 * normal_quantile(alpha / 2) * error,
            solved_for=solved_for,
            paired=design.paired,
            correlation=design.correlations,
            estimate_correlation=design.correlation_of_estimates(auc, sizes),
            alternative=design.alternative,
            method=design.method,
            simulation=simulation,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        both = None if self.correlation is None else list(self.correlation)
        return asdict(self) | {"correlation": both}

    def __repr__(self) -> str:
        against = self.null_value if self.other_auc is None else self.other_auc
        other = "" if self.n_pos_b is None else f" and {self.n_pos_b:.1f}+ {self.n_neg_b:.1f}-"
        return (
            f"AUC {self.auc:.3f} against {against:.3f}: {self.n_pos:.1f}+ {self.n_neg:.1f}-{other}"
            f", power {self.power:.3f}, alpha {self.alpha:.3g}, interval width {self.width:.3f}"
        )
