"""rho AUC: the closeness of the granular AUCs to the AUC over granularities from 0 to 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_count
from roclab.curves.granular import GranularDefinition, check_definition
from roclab.curves.score_scale import ScoreScale
from roclab.curves.shifted import ShiftedClasses
from roclab.data.ranking import Ranking
from roclab.data.undefined import is_undefined
from roclab.errors import InputError
from roclab.measures.granular import REFERENCE, auc_of, granular_areas, undefined
from roclab.measures.measure import defined_ranking, measure, measured_ranking
from roclab.result import Result

_MOST = 10**6  # intervals of a grid
MOST_PAIRS = 10_000_000


@dataclass(frozen=True, kw_only=True, repr=False)
class GranularParts(Result):
    """The components of rho AUC.

    Attributes
    ----------
    auc : float
        Area under the ROC curve.
    up_area : float
        Integral of AUC / up over granularities from 0 to 1: F.
    low_area : float
        Integral of low / AUC over granularities from 0 to 1: G.
    grid : int or None
        Intervals of the trapezoid rule; None for the exact integral.
    definition : {"clean", "published"}
        Definition of the curves.
    """

    auc: float
    up_area: float
    low_area: float
    grid: int | None
    definition: GranularDefinition

    @property
    def rho(self) -> float:
        """Geometric mean of the two areas."""
        return math.sqrt(self.up_area * self.low_area)

    def to_dict(self) -> dict[str, Any]:
        """The fields, and rho, as plain Python values."""
        return super().to_dict() | {"rho": self.rho}

    def __repr__(self) -> str:
        grid = "exact" if self.grid is None else f"grid {self.grid}"
        return (
            f"GranularParts(rho {self.rho:.4g}, up area {self.up_area:.4g}, low area "
            f"{self.low_area:.4g}, AUC {self.auc:.4g}, {grid}, {self.definition})"
        )


@measure(
    title="granular parts",
    meaning="the components of rho AUC",
    reference=f"{REFERENCE}, section 2.4",
    scores="finite",
    parts=("auc", "up_area", "low_area", "rho"),
    example="grid=1000",
)
def granular_parts(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    grid: int | None = 100,
    definition: GranularDefinition = "clean",
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> GranularParts:
    """The integrals of AUC / up and low / AUC over all granularities, and rho.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    grid : int or None, default 100
        Number of intervals of the trapezoid rule over [0, 1]; the value depends on it slightly, so
        report it. None is the exact integral, only for the clean definition and up to ten million
        pairs of a distinct positive and a distinct negative score.
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
    GranularParts
        With `rho`, `up_area`, `low_area` and `auc`; nan, with `UndefinedMeasureWarning`, if a
        class is missing or the AUC is 0.

    Examples
    --------
    >>> granular_parts([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], grid=None)
    GranularParts(rho 0.5916, up area 0.875, low area 0.4, AUC 0.875, exact, clean)
    """
    ranking = measured_ranking(granular_parts, y_true, y_score, sample_weight, pos_label)
    scale = ScoreScale(decimals)
    check_definition(definition, ranking)
    _check_grid(grid, definition)
    auc = up_area = low_area = math.nan
    if not is_undefined(ranking):
        auc = auc_of(ranking)
        if auc == 0:
            undefined("rho AUC is undefined: the AUC is 0")
        elif grid is None:
            up_area, low_area = _exact_areas(ShiftedClasses(ranking, scale), auc)
        else:
            low, up = granular_areas(ranking, scale, definition, scale.grid(int(grid)))
            if up.all():
                up_area, low_area = _trapezoid_mean(auc / up), _trapezoid_mean(low / auc)
            else:
                undefined("rho AUC is undefined: an upper granular AUC is 0")
    return GranularParts(
        auc=auc, up_area=up_area, low_area=low_area, grid=grid, definition=definition
    )


@measure(
    title="rho AUC",
    meaning="AUC times rho, the closeness of the granular AUCs to it over granularities 0 to 1",
    reference=f"{REFERENCE}, definition 8",
    scores="finite",
    example="grid=1000",
)
def rho_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    grid: int | None = 100,
    definition: GranularDefinition = "clean",
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """The AUC times rho, the closeness of the granular AUCs to it over granularities 0 to 1.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    grid : int or None, default 100
        Number of intervals of the trapezoid rule over [0, 1]; the value depends on it slightly, so
        report it. None is the exact integral, only for the clean definition and up to ten million
        pairs of a distinct positive and a distinct negative score.
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
        or the AUC is 0.

    Notes
    -----
    rho = sqrt(F G), with F the integral of AUC / up and G that of low / AUC over granularities
    from 0 to 1; `granular_parts` has them. For clean curves and scores in [0, 1], G is the scored
    AUC over the AUC. Cost: O(n log n), and grid times O(n); exact: O(mn log mn) for m positive and
    n negative distinct scores.

    References
    ----------
    Dong, Li, Li and Zhao, Journal of Software 24 (2013) 109-120, definition 8.

    Examples
    --------
    >>> round(rho_auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], grid=None), 6)
    0.517657
    """
    ranking = defined_ranking(rho_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    parts: GranularParts = granular_parts(
        ranking, grid=grid, definition=definition, decimals=decimals
    )
    return parts.rho * parts.auc


def _check_grid(grid: Any, definition: GranularDefinition) -> None:
    if grid is None:
        if definition != "clean":
            raise InputError(
                found="{grid=}None, the exact integral, exists only for {definition=}'clean'",
                fix="Pass a grid, such as {grid=}100.",
            )
    else:
        check_count("grid", grid, most=_MOST, fix="Pass {grid=}None for the exact integral.")


def _trapezoid_mean(values: npt.NDArray[np.float64]) -> float:
    """The integral over [0, 1] of a function known at equally spaced points."""
    return float((values[1:] + values[:-1]).mean()) / 2


def _exact_areas(classes: ShiftedClasses, auc: float) -> tuple[float, float]:
    """Integrals of auc / up and of low / auc over granularities from 0 to 1, clean definition.

    Both are step functions, with steps at the distances between positives and negatives. The
    lower one sums to the mean over pairs of the margin y - x, clipped to 0 and 1. For the upper
    one the distances of the lost pairs are sorted: at granularity d, those below d are won.

    Parameters
    ----------
    classes : ShiftedClasses
        The two classes.
    auc : float
        Their AUC, not 0.
    """
    pairs = len(classes.positives) * len(classes.negatives)
    if pairs > MOST_PAIRS:
        raise InputError(
            found="The exact integral of {grid=}None takes {pairs} pairs of distinct scores",
            needed=f"at most {MOST_PAIRS:,} are possible",
            fix="Pass a grid, such as {grid=}100 or {grid=}1000.",
            pairs=f"{pairs:,}",
        )
    unit = classes.scale.unit
    with np.errstate(over="ignore"):
        margins = classes.positives[:, np.newaxis] - classes.negatives
    mass = classes.pos_mass[:, np.newaxis] * classes.neg_mass
    total = float(mass.sum())
    low_area = float((mass * (np.clip(margins, 0, unit) / unit)).sum()) / total / auc

    reachable = (margins < 0) & (margins > -unit)
    distances, gained = -margins[reachable], mass[reachable]
    order = Ranking(np.zeros(len(distances), dtype=np.bool_), distances).order
    won = np.cumsum(np.concatenate(([mass[margins >= 0].sum()], gained[order])))
    edges = np.concatenate(([0], distances[order], [unit])) / unit
    up_area = float((np.diff(edges) / won).sum()) * total * auc
    return up_area, low_area
