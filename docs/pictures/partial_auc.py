"""Draw docs/pictures/partial_auc.png: areas under parts of one ROC curve."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

BOXES = {
    "fpr_range=(0, 0.3)": ((0, 0.3), (0, 1)),
    "tpr_range=(0.7, 1)": ((0, 1), (0.7, 1)),
    "fpr_range=(0, 0.5), tpr_range=(0.5, 1)": ((0, 0.5), (0.5, 1)),
}


def draw() -> plt.Figure:
    """One panel for each kind of box."""
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.5), layout="constrained", sharey=True)
    rng = np.random.default_rng(1)
    truth = rng.random(150) < 0.4
    ranking = rl.Ranking(truth, np.round(rng.normal(size=150) + 1.2 * truth, 1))
    curve = rl.roc_curve(ranking)
    grid = np.linspace(0, 1, 2001)
    for panel, (title, ((a, b), (c, d))) in zip(axes, BOXES.items(), strict=True):
        area = rl.partial_auc(ranking, fpr_range=(a, b), tpr_range=(c, d))
        scaled = rl.partial_auc(ranking, fpr_range=(a, b), tpr_range=(c, d), standardize=True)
        inside = (grid >= a) & (grid <= b)
        height = np.clip(np.interp(grid, curve.fpr, curve.tpr), c, d)
        panel.fill_between(grid, c, height, where=inside, color="#1b6ca8", alpha=0.3, lw=0)
        panel.plot([a, b, b, a, a], [c, c, d, d, c], color="#1b6ca8", lw=0.8, ls="--")
        panel.plot(curve.fpr, curve.tpr, color="black", lw=1)
        panel.plot([0, 1], [0, 1], color="grey", lw=0.6, ls=":")
        text = f"area {area:.3f}\nstandardised {scaled:.3f}"
        panel.text(0.97, 0.04, text, ha="right", va="bottom")
        panel.set_title(title, fontsize=9)
        panel.set(xlabel="false positive rate", xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        panel.set_aspect("equal")
        panel.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("true positive rate")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
