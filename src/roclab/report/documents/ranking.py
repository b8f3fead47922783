"""Pictures of a ranking: the distribution of scores in each class."""

from __future__ import annotations

import math

import numpy as np

from roclab.ranking import Ranking
from roclab.report.document import figure
from roclab.report.figure import Axes, Band, Figure, Line, Role, Series

_BINS = (10, 60)
_ROLES: tuple[Role, Role] = ("changed", "curve")


@figure.register
def _(result: Ranking) -> Figure:
    scores = result.scores.astype(np.float64)
    finite = np.isfinite(scores)
    fewest, most = _BINS
    bins = min(max(math.ceil(2 * len(result) ** (1 / 3)), fewest), most)  # the Rice rule
    ends = (scores[finite][0], scores[finite][-1]) if finite.any() else (0.0, 1.0)
    low, high = ends if ends[0] < ends[1] else (ends[0] - 0.5, ends[0] + 0.5)
    edges = np.linspace(low, high, bins + 1)
    series: list[Series] = []
    classes = (("negative", result.neg, result.n_neg), ("positive", result.pos, result.n_pos))
    for role, (name, mass, size) in zip(_ROLES, classes, strict=True):
        shares = np.zeros(len(edges) - 1)
        if size:
            shares = np.histogram(scores[finite], edges, weights=mass[finite])[0] / mass.sum()
        x = np.repeat(edges, 2)
        y = np.concatenate(([0.0], np.repeat(shares, 2), [0.0]))
        label = f"{name}, {size:,} examples"
        series.append(Band(x=x, low=np.zeros(len(x)), high=y, label="", role=role))
        series.append(Line(x=x, y=y, label=label, role=role, dashed=role != "curve"))
    axes = Axes(x="score", y="share of the class in the bin")
    title = "" if finite.all() else "infinite scores are not shown"
    return Figure(series=tuple(series), axes=axes, title=title)
