"""Sample size and power of studies of AUCs."""

from __future__ import annotations

from roclab.errors import InputError
from roclab.inference.planning.design import PlanningMethod, StudyDesign
from roclab.inference.planning.plan import AUCPlan
from roclab.inference.planning.simulate import simulate_power
from roclab.inference.planning.solve import KnownParts
from roclab.options import Alternative, Progress, RandomState, check_count, shown

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
    """Plan a study of an AUC: solve for the quantity that is left out.

    With sizes and an AUC it is the power; without sizes, the sizes; without an AUC, the smallest
    detectable one; with ``alpha=None``, alpha.

    Parameters
    ----------
    auc : float, optional
        Expected AUC. If left out, the nearest to the null value that is detected with the given
        power, above it unless `alternative` is ``"less"``.
    n_pos, n_neg : float, optional
        Number of positive and negative examples. If one is left out, it follows from `ratio`, or
        is solved for.
    ratio : float, optional
        Number of negatives per positive; 1 if neither size is given.
    power : float, optional
        Power of the test; 0.9 if another quantity is solved for.
    width : float, optional
        Width of the interval of level ``1 - alpha``, instead of a power. Only the sizes can be
        solved for.
    alpha : float or None, default 0.05
        Significance level; None to solve for it.
    null_value : float, optional
        AUC under the null hypothesis; by default 0.5, chance.
    other_auc : float, optional
        AUC of another model to compare with, instead of a value. It is the reference: under the
        null hypothesis both models have it.
    correlation : float or tuple of float, optional
        Correlation of the scores of the two models within a class, the same in both classes or one
        each for positives and negatives.
    estimate_correlation : float, optional
        Correlation of the two AUCs, instead of `correlation`.
    paired : bool, default True
        Whether both models score the same rows. If False, sizes are those of the first model.
    sample_ratio : float, default 1
        Number of rows of the other model per row of the first, if they are not paired.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Alternative hypothesis.
    method : {"obuchowski", "delong"}, default "obuchowski"
        Method of the predicted variance. ``"obuchowski"`` is published for planning and used by
        other packages; the test has the variance under the null hypothesis. ``"delong"`` is the
        exact variance of the empirical AUC, and the test has the variance under the alternative, as
        in `compare_auc` and `compare_to_value`. Both assume normal scores with the same standard
        deviation in both classes.
    simulate : int, default 0
        Number of studies to simulate and test by `compare_to_value`, `compare_auc` or
        `compare_independent_auc`, as a check of the formula.
    rng : None, int or numpy Generator, optional
        Random state of the simulation. Pass an int for reproducible results.
    progress : callable, optional
        Called as ``progress(done, simulate)``.

    Returns
    -------
    AUCPlan
        The plan; `solved_for` names the quantity that was left out.

    Raises
    ------
    InputError
        Nothing or too much is left out; the AUC equals the null value, or is on the other side than
        a one-sided alternative; the power is not above alpha; no sizes, AUC or alpha give the power
        or width.

    Notes
    -----
    With z the normal quantiles, s0 the standard error under the null hypothesis and s1 that under
    the alternative, the power is ``Phi((|auc - null| - z(1 - alpha / 2) s0) / s1)``; rejections on
    the wrong side are not counted. Sizes are not rounded: round them up.

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
    fix = "2,000 studies give a power with a standard error of about 0.01."
    n_simulations = check_count("simulate", simulate, 0, fix=fix)
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
    """Compute the power of a test of an AUC against a value or another AUC.

    Parameters
    ----------
    auc : float
        Expected AUC.
    n_pos, n_neg : float
        Number of positive and negative examples.
    alpha : float, default 0.05
        Significance level.
    null_value, other_auc, correlation, estimate_correlation, paired, sample_ratio
        The null hypothesis, as for `plan_auc_study`; by default 0.5.
    alternative, method
        As for `plan_auc_study`.

    Returns
    -------
    float
        Power of the test.

    Examples
    --------
    >>> auc_power(0.73, 41, 72)
    0.9897...
    >>> auc_power(0.8, 100, 100, other_auc=0.75, correlation=0.5)
    0.2454...
    """
    if any(one is None for one in (auc, n_pos, n_neg, alpha)):
        raise InputError(
            found="{auc=}{value}, {n_pos=}{pos}, {n_neg=}{neg} and {alpha=}{level} are all needed "
            "for the power",
            fix="To solve for one of them use plan_auc_study.",
            value=shown(auc),
            pos=shown(n_pos),
            neg=shown(n_neg),
            level=shown(alpha),
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
    """Compute the sample size for a power, or for the width of the confidence interval.

    Parameters
    ----------
    auc : float
        Expected AUC.
    power : float, optional
        Power of the test; 0.9 if no width is given.
    ratio : float, optional
        Number of negatives per positive; 1 if neither size is given.
    alpha : float, default 0.05
        Significance level.
    n_pos, n_neg : float, optional
        One of the sizes, if it is known; the other is solved for.
    width : float, optional
        Width of the interval of level ``1 - alpha``, instead of a power.
    null_value, other_auc, correlation, estimate_correlation, paired, sample_ratio
        The null hypothesis, as for `plan_auc_study`; by default 0.5.
    alternative, method
        As for `plan_auc_study`.

    Returns
    -------
    AUCPlan
        The plan, with the sizes `n_pos` and `n_neg` not rounded.

    Examples
    --------
    >>> auc_sample_size(0.7, power=0.9, ratio=2)
    AUC 0.700 against 0.500: 30.6+ 61.2-, power 0.900, alpha 0.05, interval width 0.238
    >>> auc_sample_size(0.8, width=0.1).n_pos
    183.5...
    """
    if sum(one is not None for one in (n_pos, n_neg, ratio)) > 1:
        raise InputError(
            found="{n_pos=}{pos}, {n_neg=}{neg} and {ratio=}{times} leave no size to solve for",
            fix="Pass at most one of them. For the power of given sizes use auc_power.",
            pos=shown(n_pos),
            neg=shown(n_neg),
            times=shown(ratio),
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
