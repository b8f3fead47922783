"""Select a model of a table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import Progress, RandomState, check_level
from roclab.checks.vectors import as_names
from roclab.data.table import ScoreTable, check_table
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import listed, one_line
from roclab.inference.estimation.resampling import Draws
from roclab.selection.contenders import best_pvalues, largest_of, leading
from roclab.selection.criterion import Better, Criterion, criterion_of
from roclab.selection.model_selection import ModelSelection, ModelStanding

Floats = npt.NDArray[np.float64]

# Standard deviation of the noise in which the model is selected again, in that of the replicates.
_DAMPING = math.sqrt(0.5)


def select_model(
    table: ScoreTable,
    *,
    measure: str | Callable[..., Any] = "auc",
    better: Better | None = None,
    ties: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: str | npt.ArrayLike | None = None,
    progress: Progress | None = None,
) -> ModelSelection:
    """Select the best model of a table, with the uncertainty of the selection.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    measure : str or callable, default "auc"
        Measure to select by: one that returns a number, such as `scored_auc`, its specification,
        such as ``"lambda_auc(granularity=0.05)"``, or a function called as
        ``measure(y_true, y_score)``, with ``sample_weight=`` if the table has weights.
    better : {"higher", "lower"}, optional
        Which values are better, if `measure` is another function; by default higher.
    ties : str, optional
        Measure that decides among models with the same best value, such as ``"scored_auc"``; by
        default the first of them in the table is selected.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is that of the set of contenders.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    stratified : bool, default True
        Resample positives and negatives separately. Otherwise all rows are resampled together, and
        replicates that lack a class are left out.
    cluster : str or array-like, optional
        Cluster of each row, such as a patient, or the group column of the table that has it.
        Clusters instead of rows are then assumed to be independent, and resampled.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.

    Returns
    -------
    ModelSelection
        With the `best`, the `contenders`, the `win_share` of each model, and the `optimism`.
        `best_by_auc` is a caution: it names the model with the highest AUC if AUC is known to
        choose better than `measure` from this number of rows.

    Raises
    ------
    InputError
        A measure has no such option, or is not defined for the scores of a column.

    Warns
    -----
    UndefinedMeasureWarning
        A value is undefined. Such a model comes last and is not a contender; if all are undefined,
        `best` is None and all are contenders.

    Notes
    -----
    All models are evaluated on the same replicates. *Contenders* are the models that no other model
    leads significantly, by the largest lead in standard errors (multiple comparisons with the
    best); the docstring of `roclab.selection.contenders` has the details. With a single example of
    a class all are contenders. By the AUC and the Gini coefficient, a model is left out only if
    also the one-sided test of `compare_auc` finds another one better. At a nominal 5 %, one of 2
    or 5 equally good models was left out in at most 6 % of simulated samples of 10+100 and 10+1,000
    rows. With 30+300 rows it was at most 6 %, and up to 12 % if some positives score below all
    negatives or negatives have a Cauchy distribution. Other measures use the bootstrap alone.

    *Optimism* is the selection bias. Deviations of the replicates from their means are divided by
    the root of 2 and added to the values of the sample; the best model is selected again in each,
    and optimism is the root of 3 times the mean deviation of the selected models, on the scale
    ``arcsin(sqrt(value))`` for measures between two ends. If all models are equal its expectation
    is about the true bias. Where one model is clearly better it is too high: with 25 or more
    examples of each class in simulations by 36 % on average and by a factor of 2 at worst (of true
    values above 0.005). It is 0 for a single model.

    The AUC and the scored AUC need one pass over the rows per replicate and model, in parallel.
    With 5,000 or more examples of each class their replicates are drawn from the joint normal limit
    instead, with DeLong's covariance (`method` is then ``"joint_normal"``), unless models differ in
    few rows or few rows dominate: a bound of the skewness of all differences must be at most 0.5.
    Other measures are computed one by one in Python.

    References
    ----------
    J. C. Hsu, Multiple Comparisons: Theory and Methods, Chapman & Hall 1996, chapter 4.

    Examples
    --------
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.1, 0.4, 0.8, 0.9]}
    >>> chosen = select_model(ScoreTable([0, 1, 0, 1], scores), rng=0)
    >>> chosen
    ModelSelection(best of 2: a AUC 0.875; also contenders: b)
    >>> chosen.win_share["a"] > chosen.win_share["b"]
    True
    """
    check_table(table)
    level = check_level(confidence_level)
    draws = Draws.of(
        n_resamples,
        rng,
        stratified=stratified,
        cluster=_cluster_of(table, cluster),
        progress=progress,
    )
    criterion = criterion_of(table, draws, measure, better)
    second = None if ties is None else criterion_of(table, draws, ties, None, "ties")
    values = criterion.values()
    defined = np.flatnonzero(~np.isnan(values))
    if len(defined) < len(values):
        _warn_of_undefined(table, criterion, defined)
    if not len(defined):
        return _undecided(table, criterion, level)
    # From here on higher is better.
    sign = 1.0 if criterion.better == "higher" else -1.0
    drawn = criterion.replicates()
    used = drawn[~np.isnan(drawn[:, defined]).any(axis=1)]
    pvalues, shares = np.zeros(len(values)), np.zeros(len(values))
    units = _independent_examples(table, draws)
    pvalues[defined] = best_pvalues(
        sign * values[defined],
        sign * used[:, defined],
        units=units,
        span=criterion.ends[1] - criterion.ends[0],
        lead_pvalues=criterion.lead_pvalues(),
    )
    shares[defined] = _win_shares(sign * used[:, defined])
    best = _best(sign * values, defined, second)
    optimism = 0.0
    if len(defined) > 1:
        place = int(np.flatnonzero(defined == best)[0])
        ends = criterion.ends if sign > 0 else (-criterion.ends[1], -criterion.ends[0])
        optimism = _value_bias(sign * values[defined], sign * used[:, defined], place, units, ends)
    errors = np.full(len(values), math.nan)
    if len(used) > 1:
        unit = largest_of(used)
        errors = unit * (used / unit).std(axis=0, ddof=1)
    return _selection(
        table,
        criterion,
        level,
        models=[
            ModelStanding(
                model=name,
                value=float(values[k]),
                standard_error=float(errors[k]),
                win_share=float(shares[k]),
                pvalue=float(pvalues[k]),
                contender=bool(pvalues[k] > 1 - level),
            )
            for k, name in enumerate(table.names)
        ],
        best=table.names[best],
        optimism=optimism,
        used=len(used),
        ties=None if second is None else second.title,
        best_by_auc=_best_by_auc(table, criterion, best),
    )


def _best(values: Floats, defined: npt.NDArray[np.intp], second: Criterion | None) -> int:
    """Model with the highest value; among ties the best by the second criterion, or the first."""
    leaders = defined[leading(values[defined])]
    if second is None or len(leaders) == 1:
        return int(leaders[0])
    sign = 1.0 if second.better == "higher" else -1.0
    found = np.array([sign * second.value_of(second.table.names[k]) for k in leaders])
    return int(leaders[np.argmax(np.where(np.isnan(found), -np.inf, found))])


def _cluster_of(table: ScoreTable, cluster: Any) -> Any:
    if cluster is None:
        return None
    if isinstance(cluster, str):
        return table.group_column(cluster)
    names = as_names(cluster, "cluster")
    if len(names) != len(table):
        raise InputError(
            found="{cluster} has {values} values and there are {rows} rows",
            fix="Pass one value per row.",
            values=f"{len(names):,}",
            rows=f"{len(table):,}",
        )
    return names


def _independent_examples(table: ScoreTable, draws: Draws) -> float:
    """Size of the smaller class: number of examples (effective with weights) or of clusters."""
    sides = _classes(table)
    if draws.clusters is not None:
        numbers = draws.clusters.numbers
        found = [np.bincount(numbers[side], minlength=1) for side in sides]
        return float(min(np.count_nonzero(of_clusters) for of_clusters in found))
    if table.sample_weight is None:
        return float(min(np.count_nonzero(side) for side in sides))
    weights = [table.sample_weight[side] for side in sides]
    return float(min(w.sum() ** 2 / max((w**2).sum(), 1e-300) for w in weights))


def _classes(table: ScoreTable) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Masks of positive and of negative rows, without those of weight 0."""
    counts = np.ones(len(table), np.bool_)
    if table.sample_weight is not None:
        counts = table.sample_weight > 0
    return counts & table.y_true, counts & ~table.y_true


def _win_shares(replicates: Floats) -> Floats:
    """Proportion of wins of each model, higher is better; ties are shared."""
    if not len(replicates):
        return np.full(replicates.shape[1], math.nan)
    wins = leading(replicates)
    return np.asarray((wins / wins.sum(axis=1, keepdims=True)).mean(axis=0))


def _optimism(values: Floats, replicates: Floats, best: int, units: float) -> float:
    """Selection bias of the best value, higher is better; nan if the noise is unknown.

    With deviations e of the replicates, and the winner w of ``values + s e``, the mean of e of w
    times ``sqrt(1 + s^2) / s`` has the bias as its expectation if all models are equal. The smaller
    s, the less it exceeds the bias if one model is better, and the more it varies.
    """
    if units <= 1 or len(replicates) < 2:
        return math.nan
    deviations = (replicates - replicates.mean(axis=0)) * math.sqrt(units / (units - 1))
    winners = leading(values + _DAMPING * deviations).argmax(axis=1)
    of_winners = deviations[np.arange(len(winners)), winners]
    # The mean deviation of the best model is 0: subtracted so that no choice is exactly no bias.
    gain = float((of_winners - deviations[:, best]).mean())
    return gain * math.sqrt(1 + _DAMPING**2) / _DAMPING


def _value_bias(
    values: Floats, replicates: Floats, best: int, units: float, ends: tuple[float, float]
) -> float:
    """The optimism of values between two ends.

    Computed for ``arcsin(sqrt(value))`` of values from 0 to 1, whose noise hardly depends on the
    value: near 1 the best model varies less than the others. Unbounded values are taken as they
    are.
    """
    low, high = ends
    if not math.isfinite(high - low):
        unit = largest_of(np.append(replicates, values))
        return unit * _optimism(values / unit, replicates / unit, best, units)

    def angle(of: Floats) -> Floats:
        return np.asarray(np.arcsin(np.sqrt(np.clip((of - low) / (high - low), 0, 1))))

    angles = angle(values)
    bias = _optimism(angles, angle(replicates), best, units)
    if bias == 0:
        return 0.0
    return float(values[best] - low - (high - low) * math.sin(max(angles[best] - bias, 0.0)) ** 2)


def _best_by_auc(table: ScoreTable, criterion: Criterion, best: int) -> str | None:
    """Model with the highest AUC, if AUC is known to choose better than the criterion."""
    if not criterion.auc_chooses_better:
        return None
    leaders = np.flatnonzero(leading(np.array([table[name].summary.auc for name in table.names])))
    return table.names[best if best in leaders else leaders[0]]


def _selection(
    table: ScoreTable,
    criterion: Criterion,
    level: float,
    *,
    models: list[ModelStanding],
    best: str | None,
    optimism: float,
    used: int,
    ties: str | None,
    best_by_auc: str | None,
) -> ModelSelection:
    sign = -1.0 if criterion.better == "higher" else 1.0
    last = math.inf
    best_first = sorted(
        models,
        # Rounding must not reorder models of equal values, nor move one ahead of the best.
        key=lambda one: (
            one.model != best,
            last if math.isnan(one.value) else sign * float(f"{one.value:.12g}"),
        ),
    )
    value = best_first[0].value
    n_pos, n_neg = (int(np.count_nonzero(side)) for side in _classes(table))
    return ModelSelection(
        best=best,
        contenders=tuple(one.model for one in best_first if one.contender),
        win_share={one.model: one.win_share for one in models},
        value=value,
        optimism=optimism,
        corrected_value=value + sign * optimism,
        models=tuple(best_first),
        measure=criterion.word,
        title=criterion.title,
        better=criterion.better,
        confidence_level=level,
        n_resamples=used,
        method=criterion.method,
        n_pos=n_pos,
        n_neg=n_neg,
        ties=ties,
        best_by_auc=best_by_auc,
        missing=table.missing,
    )


def _undecided(table: ScoreTable, criterion: Criterion, level: float) -> ModelSelection:
    undefined = {"value": math.nan, "standard_error": math.nan, "win_share": math.nan}
    models = [
        ModelStanding(model=name, pvalue=math.nan, contender=True, **undefined)
        for name in table.names
    ]
    return _selection(
        table,
        criterion,
        level,
        models=models,
        best=None,
        optimism=math.nan,
        used=0,
        ties=None,
        best_by_auc=None,
    )


def _warn_of_undefined(
    table: ScoreTable, criterion: Criterion, defined: npt.NDArray[np.intp]
) -> None:
    names = [name for k, name in enumerate(table.names) if k not in defined]
    n_pos, n_neg = (int(np.count_nonzero(side)) for side in _classes(table))
    warning = UndefinedMeasureWarning(
        found="The {title} is undefined for {count} of {all} models ({names}) with {n_pos} "
        "positive and {n_neg} negative examples",
        fix="Its value is nan.",
        title=criterion.title,
        count=f"{len(names):,}",
        all=f"{len(table.names):,}",
        names=listed(map(one_line, names)),
        n_pos=f"{n_pos:,}",
        n_neg=f"{n_neg:,}",
    )
    warning.issue()
