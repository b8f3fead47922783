"""What is known of a study, and the one thing that is not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from roclab.errors import InputError
from roclab.inference.planning.design import StudyDesign, checked_positive, checked_share
from roclab.inference.planning.variance import Sizes
from roclab.numeric.distributions import normal_cdf, normal_quantile

__all__ = ["KnownParts"]

_USUAL_POWER = 0.9
# Between these sizes is what can be planned for.
_LEAST, _MOST = 1e-6, 1e15
# The AUCs that are tried lie up to so many standard deviations from one half.
_FARTHEST, _STEPS = 7.0, 400


@dataclass(frozen=True, kw_only=True)
class KnownParts:
    """What users passed, checked; None for what is to be solved for, or plays no part.

    Attributes
    ----------
    auc, n_pos, n_neg, alpha, width : float or None
        As in `plan_auc_study`.
    ratio, power : float
        As in `plan_auc_study`, with what is usual where nothing was said.
    solved_for : {"power", "n", "auc", "alpha"}
        What is not known.
    """

    auc: float | None
    n_pos: float | None
    n_neg: float | None
    ratio: float
    power: float
    width: float | None
    alpha: float | None
    solved_for: str

    @classmethod
    def of(
        cls,
        design: StudyDesign,
        auc: Any,
        n_pos: Any,
        n_neg: Any,
        ratio: Any,
        power: Any,
        width: Any,
        alpha: Any,
    ) -> KnownParts:
        """From what users pass."""
        pos, neg = _checked_sizes(n_pos, n_neg, ratio)
        known = cls(
            auc=None if auc is None else checked_share("auc", auc),
            n_pos=pos,
            n_neg=neg,
            ratio=1.0 if ratio is None else float(ratio),
            power=checked_share("power", _USUAL_POWER if power is None else power),
            width=None if width is None else checked_share("width", width),
            alpha=None if alpha is None else checked_share("alpha", alpha),
            solved_for=_left_out(auc, pos, neg, power, width, alpha),
        )
        known._check_that_it_can_be_had(design)
        return known

    def solved(self, design: StudyDesign) -> tuple[float, Sizes, float]:
        """AUC, sizes and alpha, with what was not known."""
        auc, alpha = self.auc, self.alpha
        if self.n_pos is None or self.n_neg is None:
            # Only one thing is not known, so here both of these are.
            auc, alpha = float(auc or 0), float(alpha or 0)
            return auc, self._sizes(design, auc, alpha), alpha
        sizes = (self.n_pos, self.n_neg)
        if auc is None:
            alpha = float(alpha or 0)
            return self._detectable_auc(design, sizes, alpha), sizes, alpha
        if alpha is None:
            alpha = self._needed_alpha(design, auc, sizes)
        return auc, sizes, alpha

    def _sizes(self, design: StudyDesign, auc: float, alpha: float) -> Sizes:
        if self.width is None:
            return self._sizes_without(
                lambda sizes: design.surplus(auc, sizes, alpha, self.power),
                f"power {self.power:g} with alpha {alpha:g} at AUC {auc:g} against "
                f"{design.null_value:g}",
            )
        half, z = self.width / 2, -normal_quantile(alpha / 2)
        return self._sizes_without(
            lambda sizes: half - z * design.error(auc, sizes),
            f"an interval of width {self.width:g} at AUC {auc:g}",
        )

    def _sizes_without(self, surplus: Callable[[Sizes], float], wanted: str) -> Sizes:
        """The sizes at which the surplus, below 0 where they are too small, is 0."""

        def sizes(n: float) -> Sizes:
            if self.n_neg is not None:
                return n, self.n_neg
            return (n, self.ratio * n) if self.n_pos is None else (self.n_pos, n)

        if surplus(sizes(_LEAST)) >= 0:
            raise InputError(
                f"By this formula samples of any size have {wanted}. Ask for more than that."
            )
        if surplus(sizes(_MOST)) < 0:
            few = {"n_pos": self.n_pos, "n_neg": self.n_neg}
            fixed = [f"{name}={n:g}" for name, n in few.items() if n is not None]
            which = f"With {fixed[0]} no number of the others is" if fixed else "No sample is"
            raise InputError(f"{which} enough for {wanted}. Ask for less, or plan with more.")
        found = brentq(
            lambda log_n: surplus(sizes(math.exp(log_n))),
            math.log(_LEAST),
            math.log(_MOST),
            xtol=1e-14,
            rtol=1e-15,
        )
        return sizes(math.exp(float(found)))

    def _needed_alpha(self, design: StudyDesign, auc: float, sizes: Sizes) -> float:
        beyond = design.distance(auc) - normal_quantile(self.power) * design.error(auc, sizes)
        alpha = design.level(beyond / design.null_error(auc, sizes))
        # As where alpha is given: below the power, and of a one-sided test below one half.
        most = self.power if design.alternative == "two-sided" else min(self.power, 0.5)
        if not 0 < alpha < most:
            raise InputError(
                f"No alpha between 0 and {most:g} gives power {self.power:g} at AUC {auc:g} "
                f"against {design.null_value:g} with {sizes[0]:g} positives and {sizes[1]:g} "
                "negatives. Plan with other sizes, or another power."
            )
        return alpha

    def _detectable_auc(self, design: StudyDesign, sizes: Sizes, alpha: float) -> float:
        """The AUC nearest to the null value that is found with the power wanted."""
        null = design.null_value
        farthest = _FARTHEST * (-1 if design.alternative == "less" else 1)

        def surplus(auc: float) -> float:
            return design.surplus(auc, sizes, alpha, self.power)

        # Step by step: of two models that correlate, a power may be had nearby and no more beyond.
        below = null
        for step in np.linspace(normal_quantile(null), farthest, _STEPS)[1:]:
            auc = normal_cdf(step)
            if surplus(auc) >= 0:
                return float(brentq(surplus, below, auc, xtol=1e-15, rtol=1e-15))
            below = auc
        raise InputError(
            f"{sizes[0]:g} positives and {sizes[1]:g} negatives are too few: not even an AUC of "
            f"{round(below)} is told from {null:g} with power {self.power:g} at alpha {alpha:g}. "
            "Plan with more examples."
        )

    def _check_that_it_can_be_had(self, design: StudyDesign) -> None:
        one_sided = design.alternative != "two-sided"
        if self.alpha is not None and one_sided and self.alpha >= 0.5:
            raise InputError(
                f"alpha={self.alpha:g} of a one-sided test is not below 0.5. It is usually 0.05."
            )
        if self.width is not None:
            if one_sided:
                raise InputError(
                    f"width={self.width:g} is of a two-sided interval, and alternative is "
                    f"{design.alternative!r}. Leave one of them out."
                )
            return
        if self.solved_for != "power" and self.alpha is not None and self.power <= self.alpha:
            raise InputError(
                f"power={self.power:g} is not above alpha={self.alpha:g}, which a test has that "
                "looks at no data. Ask for a higher power."
            )
        name = "other_auc" if design.compared else "null_value"
        if self.auc == design.null_value:
            raise InputError(
                f"auc={self.auc:g} is the same as {name}: there is nothing to find, with any "
                "number of examples. Pass the AUC that would matter."
            )
        if self.auc is not None and design.distance(self.auc) < 0:
            raise InputError(
                f"auc={self.auc:g} is not on the side of {name}={design.null_value:g} where "
                f"alternative={design.alternative!r} looks. Choose the other alternative."
            )


def _left_out(auc: Any, pos: Any, neg: Any, power: Any, width: Any, alpha: Any) -> str:
    """What is to be solved for: exactly one thing."""
    missing = {"auc": auc is None, "n": pos is None or neg is None, "alpha": alpha is None}
    unknown = [name for name, one in missing.items() if one]
    if width is not None and (power is not None or unknown != ["n"]):
        raise InputError(
            f"width={width!r} takes the place of a power and gives the sizes. Pass it with auc and "
            "alpha, and leave out power and a size."
        )
    if not unknown and power is None:
        return "power"
    if len(unknown) != 1:
        words = {"auc": "the AUC", "n": "the sizes", "alpha": "alpha"}
        left_out = " and ".join(words[name] for name in unknown)
        raise InputError(
            "One quantity is solved for, and "
            f"{f'{left_out} were' if unknown else 'nothing was'} left out. "
            "Of AUC, sizes, power and alpha leave out exactly one; alpha with alpha=None."
        )
    return unknown[0]


def _checked_sizes(n_pos: Any, n_neg: Any, ratio: Any) -> tuple[float | None, float | None]:
    """The sizes that are known; a ratio makes both of one."""
    pos = None if n_pos is None else checked_positive("n_pos", n_pos)
    neg = None if n_neg is None else checked_positive("n_neg", n_neg)
    if ratio is None:
        return pos, neg
    negatives = checked_positive("ratio", ratio)
    if pos is not None and neg is not None:
        raise InputError(
            f"n_pos={n_pos!r}, n_neg={n_neg!r} and ratio={ratio!r}: two of them give the third. "
            "Leave one out."
        )
    if pos is not None:
        return pos, negatives * pos
    return (None if neg is None else neg / negatives), neg
