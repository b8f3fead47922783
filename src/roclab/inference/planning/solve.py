"""Solve a study for the one quantity that is not given."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from roclab.checks.options import check_between, shown
from roclab.errors import InputError, Parameter
from roclab.inference.planning.design import StudyDesign, check_auc, check_positive
from roclab.inference.planning.variance import Sizes
from roclab.numeric.distributions import normal_cdf, normal_quantile

_DEFAULT_POWER = 0.9
# Range of sample sizes that are tried.
_LEAST, _MOST = 1e-6, 1e15
# AUCs are tried up to this normal deviate, in this number of steps.
_FARTHEST, _STEPS = 7.0, 400


@dataclass(frozen=True, kw_only=True)
class KnownParts:
    """The checked quantities of a study; None for the one to solve for, and for unused ones.

    Attributes
    ----------
    auc : float or None
        Expected AUC.
    n_pos, n_neg : float or None
        Number of positive and negative examples.
    ratio : float
        Number of negatives per positive.
    power : float
        Power of the test.
    width : float or None
        Width of the interval of level ``1 - alpha``.
    alpha : float or None
        Significance level.
    solved_for : {"power", "n", "n_pos", "n_neg", "auc", "alpha"}
        The quantity to solve for; ``"n"`` for both sizes.
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
        """Check the arguments of `plan_auc_study`."""
        pos, neg = _check_sizes(n_pos, n_neg, ratio)
        usual = 1.0 if design.pilot is None else design.pilot.ratio
        known = cls(
            auc=None if auc is None else check_auc("auc", auc, design.measure.highest),
            n_pos=pos,
            n_neg=neg,
            ratio=usual if ratio is None else float(ratio),
            power=_check_rate("power", _DEFAULT_POWER if power is None else power),
            width=None if width is None else _check_rate("width", width),
            alpha=None if alpha is None else _check_rate("alpha", alpha),
            solved_for=_unknown(auc, pos, neg, power, width, alpha),
        )
        known._check_consistency(design)
        return known

    def solved(self, design: StudyDesign) -> tuple[float, Sizes, float]:
        """AUC, sizes and alpha, including the one solved for."""
        auc, alpha = self.auc, self.alpha
        if self.n_pos is None or self.n_neg is None:
            # Only one quantity is unknown, so here AUC and alpha are known.
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
            return self._sizes_at_zero(
                lambda sizes: design.surplus(auc, sizes, alpha, self.power),
                f"power {self.power:g} with alpha {alpha:g} at AUC {auc:g} against "
                f"{design.null_value:g}",
            )
        half, z = self.width / 2, -normal_quantile(alpha / 2)
        return self._sizes_at_zero(
            lambda sizes: half - z * design.error(auc, sizes),
            f"an interval of width {self.width:g} at AUC {auc:g}",
        )

    def _sizes_at_zero(self, surplus: Callable[[Sizes], float], wanted: str) -> Sizes:
        """Sizes at which the surplus is 0; it is negative for smaller ones."""

        def sizes(n: float) -> Sizes:
            if self.n_neg is not None:
                return n, self.n_neg
            return (n, self.ratio * n) if self.n_pos is None else (self.n_pos, n)

        if surplus(sizes(_LEAST)) >= 0:
            raise InputError(
                found="By this formula samples of any size have {wanted}",
                fix="Ask for a higher power or a narrower interval.",
                wanted=wanted,
            )
        if surplus(sizes(_MOST)) < 0:
            few = {"n_pos": self.n_pos, "n_neg": self.n_neg}
            fixed = [(name, n) for name, n in few.items() if n is not None]
            name, n = fixed[0] if fixed else ("", 0)
            raise InputError(
                found=("With {fixed=}{n} no number of the other class" if fixed else "No sample")
                + " is enough for {wanted}",
                fix="Ask for a lower power or a wider interval, or increase the given size.",
                fixed=Parameter(name),
                n=f"{n:g}",
                wanted=wanted,
            )
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
        # As if alpha were given: below the power, and below one half for a one-sided test.
        most = self.power if design.alternative == "two-sided" else min(self.power, 0.5)
        if not 0 < alpha < most:
            raise InputError(
                found="No alpha between 0 and {most} gives power {power} at AUC {auc} against "
                "{null} with {n_pos} positives and {n_neg} negatives",
                fix="Plan with other sizes, or another power.",
                most=f"{most:g}",
                power=f"{self.power:g}",
                auc=f"{auc:g}",
                null=f"{design.null_value:g}",
                n_pos=f"{sizes[0]:g}",
                n_neg=f"{sizes[1]:g}",
            )
        return alpha

    def _detectable_auc(self, design: StudyDesign, sizes: Sizes, alpha: float) -> float:
        """AUC nearest to the null value that is detected with the given power."""
        null, highest = design.null_value, design.measure.highest
        farthest = _FARTHEST * (-1 if design.alternative == "less" else 1)

        def surplus(auc: float) -> float:
            return design.surplus(auc, sizes, alpha, self.power)

        # In steps: with correlated models the power need not increase with the distance.
        below = null
        for step in np.linspace(normal_quantile(null / highest), farthest, _STEPS)[1:]:
            auc = highest * normal_cdf(step)
            if surplus(auc) >= 0:
                return float(brentq(surplus, below, auc, xtol=1e-15, rtol=1e-15))
            below = auc
        raise InputError(
            found="{n_pos} positives and {n_neg} negatives are too few: not even an AUC of "
            "{farthest} is detected against {null} with power {power} at alpha {alpha}",
            fix="Plan with more examples.",
            n_pos=f"{sizes[0]:g}",
            n_neg=f"{sizes[1]:g}",
            farthest=f"{highest * round(below / highest):g}",
            null=f"{null:g}",
            power=f"{self.power:g}",
            alpha=f"{alpha:g}",
        )

    def _check_consistency(self, design: StudyDesign) -> None:
        one_sided = design.alternative != "two-sided"
        if self.alpha is not None and one_sided:
            check_between("alpha", self.alpha, 0, 0.5, fix="A one-sided test usually has 0.05.")
        if self.width is not None:
            if one_sided:
                raise InputError(
                    found="{width=}{value} is that of a two-sided interval, and the study has "
                    "{alternative=}{side}",
                    fix="Leave out one of them.",
                    value=f"{self.width:g}",
                    side=repr(design.alternative),
                )
            return
        if self.solved_for != "power" and self.alpha is not None and self.power <= self.alpha:
            raise InputError(
                found="{power=}{value} is not above {alpha=}{level}",
                needed="a test that ignores the data has this power",
                fix="Ask for a higher power.",
                value=f"{self.power:g}",
                level=f"{self.alpha:g}",
            )
        name = Parameter("other_auc" if design.compared else "null_value")
        if self.auc == design.null_value:
            raise InputError(
                found="{auc=}{value} is the same as {name}",
                needed="no sample size detects a difference of 0",
                fix="Pass the AUC that the study should detect.",
                value=f"{self.auc:g}",
                name=name,
            )
        if self.auc is not None and design.distance(self.auc) < 0:
            raise InputError(
                found="{auc=}{value} is on the other side of {name=}{null} than "
                "{alternative=}{side}",
                fix="Choose the other alternative.",
                value=f"{self.auc:g}",
                name=name,
                null=f"{design.null_value:g}",
                side=repr(design.alternative),
            )


def _check_rate(name: str, value: Any) -> float:
    """A power, width or alpha between 0 and 1."""
    fix = {
        "alpha": "The significance level is usually 0.05.",
        "power": "The power is usually 0.8 or 0.9.",
        "width": "Pass the width of the interval, such as {width=}0.1.",
    }[name]
    return check_between(name, value, 0, 1, fix=fix)


def _unknown(auc: Any, pos: Any, neg: Any, power: Any, width: Any, alpha: Any) -> str:
    """The quantity to solve for: exactly one."""
    missing = {"auc": auc is None, "n": pos is None or neg is None, "alpha": alpha is None}
    unknown = [name for name, one in missing.items() if one]
    if width is not None and (power is not None or unknown != ["n"]):
        raise InputError(
            found="{width=}{value} replaces the power, and only the sizes can be solved for",
            fix="Pass it with {auc} and {alpha}, and leave out {power} and a size.",
            value=shown(width),
        )
    if not unknown and power is None:
        return "power"
    if len(unknown) != 1:
        names = {"auc": "the AUC", "n": "the sizes", "alpha": "alpha"}
        left_out = " and ".join(names[name] for name in unknown) + " were"
        raise InputError(
            found="One quantity is solved for, and "
            f"{left_out if unknown else 'nothing was'} left out",
            fix="Leave out exactly one of AUC, sizes, power and alpha; alpha with {alpha=None}.",
        )
    if unknown != ["n"] or (pos is None and neg is None):
        return unknown[0]
    return "n_pos" if pos is None else "n_neg"


def _check_sizes(n_pos: Any, n_neg: Any, ratio: Any) -> tuple[float | None, float | None]:
    """The known sizes; a ratio gives the second from the first."""
    pos = None if n_pos is None else check_positive("n_pos", n_pos)
    neg = None if n_neg is None else check_positive("n_neg", n_neg)
    if ratio is None:
        return pos, neg
    negatives = check_positive("ratio", ratio)
    if pos is not None and neg is not None:
        raise InputError(
            found="{n_pos=}{pos}, {n_neg=}{neg} and {ratio=}{times} were all passed",
            needed="two of them determine the third",
            fix="Leave out one of them.",
            pos=shown(n_pos),
            neg=shown(n_neg),
            times=shown(ratio),
        )
    if pos is not None:
        return pos, negatives * pos
    return (None if neg is None else neg / negatives), neg
