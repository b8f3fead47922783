"""Populations of scores whose AUC is 0.8, with the true value of any measure."""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np
from scipy import stats

_TAIL = np.geomspace(1e-9, 0.01, 1000)
_LEVELS = np.concatenate((_TAIL, np.linspace(0.01, 0.99, 4001)[1:-1], 1 - _TAIL[::-1]))
_Z = stats.norm.ppf(0.8)


@dataclass(frozen=True)
class Population:
    """Distributions of the two classes."""

    pos: Any
    neg: Any

    def draw(self, rng, n_pos, n_neg, runs):
        """Scores of the positives and of the negatives, one sample a row."""
        neg = self.neg.rvs((runs, n_neg), random_state=rng)
        return self.pos.rvs((runs, n_pos), random_state=rng), neg

    def value(self, measure, prevalence=0.5):
        """Measure of labels, scores and weights in the population, at a share of positives."""
        edges = np.unique(np.concatenate([self.pos.ppf(_LEVELS), self.neg.ppf(_LEVELS)]))
        ends = np.concatenate([[-np.inf], edges, [np.inf]])
        scores = np.concatenate([[edges[0]], (edges[1:] + edges[:-1]) / 2, [edges[-1]]])
        pos, neg = np.diff(self.pos.cdf(ends)), np.diff(self.neg.cdf(ends))
        weights = np.concatenate([prevalence * pos, (1 - prevalence) * neg])
        kept = weights > 1e-30  # smaller weights are refused
        labels = np.repeat([True, False], len(scores))[kept]
        return measure(labels, np.tile(scores, 2)[kept], sample_weight=weights[kept])


POPULATIONS = {
    "normal": Population(stats.norm(sqrt(2) * _Z), stats.norm()),
    "t3": Population(stats.t(3, loc=1.5353971327), stats.t(3)),
    "gamma": Population(stats.gamma(2, scale=2.4826129837), stats.gamma(2)),
    "exponential": Population(stats.expon(scale=4), stats.expon()),
    "lognormal": Population(stats.lognorm(1, scale=exp(sqrt(2) * _Z)), stats.lognorm(1)),
}
