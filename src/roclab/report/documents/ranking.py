"""Pictures of a ranking: the distribution of scores in each class."""

from __future__ import annotations

import math

import numpy as np

from roclab.data.ranking import Ranking
from roclab.report.document import figure
from roclab.report.figure import LARGEST_DRAWN, Axes, Band, Figure, Line, Role, Series

_BINS = (10, 60)
_NARROWEST = 1e-290  # narrower bins have no room for numbers between them
_ROLES: tuple[Role, Role] = ("changed", "curve")


@figure.register
def _(result: Ranking) -> Figure:
    scores = result.scores.astype(np.float64)
    finite = np.isfinite(scores)
    scores = np.clip(scores, -LARGEST_DRAWN, LARGEST_DRAWN)
    fewest, most = _BINS
    bins = min(max(math.ceil(2 * len(result) ** (1 / 3)), fewest), most)  # the Rice rule
    low, high = scores[finite][[0, -1]].tolist() if finite.any() else (0.0, 1.0)
    if not high - low > _NARROWEST:
        room = max(0.5, bins * math.ulp(high))
        low, high = low - room, high + room
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
