"""Averages of ROC curves, such as those of the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import as_scores
from roclab.checks.options import check_choice, shown
from roclab.curves import roc_curve
from roclab.curves.columns import as_thresholds
from roclab.curves.reading import tpr_at
from roclab.data.ranking import Ranking
from roclab.data.undefined import is_undefined
from roclab.errors import InputError, Parameter, UndefinedMeasureWarning
from roclab.formatting import listed, one_line
from roclab.inference.folds.fold_scores import Fold, FoldScores, folds_of
from roclab.inference.intervals.proportions import ascending_rates
from roclab.result import ReadOnlyArrays, Result

AveragedOver = Literal["fpr", "threshold"]
Floats = npt.NDArray[np.float64]

_POINTS = 201


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AverageROC(Result, ReadOnlyArrays):
    """Average of several ROC curves, the result of `average_roc`.

    Attributes
    ----------
    fpr, tpr : ndarray
        The average curve, from the highest threshold to the lowest.
    fpr_error, tpr_error : ndarray
        Standard deviations over the folds, divided by the root of their number; `fpr_error` is 0
        for vertical averaging. They assume independent folds, which holds only approximately.
    thresholds : ndarray or None
        Thresholds at which rates were averaged; None for vertical averaging.
    fold_fpr, fold_tpr : ndarray or None
        Rates of the folds that were averaged, one row per fold; `fold_fpr` is None for vertical
        averaging, where all folds have the same `fpr`.
    over : {"fpr", "threshold"}
        Vertical or threshold averaging.
    n_folds, n_pos, n_neg : int
        Number of folds, and of positive and negative examples in all of them.
    """

    fpr: Floats
    tpr: Floats
    fpr_error: Floats
    tpr_error: Floats
    thresholds: Floats | None
    fold_fpr: Floats | None
    fold_tpr: Floats
    over: AveragedOver
    n_folds: int
    n_pos: int
    n_neg: int

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        return (
            f"AverageROC({self.n_folds} curves over {self.over}, {len(self):,} points, "
            f"{self.n_pos}+ {self.n_neg}-)"
        )


def average_roc(
    y_true: npt.ArrayLike | Ranking | FoldScores,
    y_score: npt.ArrayLike | None = None,
    *,
    fold: npt.ArrayLike | None = None,
    over: AveragedOver = "fpr",
    fpr: npt.ArrayLike | None = None,
    thresholds: npt.ArrayLike | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> AverageROC:
    """Average the ROC curves of several folds.

    Parameters
    ----------
    y_true : array-like, Ranking or FoldScores
        Target labels (see `Ranking`), a ranking made from rows, or the result of `fold_scores`.
    y_score : array-like, optional
        Out-of-fold scores, higher for the positive class; not with a ranking or `FoldScores`.
    fold : array-like, optional
        Fold of each row; not with `FoldScores`. Rows of the same fold are scored by the same model.
    over : {"fpr", "threshold"}, default "fpr"
        ``"fpr"`` (vertical averaging): the mean TPR at each FPR. ``"threshold"``: the mean FPR and
        the mean TPR at each threshold, for models with scores on the same scale.
    fpr : array-like, optional
        Ascending FPRs to average at; by default 0, 0.005, ..., 1.
    thresholds : array-like, optional
        Descending thresholds to average at; by default infinity and up to 200 of the scores, evenly
        spread over their ranks.
    sample_weight : array-like, optional
        Sample weights; with `FoldScores`, of the rows of the data, in their order. Not with a
        ranking. Rows of weight 0 are left out, and so is a fold that has no others.
    pos_label : object, optional
        Positive class label; not with a ranking or `FoldScores`.

    Returns
    -------
    AverageROC
        If a fold lacks a class, all rates are nan, with an `UndefinedMeasureWarning`.

    Raises
    ------
    InputError
        There are fewer than two folds with examples.

    Notes
    -----
    Where a curve is vertical at an FPR, vertical averaging takes the highest TPR. The area under
    the vertical average is nearly the mean of the areas. O(n log n).

    References
    ----------
    T. Fawcett, Pattern Recognition Letters 27 (2006) 861-874, algorithms 3 and 4.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.7, 0.9]
    >>> folds = [1, 1, 1, 1, 2, 2, 2, 2]
    >>> average_roc(y, s, fold=folds, fpr=[0, 0.5, 1]).tpr
    array([0.5 , 0.75, 1.  ])
    >>> average_roc(y, s, fold=folds, over="threshold", thresholds=[0.8, 0.4]).tpr
    array([0.5 , 0.75])
    """
    check_choice("over", over, AveragedOver)
    if (fpr if over == "threshold" else thresholds) is not None:
        other = "fpr" if over == "threshold" else "thresholds"
        raise InputError(
            found="{other} has no effect with {over=}{value}",
            fix="Leave it out.",
            other=Parameter(other),
            value=repr(over),
        )
    folds = folds_of(y_true, y_score, fold, sample_weight, pos_label)
    if over == "fpr":
        wanted = np.linspace(0, 1, _POINTS) if fpr is None else ascending_rates(fpr, "fpr")
        tprs = np.array([_rates_at_fpr(one, wanted) for one in folds.parts])
        fprs = wanted[np.newaxis]
    else:
        wanted = _spread(folds.pooled) if thresholds is None else _descending(thresholds)
        both = [_rates_at_thresholds(one, wanted) for one in folds.parts]
        fprs, tprs = (np.array(rates) for rates in zip(*both, strict=True))
    _warn_of_folds(folds.parts)
    rates = [fprs.mean(axis=0), tprs.mean(axis=0)]
    errors = [one.std(axis=0, ddof=min(1, len(one) - 1)) / len(one) ** 0.5 for one in (fprs, tprs)]
    return AverageROC(
        fpr=rates[0],
        tpr=rates[1],
        fpr_error=errors[0],
        tpr_error=errors[1],
        thresholds=wanted if over == "threshold" else None,
        fold_fpr=fprs if over == "threshold" else None,
        fold_tpr=tprs,
        over=over,
        n_folds=len(folds.parts),
        n_pos=folds.pooled.ranking.n_pos,
        n_neg=folds.pooled.ranking.n_neg,
    )


def _rates_at_fpr(fold: Fold, fpr: Floats) -> Floats:
    if is_undefined(fold.ranking):
        return np.full(len(fpr), np.nan)
    return tpr_at(roc_curve(fold.ranking), fpr)


def _rates_at_thresholds(fold: Fold, thresholds: Floats) -> tuple[Floats, Floats]:
    if is_undefined(fold.ranking):
        undefined = np.full(len(thresholds), np.nan)
        return undefined, undefined
    curve = roc_curve(fold.ranking)
    # The first threshold of a curve is above all scores.
    reached = np.searchsorted(-curve.thresholds[1:], -thresholds, side="right")
    return curve.fpr[reached], curve.tpr[reached]


def _spread(pooled: Fold) -> Floats:
    """Infinity, and scores of all folds at evenly spaced ranks, including the lowest."""
    rows = pooled.ranking.rows()
    ranked = rows.scores[rows.order][::-1]
    places = np.linspace(0, len(ranked) - 1, min(len(ranked), _POINTS - 1)).round().astype(int)
    chosen = np.concatenate(([np.inf], as_thresholds(ranked[places][::-1])[::-1]))
    distinct = np.concatenate(([True], chosen[1:] != chosen[:-1]))
    return chosen[distinct]


def _descending(thresholds: npt.ArrayLike) -> Floats:
    found = as_thresholds(as_scores(thresholds, "thresholds")[::-1])[::-1]
    if not len(found) or np.isnan(found[0]) or not np.all(np.diff(found) < 0):
        raise InputError(
            found="{thresholds=}{value} is not a descending sequence",
            needed="one or more descending numbers are needed",
            fix="Pass for example {thresholds=}[0.9, 0.5, 0.1].",
            value=shown(thresholds),
        )
    return found


def _warn_of_folds(folds: Sequence[Fold]) -> None:
    lacking = [one.name for one in folds if is_undefined(one.ranking)]
    if lacking:
        UndefinedMeasureWarning(
            found="{lacking} of {count} folds ({names}) have no positive or no negative examples",
            needed="an average curve needs both classes in every fold",
            fix="It is nan. Stratify the folds (StratifiedKFold), or use fewer of them.",
            lacking=len(lacking),
            count=len(folds),
            names=listed(map(one_line, lacking)),
        ).issue()
