"""The granular ROC: a lower and an upper curve for scores that are uncertain by a distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import check_choice
from roclab.curves.columns import counts_above
from roclab.curves.roc import ROCCurve
from roclab.curves.score_differences import Floats
from roclab.curves.score_scale import ScoreScale
from roclab.curves.shifted import ShiftedClasses
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.result import Result

GranularDefinition = Literal["clean", "published"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GranularROC(Result):
    """Lower and upper ROC curve of scores that are indistinguishable when close.

    Attributes
    ----------
    low, up : ROCCurve
        The lower and the upper curve, from (0, 0) to (1, 1). In the clean definition their
        thresholds apply to unchanged negatives and to positives moved down, or up, by the
        granularity. In the published one each threshold is the score of its point, with an
        additional point, (1, 1), at minus infinity.
    granularity : float
        Distance below which scores are indistinguishable.
    definition : {"clean", "published"}
        Definition of the curves.
    """

    low: ROCCurve
    up: ROCCurve
    granularity: float
    definition: GranularDefinition

    def __repr__(self) -> str:
        return (
            f"GranularROC({len(self.low.fpr):,} points low, {len(self.up.fpr):,} up, "
            f"granularity {self.granularity:g}, {self.definition})"
        )


def granular_roc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    granularity: float = 0.02,
    definition: GranularDefinition = "clean",
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> GranularROC:
    """The lower and the upper ROC curve of scores that are indistinguishable when close.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    granularity : float, default 0.02
        Distance below which two scores are indistinguishable, in units of the score.
    definition : {"clean", "published"}, default "clean"
        ``"clean"``: the ROC curves after all positives have moved down, or up, by the granularity.
        ``"published"``: the algorithm of the paper in the reading that gives its numbers, with one
        point per distinct score; it has no weighted form.
    decimals : int, optional
        Compare exactly, in whole steps of 10**-decimals; scores or a granularity with more digits
        are refused. Otherwise sums are rounded to float64 before they are compared.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    GranularROC
        If a class is missing, curves of a single point, nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    Clean, with granularity d: the lower curve has the points (share of negatives with x >= t,
    share of positives with y - d >= t) for every t, the upper one y + d in place of y - d. The
    areas under them are ``granular_auc(...).low`` and ``.up``. O(n log n). Scores must be finite.
    They are compared as float64; integers beyond 2**53 are exact with ``decimals=0``.

    References
    ----------
    Dong, Li, Li and Zhao, Journal of Software 24 (2013) 109-120, definitions 1 to 4.

    Examples
    --------
    >>> band = granular_roc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], granularity=0.1)
    >>> band
    GranularROC(5 points low, 5 up, granularity 0.1, clean)
    >>> band.low.fpr, band.low.tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    >>> band.up.fpr, band.up.tpr
    (array([0. , 0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. , 1. ]))
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    scale = ScoreScale(decimals)
    distance = scale.distance(granularity)
    check_definition(definition, ranking)
    warn_if_undefined("A granular ROC curve", ranking)
    if is_undefined(ranking):
        unknown = np.array([np.nan])
        low = up = ROCCurve(fpr=unknown, tpr=unknown, thresholds=np.array([np.inf]))
    elif definition == "published":
        low, up = PublishedCurves(ranking, scale).at(distance)
    else:
        classes = ShiftedClasses(ranking, scale)
        low, up = classes.curve(-distance), classes.curve(distance)
    return GranularROC(low=low, up=up, granularity=float(granularity), definition=definition)


def check_definition(definition: Any, ranking: Ranking) -> None:
    """Raise for unknown definitions, and for weights if there is no weighted form."""
    check_choice("definition", definition, GranularDefinition)
    if definition == "published" and ranking.weighted:
        raise InputError(
            found="{definition=}'published' has no weighted form",
            fix="Leave {sample_weight} out, repeat the rows, or pass {definition=}'clean'.",
        )


class PublishedCurves:
    """The curves of the paper's algorithm, one point per distinct score, at any distance.

    Glossary, after the paper: at a score s, p and n are the positives and negatives at or above
    s + distance; the block is what lies below that and not below s, with xi_p positives and xi_n
    negatives. For the upper curve the block counts as positive, for the lower one as negative.
    """

    def __init__(self, ranking: Ranking, scale: ScoreScale) -> None:
        self._scores = scale.scores(ranking.scores)
        self._tp = counts_above(ranking.pos).astype(np.float64)
        self._fp = counts_above(ranking.neg).astype(np.float64)
        self._ordinary = self._fp[1:] / self._fp[-1], self._tp[1:] / self._tp[-1]
        descending = scale.values(self._scores[::-1])
        self._thresholds = np.concatenate(([np.inf], descending, [-np.inf]))

    def at(self, distance: Any) -> tuple[ROCCurve, ROCCurve]:
        """The lower and the upper curve. O(n log n)."""
        count = len(self._scores)
        with np.errstate(over="ignore"):
            left = self._scores + distance
        above = count - self._scores.searchsorted(left, "left")[::-1]
        p, n = self._tp[above], self._fp[above]
        xi_p, xi_n = self._tp[1:] - p, self._fp[1:] - n
        block = xi_p + xi_n
        alone = above >= np.arange(count)  # no other score in the block: the ordinary point
        positives, negatives = self._tp[-1], self._fp[-1]

        def curve(fpr: npt.NDArray[np.float64], tpr: npt.NDArray[np.float64]) -> ROCCurve:
            fpr, tpr = (
                np.concatenate(([0.0], np.where(alone, *pair), [1.0]))
                for pair in zip(self._ordinary, (fpr, tpr), strict=True)
            )
            return ROCCurve(fpr=fpr, tpr=tpr, thresholds=self._thresholds)

        low = curve((n + block) / (negatives + xi_p), _ratio(p, positives - xi_p))
        up = curve(_ratio(n, negatives - xi_n), (p + block) / (positives + xi_n))
        return low, up


def published_areas(
    ranking: Ranking, scale: ScoreScale, distances: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """The areas under the lower and the upper of the `PublishedCurves`, at each distance.

    About O(n) for each; the curves are not built.
    """
    scores = scale.scores(ranking.scores)
    moves = np.asarray(distances, dtype=scores.dtype)
    return _core.published_areas(scores, ranking.pos, ranking.neg, moves, _core.thread_count())


def _ratio(part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A quotient in which 0/0 is 0, for a block with the whole class."""
    return np.asarray(part / np.maximum(whole, 1), dtype=np.float64)
