"""Do trees rank better if their splits are chosen for the AUC? Against Gini and entropy.

All trees see the same rows, with categories as indicators and missing values as they are, stop at
the same limits and score their leaves after Laplace; only the criterion differs. The tree that
takes categories as they are comes along.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab_studies import two_classes
from roclab_studies.resampling import CorrectedMean

FOLDS, REPEATS = 5, 10
DATA = ("pima", "german", "abalone 18 vs 9", "sick", "spambase")
LIMITS: dict[str, Mapping[str, int]] = {
    "depth 4": {"max_depth": 4},
    "leaves of 10 rows": {"min_samples_leaf": 10},
    "none": {},
}
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A table and the limits of the trees."""

    data: str
    limits: str
    repeats: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.data

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return float(self.data in ("sick", "spambase"))

    def __str__(self) -> str:
        return f"{self.data}, limits: {self.limits}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Means over all folds of all repeats.

    Attributes
    ----------
    rows, positives : int
        Of the table.
    auc_split, gini, entropy, with_categories : float
        AUC on rows that were left out; the last is of AUC splits that take categories as they are.
    over_gini, over_entropy : float
        Difference of AUC splits from the others.
    over_gini_error, over_entropy_error : float
        Standard error of the difference, with the correction of Nadeau and Bengio (2003) for
        training rows that folds share.
    leaves, gini_leaves, entropy_leaves : float
        Leaves.
    """

    rows: int
    positives: int
    auc_split: float
    gini: float
    entropy: float
    with_categories: float
    over_gini: float
    over_gini_error: float
    over_entropy: float
    over_entropy_error: float
    leaves: float
    gini_leaves: float
    entropy_leaves: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repeats divided by `fewer`."""
    return [
        Question(data=data, limits=limits, repeats=max(1, REPEATS // fewer))
        for data, limits in itertools.product(DATA, LIMITS)
    ]


def answer(question: Question) -> Answer:
    """Train on four fifths and rank the rest, again and again."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    source = two_classes.read(question.data)
    table, categorical, truth = source.values, ~source.numeric, source.labels
    indicators = as_indicators(table, categorical)
    limits = LIMITS[question.limits]
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=question.repeats, random_state=0)
    aucs: dict[str, list[float]] = {name: [] for name in (*CONTENDERS, "with categories")}
    leaves: dict[str, list[int]] = {name: [] for name in aucs}
    for learn, judge in folds.split(table, truth):
        for name in aucs:
            X = table if name == "with categories" else indicators
            own = limits | {"categorical_features": categorical} if X is table else limits
            rank = CONTENDERS.get(name, auc_splits)
            scores, count = rank(X[learn], truth[learn], X[judge], own)
            aucs[name].append(rl.auc(truth[judge], scores))
            leaves[name].append(count)
    over = {
        other: CorrectedMean.of(np.subtract(aucs["AUC split"], aucs[other]), 1 / (FOLDS - 1))
        for other in ("gini", "entropy")
    }
    return Answer(
        **asdict(question),
        rows=len(truth),
        positives=int(truth.sum()),
        auc_split=_rounded(np.mean(aucs["AUC split"])),
        gini=_rounded(np.mean(aucs["gini"])),
        entropy=_rounded(np.mean(aucs["entropy"])),
        with_categories=_rounded(np.mean(aucs["with categories"])),
        over_gini=_rounded(over["gini"].value),
        over_gini_error=_rounded(over["gini"].error),
        over_entropy=_rounded(over["entropy"].value),
        over_entropy_error=_rounded(over["entropy"].error),
        leaves=_rounded(np.mean(leaves["AUC split"])),
        gini_leaves=_rounded(np.mean(leaves["gini"])),
        entropy_leaves=_rounded(np.mean(leaves["entropy"])),
    )


def auc_splits(
    X: npt.NDArray[Any], truth: npt.NDArray[np.bool_], new: npt.NDArray[Any], limits: Any
) -> tuple[Scores, int]:
    """Scores of new rows, and the number of leaves."""
    tree = rl.AUCSplitTreeClassifier(**limits).fit(X, truth)
    return tree.predict_proba(new)[:, 1], tree.n_leaves_


def impurity_splits(criterion: str) -> Callable[..., tuple[Scores, int]]:
    """The same by a tree of scikit-learn, its leaves scored after Laplace."""

    def rank(
        X: npt.NDArray[Any], truth: npt.NDArray[np.bool_], new: npt.NDArray[Any], limits: Any
    ) -> tuple[Scores, int]:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(criterion=criterion, random_state=0, **limits).fit(X, truth)
        places = tree.apply(X)
        size = tree.tree_.node_count
        pos = np.bincount(places[truth], minlength=size)
        rows = np.bincount(places, minlength=size)
        return ((pos + 1) / (rows + 2))[tree.apply(new)], int(tree.get_n_leaves())

    return rank


CONTENDERS: dict[str, Callable[..., tuple[Scores, int]]] = {
    "AUC split": auc_splits,
    "gini": impurity_splits("gini"),
    "entropy": impurity_splits("entropy"),
}


def as_indicators(
    table: npt.NDArray[np.float64], categorical: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """An indicator for each category in the place of a feature that has some; none if missing."""
    parts = []
    for column, is_category in zip(table.T, categorical, strict=True):
        if is_category:
            parts += [column == value for value in np.unique(column[~np.isnan(column)])]
        else:
            parts.append(column)
    return np.column_stack(parts).astype(np.float64)


def _rounded(value: float | np.floating[Any]) -> float:
    return float(f"{value:.4g}")
