"""The learners that AUCtron is compared with, and what is done to the columns before.

Some are as Castro and Braga have them: no penalty, nothing chosen. Of the others a setting is
chosen by the AUC in folds of the training rows. Penalties are those on the mean loss of a row (or
pair): half of them times the squared coefficients of standardised columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import LinearSVC

import roclab as rl

EPOCHS = 80  # of the paper's descent
MOST_ITERATIONS = 2000
INNER_FOLDS = 3
# From what bends most to what bends least: of equal ones the first is chosen.
PENALTIES = (10.0, 1.0, 0.1, 0.01, 1e-3, 1e-4)
LEAVES = (40, 20, 10, 5, 2)

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Ranker:
    """How to make a model.

    Attributes
    ----------
    make : callable
        The model; it gets the mask of columns that hold categories.
    name, settings : str, sequence of float
        The parameter to choose and what to choose from; nothing is chosen if there is one or none.
    as_parameter : callable
        The value of the parameter that a setting means for so many training rows.
    raw : bool
        Whether it takes the table as it is, with categories and missing values.
    """

    make: Callable[[Labels], Any]
    name: str = ""
    settings: Sequence[float] = ()
    as_parameter: Callable[[float, int], float] = lambda setting, _: setting
    raw: bool = False

    def trained(self, X: Floats, y: Labels, categorical: Labels) -> tuple[Any, float]:
        """The model, and the setting that was chosen for it; nan if there was nothing to choose."""
        model = self.make(categorical)
        if not self.settings:
            return model.fit(X, y), math.nan
        setting_of = {self.as_parameter(one, len(y)): one for one in self.settings}
        folds = StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=0)
        search = GridSearchCV(model, {self.name: list(setting_of)}, scoring="roc_auc", cv=folds)
        search.fit(X, y)
        return search.best_estimator_, setting_of[search.best_params_[self.name]]


def scores_of(model: Any, X: Floats) -> Floats:
    """Scores of which those from 0 on are called positive."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X))
    return np.asarray(model.predict_proba(X)[:, 1] - 0.5)


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoding:
    """Columns of numbers, of mean 0 and deviation 1, as the training rows have them.

    A missing number is the median; a category is an indicator, of two the second only; one that is
    missing, or was not seen, has none.
    """

    medians: Floats
    categories: Mapping[int, Floats]
    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, table: Floats, numeric: Labels) -> Encoding:
        """What these rows say."""
        medians = np.array([_median(column) for column in table.T])
        categories = {
            place: _indicated(table[:, place]) for place in np.flatnonzero(~numeric).tolist()
        }
        plain = cls(medians=medians, categories=categories, mean=np.zeros(1), deviation=np.ones(1))
        columns = plain.columns(table)
        deviation = columns.std(axis=0)
        return cls(
            medians=medians,
            categories=categories,
            mean=columns.mean(axis=0),
            deviation=np.where(deviation > 0, deviation, 1.0),
        )

    def columns(self, table: Floats) -> Floats:
        """Rows, encoded."""
        parts = []
        for place, column in enumerate(table.T):
            if place in self.categories:
                parts += [column == value for value in self.categories[place]]
            else:
                parts.append(np.where(np.isnan(column), self.medians[place], column))
        return (np.column_stack(parts).astype(np.float64) - self.mean) / self.deviation


def _median(column: Floats) -> float:
    known = column[~np.isnan(column)]
    return float(np.median(known)) if len(known) else 0.0


def _indicated(column: Floats) -> Floats:
    known = np.unique(column[~np.isnan(column)])
    return known[1:] if len(known) == 2 and not np.isnan(column).any() else known


def _unit(kind: type, **options: Any) -> Callable[[Labels], Any]:
    # Columns are standardised already.
    return lambda _: kind(standardize=False, random_state=0, tol=1e-5, **options)


def _share_of_rows(penalty: float, rows: int) -> float:
    return 1 / (penalty * rows)


# As in the paper: without penalty, outputs cut at one half as they come.
PUBLISHED = {
    "AUCtron, descent": Ranker(
        make=_unit(
            rl.AUCtronClassifier, alpha=0, solver="auctron", max_iter=EPOCHS, calibrate=False
        )
    ),
    "MSEtron, descent": Ranker(make=_unit(rl.MSEtronClassifier, solver="auctron", max_iter=EPOCHS)),
    "AUCtron, L-BFGS": Ranker(
        make=_unit(rl.AUCtronClassifier, alpha=0, max_iter=MOST_ITERATIONS, calibrate=False)
    ),
    "MSEtron, L-BFGS": Ranker(make=_unit(rl.MSEtronClassifier, max_iter=MOST_ITERATIONS)),
    "logistic regression, no penalty": Ranker(
        make=lambda _: LogisticRegression(C=math.inf, max_iter=MOST_ITERATIONS)
    ),
    "AUCsplit, no limits": Ranker(
        make=lambda categorical: rl.AUCSplitTreeClassifier(categorical_features=categorical),
        raw=True,
    ),
}
# As one would use them.
CHOSEN = {
    "AUCtron": Ranker(
        make=_unit(rl.AUCtronClassifier, max_iter=MOST_ITERATIONS),
        name="alpha",
        settings=PENALTIES,
    ),
    "MSEtron": Ranker(
        make=_unit(rl.MSEtronClassifier, max_iter=MOST_ITERATIONS),
        name="alpha",
        settings=PENALTIES,
    ),
    "logistic regression": Ranker(
        make=lambda _: LogisticRegression(max_iter=MOST_ITERATIONS),
        name="C",
        settings=PENALTIES,
        as_parameter=_share_of_rows,
    ),
    "linear SVM": Ranker(
        make=lambda _: LinearSVC(max_iter=20 * MOST_ITERATIONS, random_state=0),
        name="C",
        settings=PENALTIES,
        as_parameter=_share_of_rows,
    ),
    "AUCsplit": Ranker(
        make=lambda categorical: rl.AUCSplitTreeClassifier(categorical_features=categorical),
        name="min_samples_leaf",
        settings=LEAVES,
        as_parameter=lambda setting, _: int(setting),
        raw=True,
    ),
    "gradient boosting": Ranker(make=lambda _: GradientBoostingClassifier(random_state=0)),
}
RANKERS = PUBLISHED | CHOSEN
