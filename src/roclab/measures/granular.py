"""Granular AUC: the range of the AUC if close scores may swap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.granular import GranularDefinition, check_definition, published_areas
from roclab.curves.score_differences import Floats
from roclab.curves.score_scale import ScoreScale
from roclab.curves.shifted import ShiftedClasses
from roclab.data.ranking import Ranking
from roclab.data.undefined import is_undefined
from roclab.errors import UndefinedMeasureWarning
from roclab.measures.measure import defined_ranking, measure, measured_ranking
from roclab.result import Result

REFERENCE = "Dong, Li, Li and Zhao, Journal of Software 24 (2013) 109-120"


@dataclass(frozen=True, kw_only=True, repr=False)
class GranularAUC(Result):
    """The AUC, and its range if scores closer than the granularity are indistinguishable.

    Attributes
    ----------
    low, auc, up : float
        Area under the lower granular curve, under the ROC curve, and under the upper one.
    granularity : float
        Distance below which scores are indistinguishable.
    definition : {"clean", "published"}
        Definition of the curves.
    """

    low: float
    auc: float
    up: float
    granularity: float
    definition: GranularDefinition

    @property
    def lambda_(self) -> float:
        """The approximation ratio low / up (definition 6 of the paper); nan where up is 0."""
        return self.low / self.up if self.up else math.nan

    def to_dict(self) -> dict[str, Any]:
        """The fields, and lambda, as plain Python values."""
        return super().to_dict() | {"lambda": self.lambda_}

    def __repr__(self) -> str:
        return (
            f"GranularAUC({self.low:.4g} low, {self.auc:.4g}, {self.up:.4g} up, "
            f"granularity {self.granularity:g}, {self.definition})"
        )


@measure(
    title="Granular AUC",
    meaning="the AUC between its values with positives moved down and up by the granularity",
    reference=f"{REFERENCE}, definition 5",
    scores="finite",
    parts=("low", "auc", "up", "lambda"),
    example="granularity=0.05",
)
def granular_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    granularity: float = 0.02,
    definition: GranularDefinition = "clean",
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> GranularAUC:
    """The AUC, and the areas under the lower and the upper granular ROC curve.

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
    GranularAUC
        With `low`, `auc`, `up` and `lambda_`; all nan, with `UndefinedMeasureWarning`, if a class
        is missing.

    Notes
    -----
    Clean, with granularity d: low = P(y - d > x) + P(y - d = x) / 2 and up the same with y + d,
    for a positive y and a negative x; ``low <= auc <= up`` always. Published: trapezoids under
    the curves of `granular_roc`; neither inequality is guaranteed. O(n log n).

    References
    ----------
    Dong, Li, Li and Zhao, Journal of Software 24 (2013) 109-120, definition 5.

    Examples
    --------
    >>> granular_auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], granularity=0.1)
    GranularAUC(0.75 low, 0.875, 1 up, granularity 0.1, clean)
    """
    ranking = measured_ranking(granular_auc, y_true, y_score, sample_weight, pos_label)
    scale = ScoreScale(decimals)
    distance = scale.distance(granularity)
    check_definition(definition, ranking)
    low = area = up = math.nan
    if not is_undefined(ranking):
        area = auc_of(ranking)
        areas = granular_areas(ranking, scale, definition, [distance])
        low, up = (float(values[0]) for values in areas)
    return GranularAUC(
        low=low, auc=area, up=up, granularity=float(granularity), definition=definition
    )


@measure(
    title="lambda AUC",
    meaning="AUC times low/up, the ratio of its granular bounds",
    reference=f"{REFERENCE}, definitions 6 and 7",
    scores="finite",
    example="granularity=0.05",
)
def lambda_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    granularity: float = 0.02,
    definition: GranularDefinition = "clean",
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """The AUC times lambda, the ratio of the lower to the upper granular AUC.

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
    float
        Between 0 and the AUC (clean); nan, with `UndefinedMeasureWarning`, if a class is missing
        or the upper granular AUC is 0.

    Notes
    -----
    lambda = low / up is ``granular_auc(...).lambda_``. O(n log n).

    References
    ----------
    Dong, Li, Li and Zhao, Journal of Software 24 (2013) 109-120, definitions 6 and 7.

    Examples
    --------
    >>> lambda_auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], granularity=0.1)
    0.65625
    """
    ranking = defined_ranking(lambda_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    area: GranularAUC = granular_auc(
        ranking, granularity=granularity, definition=definition, decimals=decimals
    )
    if area.up == 0:
        return undefined("lambda AUC is undefined: the upper granular AUC is 0")
    return area.lambda_ * area.auc


def granular_areas(
    ranking: Ranking, scale: ScoreScale, definition: GranularDefinition, distances: Sequence[Any]
) -> tuple[Floats, Floats]:
    """The lower and the upper granular AUC at each distance."""
    if definition == "published":
        return published_areas(ranking, scale, distances)
    auc, count = auc_of(ranking), len(distances)
    shifts = [-distance for distance in distances] + list(distances)
    thetas = ShiftedClasses(ranking, scale).thetas(shifts)
    # Rounded sums of weights must not violate low <= auc <= up.
    return np.minimum(thetas[:count], auc), np.maximum(thetas[count:], auc)


def auc_of(ranking: Ranking) -> float:
    """The AUC; exactly 0 if no positive reaches a negative, which rounded weights may not give."""
    highest_pos, lowest_neg = np.flatnonzero(ranking.pos)[-1], np.flatnonzero(ranking.neg)[0]
    return 0.0 if highest_pos < lowest_neg else ranking.summary.auc


def undefined(found: str) -> float:
    """Warn that a measure is undefined, and return nan."""
    UndefinedMeasureWarning(found=found, fix="The result is nan.").issue()
    return math.nan
