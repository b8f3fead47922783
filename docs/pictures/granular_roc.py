"""Draw docs/pictures/granular_roc.png: two classifiers of one ROC curve, and their bands."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl

GRANULARITY = 0.02
TRUTH = [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0]
SCORES = {
    "A": "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.495 0.4 0.38 0.35 0.34 0.33 0.32 0.31 "
    "0.2 0.1",
    "B": "0.9 0.8 0.7 0.6 0.57 0.55 0.53 0.51 0.48 0.45 0.4 0.38 0.36 0.34 0.32 0.3 0.25 0.15 0.12 "
    "0.1",
}
COLOURS = {"A": "#c8553d", "B": "#1b6ca8"}


def draw() -> plt.Figure:
    """The bands at one granularity, and the areas at all of them."""
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.5), layout="constrained")
    for panel, (name, written) in zip(axes, SCORES.items(), strict=False):
        colour = COLOURS[name]
        ranking = rl.Ranking(TRUTH, np.array(written.split(), dtype=float))
        area = rl.granular_auc(ranking, granularity=GRANULARITY, decimals=3)
        band = rl.granular_roc(ranking, granularity=GRANULARITY, decimals=3)
        curve = rl.roc_curve(ranking)
        panel.fill(
            np.concatenate((band.up.fpr, band.low.fpr[::-1])),
            np.concatenate((band.up.tpr, band.low.tpr[::-1])),
            color=colour,
            alpha=0.3,
            lw=0,
        )
        panel.plot(curve.fpr, curve.tpr, color="black", lw=1)
        panel.plot([0, 1], [0, 1], color="grey", lw=0.6, ls=":")
        panel.set(
            title=f"{name}, granularity {GRANULARITY}",
            xlabel="false positive rate",
            xlim=(0, 1),
            ylim=(0, 1.01),
            aspect="equal",
        )
        text = f"up {area.up:.3f}\nAUC {area.auc:.3f}\nlow {area.low:.3f}"
        panel.text(0.96, 0.05, text, ha="right", va="bottom")
        steps = range(601)
        values = [rl.granular_auc(ranking, granularity=k / 1000, decimals=3) for k in steps]
        deltas = np.array(steps) / 1000
        for side in ("up", "low"):
            heights = [getattr(value, side) for value in values]
            label = name if side == "up" else None
            axes[2].plot(deltas, heights, color=colour, lw=1.2, label=label)
    axes[0].set_ylabel("true positive rate")
    axes[2].axhline(0.69, color="black", lw=1)
    axes[2].set(xlabel="granularity", title="upper and lower AUC", xlim=(0, 0.6), ylim=(0, 1.01))
    axes[2].legend(frameon=False, loc="center right")
    for panel in axes:
        panel.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
