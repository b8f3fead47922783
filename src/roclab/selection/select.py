"""Choose among the models of a table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import ColumnError, InputError, UndefinedMeasureWarning
from roclab.inference.estimation.resampling import Draws
from roclab.options import Progress, RandomState, check_level
from roclab.selection.contenders import best_pvalues, largest_of, leading
from roclab.selection.criterion import Better, Criterion, criterion_of
from roclab.selection.model_selection import ModelSelection, ModelStanding
from roclab.table import ScoreTable
from roclab.vector import as_names

__all__ = ["select_model"]

Floats = npt.NDArray[np.float64]


def select_model(
    table: ScoreTable,
    *,
    by: str | Callable[..., Any] = "auc",
    better: Better | None = None,
    ties: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: str | npt.ArrayLike | None = None,
    progress: Progress | None = None,
) -> ModelSelection:
    """Choose a model of a table, and say how sure the choice is.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    by : str or callable, default "auc"
        What to choose by: a measure of one number, such as `scored_auc`, the word for it, such as
        ``"lambda_auc(granularity=0.05)"``, or a function of your own, called as
        ``by(y_true, y_score)``, with ``sample_weight=`` if the table has weights.
    better : {"higher", "lower"}, optional
        Which values of your own function are better; by default higher ones. Measures know.
    ties : str, optional
        The measure that decides among models with the best value, such as ``"scored_auc"``; by
        default the first of them in the table is taken.
    confidence_level : float, default 0.95
        Of the contenders.
    n_resamples : int, default 2000
        Bootstrap replicates.
    rng : int or numpy Generator, optional
        For the same result again, a whole number.
    stratified : bool, default True
        Whether each class is drawn from by itself.
    cluster : str or array-like, optional
        The cluster of each row, or the group column of the table that has it: clusters are then
        drawn instead of rows.
    progress : callable, optional
        Called as ``progress(done, n_resamples)``.

    Returns
    -------
    ModelSelection
        With the `best`, the `contenders`, the `win_share` of each model, and the `optimism`.

    Raises
    ------
    InputError
        A measure that has no such option, or is not defined for the scores of a column.

    Warns
    -----
    UndefinedMeasureWarning
        A value is not defined. Such a model comes last and is no contender; where none is defined,
        `best` is None and all are contenders.

    Notes
    -----
    All models are judged on the same replicates. *Contenders* are the models with no significant
    lead of another over them, by the largest lead in standard errors (multiple comparisons with the
    best); the docstring of `roclab.selection.contenders` has the details. With a single example of
    a class nothing can be told, and all are contenders.

    *Optimism*: in every replicate the best model is chosen anew and judged on the examples that
    were not drawn; it is the difference from the best model of the sample on the same examples
    (after Tsamardinos, Greasidou and Borboudakis 2018). Of a single model it is 0.

    One pass over the rows for each replicate and model of the AUC and scored AUC, two cores at
    work; other measures are computed one by one in Python.

    References
    ----------
    J. C. Hsu, Multiple Comparisons: Theory and Methods, Chapman & Hall 1996, chapter 4.
    I. Tsamardinos, E. Greasidou, G. Borboudakis, Machine Learning 107 (2018) 1895-1922.

    Examples
    --------
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.1, 0.4, 0.8, 0.9]}
    >>> chosen = select_model(ScoreTable([0, 1, 0, 1], scores), rng=0)
    >>> chosen
    ModelSelection(best of 2: a AUC 0.875; not told from it: b)
    >>> chosen.win_share["a"] > chosen.win_share["b"]
    True
    """
    if not isinstance(table, ScoreTable):
        raise InputError(
            f"`table` is a {type(table).__name__}; a ScoreTable is needed. Make one of a file or "
            "data frame with read_scores, or of arrays with ScoreTable."
        )
    level = check_level(confidence_level)
    draws = Draws.of(
        n_resamples,
        rng,
        stratified=stratified,
        cluster=_cluster_of(table, cluster),
        progress=progress,
    )
    criterion = criterion_of(table, draws, by, better)
    second = None if ties is None else criterion_of(table, draws, ties, None)
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
    pvalues[defined] = best_pvalues(
        sign * values[defined],
        sign * used[:, defined],
        units=_independent_examples(table, draws),
        span=criterion.span,
    )
    shares[defined] = _win_shares(sign * used[:, defined])
    best = _best(sign * values, defined, second)
    optimism = 0.0
    if len(defined) > 1:
        winners = leading(np.where(np.isnan(drawn), -np.inf, sign * drawn)).argmax(axis=1)
        optimism = sign * _optimism(criterion, best, winners.astype(np.uint32))
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
    )


def _best(values: Floats, defined: npt.NDArray[np.intp], second: Criterion | None) -> int:
    """The model of the highest value; of several the best by the second criterion, or the first."""
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
        if cluster not in table.groups:
            known = ", ".join(table.groups) or "none were given"
            raise ColumnError(f"No group column {cluster!r}. Group columns: {known}.")
        return table.groups[cluster]
    names = as_names(cluster, "cluster")
    if len(names) != len(table):
        raise InputError(
            f"cluster has {len(names):,} values and there are {len(table):,} rows. Give one "
            "value a row."
        )
    return names


def _independent_examples(table: ScoreTable, draws: Draws) -> float:
    """Of the smaller class: examples, if weighted in effect, or clusters that have some."""
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
    """Which rows are positive examples, and which negative; rows of weight 0 are none."""
    counts = np.ones(len(table), np.bool_)
    if table.sample_weight is not None:
        counts = table.sample_weight > 0
    return counts & table.y_true, counts & ~table.y_true


def _win_shares(replicates: Floats) -> Floats:
    """Shares of wins, higher being better; a tie is shared."""
    if not len(replicates):
        return np.full(replicates.shape[1], math.nan)
    wins = leading(replicates)
    return np.asarray((wins / wins.sum(axis=1, keepdims=True)).mean(axis=0))


def _optimism(criterion: Criterion, best: int, winners: npt.NDArray[np.uint32]) -> float:
    """How much less the winner of a replicate is worth elsewhere than the best of the sample."""
    gap = criterion.out_of_bag(np.full_like(winners, best)) - criterion.out_of_bag(winners)
    gap = gap[~np.isnan(gap)]
    return float(gap.mean()) if len(gap) else math.nan


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
) -> ModelSelection:
    sign = -1.0 if criterion.better == "higher" else 1.0
    last = math.inf
    models = sorted(
        models,
        # Rounding must put none ahead of another of the same value, and above all not of the best.
        key=lambda one: (
            one.model != best,
            last if math.isnan(one.value) else sign * float(f"{one.value:.12g}"),
        ),
    )
    value = models[0].value
    n_pos, n_neg = (int(np.count_nonzero(side)) for side in _classes(table))
    return ModelSelection(
        best=best,
        contenders=tuple(one.model for one in models if one.contender),
        win_share={one.model: one.win_share for one in models},
        value=value,
        optimism=optimism,
        corrected_value=value + sign * optimism,
        models=tuple(models),
        measure=criterion.word,
        title=criterion.title,
        better=criterion.better,
        confidence_level=level,
        n_resamples=used,
        n_pos=n_pos,
        n_neg=n_neg,
        ties=ties,
        missing=table.missing,
    )


def _undecided(table: ScoreTable, criterion: Criterion, level: float) -> ModelSelection:
    nothing = {"value": math.nan, "standard_error": math.nan, "win_share": math.nan}
    models = [
        ModelStanding(model=name, pvalue=math.nan, contender=True, **nothing)
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
    )


def _warn_of_undefined(
    table: ScoreTable, criterion: Criterion, defined: npt.NDArray[np.intp]
) -> None:
    names = [name for k, name in enumerate(table.names) if k not in defined]
    n_pos, n_neg = (int(np.count_nonzero(side)) for side in _classes(table))
    warnings.warn(
        f"The {criterion.title} is not defined for {len(names):,} of {len(table.names):,} models "
        f"({', '.join(names[:5])}) with {n_pos:,} positive and {n_neg:,} negative "
        "examples: its value is nan there.",
        UndefinedMeasureWarning,
        stacklevel=3,
    )
