"""Sample size and power of studies of AUCs."""

from __future__ import annotations

from roclab.checks.choices import Alternative, PlanningMethod
from roclab.checks.options import Progress, RandomState, check_count, shown
from roclab.errors import InputError
from roclab.inference.planning.design import Correlation, StudyDesign
from roclab.inference.planning.pilot import PilotData
from roclab.inference.planning.plan import AUCPlan, plan_of
from roclab.inference.planning.simulate import simulate_power
from roclab.inference.planning.solve import KnownParts


def plan_auc_study(
    auc: float | None = None,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    ratio: float | None = None,
    power: float | None = None,
    width: float | None = None,
    alpha: float | None = 0.05,
    simulate: int = 0,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    method: PlanningMethod = "obuchowski",
    alternative: Alternative = "two-sided",
    pilot: PilotData | None = None,
    measure: str = "auc",
    rng: RandomState = None,
    progress: Progress | None = None,
) -> AUCPlan:
    """Plan a study of an AUC: solve for the quantity that is left out.

    With sizes and an AUC it is the power; without sizes, the sizes; without an AUC, the smallest
    detectable one; with ``alpha=None``, alpha.

    Parameters
    ----------
    auc : float, optional
        Expected AUC. If left out, that of the pilot if there is one and something else to solve
        for; otherwise the nearest to the null value that is detected with the given power, above it
        unless `alternative` is ``"less"``.
    n_pos, n_neg : float, optional
        Number of positive and negative examples. If one is left out, it follows from `ratio`, or
        is solved for.
    ratio : float, optional
        Number of negatives per positive; if neither size is given, that of the pilot, or 1.
    power : float, optional
        Power of the test; 0.9 if another quantity is solved for.
    width : float, optional
        Width of the interval of level ``1 - alpha``, instead of a power. Only the sizes can be
        solved for.
    alpha : float or None, default 0.05
        Significance level; None to solve for it.
    simulate : int, default 0
        Number of studies to simulate and test by `compare_to_value`, `compare_auc` or
        `compare_independent_auc`, as a check of the formula.
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
    method : {"obuchowski", "delong"}, default "obuchowski"
        Method of the predicted variance. ``"obuchowski"`` is published for planning and used by
        other packages; the test has the variance under the null hypothesis. ``"delong"`` is the
        exact variance of the empirical AUC, and the test has the variance under the alternative, as
        in `compare_auc` and `compare_to_value`. For two models ``"obuchowski"`` is conservative:
        planned for a power of 0.80, simulated studies had 0.85 to 0.99, more for higher AUCs, with
        up to 2.5 times the examples of ``"delong"``, whose studies had 0.80 to 0.87. Both assume
        normal scores with the same standard deviation in both classes; with other scores the power
        may be far lower.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Alternative hypothesis.
    pilot : Ranking, ScoreTable or tuple of two Rankings, optional
        Pilot study: a ranking, for two models on the same rows a table of both, with
        ``paired=False`` two rankings. Its variance per example, and the correlation of the models,
        replace those of `method`. `other_auc` is by default that of its second model.
    measure : str, default "auc"
        ``"auc"``, or with a pilot a partial AUC such as ``"partial_auc(fpr_range=(0, 0.1))"``; all
        AUCs are then partial, and the null value is by default that of chance.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `simulate`.

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
    the wrong side are not counted. Fields of sizes are not rounded; what is printed is rounded up
    to whole examples.

    References
    ----------
    N. A. Obuchowski, D. K. McClish, Statistics in Medicine 16 (1997) 1529-1542.
    N. A. Obuchowski, M. L. Lieber, F. H. Wians, Clinical Chemistry 50 (2004) 1118-1125, equations
    2 and 3.

    Examples
    --------
    >>> plan_auc_study(0.8, other_auc=0.75, correlation=0.5, power=0.8).n
    946
    >>> plan_auc_study(n_pos=41, n_neg=72, power=0.95).auc  # what can be detected
    0.696...
    >>> from roclab import ScoreTable
    >>> pilot = ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.3, 0.2, 0.1, 0.4]})
    >>> plan_auc_study(pilot=pilot, n_pos=40, n_neg=60).power
    0.39371265883487105
    """
    designed = StudyDesign.of(
        null_value=null_value,
        other_auc=other_auc,
        correlation=correlation,
        estimate_correlation=estimate_correlation,
        paired=paired,
        sample_ratio=sample_ratio,
        alternative=alternative,
        method=method,
        pilot=pilot,
        measure=measure,
    )
    sized = sum(one is not None for one in (n_pos, n_neg, ratio)) > 1
    unknown = not sized or power is None or alpha is None
    if auc is None and designed.pilot is not None and unknown:
        auc = float(designed.pilot.values[0])
    known = KnownParts.of(designed, auc, n_pos, n_neg, ratio, power, width, alpha)
    fix = "2,000 studies give a power with a standard error of about 0.01."
    n_simulations = check_count("simulate", simulate, 0, fix=fix)
    found, sizes, level = known.solved(designed)
    simulation = None
    if n_simulations:
        simulation = simulate_power(
            designed, found, sizes, level, n_simulations=n_simulations, rng=rng, progress=progress
        )
    return plan_of(
        designed,
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
    *,
    alpha: float = 0.05,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    method: PlanningMethod = "obuchowski",
    alternative: Alternative = "two-sided",
    pilot: PilotData | None = None,
    measure: str = "auc",
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
    method : {"obuchowski", "delong"}, default "obuchowski"
        Method of the predicted variance. ``"obuchowski"`` is published for planning and used by
        other packages; the test has the variance under the null hypothesis. ``"delong"`` is the
        exact variance of the empirical AUC, and the test has the variance under the alternative, as
        in `compare_auc` and `compare_to_value`. For two models ``"obuchowski"`` is conservative:
        planned for a power of 0.80, simulated studies had 0.85 to 0.99, more for higher AUCs, with
        up to 2.5 times the examples of ``"delong"``, whose studies had 0.80 to 0.87. Both assume
        normal scores with the same standard deviation in both classes; with other scores the power
        may be far lower.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Alternative hypothesis.
    pilot : Ranking, ScoreTable or tuple of two Rankings, optional
        Pilot study: a ranking, for two models on the same rows a table of both, with
        ``paired=False`` two rankings. Its variance per example, and the correlation of the models,
        replace those of `method`. `other_auc` is by default that of its second model.
    measure : str, default "auc"
        ``"auc"``, or with a pilot a partial AUC such as ``"partial_auc(fpr_range=(0, 0.1))"``; all
        AUCs are then partial, and the null value is by default that of chance.

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
        pilot=pilot,
        measure=measure,
    ).power


def auc_sample_size(
    auc: float,
    *,
    power: float | None = None,
    ratio: float | None = None,
    alpha: float = 0.05,
    n_pos: float | None = None,
    n_neg: float | None = None,
    width: float | None = None,
    null_value: float | None = None,
    other_auc: float | None = None,
    correlation: Correlation | None = None,
    estimate_correlation: float | None = None,
    paired: bool = True,
    sample_ratio: float = 1.0,
    method: PlanningMethod = "obuchowski",
    alternative: Alternative = "two-sided",
    pilot: PilotData | None = None,
    measure: str = "auc",
) -> AUCPlan:
    """Compute the sample size for a power, or for the width of the confidence interval.

    Parameters
    ----------
    auc : float
        Expected AUC.
    power : float, optional
        Power of the test; 0.9 if no width is given.
    ratio : float, optional
        Number of negatives per positive; if neither size is given, that of the pilot, or 1.
    alpha : float, default 0.05
        Significance level.
    n_pos, n_neg : float, optional
        One of the sizes, if it is known; the other is solved for.
    width : float, optional
        Width of the interval of level ``1 - alpha``, instead of a power.
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
    method : {"obuchowski", "delong"}, default "obuchowski"
        Method of the predicted variance. ``"obuchowski"`` is published for planning and used by
        other packages; the test has the variance under the null hypothesis. ``"delong"`` is the
        exact variance of the empirical AUC, and the test has the variance under the alternative, as
        in `compare_auc` and `compare_to_value`. For two models ``"obuchowski"`` is conservative:
        planned for a power of 0.80, simulated studies had 0.85 to 0.99, more for higher AUCs, with
        up to 2.5 times the examples of ``"delong"``, whose studies had 0.80 to 0.87. Both assume
        normal scores with the same standard deviation in both classes; with other scores the power
        may be far lower.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Alternative hypothesis.
    pilot : Ranking, ScoreTable or tuple of two Rankings, optional
        Pilot study: a ranking, for two models on the same rows a table of both, with
        ``paired=False`` two rankings. Its variance per example, and the correlation of the models,
        replace those of `method`. `other_auc` is by default that of its second model.
    measure : str, default "auc"
        ``"auc"``, or with a pilot a partial AUC such as ``"partial_auc(fpr_range=(0, 0.1))"``; all
        AUCs are then partial, and the null value is by default that of chance.

    Returns
    -------
    AUCPlan
        The plan, with the sizes `n_pos` and `n_neg` not rounded.

    Examples
    --------
    >>> plan = auc_sample_size(0.7, power=0.9, ratio=2)
    >>> round(plan.n_pos, 1), plan.n  # 31 positives and 62 negatives
    (30.6, 93)
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
        pilot=pilot,
        measure=measure,
    )
