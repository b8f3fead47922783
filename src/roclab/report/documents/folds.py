"""Pictures of cross-validation: each fold, and all together."""

from __future__ import annotations

import math

from roclab.formatting import one_line
from roclab.inference import CrossValidatedAUC, FoldAUC
from roclab.report.document import figure
from roclab.report.figure import Axes, Figure, Points
from roclab.report.formats import percent

_DRAWN = 40


def _place(fold: FoldAUC) -> float:
    """Numbers in their order; other names, which have none, as they come."""
    try:
        return float(fold.fold)
    except (TypeError, ValueError):
        return math.inf


@figure.register
def _(result: CrossValidatedAUC) -> Figure:
    folds = sorted(result.folds, key=_place)[:_DRAWN]
    both = (result.averaged, result.pooled)
    ends = [(one.value, one.low, one.high) for one in both]
    ends += [(fold.value, math.nan, math.nan) for fold in folds]
    points = Points.of_intervals(ends, filled=[True, True, *(False for _ in folds)])
    names = ("mean of folds", "pooled", *(f"fold {one_line(fold.fold)}" for fold in folds))
    return Figure(
        series=(points,),
        axes=Axes(
            x=f"AUC, {percent(result.averaged.confidence_level)} interval", y="", names=names[::-1]
        ),
        title=f"{_DRAWN} of {len(result.folds):,} folds" if len(result.folds) > _DRAWN else "",
        quality=result.averaged.value,
    )
