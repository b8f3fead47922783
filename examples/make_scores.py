"""Write scores.csv: real models scored on the breast cancer data that ships with scikit-learn.

Every row is scored by a model that did not see it (ten-fold cross-validation), so the file is what
an honest evaluation starts from. Run it with ``python examples/make_scores.py``.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

OUTPUT = Path(__file__).with_name("scores.csv")
SEED = 0
MALIGNANT = 0  # as the data set codes it

# The last two give few distinct scores, so that the file has ties in it.
MODELS: dict[str, ClassifierMixin] = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "random_forest": RandomForestClassifier(n_estimators=200, random_state=SEED),
    "naive_bayes": GaussianNB(),
    "nearest_neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=15)),
    "decision_tree": DecisionTreeClassifier(max_depth=3, random_state=SEED),
}
WEAK_SCORE = "worst smoothness"  # one measurement taken as it is, no model


def score_columns() -> dict[str, list[str]]:
    """Return the file's columns by name, as text."""
    data = load_breast_cancer()
    malignant = data.target == MALIGNANT
    measurements = dict(zip(data.feature_names, data.data.T, strict=True))
    radius = measurements["mean radius"]
    folds = StratifiedKFold(n_splits=10, shuffle=True, random_state=SEED)
    columns = {
        "malignant": [str(int(label)) for label in malignant],
        "size": list(np.where(radius > np.median(radius), "large", "small")),
    }
    for name, model in MODELS.items():
        chances = cross_val_predict(model, data.data, malignant, cv=folds, method="predict_proba")
        columns[name] = _six_digits(chances[:, 1])
    columns[WEAK_SCORE.replace(" ", "_")] = _six_digits(measurements[WEAK_SCORE])
    return columns


def _six_digits(values: np.ndarray) -> list[str]:
    # Significant digits, not decimals: probabilities near 0 keep their order.
    return [f"{value:.6g}" for value in values]


def main() -> None:
    """Write the file."""
    columns = score_columns()
    with OUTPUT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


if __name__ == "__main__":
    main()
