"""Draw docs/pictures/operating_points.png: rates along the threshold, and chosen points."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl


def draw() -> plt.Figure:
    """Sensitivity, specificity and precision, and four choices on the ROC curve."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.7), layout="constrained")
    rng = np.random.default_rng(0)
    truth = rng.random(300) < 0.25
    scores = np.round(rng.normal(size=300) + 1.5 * truth, 2)
    points = rl.operating_points(truth, scores)
    rl.plot(points, ax=left)
    right.plot(points.fpr, points.tpr, color="black", lw=1)
    costs = rl.choose_threshold(truth, scores, false_negative_cost=10, n_resamples=1, rng=0)
    chosen = {
        "youden": points.best(),
        "closest": points.best(criterion="closest"),
        "cost, a miss 10 times worse": points.at(threshold=costs.threshold),
        "specificity 0.95": points.at(specificity=0.95),
    }
    for marker, (name, point) in zip("os^D", chosen.items(), strict=True):
        label = f"{name}: {point.threshold:g}"
        right.plot(point.fpr, point.tpr, marker=marker, ms=8, lw=0, alpha=0.8, label=label)
    right.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    right.legend(
        frameon=False, loc="lower right", title="threshold by", alignment="left", fontsize=8
    )
    right.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
