"""Populations of the panel: many shapes of scores, with the true value of any measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.optimize import brentq

from roclab_studies.populations import CUTS

Floats = npt.NDArray[np.float64]

SHAPES: dict[str, Any] = {
    "normal": stats.norm(),
    "t3": stats.t(3),
    "gamma": stats.gamma(2),
    "exponential": stats.expon(),
    "weibull": stats.weibull_min(1.5),
    "lognormal": stats.lognorm(1),
}
_DRAWS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Floats]] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "t3": lambda rng, size: rng.standard_t(3, size),
    "gamma": lambda rng, size: rng.standard_gamma(2, size),
    "exponential": lambda rng, size: rng.standard_exponential(size),
    "weibull": lambda rng, size: rng.weibull(1.5, size),
    "lognormal": lambda rng, size: np.exp(rng.standard_normal(size)),
}
# Levels of probability at which a shape is cut into cells, for the true values.
_TAIL = np.geomspace(1e-9, 0.01, 1000)
_GRID = np.concatenate((_TAIL, np.linspace(0.01, 0.99, 4001)[1:-1], 1 - _TAIL[::-1]))


@dataclass(frozen=True, kw_only=True)
class Family:
    """Shapes of the two classes.

    Attributes
    ----------
    title : str
        How tables call it.
    shape : str
        Distribution of the negatives, and of each part of the positives.
    parts : tuple of (float, float, float)
        Share of the positives, multiple of the separation, and offset, for each part.
    spread : float
        Scale of the positives; negatives have 1.
    scaled : bool
        Whether the separation multiplies the positives instead of shifting them.
    cuts : tuple of float or None
        Between levels, from the middle of the two classes, if of a score only its level is known.
    chosen_on : bool
        Whether methods were chosen on it; the others judge.
    """

    title: str
    shape: str = "normal"
    parts: tuple[tuple[float, float, float], ...] = ((1.0, 1.0, 0.0),)
    spread: float = 1.0
    scaled: bool = False
    cuts: tuple[float, ...] | None = None
    chosen_on: bool = False


FAMILIES = {
    "equal": Family(title="normal, equal spread", chosen_on=True),
    "wide": Family(title="normal, positives twice as wide", spread=2, chosen_on=True),
    "five": Family(title="five levels", cuts=tuple(CUTS), chosen_on=True),
    "gamma": Family(title="gamma", shape="gamma", scaled=True, chosen_on=True),
    "third": Family(
        title="a third of positives like negatives",
        parts=((1 / 3, 0.0, 0.0), (2 / 3, 1.0, 0.0)),
        chosen_on=True,
    ),
    "bimodal": Family(
        title="bimodal positives", parts=((0.5, 1.0, -3.0), (0.5, 1.0, 3.0)), chosen_on=True
    ),
    "very wide": Family(title="normal, positives five times as wide", spread=5, chosen_on=True),
    "three": Family(title="three levels", cuts=(-0.5, 0.5)),
    "exponential": Family(title="exponential", shape="exponential", scaled=True),
    "weibull": Family(title="Weibull", shape="weibull", scaled=True),
    "lognormal": Family(title="lognormal", shape="lognormal", scaled=True),
    "t3": Family(title="Student's t, 3 degrees of freedom", shape="t3"),
    "tenth": Family(
        title="a tenth of positives like negatives", parts=((0.1, 0.0, 0.0), (0.9, 1.0, 0.0))
    ),
    "two peaks": Family(
        title="a quarter of positives far above", parts=((0.75, 1.0, 0.0), (0.25, 1.0, 5.0))
    ),
}


@dataclass(frozen=True, kw_only=True)
class PanelPopulation:
    """A family with the separation of the classes at which the AUC is as named."""

    family: str
    auc: float

    @property
    def kind(self) -> Family:
        """Shapes of the two classes."""
        return FAMILIES[self.family]

    @cached_property
    def separation(self) -> float:
        """Shift or scale of the positives."""
        if self.kind.scaled:
            return float(np.exp(brentq(lambda x: self._auc(np.exp(x)) - self.auc, -8, 8)))
        return float(brentq(lambda x: self._auc(x) - self.auc, -30, 60))

    def draw(
        self, rng: np.random.Generator, n_pos: int, n_neg: int, runs: int
    ) -> tuple[Floats, Floats]:
        """Scores of the positives and of the negatives, one sample a row."""
        kind, apart = self.kind, self.separation
        neg = _DRAWS[kind.shape](rng, (runs, n_neg))
        pos = _DRAWS[kind.shape](rng, (runs, n_pos))
        if kind.scaled:
            return pos * apart, neg
        shares, times, offsets = (np.array(column) for column in zip(*kind.parts, strict=True))
        part = rng.choice(len(shares), p=shares, size=pos.shape)
        pos = kind.spread * pos + (times * apart + offsets)[part]
        return self._seen(pos), self._seen(neg)

    def _seen(self, scores: Floats) -> Floats:
        if self.kind.cuts is None:
            return scores
        cuts = np.array(self.kind.cuts) + self.separation / 2
        return np.searchsorted(cuts, scores).astype(np.float64)

    def value(self, measure: Callable[..., Any], prevalence: float = 0.5) -> float:
        """True value of a measure of labels, scores and weights, at a share of positives."""
        scores, pos, neg = self._cells(self.separation)
        labels = np.repeat([True, False], len(scores))
        weights = np.concatenate([prevalence * pos, (1 - prevalence) * neg])
        kept = weights > 1e-30  # smaller weights are refused
        both = np.concatenate([scores, scores])
        return float(measure(labels[kept], both[kept], sample_weight=weights[kept]))

    def _auc(self, apart: float) -> float:
        _, pos, neg = self._cells(apart)
        return float(pos @ (np.cumsum(neg) - neg / 2))

    def _cells(self, apart: float) -> tuple[Floats, Floats, Floats]:
        """Score of each cell, and the shares of both classes in it."""
        kind = self.kind
        shape = SHAPES[kind.shape]
        if kind.scaled:
            parts = [(1.0, 0.0, apart)]
        else:
            parts = [(share, times * apart + add, kind.spread) for share, times, add in kind.parts]
        if kind.cuts is None:
            grid = shape.ppf(_GRID)
            edges = np.unique(
                np.concatenate([grid, *(shift + scale * grid for _, shift, scale in parts)])
            )
            scores = np.concatenate([[edges[0]], (edges[1:] + edges[:-1]) / 2, [edges[-1]]])
        else:
            edges = np.array(kind.cuts) + apart / 2
            scores = np.arange(len(edges) + 1.0)
        ends = np.concatenate([[-np.inf], edges, [np.inf]])
        pos = sum(share * shape.cdf((ends - shift) / scale) for share, shift, scale in parts)
        return scores, np.diff(pos), np.diff(shape.cdf(ends))
