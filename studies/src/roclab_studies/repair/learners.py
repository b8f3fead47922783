"""Naive Bayes, discretised and Gaussian, and a decision tree, for attributes of both kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from roclab_studies.two_classes import Table

BINS = 10
Floats = npt.NDArray[np.float64]


class DiscretisedNaiveBayes(ClassifierMixin, BaseEstimator):
    """Naive Bayes of counts, after Laplace; numbers are cut into bins of equal frequency.

    A missing value says nothing, and neither does one that was not seen.
    """

    def __init__(self, numeric: npt.NDArray[np.bool_] | None = None) -> None:
        self.numeric = numeric

    def fit(self, X: Floats, y: npt.NDArray[np.bool_]) -> DiscretisedNaiveBayes:
        """Count."""
        self.classes_ = np.array([False, True])
        self.cuts_ = [self._cuts(X[:, k], k) for k in range(X.shape[1])]
        self.prior_ = np.log((y.sum() + 1) / ((~y).sum() + 1))
        self.evidence_ = []
        for k in range(X.shape[1]):
            cells = self._cells(X[:, k], k)
            known = cells >= 0
            size = len(self.cuts_[k]) + 1
            counts = [np.bincount(cells[known & rows], minlength=size) + 1 for rows in (y, ~y)]
            self.evidence_.append(np.log(counts[0] / counts[0].sum() * counts[1].sum() / counts[1]))
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Of not and of being positive."""
        log_odds = np.full(len(X), self.prior_)
        for k, evidence in enumerate(self.evidence_):
            cells = self._cells(X[:, k], k)
            log_odds += np.where(cells >= 0, evidence[np.maximum(cells, 0)], 0)
        positive = 1 / (1 + np.exp(-np.clip(log_odds, -700, 700)))
        return np.column_stack((1 - positive, positive))

    def _cuts(self, column: Floats, k: int) -> Floats:
        known = column[~np.isnan(column)]
        if self.numeric is None or not self.numeric[k]:
            return np.arange(0.5, known.max(initial=0))
        return np.unique(np.quantile(known, np.arange(1, BINS) / BINS)) if len(known) else known

    def _cells(self, column: Floats, k: int) -> npt.NDArray[np.intp]:
        cells = np.searchsorted(self.cuts_[k], column)
        return np.where(np.isnan(column), -1, cells)


class LaplaceTree(ClassifierMixin, BaseEstimator):
    """A decision tree whose leaves say (positives + 1) / (examples + 2)."""

    def __init__(self, min_samples_leaf: int = 5) -> None:
        self.min_samples_leaf = min_samples_leaf

    def fit(self, X: Floats, y: npt.NDArray[np.bool_]) -> LaplaceTree:
        """Grow."""
        self.classes_ = np.array([False, True])
        self.tree_ = DecisionTreeClassifier(min_samples_leaf=self.min_samples_leaf, random_state=0)
        leaves = self.tree_.fit(X, y).apply(X)
        size = self.tree_.tree_.node_count
        positives, examples = (np.bincount(leaves, w, size) for w in (y, np.ones(len(y))))
        self.chance_ = (positives + 1) / (examples + 2)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Of not and of being positive."""
        positive = self.chance_[self.tree_.apply(X)]
        return np.column_stack((1 - positive, positive))


@dataclass(frozen=True, kw_only=True)
class Learner:
    """How to make a model, and the columns that it learns from."""

    make: Callable[[Table], Any]
    columns: Callable[[Table], Floats]


LEARNERS = {
    "discretised naive Bayes": Learner(
        make=lambda table: DiscretisedNaiveBayes(table.numeric), columns=lambda table: table.values
    ),
    "Gaussian naive Bayes": Learner(
        make=lambda _: GaussianNB(), columns=lambda table: table.encoded
    ),
    "decision tree": Learner(make=lambda _: LaplaceTree(), columns=lambda table: table.encoded),
}
