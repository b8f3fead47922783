"""Draw docs/pictures/folds.png: ROC curves of five folds, and two averages of them."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

import roclab as rl


def draw() -> plt.Figure:
    """The curves of the folds behind each average."""
    X, y = load_breast_cancer(return_X_y=True)
    results = cross_validate(
        DecisionTreeClassifier(min_samples_leaf=15, random_state=0),
        X[:, :4],
        y,
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        return_estimator=True,
        return_indices=True,
    )
    scores = rl.fold_scores(results, X[:, :4], y)
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.6), layout="constrained", sharey=True)
    for panel, over in zip(axes, ("fpr", "threshold"), strict=True):
        rl.plot(rl.average_roc(scores, over=over), ax=panel)
        panel.set_title(f'over="{over}"')
    axes[1].set_ylabel("")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
