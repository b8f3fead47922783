"""Draw docs/pictures/hull_and_costs.png: a ROC curve with its hull, and the same as costs."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl


def sample() -> rl.Ranking:
    """Scores that rank well, but for a band in which they are the wrong way round."""
    rng = np.random.default_rng(7)
    truth = rng.random(60) < 0.4
    scores = np.round(rng.normal(size=60) + 1.3 * truth, 2)
    band = (scores > 0.4) & (scores < 1.2)
    scores[band] = 1.6 - scores[band]
    return rl.Ranking(truth, scores)


def draw() -> plt.Figure:
    """The hull above the curve, and the envelope below the lines."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.7), layout="constrained")
    ranking = sample()
    curve, hull, cost = rl.roc_curve(ranking), rl.roc_hull(ranking), rl.cost_curve(ranking)
    rl.plot(hull, ax=left, ranking=ranking)
    for fpr, tpr in zip(curve.fpr[::4], curve.tpr[::4], strict=True):
        right.plot([0, 1], [fpr, 1 - tpr], color="lightgrey", lw=0.5)
    rl.plot(cost, ax=right)
    right.set_title("every fourth threshold as a line")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
