"""Planning: how many examples a study of AUCs needs, and what it can show."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from roclab.errors import InputError
from roclab.inference.planning.design import PlanningMethod, StudyDesign
from roclab.inference.planning.plan import AUCPlan
from roclab.inference.planning.simulate import PowerSimulation, simulate_power
from roclab.inference.planning.solve import KnownParts
from roclab.options import Alternative, Progress, RandomState

__all__ = ["AUCPlan", "PowerSimulation", "auc_power", "auc_sample_size", "plan_auc_study"]

Correlation = float | tuple[float, float]


def plan_auc_study(
    auc: float | None = None,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    ratio: float | None = None,
    power: float | None = None,
    width: float | None = None,
    alpha: float | None = 0.05,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    method: PlanningMethod = "obuchowski",
    simulate: int = 0,
    rng: RandomState = None,
    progress: Progress | None = None,
) -> AUCPlan:
    """A study of an AUC, with whatever was left out solved for.

    With sizes and an AUC that is the power; without sizes, the sizes; without an AUC, the one that
    can be detected; with ``alpha=None``, the alpha.

    Parameters
    ----------
    auc : float, optional
        The AUC expected. Left out: the nearest to the null value that is found with the power
        wanted, above it unless `alternative` is ``"less"``.
    n_pos, n_neg : float, optional
        Positive and negative examples. One of them left out follows from `ratio`, if that is
        given, and else is solved for.
    ratio : float, optional
        Negatives for each positive; 1, if neither is known.
    power : float, optional
        Probability of a rejection that is wanted; 0.9 where something else is solved for.
    width : float, optional
        In place of a power: the width wanted of the interval of level ``1 - alpha``. Only the
        sizes can be solved for.
    alpha : float or None, default 0.05
        Probability of a rejection where there is no difference; None to solve for it.
    null_value : float, optional
        The value that the AUC is to be told from; 0.5, chance.
    other_auc : float, optional
        In place of a value, the AUC of another model that is to be told from the first. It is the
        reference: under the hypothesis both models have it.
    correlation : float or tuple of float, optional
        With another model: of the scores of the two within a class, the same in both or among
        positives and among negatives.
    estimate_correlation : float, optional
        In place of that: of the two AUCs.
    paired : bool, default True
        False, if each model scores rows of its own; sizes are then those of the first.
    sample_ratio : float, default 1
        Rows of the other model for each row of the first, where they are not paired.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What the test tries to show.
    method : {"obuchowski", "delong"}, default "obuchowski"
        Whose variance is foreseen. ``"obuchowski"`` is the one published for planning, and known
        from other packages; the test is made with the variance under the hypothesis. ``"delong"``
        is the exact variance of the empirical AUC, and the test is made with the variance in
        truth, as `compare_auc` and `compare_to_value` make it. Both suppose normal scores with the
        same standard deviation in both classes.
    simulate : int, default 0
        So many studies are drawn and tested by `compare_to_value`, `compare_auc` or
        `compare_independent_auc`, as a check of the formula.
    rng : None, int or numpy Generator, optional
        Where their random numbers come from.
    progress : callable, optional
        Called as ``progress(done, simulate)``.

    Returns
    -------
    AUCPlan
        All of it; `solved_for` says what was left out.

    Raises
    ------
    InputError
        Nothing or too much is left out; the AUC is the null value, or on the side where a
        one-sided test does not look; the power is not above alpha; no sizes, AUC or alpha give
        the power or width.

    Notes
    -----
    With z the normal quantiles, s0 the standard error under the hypothesis and s1 that in truth,
    the power is ``Phi((|auc - null| - z(1 - alpha / 2) s0) / s1)``; rejections on the wrong side
    are not counted. Sizes are not rounded: round them up.

    References
    ----------
    N. A. Obuchowski, D. K. McClish, Statistics in Medicine 16 (1997) 1529-1542.
    N. A. Obuchowski, M. L. Lieber, F. H. Wians, Clinical Chemistry 50 (2004) 1118-1125, equations
    2 and 3.

    Examples
    --------
    >>> plan_auc_study(0.8, other_auc=0.75, correlation=0.5, power=0.8)
    AUC 0.800 against 0.750: 472.2+ 472.2-, power 0.800, alpha 0.05, interval width 0.069
    >>> plan_auc_study(n_pos=41, n_neg=72, power=0.95).auc  # what can be detected
    0.696...
    """
    design = StudyDesign.of(
        null_value=null_value,
        other_auc=other_auc,
        correlation=correlation,
        estimate_correlation=estimate_correlation,
        paired=paired,
        sample_ratio=sample_ratio,
        alternative=alternative,
        method=method,
    )
    known = KnownParts.of(design, auc, n_pos, n_neg, ratio, power, width, alpha)
    n_simulations = _checked_simulations(simulate)
    found, sizes, level = known.solved(design)
    simulation = None
    if n_simulations:
        simulation = simulate_power(
            design, found, sizes, level, n_simulations=n_simulations, rng=rng, progress=progress
        )
    return AUCPlan.of(
        design,
        auc=found,
        sizes=sizes,
        alpha=level,
        solved_for=known.solved_for,
        simulation=simulation,
    )


def auc_power(
    auc: float,
    n_pos: float,
    n_neg: float,
    alpha: float = 0.05,
    *,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    method: PlanningMethod = "obuchowski",
) -> float:
    """The probability that a study of this size tells the AUC from a value, or another's AUC.

    Parameters
    ----------
    auc : float
        The AUC expected.
    n_pos, n_neg : float
        Positive and negative examples.
    alpha : float, default 0.05
        Probability of a rejection where there is no difference.
    null_value, other_auc, correlation, estimate_correlation, paired, sample_ratio
        What to tell it from, as in `plan_auc_study`; 0.5, if nothing is said.
    alternative, method
        As in `plan_auc_study`.

    Returns
    -------
    float
        The power.

    Examples
    --------
    >>> auc_power(0.73, 41, 72)
    0.9897...
    >>> auc_power(0.8, 100, 100, other_auc=0.75, correlation=0.5)
    0.2454...
    """
    if any(one is None for one in (auc, n_pos, n_neg, alpha)):
        raise InputError(
            f"auc={auc!r}, n_pos={n_pos!r}, n_neg={n_neg!r} and alpha={alpha!r} are all needed for "
            "the power. plan_auc_study solves for any of them."
        )
    return plan_auc_study(
        auc,
        n_pos=n_pos,
        n_neg=n_neg,
        alpha=alpha,
        null_value=null_value,
        other_auc=other_auc,
        correlation=correlation,
        estimate_correlation=estimate_correlation,
        paired=paired,
        sample_ratio=sample_ratio,
        alternative=alternative,
        method=method,
    ).power


def auc_sample_size(
    auc: float,
    power: float | None = None,
    ratio: float | None = None,
    alpha: float = 0.05,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    width: float | None = None,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    alternative: Alternative = "two-sided",
    method: PlanningMethod = "obuchowski",
) -> AUCPlan:
    """How many examples tell the AUC from a value, or another's AUC, or give it a narrow interval.

    Parameters
    ----------
    auc : float
        The AUC expected.
    power : float, optional
        Probability of a rejection that is wanted; 0.9, if no width is.
    ratio : float, optional
        Negatives for each positive; 1, if neither is known.
    alpha : float, default 0.05
        Probability of a rejection where there is no difference.
    n_pos, n_neg : float, optional
        One of them, if it is known; the other is solved for.
    width : float, optional
        In place of a power: the width wanted of the interval of level ``1 - alpha``.
    null_value, other_auc, correlation, estimate_correlation, paired, sample_ratio
        What to tell it from, as in `plan_auc_study`; 0.5, if nothing is said.
    alternative, method
        As in `plan_auc_study`.

    Returns
    -------
    AUCPlan
        With the fields `n_pos` and `n_neg`, not rounded.

    Examples
    --------
    >>> auc_sample_size(0.7, power=0.9, ratio=2)
    AUC 0.700 against 0.500: 30.6+ 61.2-, power 0.900, alpha 0.05, interval width 0.238
    >>> auc_sample_size(0.8, width=0.1).n_pos
    183.5...
    """
    if sum(one is not None for one in (n_pos, n_neg, ratio)) > 1:
        raise InputError(
            f"n_pos={n_pos!r}, n_neg={n_neg!r} and ratio={ratio!r} leave no size to solve for. "
            "Pass one of them at most; for the power of given sizes see auc_power."
        )
    return plan_auc_study(
        auc,
        n_pos=n_pos,
        n_neg=n_neg,
        ratio=ratio,
        power=power,
        width=width,
        alpha=alpha,
        null_value=null_value,
        other_auc=other_auc,
        correlation=correlation,
        estimate_correlation=estimate_correlation,
        paired=paired,
        sample_ratio=sample_ratio,
        alternative=alternative,
        method=method,
    )


def _checked_simulations(simulate: Any) -> int:
    whole = isinstance(simulate, Integral) and not isinstance(simulate, bool)
    if not whole or not 0 <= int(simulate) <= 10**9:
        raise InputError(
            f"simulate={simulate!r} is not a whole number from 0 to 1,000,000,000. 2,000 studies "
            "give a power with a standard error of about 0.01."
        )
    return int(simulate)
